"""One call as metrics take it: plain values, whether it was held, imported, replayed or read from a file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from interviewer.ledger.events import World
from interviewer.ledger.fold import Ledger
from interviewer.matching.text import questions, words
from interviewer.matching.tokens import FUNCTION_WORDS
from interviewer.model.language import is_english
from interviewer.model.turn import Speaker

_TELLING_WORDS = 50
_A_FEW_WORDS = 8  # of so few in plain letters nothing can be told
_ENGLISH_FROM = 0.2  # of English talk about half the words are among FUNCTION_WORDS, of its neighbours' a few


@dataclass(frozen=True, slots=True)
class HeardTurn:
    """A turn as it came across: of the interviewer's only what was heard.

    Times are ms on the call's clock, which stands still in a pause; None: not known.
    """

    id: str
    speaker: Speaker
    text: str
    started_ms: int | None = None
    ended_ms: int | None = None


@dataclass(frozen=True, slots=True)
class HeardQuestion:
    """A sentence that asks and was heard. `turn`: its turn's place among the turns, from 0.

    `question_id`: the question it was taken for; None where nothing is known of that. `planned`: whether that is one of
    the plan.
    """

    text: str
    turn: int
    question_id: str | None = None
    planned: bool = False
    t_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ReplyFact:
    """A reply of the voice. `stale_ms`: by how much its guidance is older than the guest's last turn; None without."""

    kind: str
    stale_ms: int | None


@dataclass(frozen=True, slots=True)
class ProposalFact:
    """What the Orchestrator proposed; `source`: plan, gap, contradiction, research, closing or person."""

    source: str
    question_id: str | None
    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class RunFact:
    """A run of an agent. `outcome`: ok, late, error or invalid; `cost_usd` is None where no price is known."""

    agent: str
    outcome: str
    cost_usd: float | None


@dataclass(frozen=True)
class CallFacts:
    """What is known of one call. `ledger` is None where there was none: transcripts from elsewhere.

    `source`: demo, call, import, replay or file. `language`: as the plan has it; empty if nobody said. `timed`: the
    turns' times are the recording's own, and were not reckoned from the number of words. `target_ms` and `elapsed_ms`:
    the length aimed at and reached, on the call's clock. `early_goodbyes`: closing phrases before the end was near.
    `generated_words`: words of the interviewer's turns, heard or not. None: not known.
    """

    id: str
    turns: tuple[HeardTurn, ...]
    questions: tuple[HeardQuestion, ...]
    world: World = "real"
    source: str = "file"
    language: str = ""
    timed: bool = True
    ledger: Ledger | None = None
    replies: tuple[ReplyFact, ...] = ()
    proposals: tuple[ProposalFact, ...] = ()
    runs: tuple[RunFact, ...] = ()
    target_ms: int | None = None
    elapsed_ms: int | None = None
    early_goodbyes: int | None = None
    generated_words: int | None = None

    @cached_property
    def is_english(self) -> bool:
        """Whether rules for English may read it: as the plan says, and the words do not say otherwise.

        Where nobody said, a few words must be English ones already; a script without any is none.
        """
        if self.language and not is_english(self.language):
            return False
        said = [*chain.from_iterable(words(turn.text) for turn in self.turns)]
        known = sum(map(FUNCTION_WORDS.__contains__, said))
        few = len(said) < (_TELLING_WORDS if self.language else _A_FEW_WORDS) and all(map(str.isascii, said))
        return few or known >= _ENGLISH_FROM * len(said)

    def spoken(self, speaker: Speaker) -> int:
        """Words of one side."""
        return sum(len(words(turn.text)) for turn in self.turns if turn.speaker == speaker)

    def before(self, turn: int) -> str:
        """What the guest said between the interviewer's turn before and this one."""
        return self._guest(reversed(self.turns[:turn]), backwards=True)

    def after(self, turn: int) -> str:
        """What the guest said from this turn to the interviewer's next."""
        return self._guest(self.turns[turn + 1 :], backwards=False)

    def _guest(self, turns: Iterable[HeardTurn], *, backwards: bool) -> str:
        said: list[str] = []
        for turn in turns:
            if turn.speaker != "guest":
                break
            said.append(turn.text)
        return " ".join(said[::-1] if backwards else said)


def asked(turns: Sequence[HeardTurn]) -> tuple[HeardQuestion, ...]:
    """The sentences of the interviewer's turns that ask, where no ledger says what was heard."""
    return tuple(
        HeardQuestion(span.text, place, t_ms=turn.started_ms)
        for place, turn in enumerate(turns)
        if turn.speaker == "interviewer"
        for span in questions(turn.text)
    )


def heard(
    ledger: Ledger,
    turns: Sequence[HeardTurn],
    items: Sequence[str | None] = (),
    mended: Callable[[str], str] = str,
    shown: Callable[[int], int] = int,
) -> tuple[HeardQuestion, ...]:
    """What the ledger remembers as audibly asked, each with its turn; `items`: the service's id of each turn.

    Where an item's turn is not known it is the next turn of the interviewer's that holds the words, else the last one
    that began before. `mended` puts names right that were mis-heard; `shown` is what the call's clock showed at a
    moment of the ledger.
    """
    by_item = {item: place for place, item in enumerate(items) if item}
    asking = [place for place, turn in enumerate(turns) if turn.speaker == "interviewer"]
    found: list[HeardQuestion] = []
    reached = 0
    for each in ledger.heard:
        text, place, at_ms = mended(each.text), by_item.get(str(each.evidence.get("item_id"))), shown(each.t_ms)
        if place is None:
            holding = (at for at in asking if at >= reached and text in turns[at].text)
            begun = [at for at in asking if (turns[at].started_ms or 0) <= at_ms]
            place = next(holding, begun[-1] if begun else None)
        if place is None:
            continue
        reached = max(reached, place)
        known = ledger.questions.get(each.question_id or "")
        found.append(HeardQuestion(text, place, each.question_id, bool(known and known.planned), at_ms))
    return tuple(found)
