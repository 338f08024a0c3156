"""Which stretches of the guest's talk make the essay: weighed by what they hold, chosen by turn, told in order."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from interviewer.agents.cues import Kind
from interviewer.agents.passages import Sentence, runs
from interviewer.agents.signals import kinds, names
from interviewer.matching.text import content_words, words

Style = Literal["standard", "punchy", "reflective"]

_FIRST_PERSON = frozenset("i i'm i've i'd i'll me my mine myself we we're we've our us".split())
# What a kind of signal is worth on the page (chosen here, by reading essays): a thought broken off is worth a question
# in the call, but no reader wants it.
_WORTH: dict[Kind, float] = {
    "turning_point": 0.8,
    "workaround": 0.7,
    "loaded": 0.6,
    "distrust": 0.6,
    "objection": 0.6,
    "decision": 0.6,
    "story": 0.6,
    "feeling": 0.5,
    "insight": 0.5,
    "figure": 0.4,
    "contrast": 0.3,
    "comparison": 0.3,
    "hedge": -0.4,
    "vague": -0.5,
    "withheld": -0.5,
    "unfinished": -1.0,
}
_INWARD: frozenset[Kind] = frozenset(["feeling", "turning_point", "distrust", "insight", "decision"])
_LOOSE = re.compile(
    r"\b(?:i mean|you know|or whatever|or something|i don't know|basically|actually|obviously|et cetera)\b|--",
    re.IGNORECASE,
)
_LONG = 45
# How much it counts that a block goes on where a chosen one ended, or leads up to one; how many words of one turn
# cost a point; a block of fewer words is nothing by itself.
_GOES_ON, _LEADS_UP, _SHARE, _SHORT = 1.0, 0.5, 200, 15
_LIGHT = 0.3
_OWN, _MOST_OWN = 0.6, 2  # what an expression of the guest's own adds to a sentence, and how many count


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of one turn that belong together: an opening one and those that lean on it.

    `number` counts the blocks of the talk, so that two with successive numbers were said one after the other.
    """

    sentences: tuple[Sentence, ...]
    number: int
    weight: float
    words: int

    @property
    def turn(self) -> str:
        """Id of the turn it is from."""
        return self.sentences[0].turn

    def follows(self, other: "Block") -> bool:
        """Whether it was said right after `other`, in the same turn."""
        return self.number == other.number + 1 and self.turn == other.turn


class Scale:
    """Weighs sentences of one conversation, more for lines that someone marked as worth quoting.

    `preferred` are expressions of the guest's that an essay should keep.
    """

    def __init__(
        self,
        found: Sequence[Sentence],
        marked: Iterable[str] = (),
        style: Style = "standard",
        preferred: Iterable[str] = (),
    ) -> None:
        self._spread = Counter(word for s in found for word in content_words(s.text))
        self._marked = [content_words(line) for line in marked]
        self._style = style
        self._preferred = [f" {' '.join(words(expression))} " for expression in preferred]

    def weight(self, sentence: Sentence) -> float:
        """What a sentence holds: about 0 for small talk, 3 and more for a line that is worth hearing."""
        text = sentence.text
        said = words(text)
        found = kinds(text)
        weight = 0.6 * (not _FIRST_PERSON.isdisjoint(said)) + sum(_WORTH[kind] for kind in sorted(found))
        weight += 0.2 * min(2, len(names(text))) + self._substance(text)
        weight -= 0.35 * len(_LOOSE.findall(text)) + 0.6 * text.endswith(("...", "…"))
        weight -= 0.02 * max(0, len(said) - _LONG)
        own = f" {' '.join(said)} "
        weight += _OWN * min(_MOST_OWN, sum(expression in own for expression in self._preferred))
        return weight + self._for_style(found, said) + 1.2 * self._is_marked(text)

    def _substance(self, text: str) -> float:
        """Up to 1 for words that the conversation keeps coming back to, and for density."""
        held = content_words(text)
        if not held:
            return 0.0
        returning = sum(1 for word in held if self._spread[word] > 2)
        return min(1.0, 0.12 * returning + 0.05 * len(held))

    def _for_style(self, found: frozenset[Kind], said: Sequence[str]) -> float:
        if self._style == "punchy":
            return 0.6 * (len(said) <= 16) + 0.4 * ("contrast" in found) - 0.02 * max(0, len(said) - 22)
        if self._style == "reflective":
            return 0.5 * len(found & _INWARD) + 0.2 * (len(said) > 18)
        return 0.0

    def _is_marked(self, text: str) -> bool:
        held = content_words(text)
        return any(line and len(line & held) >= 0.8 * len(line) for line in self._marked)


def blocks(found: Sequence[Sentence], scale: Scale) -> list[Block]:
    """`found` in blocks that a reader can follow; a stretch without an opening sentence is left out."""
    cut: list[list[Sentence]] = []
    for run in runs(found):
        opened = False
        for sentence in run:
            if sentence.opens:
                cut.append([])
                opened = True
            if opened:
                cut[-1].append(sentence)
    return [_block(_ended(piece), number, scale) for number, piece in enumerate(cut)]


def choose(offered: Sequence[Block], budget: int) -> list[Block]:
    """The blocks to print, in the order of the talk, of at most about `budget` words.

    The heaviest come first; one beside a chosen one is preferred, one from a turn that already has its share is not.
    Where there is no more than fits, all that weighs anything is taken.
    """
    plenty = sum(block.words for block in offered) > budget
    left = dict(enumerate(offered))
    taken: dict[int, Block] = {}
    per_turn: Counter[str] = Counter()
    total = 0

    def gain(i: int) -> float:
        block = left[i]
        goes_on = i - 1 in taken and block.follows(taken[i - 1])
        leads_up = i + 1 in taken and taken[i + 1].follows(block)
        alone = plenty and block.words < _SHORT and not (goes_on or leads_up)
        near = _GOES_ON * goes_on + _LEADS_UP * leads_up
        return block.weight + near - per_turn[block.turn] / _SHARE - 0.8 * alone

    while left:
        best = max(left, key=lambda i: (gain(i), -i))
        block = left[best]
        if gain(best) < (_LIGHT if plenty else 0) or total >= budget:
            break
        del left[best]
        if total + block.words <= 1.08 * budget and not _again(block, taken.values()):
            taken[best] = block
            per_turn[block.turn] += block.words
            total += block.words
    return [taken[i] for i in sorted(taken)]


def _ended(piece: list[Sentence]) -> list[Sentence]:
    """`piece` without a question, or a promise of more, left hanging at its end."""
    end = len(piece)
    while end > 1 and piece[end - 1].text.endswith(("?", ":", "...", "…")):
        end -= 1
    return piece[:end]


def _block(piece: Sequence[Sentence], number: int, scale: Scale) -> Block:
    lengths = [len(words(sentence.text)) for sentence in piece]
    total = sum(lengths)
    weight = sum(scale.weight(s) * n for s, n in zip(piece, lengths, strict=True)) / max(1, total)
    return Block(tuple(piece), number, weight, total)


def _again(block: Block, taken: Iterable[Block]) -> bool:
    """Whether a block says what a chosen one says, nearly word for word."""
    held = content_words(block.sentences[0].text)
    for other in taken:
        for sentence in other.sentences:
            theirs = content_words(sentence.text)
            if held and len(held & theirs) > 0.7 * len(held | theirs):
                return True
    return False
