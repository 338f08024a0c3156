"""A recording's turns laid out for a replay, with the stretches of speech that turns of a kept call are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from interviewer.replay.recording import Recording, Spoken, Stretch, alternating


@dataclass(frozen=True, slots=True)
class Layout:
    """`turns`, one speaking after the other; of a guest's turn `within` its stretches, where they are known, by its id.

    `over`: what the guest said over a turn of the interviewer's, as "mm-hm", and `written`: when its text was there, by
    that turn's id, in ms from its begin.
    """

    turns: tuple[Spoken, ...]
    within: Mapping[str, tuple[Stretch, ...]]
    over: Mapping[str, tuple[Stretch, ...]]
    written: Mapping[str, int]


def laid_out(recording: Recording, fastest_ms_per_char: int, backchannel_ms: int) -> Layout:
    """The recording as `alternating` has it; where the service told of stretches, turns end when they ended.

    Stretches are those of a turn if they say what it says: else it was typed, or some of it was not to be had. What is
    shorter than `backchannel_ms` and was said while the interviewer spoke stays there.
    """
    spoken = [turn for turn in recording.turns if turn.text.strip()]
    if not recording.stretches:
        return Layout(alternating(spoken, fastest_ms_per_char), {}, {}, {})
    runs = [list(run) for _, run in groupby(spoken, key=lambda turn: turn.speaker)]
    within: dict[str, tuple[Stretch, ...]] = {}
    over: dict[str, tuple[Stretch, ...]] = {}
    for place, run in enumerate(runs):
        if run[0].speaker == "guest" and (own := _own(run, recording.stretches)):
            before = runs[place - 1] if place else []
            count = _count_over(own, before, backchannel_ms)
            if count:
                over[before[0].id] = tuple(each.later(-before[0].started_ms) for each in own[:count])
            run[0] = replace(run[0], started_ms=own[count].started_ms)
            within[run[0].id] = own[count:]
    turns = alternating([turn for run in runs for turn in run], fastest_ms_per_char, ends=True)
    for turn, run in zip(turns, runs, strict=True):
        if turn.id in within:
            ended_ms = max(each.ended_ms or 0 for each in run)
            within[turn.id] = _moved(within[turn.id], turn.started_ms, (turn.ended_ms or 0) - ended_ms)
    written = {
        run[0].id: max(recording.written[turn.id] for turn in run) - run[0].started_ms
        for run in runs
        if all(turn.id in recording.written for turn in run)
    }
    return Layout(turns, within, over, written)


def _own(run: Sequence[Spoken], stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """The stretches of what the guest says running; none if they do not say it."""
    found = tuple(
        each for each in stretches if any(turn.started_ms <= each.started_ms <= (turn.ended_ms or 0) for turn in run)
    )
    texts = " ".join(each.text for each in found), " ".join(turn.text for turn in run)
    return found if len({" ".join(text.split()) for text in texts}) == 1 else ()


def _count_over(own: Sequence[Stretch], before: Sequence[Spoken], backchannel_ms: int) -> int:
    """How many stretches, but not all, were said over the turn before."""
    if not before:
        return 0
    until_ms = max(turn.ended_ms or 0 for turn in before)
    count = 0
    for each in own[:-1]:
        if not (before[0].started_ms <= each.started_ms and each.quiet_ms <= until_ms):
            break
        if each.quiet_ms - each.started_ms >= backchannel_ms:
            break
        count += 1
    return count


def _moved(stretches: Sequence[Stretch], started_ms: int, by_ms: int) -> tuple[Stretch, ...]:
    """The stretches of a turn that begins at `started_ms` and ends `by_ms` later: the first may begin late."""
    first, *others = (each.later(by_ms) for each in stretches)
    return replace(first, started_ms=started_ms), *others
