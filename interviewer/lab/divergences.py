"""Where two runs of the same recordings decide otherwise, turn by turn, with what was said around it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interviewer.matching.text import words
from interviewer.model.turn import Said
from interviewer.replay.outcome import Decided, Moment, Replayed, Run

_BEFORE = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """What one side had at hand: a question, or nothing: then the voice was left free. `why` is the agent's reason."""

    text: str
    question_id: str | None
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """A turn at which two runs chose otherwise.

    `turn`: the interviewer's turn of the recording, `t_ms` on the call's clock; `before`: the turns that led up to it;
    `asked`: what the recording asked there, empty where the runs hold conversations of their own.
    """

    recording: str
    turn: str
    t_ms: int
    before: tuple[Said, ...]
    asked: str
    a: Choice
    b: Choice

    @property
    def fingerprint(self) -> str:
        """64 bits of BLAKE2b of what is judged, as hexadecimal digits: a judgement belongs to texts, not to a turn."""
        told = json.dumps([[turn.text for turn in self.before], *sorted((self.a.text, self.b.text))])
        return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def divergences(a: Run, b: Run) -> tuple[Divergence, ...]:
    """All divergences of the recordings that both runs hold, in order.

    Of kind simulated the conversations part at the first: only that one counts. Kind exact decides nothing.
    """
    if a.kind == "exact":
        return ()
    others = {result.source: result for result in b.results}
    pairs = [(one, others[one.source]) for one in a.results if one.source in others]
    return tuple(found for one, other in pairs for found in _of_pair(one, other))


def _of_pair(a: Replayed, b: Replayed) -> Iterator[Divergence]:
    found = _led_apart(a, b) if a.kind == "simulated" else _chosen_apart(a, b)
    yield from (found if a.kind == "teacher-forced" else list(found)[:1])


def _chosen_apart(a: Replayed, b: Replayed) -> Iterator[Divergence]:
    others = {moment.turn: moment for moment in b.moments}
    why_a, why_b = _by_number(a), _by_number(b)
    one_plan = a.setup.plan == b.setup.plan
    for moment in a.moments:
        other = others.get(moment.turn)
        if other is not None and not _same(
            moment.offered, moment.question_id, other.offered, other.question_id, one_plan=one_plan
        ):
            chosen = _choice(moment, why_a), _choice(other, why_b)
            yield Divergence(a.source, moment.turn, moment.t_ms, _before(a, moment.turn), moment.asked, *chosen)


def _led_apart(a: Replayed, b: Replayed) -> Iterator[Divergence]:
    one_plan = a.setup.plan == b.setup.plan
    for one, other in zip(a.decisions, b.decisions, strict=False):
        if not _same(one.text, one.question_id, other.text, other.question_id, one_plan=one_plan):
            before = _until(a, one.turn)
            yield Divergence(a.source, one.turn, one.t_ms, before, "", _decision(one), _decision(other))


def _same(text: str, question_id: str | None, other: str, other_id: str | None, *, one_plan: bool) -> bool:
    """Whether two choices are one: both nothing, the same question of one plan, or the same words."""
    if not text or not other:
        return text == other
    return (one_plan and question_id is not None and question_id == other_id) or words(text) == words(other)


def _by_number(result: Replayed) -> Mapping[int, Decided]:
    return {decided.number: decided for decided in result.decisions}


def _choice(moment: Moment, decisions: Mapping[int, Decided]) -> Choice:
    decided = decisions.get(moment.decision)
    if decided is None or not moment.offered:
        return Choice(moment.offered, moment.question_id, "", "")
    return Choice(moment.offered, moment.question_id, decided.source, decided.why)


def _decision(decided: Decided) -> Choice:
    return Choice(decided.text, decided.question_id, decided.source if decided.text else "", decided.why)


def _before(result: Replayed, turn: str) -> tuple[Said, ...]:
    at = next((place for place, spoken in enumerate(result.recorded) if spoken.id == turn), 0)
    return _last(result, at)


def _until(result: Replayed, turn: str) -> tuple[Said, ...]:
    at = next((place for place, spoken in enumerate(result.turns) if spoken.id == turn), -1)
    return tuple(spoken.said for spoken in result.turns[max(0, at + 1 - _BEFORE) : at + 1])


def _last(result: Replayed, at: int) -> tuple[Said, ...]:
    spoken: Sequence[Said] = [each.said for each in result.recorded[max(0, at - _BEFORE) : at]]
    return tuple(spoken)
