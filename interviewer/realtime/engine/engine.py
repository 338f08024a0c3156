"""The facade: one session of the simulated service, driven by calls that carry the time."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from interviewer.realtime.engine import errors
from interviewer.realtime.engine.ailing import Ailing, Ended
from interviewer.realtime.engine.brain import Brain, Voiced
from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.idle import Idle
from interviewer.realtime.engine.items import Conversation
from interviewer.realtime.engine.responses import Responses
from interviewer.realtime.engine.schema import record, whole
from interviewer.realtime.engine.session import Session
from interviewer.realtime.engine.transcription import Transcription
from interviewer.realtime.engine.trouble import Fired, Trouble
from interviewer.realtime.engine.turns import Taken, Turns

UPDATED_MS = (60, 100)

_APPEND = record({"audio_ms": whole(0, 2**53)}, ("audio_ms",), extra=True)


class Engine:
    """One session of the service.

    Times are ms on a line of the driver's choosing; one that lies before an earlier one counts as that, except that an
    edge of the guest's voice may be told late. `trouble` holds what goes wrong; it may be shared by the sessions of a
    call. The driver calls `connect` once, then `receive`, `voice` and `advance`
    as things happen, at the latest at every `deadline`, and sends what `take` gives. A driver that closes the guest's
    voice for a commit calls `voice` before `receive`.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        seed: int,
        duration_ms: Callable[[str], int],
        started_unix_s: int = 0,
        model: str = "gpt-realtime-2.1",
        trouble: Trouble | None = None,
    ) -> None:
        self._core = core = Core(seed, trouble)
        self._session = session = Session(core, model=model, started_unix_s=started_unix_s)
        self._conversation = conversation = Conversation(core)
        self._responses = Responses(
            core, session, conversation, brain, duration_ms=duration_ms, finished=self._response_finished
        )
        transcription = Transcription(core, session)
        self._turns = Turns(core, session, conversation, transcription, self._responses, answer=self._answer)
        self._idle = Idle(core, session, conversation, self._turns, self._answer)
        self._ailing = Ailing(core, session, self._turns, transcription, self._responses, self._idle)
        self._waiting: deque[Mapping[str, Any]] = deque()
        self._handlers: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "session.update": self._update,
            "input_audio_buffer.append": self._append,
            "input_audio_buffer.commit": self._commit,
            "input_audio_buffer.clear": self._clear,
            "conversation.item.create": conversation.create,
            "conversation.item.truncate": conversation.truncate,
            "conversation.item.delete": conversation.delete,
            "conversation.item.retrieve": conversation.retrieve,
            "response.create": self._create,
            "response.cancel": self._responses.cancel,
        }

    @property
    def voiced(self) -> list[Voiced]:
        """The truth log: every assistant item begun, in order."""
        return self._responses.voiced

    @property
    def taken(self) -> list[Taken]:
        """The truth about the guest's items: every one committed, in order."""
        return self._turns.taken

    @property
    def fired(self) -> list[Fired]:
        """The faults that struck, over all sessions that share the trouble."""
        return self._core.trouble.fired

    @property
    def ended(self) -> Ended | None:
        """How the service ended the connection; None while it stands. Afterwards nothing happens any more."""
        return self._ailing.ended

    @property
    def deadline(self) -> int | None:
        """When `advance` has something to do next, or now if frames wait to be taken, in ms; None for never."""
        return self._core.deadline

    def take(self) -> list[dict[str, Any]]:
        """The frames emitted since the last call, in order.

        Audio deltas carry `audio_ms` and an empty `delta` that the driver fills.
        """
        return self._core.take()

    def connect(self, t_ms: int) -> None:
        """The client is there: `session.created`."""
        self.advance(t_ms)
        self._turns.connected()
        self._ailing.connected()
        self._core.send({"type": "session.created", "session": self._session.wire()})

    def advance(self, t_ms: int) -> None:
        """Do all that is due up to `t_ms`."""
        self._core.advance(t_ms)

    def voice(self, t_ms: int, on: bool, text: str | None = None, *, audio_ms: int | None = None) -> None:
        """An edge of the guest's speech; off brings the text said since on, None when it is unintelligible.

        Whoever hears sound knows of an edge only afterwards: what the edge sets off still counts from `t_ms`, and
        `audio_ms` says where in the sound appended so far it lies (default: at its end).
        """
        self.advance(t_ms)
        if self.ended:
            return
        late_ms = self._core.now_ms - t_ms
        if on:
            self._idle.disarm()
            self._turns.voice_on(late_ms, audio_ms)
        else:
            self._turns.voice_off(text, late_ms)

    def receive(self, t_ms: int, event: Mapping[str, Any]) -> None:
        """A client event; an append carries `audio_ms` in place of its sound.

        Events are handled in order: what follows a `session.update` waits until that is answered. Sound alone does not
        wait, unless the buffer is to be committed or cleared before it.
        """
        self.advance(t_ms)
        if self.ended:
            return
        if event.get("type") == "session.update":
            self._ailing.selected()
        if event.get("type") == "input_audio_buffer.append" and not self._buffer_waits():
            self._handle(event)
            return
        self._waiting.append(event)
        if len(self._waiting) == 1:
            self._work()

    def refuse(self, t_ms: int, refused: errors.Refused, client_event_id: str | None = None) -> None:
        """Answer what the driver cannot hand on as an event, such as a message that is not JSON."""
        self.advance(t_ms)
        self._core.send(refused.frame(client_event_id))

    def _buffer_waits(self) -> bool:
        cuts = ("input_audio_buffer.commit", "input_audio_buffer.clear")
        return any(event.get("type") in cuts for event in self._waiting)

    def _work(self) -> None:
        """Handle what waits, up to the next update, which takes its time."""
        while self._waiting:
            event = self._waiting[0]
            if event.get("type") == "session.update":
                delay_ms = self._core.latency("updated", *UPDATED_MS)
                self._core.at(self._core.now_ms + delay_ms, self._work_off_update)
                return
            self._handle(self._waiting.popleft())

    def _work_off_update(self) -> None:
        self._handle(self._waiting.popleft())
        self._work()

    def _handle(self, event: Mapping[str, Any]) -> None:
        try:
            self._handler(event.get("type"))(event)
        except errors.Refused as refused:
            client_event_id = event.get("event_id")
            self._core.send(refused.frame(client_event_id if isinstance(client_event_id, str) else None))

    def _handler(self, kind: Any) -> Callable[[Mapping[str, Any]], None]:
        if kind is None:
            raise errors.missing("type")
        if not isinstance(kind, str):
            raise errors.wrong_type("type", "a string", kind)
        if kind not in self._handlers:
            raise errors.not_one_of("type", kind, tuple(self._handlers))
        return self._handlers[kind]

    def _update(self, event: Mapping[str, Any]) -> None:
        if event.get("session") is None:
            raise errors.missing("session")
        if self._core.strikes("refused_update"):
            raise errors.Refused("server_error", "The server had an error while processing your request.")
        self._session.update(event["session"])
        self._core.send({"type": "session.updated", "session": self._session.wire()})

    def _append(self, event: Mapping[str, Any]) -> None:
        _APPEND(event, "")
        self._turns.append(event["audio_ms"])

    def _commit(self, _event: Mapping[str, Any]) -> None:
        self._idle.disarm()
        self._turns.client_commit()

    def _clear(self, _event: Mapping[str, Any]) -> None:
        self._turns.client_clear()

    def _create(self, event: Mapping[str, Any]) -> None:
        self._responses.create(event)
        self._idle.disarm()

    def _answer(self) -> None:
        """The service asks for a reply itself; with one under way already it complains like of a client's."""
        self._handle({"type": "response.create"})

    def _response_finished(self, audio_ms: int) -> None:
        self._idle.arm(audio_ms)
