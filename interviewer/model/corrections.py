"""Names that were mis-heard, put right everywhere by one word of a person's."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from interviewer.model.turn import Said

Model = TypeVar("Model", bound=BaseModel)

ARROW = "->"
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

# Fields that hold words; all others are ids, figures and choices.
_WORDS = frozenset(
    """
    text quote question first_quote second_quote titles wordings evidence name summary title subtitle markdown tensions
    assessment why questions gaps strengthen ideas stories claims contradictions lines closed quotes themes sentences
    topics expressions bullets proposal brief items tried subject said use
    """.split()
)


class Corrections(BaseModel):
    """Pairs of what was heard and what it should be, made by `adding`. The first pair for a wording counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pairs: tuple[tuple[str, str], ...] = ()

    def adding(self, wrong: str, right: str) -> Self:
        """A copy with one more pair, which counts for what the others put in as well; blank words change nothing."""
        if not wrong.strip() or not right.strip():
            return self
        latest = type(self)(pairs=((wrong.strip(), right.strip()),))
        older = tuple((heard, latest.text(put)) for heard, put in self.pairs)
        return self.model_copy(update={"pairs": (*latest.pairs, *older)})

    def text(self, text: str) -> str:
        """`text` with every wrong name put right: whole words, whatever their capitals; "Marten's" too.

        What is right already stays: "Ann" for "Mary Ann" makes no "Mary Mary Ann" of her.
        """
        if not self.pairs:
            return text
        return self._pattern.sub(lambda found: self._right.get(_key(found.group()), found.group()), text)

    def turns(self, turns: Iterable[Said]) -> tuple[Said, ...]:
        """Turns as agents are to see them."""
        return tuple(Said(turn.id, turn.speaker, self.text(turn.text)) for turn in turns)

    def model(self, model: Model) -> Model:
        """Notes, an analysis, a follow-up, an essay or a voice guide with its words put right; ids stay."""
        return model.model_copy(update=self._fields(model)) if self.pairs else model

    def _fields(self, model: BaseModel) -> dict[str, Any]:
        return {name: self._value(getattr(model, name)) for name in type(model).model_fields if name in _WORDS}

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, BaseModel):
            return self.model(value)
        return tuple(map(self._value, value)) if isinstance(value, tuple) else value

    @cached_property
    def _right(self) -> Mapping[str, str]:
        return {_key(wrong): right for wrong, right in reversed(self.pairs)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # The longest first, so that "Mary Ann" is not taken for "Mary"; right names are found and left alone.
        known = sorted({name for pair in self.pairs for name in pair}, key=lambda name: (-len(name), name))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(_spaced, known))})(?!\w)", re.IGNORECASE)


def pair(text: str) -> tuple[str, str] | None:
    """What "WRONG -> RIGHT" says, as (wrong, right); None if it says nothing that can be done."""
    wrong, arrow, right = (part.strip() for part in text.partition(ARROW))
    return (wrong, right) if arrow and not why_not(wrong, right) else None


def why_not(wrong: str, right: str) -> str:
    """Why `right` cannot be put in for `wrong`; empty if it can."""
    if not all(any(letter.isalnum() for letter in name) for name in (wrong, right)):
        return "give the name twice, as it was heard and as it is; both need a letter or a figure"
    if not all(map(_plain, right)):
        return "the right name holds a control character; type it anew"
    return "both names are the same" if wrong.strip() == right.strip() else ""


def _plain(letter: str) -> bool:
    """No control character, half a character or mark that turns the writing around; these would act on a screen."""
    return unicodedata.category(letter) not in ("Cc", "Cs") and letter not in _TURNING


def _key(wording: str) -> str:
    return " ".join(wording.lower().split())


def _spaced(wording: str) -> str:
    return r"\s+".join(re.escape(part) for part in wording.split())
