"""Instruction updates: one in flight, each with a revision, accepted when the service echoes the very same text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interviewer.call import guidance as text
from interviewer.call.actions import Send
from interviewer.call.guidance import Guidance
from interviewer.call.hub import Hub


@dataclass(frozen=True, slots=True)
class Update:
    """An update on its way: its text, the attempt it carries, when it went out."""

    revision: int
    guidance: Guidance
    instructions: str
    attempt_id: str | None
    event_id: str
    sent_ms: int


class Updates:
    """Sends `session.update` and waits for its acknowledgement, never for two at once.

    `on_accepted(update)`, `on_lost(update, reason)` or, from a server that echoes no instructions at all,
    `on_unechoed(update)` is called as an update ends.
    """

    def __init__(
        self,
        hub: Hub,
        on_accepted: Callable[[Update], None],
        on_lost: Callable[[Update, str], None],
        on_unechoed: Callable[[Update], None],
    ) -> None:
        self._hub = hub
        self._on_accepted, self._on_lost, self._on_unechoed = on_accepted, on_lost, on_unechoed
        self.in_flight: Update | None = None
        self.accepted: Update | None = None
        self._wanted: tuple[Guidance, str | None] | None = None
        self._echoes = False

    def open(self, guidance: Guidance, attempt_id: str | None) -> None:
        """The first update of a connection: the whole session, in one event."""
        self.in_flight = None
        self._wanted = None
        self._send(guidance, attempt_id, _session(self._hub))

    def want(self, guidance: Guidance, attempt_id: str | None = None) -> None:
        """Send this guidance as soon as nothing is in flight; only the latest wish counts."""
        self._wanted = (guidance, attempt_id)
        self.go_on()

    def forget(self, attempt_id: str) -> None:
        """The attempt is over: a wish that would still carry its question loses it."""
        if self._wanted and self._wanted[1] == attempt_id:
            self._wanted = (replace(self._wanted[0], ask="", kind="free", returning=False), None)

    def drop(self) -> None:
        """The connection is gone: nothing is in flight any more."""
        self.in_flight, self.accepted, self._wanted, self._echoes = None, None, None, False

    def updated(self, frame: Mapping[str, Any]) -> bool:
        """Take a `session.updated`; False if it does not answer the update in flight."""
        update = self.in_flight
        echo = (frame.get("session") or {}).get("instructions")
        if update is None or echo not in (None, update.instructions) or (echo is None and self._echoes):
            return False
        self.in_flight = None
        if echo is None:
            self._on_unechoed(update)
        else:
            self.accepted, self._echoes = update, True
            self._on_accepted(update)
        self.go_on()
        return True

    def refused(self, event_id: str, reason: str) -> bool:
        """Take an `error` that names an event; False if that event is not the update in flight."""
        return self._lose("refused", reason) if self.in_flight and self.in_flight.event_id == event_id else False

    def due(self) -> None:
        """Give up an update whose acknowledgement did not come in time."""
        if self.in_flight and self._hub.now >= self.in_flight.sent_ms + self._hub.settings.wait.ack_ms:
            self._lose("timed_out", "no acknowledgement")

    @property
    def deadline(self) -> int | None:
        """When the update in flight is given up."""
        return self.in_flight.sent_ms + self._hub.settings.wait.ack_ms if self.in_flight else None

    def _lose(self, reason: str, detail: str) -> bool:
        update = self.in_flight
        assert update is not None
        self.in_flight = None
        self._hub.record("ignored", what="update lost", revision=update.revision, reason=reason, detail=detail)
        self._on_lost(update, reason)
        self.go_on()
        return True

    def go_on(self) -> None:
        """Send what is wanted if it can be sent now."""
        if self._hub.online and self.in_flight is None and self._wanted is not None:
            guidance, attempt_id = self._wanted
            self._wanted = None
            self._send(guidance, attempt_id, {"type": "realtime"})

    def _send(self, guidance: Guidance, attempt_id: str | None, session: dict[str, Any]) -> None:
        revision = self._hub.count("revision")
        instructions = text.instructions(self._hub.setup, guidance, revision, self._hub.names)
        event_id = f"update_{self._hub.epoch}_{revision}"
        self.in_flight = Update(revision, guidance, instructions, attempt_id, event_id, self._hub.now)
        event = {"type": "session.update", "event_id": event_id, "session": {**session, "instructions": instructions}}
        self._hub.act(Send(event))


def _session(hub: Hub) -> dict[str, Any]:
    voice = hub.settings.voice
    audio_format = {"type": "audio/pcm", "rate": voice.rate}
    return {
        "type": "realtime",
        "output_modalities": ["audio"],
        "max_output_tokens": voice.max_output_tokens,
        "include": ["item.input_audio_transcription.logprobs"],
        # Without it every reply of a long call reads, and is billed for, all that was said before.
        "truncation": {
            "type": "retention_ratio",
            "retention_ratio": voice.retention_ratio,
            "token_limits": {"post_instructions": voice.context_tokens},
        },
        "audio": {
            "input": {
                "format": audio_format,
                "transcription": {"model": voice.transcription_model, "language": hub.setup.plan.language},
                "turn_detection": _turn_detection(hub),
            },
            "output": {"format": audio_format, "voice": voice.voice},
        },
    }


def _turn_detection(hub: Hub) -> dict[str, Any]:
    """Every field, since defaults differ by model; replies are asked for by us, never started by the service."""
    voice = hub.settings.voice
    ours = {"create_response": False, "interrupt_response": False}
    if voice.vad == "semantic_vad":
        return {"type": "semantic_vad", "eagerness": voice.eagerness, **ours}
    return {
        "type": "server_vad",
        "threshold": voice.vad_threshold,
        "prefix_padding_ms": voice.prefix_ms,
        "silence_duration_ms": voice.silence_ms,
        "idle_timeout_ms": None,
        **ours,
    }
