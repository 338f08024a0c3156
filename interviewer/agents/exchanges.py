"""The talk as question and answer: what was asked, and what the guest said before the next question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from interviewer.agents.repeats import overlap
from interviewer.agents.signals import stems, substantial
from interviewer.matching.text import content_words, questions, sentences
from interviewer.model.plan import Question
from interviewer.model.turn import Said
from interviewer.settings import MatchSettings

_RECOVERY = MatchSettings().recovery
_MOST_OF_IT = 0.6  # share of a planned question's word stems that a spoken turn must hold; chosen here


@dataclass(frozen=True)
class Exchange:
    """`asked`: the interviewer's turns since the guest last spoke; `answer`: the guest's turns that followed."""

    asked: tuple[Said, ...]
    answer: tuple[Said, ...]

    @cached_property
    def answered_in(self) -> str | None:
        """Id of the first turn of an answer with something in it, or None."""
        if not substantial(" ".join(turn.text for turn in self.answer)):
            return None
        return next((turn.id for turn in self.answer if substantial(turn.text)), self.answer[0].id)

    @cached_property
    def told(self) -> int:
        """How many different content words the answer holds."""
        return len(content_words(" ".join(turn.text for turn in self.answer)))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The interviewer's sentences."""
        return tuple(span.text for turn in self.asked for span in sentences(turn.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the interviewer's words."""
        return stems(" ".join(self.sentences))

    @cached_property
    def asks(self) -> bool:
        """Whether the interviewer asked anything."""
        return any(questions(turn.text) for turn in self.asked)


def exchanges(turns: Sequence[Said]) -> list[Exchange]:
    """`turns` cut before each interviewer turn that follows a guest's."""
    found: list[Exchange] = []
    asked: list[Said] = []
    answer: list[Said] = []
    for turn in turns:
        if turn.speaker == "guest":
            answer.append(turn)
            continue
        if answer:
            found.append(_exchange(tuple(asked), tuple(answer)))
            asked, answer = [], []
        asked.append(turn)
    return [*found, _exchange(tuple(asked), tuple(answer))] if asked or answer else found


# A window shows the same exchanges cycle after cycle, and each gap looks through them.
_exchange = lru_cache(maxsize=4_096)(Exchange)


def planned(talk: Iterable[Exchange], plan: Sequence[Question]) -> list[Question | None]:
    """For each exchange the planned question that was asked in it, the best if several fit; None if none does."""
    texts = tuple(question.text for question in plan)
    places = (_best(texts, exchange.sentences) if exchange.asks else None for exchange in talk)
    return [None if place is None else plan[place] for place in places]


@lru_cache(maxsize=4_096)
def _best(wanted: tuple[str, ...], spoken: tuple[str, ...]) -> int | None:
    """Which of `wanted` the spoken sentences ask, the first of the best; a window shows them cycle after cycle."""
    said = stems(" ".join(spoken))
    scores = [_matched(text, spoken, said) for text in wanted]
    best = max(scores, default=0.0)
    return scores.index(best) if best else None


@lru_cache(maxsize=16_384)
def matched(wanted: str, spoken: tuple[str, ...]) -> float:
    """How well the spoken sentences ask what is wanted, 0 if they do not: word-set Jaccard, or most of the stems."""
    return _matched(wanted, spoken, stems(" ".join(spoken)))


def _matched(wanted: str, spoken: tuple[str, ...], said: frozenset[str]) -> float:
    score = max(overlap(wanted, spoken), default=0.0)
    parts = stems(wanted)
    share = len(parts & said) / len(parts) if len(parts) > 1 else 0.0
    return max(score if score > _RECOVERY else 0.0, share if share >= _MOST_OF_IT else 0.0)
