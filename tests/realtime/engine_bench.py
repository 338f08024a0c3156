"""What the engine's tests share: an engine on a virtual clock, a scripted brain, strict validation of frames."""

import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from openai.types.realtime import RealtimeServerEvent
from pydantic import BaseModel

from interviewer.realtime.engine.brain import BrainRequest, Spoken
from interviewer.realtime.engine.engine import Engine

Frame = dict[str, Any]

_UNION = typing.get_args(RealtimeServerEvent)[0]
MODELS: dict[str, type[BaseModel]] = {
    typing.get_args(model.model_fields["type"].annotation)[0]: model for model in typing.get_args(_UNION)
}
# Session fields that the SDK's models lack and the recorded sessions have; and the length of a sound, which stands
# in for it until a driver of the engine fills it in.
_SESSION = {"id", "object", "expires_at"}
_UNTYPED = {
    "session.created": _SESSION,
    "session.updated": _SESSION,
    "response.output_audio.delta": {"audio_ms"},
}


def validate(frame: Mapping[str, Any]) -> None:
    """Raises unless the frame is exactly what the SDK's model of its type describes, with nothing on top."""
    found = MODELS[frame["type"]].model_validate(frame, strict=True)
    unknown = set(_extras(found)) - _UNTYPED.get(frame["type"], set())
    assert not unknown, f"{frame['type']} has fields the SDK does not know: {sorted(unknown)}"


def _extras(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from value.model_extra or {}
        for name in type(value).model_fields:
            yield from _extras(getattr(value, name))
    elif isinstance(value, list):
        for element in value:
            yield from _extras(element)


class Script:
    """A brain that says what it was given, reply by reply (then nothing), and remembers what it was asked."""

    def __init__(self, *replies: str | Spoken | tuple[Spoken, ...]) -> None:
        self.requests: list[BrainRequest] = []
        self._replies = [
            (Spoken(reply, ()),) if isinstance(reply, str) else (reply,) if isinstance(reply, Spoken) else reply
            for reply in replies
        ]

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        self.requests.append(request)
        return self._replies[request.number] if request.number < len(self._replies) else ()


def speech_ms(text: str) -> int:
    """A speaking time: 70 ms a byte."""
    return 70 * len(text.encode())


class Bench:
    """A connected engine and the frames it has sent, each with the time it came."""

    def __init__(self, *replies: str | Spoken | tuple[Spoken, ...], seed: int = 1, started_unix_s: int = 0) -> None:
        self.brain = Script(*replies)
        self.engine = Engine(self.brain, seed=seed, duration_ms=speech_ms, started_unix_s=started_unix_s)
        self.now_ms = 0
        self.timed: list[tuple[int, Frame]] = []
        self.engine.connect(0)
        self._collect()

    def run(self, ms: int) -> list[Frame]:
        """Let time pass; gives the frames of that time."""
        seen, end_ms = len(self.timed), self.now_ms + ms
        while (due_ms := self.engine.deadline) is not None and due_ms <= end_ms:
            self.now_ms = max(self.now_ms, due_ms)
            self.engine.advance(due_ms)
            self._collect()
        self.now_ms = end_ms
        self.engine.advance(end_ms)
        self._collect()
        return [frame for _, frame in self.timed[seen:]]

    def until(self, kind: str) -> Frame:
        """Let time pass up to the next frame of a type, at most a minute; gives the frame."""
        seen = len(self.timed)
        for _ in range(60_000):
            for _, frame in self.timed[seen:]:
                if frame["type"] == kind:
                    return frame
            self.run(1)
        raise AssertionError(f"no {kind} within a minute")

    def send(self, kind: str, /, **fields: Any) -> list[Frame]:
        """A client event now; gives the frames sent at once."""
        seen = len(self.timed)
        self.engine.receive(self.now_ms, {"type": kind, **fields})
        self._collect()
        return [frame for _, frame in self.timed[seen:]]

    def configure(self, **session: Any) -> list[Frame]:
        """A session.update and the wait for its answer."""
        self.send("session.update", session={"type": "realtime", **session})
        return self.run(100)

    def listen(self, **detection: Any) -> list[Frame]:
        """Set input: server VAD without automatic replies unless told otherwise, and transcription."""
        vad = {"type": "server_vad", "create_response": False, "interrupt_response": False, **detection}
        return self.configure(audio={"input": {"turn_detection": vad, "transcription": {"model": "gpt-transcribe"}}})

    def speak(self, text: str | None, *, ms: int = 1_000) -> None:
        """The guest speaks for `ms`."""
        self.engine.voice(self.now_ms, True)
        self.run(ms)
        self.engine.voice(self.now_ms, False, text)
        self._collect()

    def write(self, text: str, **fields: Any) -> list[Frame]:
        """A written item of the guest's."""
        item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        return self.send("conversation.item.create", item={**item, **fields})

    def frames(self, kind: str = "") -> list[Frame]:
        """All frames so far whose type begins so."""
        return [frame for _, frame in self.timed if frame["type"].startswith(kind)]

    def _collect(self) -> None:
        self.timed += [(self.now_ms, frame) for frame in self.engine.take()]


def types(frames: Iterable[Mapping[str, Any]]) -> list[str]:
    """Their types, in order."""
    return [frame["type"] for frame in frames]


def error_of(frames: Iterable[Frame]) -> Frame:
    """The one error among the frames."""
    (frame,) = [frame for frame in frames if frame["type"] == "error"]
    error: Frame = frame["error"]
    return error
