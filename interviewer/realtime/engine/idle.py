"""The idle time-out: a guest who stays silent after a reply is spoken to again (server VAD only)."""

from collections.abc import Callable

from interviewer.realtime.engine.core import Core, Timer
from interviewer.realtime.engine.items import Conversation, Item
from interviewer.realtime.engine.session import Session
from interviewer.realtime.engine.turns import Turns

_NOTE = "The user has not said anything for a while."


class Idle:
    """Counts the silence after a reply; `speak` asks for the response that breaks it."""

    def __init__(
        self, core: Core, session: Session, conversation: Conversation, turns: Turns, speak: Callable[[], None]
    ) -> None:
        self._core = core
        self._session = session
        self._conversation = conversation
        self._turns = turns
        self._speak = speak
        self._timer: Timer | None = None
        self._since_ms = 0

    def disarm(self) -> None:
        """Somebody does something: no silence to count."""
        if self._timer:
            self._timer.cancel()

    def arm(self, playback_ms: int) -> None:
        """A reply is done and `playback_ms` long: count from the end of its playback."""
        self.disarm()
        limit_ms = (self._session.turn_detection or {}).get("idle_timeout_ms")
        if limit_ms is not None and not self._turns.open:
            self._since_ms = self._turns.clock_ms + playback_ms
            self._timer = self._core.at(self._core.now_ms + playback_ms + limit_ms, self._expire)

    def _expire(self) -> None:
        if (self._session.turn_detection or {}).get("idle_timeout_ms") is not None:
            self.strike()

    def strike(self) -> None:
        """Break the silence now; nothing happens while the guest is within a turn."""
        if self._turns.open:
            return
        end_ms = self._turns.clock_ms
        item_id = self._turns.reserve()
        frame = {"type": "input_audio_buffer.timeout_triggered", "item_id": item_id, "audio_end_ms": end_ms}
        self._core.send({**frame, "audio_start_ms": min(self._since_ms, end_ms)})
        content = [{"type": "input_text", "text": _NOTE}]
        body = {"type": "message", "status": "completed", "role": "system", "content": content}
        self._conversation.add(Item(self._core.mint("item"), body, "system", _NOTE))
        self._turns.commit()
        self._speak()
