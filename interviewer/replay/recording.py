"""A recorded conversation as a replay needs it: who said what and when, and what the call was begun with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from interviewer.call.inputs import Command
from interviewer.call.setup import CallSetup
from interviewer.model.turn import Said, Speaker
from interviewer.settings import Settings

Origin = Literal["call", "import", "file"]
LEAST_MS = 300
"""No turn is shorter than this where times are put in order."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One person's turn; times are ms on the call's clock, `ended_ms` None if it did not end.

    Of the interviewer's only what was heard. `question_id`: the attempt it was to serve, if there was one.
    """

    id: str
    speaker: Speaker
    text: str
    started_ms: int
    ended_ms: int | None
    question_id: str | None = None

    @property
    def said(self) -> Said:
        """The turn as agents see it."""
        return Said(self.id, self.speaker, self.text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the guest's speech that the service took into the conversation; times in ms on the call's clock.

    `quiet_ms`: when its last word was over, `stopped_ms`: when the service said so. `written_ms`: when its transcript,
    `text`, came. `words`: (ms, what was added) of a transcript under way.
    """

    started_ms: int
    quiet_ms: int
    stopped_ms: int
    committed_ms: int
    written_ms: int
    text: str
    words: tuple[tuple[int, str], ...] = ()

    def later(self, by_ms: int) -> "Stretch":
        """The same, `by_ms` later."""
        return Stretch(
            self.started_ms + by_ms,
            self.quiet_ms + by_ms,
            self.stopped_ms + by_ms,
            self.committed_ms + by_ms,
            self.written_ms + by_ms,
            self.text,
            tuple((t_ms + by_ms, word) for t_ms, word in self.words),
        )


@dataclass(frozen=True, slots=True)
class Recording:
    """What is replayed. `setup.target_ms` is the recording's own length or target; `id` is unique among its like.

    `origin`: a call of the store that was held, one that was imported into it, or a transcript's file. `timed`: whether
    its times are the recording's own, and not derived from the number of words. `commands`: what a person at the
    screen did. `hindsight`: the plan was drawn from all that is said in it, so it knows what is asked later.
    `stretches`: what the guest's turns were made of, and `written`: when the text of a turn of the interviewer's was
    there, by its id; both where the service told of it. `remarks`: what a transcript was taken for, and what was not as
    it should be in its file.
    """

    id: str
    origin: Origin
    setup: CallSetup
    turns: tuple[Spoken, ...]
    timed: bool = True
    commands: tuple[Command, ...] = ()
    hindsight: bool = False
    stretches: tuple[Stretch, ...] = ()
    written: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def duration_ms(self) -> int:
        """When the last word ends."""
        return max((turn.ended_ms or turn.started_ms for turn in self.turns), default=0)


def alternating(turns: Sequence[Spoken], fastest_ms_per_char: int, *, ends: bool = False) -> tuple[Spoken, ...]:
    """`turns` in turn: what one side says running is one turn, and none begins before the one before it is over.

    A turn takes as long as in the recording, but no less than its words need. Overlaps are laid one after the other;
    with `ends` a turn that begins late ends when it ended all the same, if its words have time enough.
    """
    told: list[Spoken] = []
    for turn in turns:
        if not turn.text.strip():
            continue
        if told and told[-1].speaker == turn.speaker:
            last = told[-1]
            ended = max(last.ended_ms or last.started_ms, turn.ended_ms or turn.started_ms)
            told[-1] = replace(last, text=f"{last.text} {turn.text}", ended_ms=ended)
        else:
            told.append(turn)
    free_ms = 0
    for place, turn in enumerate(told):
        start = max(turn.started_ms, free_ms)
        least = max(LEAST_MS, (len(turn.text) + 1) * fastest_ms_per_char)
        length = (turn.ended_ms or turn.started_ms) - (start if ends else turn.started_ms)
        free_ms = start + max(least, length)
        told[place] = replace(turn, started_ms=start, ended_ms=free_ms)
    return tuple(told)


def with_settings(recording: Recording, settings: Settings) -> Recording:
    """The recording under other settings; its length stays the recording's own."""
    call = settings.call.model_copy(update={"target_ms": recording.setup.target_ms})
    chosen = settings.model_copy(update={"call": call})
    return replace(recording, setup=recording.setup.model_copy(update={"settings": chosen}))
