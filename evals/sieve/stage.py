"""A call brought to one moment: the interviewer is speaking, or has spoken, and something is heard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from interviewer.call.actions import Action, Record, Send, StopPlayback
from interviewer.call.core import Core
from interviewer.call.inputs import Begin, Connected, Frame, Input, Mic, Playback, Tick
from interviewer.call.setup import CallSetup
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings

_ASKED: Final = "What brought you here?"
_PLAN: Final = Plan(
    topic="Work",
    goal="Learn about it",
    sections=(Section(id="s1", title="Work", questions=(Question(id="q1", text=_ASKED, priority=1),)),),
)
_TRANSCRIBED: Final = "conversation.item.input_audio_transcription.completed"


@dataclass(frozen=True, slots=True)
class Heard:
    """What is heard from a moment on, in ms from there; `mic` None: our microphone tells nothing.

    `service` are the service's stretches of speech, `words` what was written down.
    """

    service: tuple[tuple[int, int], ...]
    mic: tuple[tuple[int, bool], ...] | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it: whether it is a turn, the voice was stopped, a reply was asked for; what was ignored."""

    turn: bool
    stopped: bool
    replied: bool
    why: tuple[str, ...]


def play(heard: Heard, *, voice: str, voice_ms: int, over_voice: bool) -> Verdict:
    """Let the voice say `voice`; `heard` comes while it speaks, 400 ms after it began, or 2 s after it ended."""
    stage = _Stage()
    stage.open(voice, voice_ms)
    events: list[tuple[int, Input]] = []
    begin = stage.now
    for ms in range(250, voice_ms, 250):
        events.append((begin + ms, Playback(begin + ms, "resp", ms, False)))
    events.append((begin + voice_ms, Playback(begin + voice_ms, "resp", voice_ms, True)))
    at = begin + 400 if over_voice else begin + voice_ms + 2_000
    events += [(at + ms, Mic(at + ms, on)) for ms, on in heard.mic or ()]
    events += stage.service(at, heard)
    if heard.mic is not None:
        stage.step(Mic(stage.now, False))
    for t_ms, record in sorted(events, key=lambda event: event[0]):
        stage.until(t_ms)
        stage.step(record)
    stage.until(stage.now + 1_000)
    return stage.verdict()


class _Stage:
    def __init__(self) -> None:
        self._core = Core(CallSetup(plan=_PLAN, world="simulated", settings=Settings.load(env={})))
        self._actions: list[Action] = []
        self.now = 0

    def step(self, record: Input) -> None:
        actions = self._core.step(record)
        self._actions += actions
        for action in actions:
            if isinstance(action, Send) and action.event["type"] == "session.update":
                self.frame("session.updated", session=action.event["session"])

    def until(self, t_ms: int) -> None:
        while (due := self._core.deadline) is not None and due < t_ms:
            self.now = max(self.now, due)
            self.step(Tick(self.now))
        self.now = max(self.now, t_ms)

    def frame(self, kind: str, **fields: Any) -> None:
        self.step(Frame(self.now, 1, {"type": kind, **fields}))

    def open(self, voice: str, voice_ms: int) -> None:
        """The opening was asked for, has been generated, and begins to be played."""
        self.step(Begin(0))
        self.step(Connected(0, 1))
        self.frame("session.created", session={})
        metadata = self._requests()[-1]["response"]["metadata"]
        response = {"id": "resp", "metadata": metadata}
        self.frame("response.created", response=response)
        self.frame("response.output_audio.delta", response_id="resp", item_id="item", audio_ms=voice_ms)
        self.frame("response.output_audio_transcript.done", response_id="resp", item_id="item", transcript=voice)
        self.frame("response.done", response={**response, "status": "completed", "output": []})
        self.step(Playback(self.now, "resp", 0, False))

    def service(self, at: int, heard: Heard) -> list[tuple[int, Input]]:
        """The service's events; all the words are those of its longest stretch."""
        voice = self._core.setup.settings.voice
        found: list[tuple[int, Input]] = []
        longest = max(heard.service, key=lambda s: s[1] - s[0], default=None)
        for number, (start, end) in enumerate(heard.service):
            item = f"guest_{number}"
            begins, ends = at + start, at + end + voice.silence_ms
            found.append(
                (begins, _frame(begins, "input_audio_buffer.speech_started", item, audio_start_ms=begins - 300))
            )
            found.append((ends, _frame(ends, "input_audio_buffer.speech_stopped", item, audio_end_ms=ends)))
            found.append((ends, _frame(ends, "input_audio_buffer.committed", item)))
            words = heard.words if (start, end) == longest else ()
            found.append((ends + 500, _frame(ends + 500, _TRANSCRIBED, item, transcript=" ".join(words))))
        return found

    def verdict(self) -> Verdict:
        """What came of it all."""
        turns = [turn for turn in self._core.turns if turn.speaker == "guest"]
        why = [a.data["what"] for a in self._actions if isinstance(a, Record) and a.kind == "ignored"]
        return Verdict(
            turn=any(turn.text or turn.state == "inaudible" for turn in turns),
            stopped=any(isinstance(a, StopPlayback) for a in self._actions),
            replied=len(self._requests()) > 1,
            why=tuple(str(what) for what in why),
        )

    def _requests(self) -> Sequence[Any]:
        return [a.event for a in self._actions if isinstance(a, Send) and a.event["type"] == "response.create"]


def _frame(t_ms: int, kind: str, item: str, **fields: Any) -> Frame:
    return Frame(t_ms, 1, {"type": kind, "item_id": item, **fields})
