"""One session of the simulated service as it is on the wire: JSON text with sound in, JSON text with sound out."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from interviewer.audio.pcm import RATE, to_base64
from interviewer.errors import FrameError
from interviewer.realtime.engine import Ended, Engine, errors
from interviewer.realtime.engine.mischief import DAMAGE
from interviewer.realtime.frames import strip_audio
from interviewer.settings import VoiceSettings
from interviewer.simulate.ear import Ear
from interviewer.simulate.mouth import Mouth

LATE_MS: Final = 300
"""Sound later than this was not on its way all the time: its sender had paused."""

_APPEND: Final = "input_audio_buffer.append"
_PCM: Final = "audio/pcm"


class Wire:
    """An engine with an ear and a mouth. Times are those of the engine; nothing here waits or sends."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ear = Ear()
        self._mouth = Mouth(engine.voiced)
        self._began_ms = 0  # when the sound would have begun, had it come without a pause
        self._counted_ms = 0  # sound the engine was told of

    @property
    def deadline(self) -> int | None:
        """When `advance` has something to do next."""
        return self._engine.deadline

    def connect(self, t_ms: int) -> None:
        """The client is there."""
        self._began_ms = t_ms
        self._engine.connect(t_ms)

    def advance(self, t_ms: int) -> None:
        """Let time pass."""
        self._engine.advance(t_ms)

    def message(self, t_ms: int, raw: str | bytes) -> None:
        """Take what the client sent; whatever is wrong with it is answered with an `error`."""
        event: Any = None
        try:
            event = _event(raw)
            _check_formats(event)
            self._take_event(t_ms, event)
        except errors.Refused as refused:
            named = event.get("event_id") if isinstance(event, dict) else None
            self._engine.refuse(t_ms, refused, named if isinstance(named, str) else None)

    def take(self) -> Iterator[str]:
        """The messages since the last call, in order, each made when it is asked for."""
        for frame in self._engine.take():
            kind = frame["type"]
            if kind == "response.output_audio.delta":
                self._sound(frame)
            elif kind == "response.output_audio.done":
                self._mouth.finish(frame["item_id"])
            elif kind == "session.updated":
                detection = frame["session"]["audio"]["input"]["turn_detection"] or {}
                self._ear.threshold = detection.get("threshold", 0.5)
            yield _spoiled(json.dumps(frame), damage) if (damage := frame.pop(DAMAGE, None)) else json.dumps(frame)

    @property
    def ended(self) -> Ended | None:
        """How the service ended the connection; None while it stands."""
        return self._engine.ended

    def _sound(self, frame: dict[str, Any]) -> None:
        # A faulty service sends frames of any shape.
        item_id, audio_ms = frame.get("item_id"), frame.pop("audio_ms", None)
        if isinstance(item_id, str) and type(audio_ms) is int:
            frame["delta"] = to_base64(self._mouth.say(item_id, audio_ms))

    def _take_event(self, t_ms: int, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == _APPEND:
            self._append(t_ms, event)
            return
        if kind in ("input_audio_buffer.commit", "input_audio_buffer.clear") and self._ear.on:
            self._engine.voice(t_ms, False, self._ear.cut())
        self._engine.receive(t_ms, event)

    def _append(self, t_ms: int, event: dict[str, Any]) -> None:
        if event.get("audio") is None:
            raise errors.missing("audio")
        try:
            _, pcm = strip_audio(event, RATE)
        except FrameError:
            raise errors.not_audio() from None
        heard = self._ear.feed(pcm or b"")
        late_ms = t_ms - self._began_ms - self._ear.fed_ms
        if not 0 <= late_ms <= LATE_MS:
            self._began_ms += late_ms
        for edge in heard:
            self._count(edge.at_ms)
            edge_ms = min(t_ms, self._began_ms + edge.at_ms)
            self._engine.voice(edge_ms, edge.on, edge.text, audio_ms=edge.at_ms)
        self._count(self._ear.fed_ms)

    def _count(self, end_ms: int) -> None:
        """Tell the engine of the sound up to there, at its own time: before whatever falls due now."""
        if end_ms > self._counted_ms:
            sound = {"type": _APPEND, "audio_ms": end_ms - self._counted_ms}
            self._engine.receive(self._began_ms + self._counted_ms, sound)
            self._counted_ms = end_ms


def _spoiled(text: str, damage: str) -> str:
    """A message larger than any client takes, or one that breaks off."""
    return text + " " * (2 * VoiceSettings().max_frame_bytes) if damage == "oversized" else text[: len(text) // 2]


def _event(raw: str | bytes) -> dict[str, Any]:
    if isinstance(raw, bytes):
        raise errors.not_text()
    try:
        event = json.loads(raw, parse_constant=_no_constant)
    # Thousands of brackets are a RecursionError, a number of thousands of digits a ValueError.
    except (ValueError, RecursionError):
        raise errors.not_json() from None
    if not isinstance(event, dict):
        raise errors.not_json()
    return event


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _check_formats(event: Mapping[str, Any]) -> None:
    """Raises Refused for a format of sound that the simulation has no ear or mouth for."""
    for at in ("session.audio.input.format", "session.audio.output.format", "response.audio.output.format"):
        value: Any = event
        for name in (*at.split("."), "type"):
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, str) and value != _PCM:
            raise errors.not_one_of(f"{at}.type", value, (_PCM,))
