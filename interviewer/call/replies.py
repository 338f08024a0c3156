"""Replies of the voice, from our request to the last sound of them, whatever order the service's events come in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from interviewer.call.actions import Send, StopPlayback
from interviewer.call.guidance import ReplyKind
from interviewer.call.hub import Hub
from interviewer.ledger.events import Basis


@dataclass(slots=True)
class SpokenItem:
    """One assistant item of a response: its text and how much audio of it arrived."""

    id: str
    text: str = ""
    final: bool = False
    audio_ms: int = 0


@dataclass(slots=True)
class Reply:
    """One reply. Times are ms since the call was begun, None until they happened.

    `total_ms`: sound that arrived, of all items. `shown`: as text, without sound. `plays_until_ms`: when a player that
    never waits has played what came. `reports`: when how much had been played.
    """

    number: int
    kind: ReplyKind
    attempt_id: str | None
    question_id: str | None
    revision: int
    event_id: str
    epoch: int
    requested_ms: int
    stale_ms: int | None = None
    response_id: str | None = None
    basis: Basis = "protocol"
    created_ms: int | None = None
    first_audio_ms: int | None = None
    last_audio_ms: int | None = None
    plays_until_ms: int = 0
    done_ms: int | None = None
    cancelled_ms: int | None = None
    status: str = ""
    reason: str = ""
    items: dict[str, SpokenItem] = field(default_factory=dict)
    total_ms: int = 0
    played_ms: int = 0
    reports: list[tuple[int, int]] = field(default_factory=list)
    playback_ended: bool = False
    stopped: bool = False
    over: bool = False
    shown: bool = False
    usage: Mapping[str, Any] | None = None

    def played_at(self, t_ms: int) -> int:
        """Sound that was played at a time, by the player's reports."""
        return next((played_ms for at_ms, played_ms in reversed(self.reports) if at_ms <= t_ms), 0)

    @property
    def text(self) -> str:
        """The transcript over all items."""
        return " ".join(item.text.strip() for item in self.items.values() if item.text.strip())

    @property
    def displayed(self) -> bool:
        """Whether it completed as text on a server that sends no sound: shown stands for played."""
        return self.shown and self.total_ms == 0 and self.status == "completed"

    @property
    def audible(self) -> bool:
        """Whether some of it was played and it may go on."""
        return self.played_ms > 0 and not self.over and not self.playback_ended


class Listener(Protocol):
    """Who is told as a reply goes on."""

    def reply_started(self, reply: Reply) -> None:
        """A response is bound to the reply."""

    def reply_progressed(self, reply: Reply) -> None:
        """It is done, or more of it was played."""

    def reply_over(self, reply: Reply) -> None:
        """Nothing more comes of it, and nothing more will be played."""


class Replies:
    """Requests replies and follows them. At most one is not over; a foreign response is cancelled by its id."""

    def __init__(self, hub: Hub, listener: Listener) -> None:
        self._hub = hub
        self._listener = listener
        self.active: Reply | None = None
        self.last: Reply | None = None
        self._bound: dict[str, Reply] = {}
        self._foreign: set[str] = set()
        self._echoes = False

    def request(
        self,
        kind: ReplyKind,
        instructions: str,
        revision: int,
        *,
        attempt_id: str | None = None,
        question_id: str | None = None,
        stale_ms: int | None = None,
    ) -> Reply:
        """Ask for a reply under these instructions."""
        number = self._hub.count("reply")
        event_id = f"reply_{self._hub.epoch}_{number}"
        reply = Reply(
            number,
            kind,
            attempt_id,
            question_id,
            revision,
            event_id,
            self._hub.epoch,
            self._hub.now,
            stale_ms=stale_ms,
        )
        metadata = {"reply": str(number), "kind": kind, "epoch": str(self._hub.epoch), "revision": str(revision)}
        if attempt_id and question_id:
            metadata |= {"attempt": attempt_id, "question": question_id}
        response = {"instructions": instructions, "metadata": metadata}
        self._hub.act(Send({"type": "response.create", "event_id": event_id, "response": response}))
        self.active = self.last = reply
        return reply

    @property
    def sounds(self) -> bool:
        """Whether sound or words of the active reply have come: more of them only put its deadline off."""
        return self.active is not None and self.active.last_audio_ms is not None

    # -- frames --------------------------------------------------------------------------------------------

    def created(self, frame: Mapping[str, Any]) -> None:
        """`response.created`: bind it, or cancel it as foreign."""
        response = frame["response"]
        reply = self._bind(response)
        if reply is None:
            self._reject(response["id"])
        elif reply.cancelled_ms is not None:
            self._cancel(reply)

    def audio(self, frame: Mapping[str, Any]) -> None:
        """`response.output_audio.delta`, its payload already replaced by `audio_ms`."""
        reply = self._of(frame["response_id"])
        if reply is None or reply.over or reply.done_ms is not None:
            return
        now = self._hub.now
        if reply.first_audio_ms is None:
            reply.first_audio_ms = now
        reply.last_audio_ms = now
        audio_ms = frame.get("audio_ms", 0)
        # Sound that came late is played late: what is left begins anew when it comes.
        reply.plays_until_ms = max(reply.plays_until_ms, now) + audio_ms
        self._item(reply, frame["item_id"]).audio_ms += audio_ms
        reply.total_ms += audio_ms

    def words(self, frame: Mapping[str, Any]) -> None:
        """A delta of a transcript or of text; of a reply that was given up, too: an echo of it may be heard."""
        reply = self._of(frame["response_id"])
        if reply is None:
            return
        item = self._item(reply, frame["item_id"])
        if not item.final:
            item.text += frame["delta"]
        if not reply.over:
            reply.shown = reply.shown or frame["type"] == "response.output_text.delta"
            if reply.first_audio_ms is None:
                reply.last_audio_ms = self._hub.now

    def transcript(self, frame: Mapping[str, Any]) -> None:
        """The final transcript, or text, of an item."""
        reply = self._of(frame["response_id"])
        if reply is None:
            return
        item = self._item(reply, frame["item_id"])
        item.text, item.final = frame.get("transcript", frame.get("text", "")) or item.text, True
        if not reply.over:
            reply.shown = reply.shown or frame["type"] == "response.output_text.done"

    def done(self, frame: Mapping[str, Any]) -> None:
        """`response.done`, also one that comes without a created."""
        response = frame["response"]
        reply = self._bound.get(response["id"]) or self._bind(response)
        if reply is not None and (reply.done_ms is not None or reply.over):
            return
        if reply is not None and not self._ours(reply, response):
            self._fail(reply, "failed", "the response was another's")
            return
        if reply is None:
            self._foreign.add(response["id"])
            self._hub.record("ignored", what="foreign response", response_id=response["id"])
            return
        reply.done_ms = self._hub.now
        status = response.get("status")
        reply.status = status if isinstance(status, str) and status else "failed"
        reply.usage = _mapping(response.get("usage")) or None
        details = _mapping(response.get("status_details"))
        error = _mapping(details.get("error"))
        reply.reason = str(reply.reason or details.get("reason") or error.get("code") or error.get("type") or "")
        self._take_output(reply, response.get("output"))
        self._listener.reply_progressed(reply)
        self._settle(reply)

    def refused(self, event_id: str, code: str) -> bool:
        """An `error` that names our request; False if it names none that is open."""
        reply = self.active
        if reply is None or reply.event_id != event_id or reply.created_ms is not None:
            return False
        self._fail(reply, "refused", code)
        return True

    # -- playback ------------------------------------------------------------------------------------------

    def played(self, response_id: str, played_ms: int, *, ended: bool) -> None:
        """The player's report, clamped to what arrived."""
        reply = self._bound.get(response_id)
        if reply is None or reply.over:
            return
        reply.played_ms = max(reply.played_ms, min(played_ms, reply.total_ms))
        reply.reports.append((self._hub.now, reply.played_ms))
        complete = reply.done_ms is not None and reply.played_ms >= reply.total_ms
        reply.playback_ended = ended or reply.playback_ended or complete
        if ended and reply.stopped and reply.epoch == self._hub.epoch:  # a later session does not know its items
            self._truncate(reply)
        self._listener.reply_progressed(reply)
        self._settle(reply)

    def playback_failed(self, response_id: str, reason: str) -> None:
        """The player gave up on a response."""
        reply = self._bound.get(response_id)
        if reply is not None and not reply.over:
            reply.reason, reply.playback_ended = reason or "playback failed", True
            if reply.done_ms is None:
                self._cancel(reply)
            self._listener.reply_progressed(reply)
            self._settle(reply)

    def playing(self, at_ms: int) -> Reply | None:
        """The reply whose sound was played at a time, as far as is known."""
        for reply in reversed(self._bound.values()):
            if reply.first_audio_ms is not None and reply.first_audio_ms <= at_ms < reply.plays_until_ms:
                return reply
        return None

    # -- ours ----------------------------------------------------------------------------------------------

    def cancel(self, reply: Reply, reason: str) -> None:
        """Stop a reply, wherever it is: no more is generated and no more is played."""
        if reply.over:
            return
        reply.reason = reason
        if reply.response_id is not None and not reply.stopped:
            reply.stopped = True
            self._hub.act(StopPlayback(reply.response_id))
        if reply.done_ms is None and reply.cancelled_ms is None:
            reply.cancelled_ms = self._hub.now
            if reply.response_id is not None:
                self._cancel(reply)
        self._settle(reply)

    def drop(self) -> None:
        """The connection is gone: what is not done fails; what is done may play on."""
        self._foreign.clear()
        self._echoes = False
        if self.active and self.active.done_ms is None:
            self._fail(self.active, "disconnected", "")

    @property
    def left_to_play(self) -> int | None:
        """Sound of the active reply still to be played, in ms: 0 while it is being made, None without a reply."""
        if self.active is None:
            return None
        return self.active.total_ms - self.active.played_ms if self.active.done_ms is not None else 0

    def abandon(self, reason: str = "the call ended") -> None:
        """Nothing is waited for or played any more."""
        if self.active:
            self._fail(self.active, self.active.status or "disconnected", reason)

    def due(self) -> None:
        """Give up what did not come in time."""
        reply = self.active
        if reply is None or (deadline := self.deadline) is None or self._hub.now < deadline:
            return
        if reply.done_ms is not None:
            self._fail(reply, reply.status, "playback did not end")
        elif reply.cancelled_ms is not None:
            self._fail(reply, "cancelled", reply.reason)
        else:
            if reply.response_id is not None:
                self._cancel(reply)
            self._fail(reply, "timed_out", "no response" if reply.created_ms is None else "no audio")

    @property
    def deadline(self) -> int | None:
        """When the active reply is given up."""
        reply, wait = self.active, self._hub.settings.wait
        if reply is None:
            return None
        if reply.done_ms is not None:
            return max(reply.plays_until_ms, reply.done_ms) + wait.playback_over_ms
        if reply.created_ms is None:
            due = reply.requested_ms + wait.created_ms
        elif reply.last_audio_ms is None:
            due = reply.created_ms + wait.first_audio_ms
        else:
            due = reply.last_audio_ms + wait.audio_gap_ms
        return due if reply.cancelled_ms is None else min(due, reply.cancelled_ms + wait.created_ms)

    # -- inside --------------------------------------------------------------------------------------------

    def _bind(self, response: Mapping[str, Any], *, by_order: bool = False) -> Reply | None:
        reply = self.active
        metadata = response.get("metadata") or {}
        if reply is None or reply.response_id is not None or reply.epoch != self._hub.epoch:
            return None
        if metadata.get("reply") == str(reply.number):
            self._echoes = True
        elif metadata or (self._echoes and not by_order):
            return None
        else:
            # A server that does not echo metadata: only the order tells whose response this is.
            reply.basis = "inferred"
        reply.response_id, reply.created_ms = response["id"], self._hub.now
        self._bound[response["id"]] = reply
        if reply.cancelled_ms is None:
            self._listener.reply_started(reply)
        return reply

    def _of(self, response_id: str) -> Reply | None:
        """The reply of a response; one whose `response.created` never came is taken by its order, until its done."""
        reply = self._bound.get(response_id)
        if reply is None and response_id not in self._foreign:
            reply = self._bind({"id": response_id, "metadata": None}, by_order=True)
            if reply is None:
                self._reject(response_id)
        return reply

    def _ours(self, reply: Reply, response: Mapping[str, Any]) -> bool:
        named = (response.get("metadata") or {}).get("reply")
        return named is None or named == str(reply.number)

    def _reject(self, response_id: str) -> None:
        self._foreign.add(response_id)
        self._hub.act(StopPlayback(response_id))
        self._hub.act(Send({"type": "response.cancel", "response_id": response_id}))

    def _cancel(self, reply: Reply) -> None:
        if reply.cancelled_ms is None:
            reply.cancelled_ms = self._hub.now
        if reply.response_id is not None:
            if not reply.stopped:
                reply.stopped = True
                self._hub.act(StopPlayback(reply.response_id))
            self._hub.act(Send({"type": "response.cancel", "response_id": reply.response_id}))

    def _truncate(self, reply: Reply) -> None:
        left = reply.played_ms
        for item in reply.items.values():
            if left < item.audio_ms:
                self._hub.act(
                    Send(
                        {
                            "type": "conversation.item.truncate",
                            "item_id": item.id,
                            "content_index": 0,
                            "audio_end_ms": max(0, left),
                        }
                    )
                )
            left = max(0, left - item.audio_ms)

    def _take_output(self, reply: Reply, output: Any) -> None:
        for item in map(_mapping, output if isinstance(output, list) else ()):
            if item.get("type") == "message" and item.get("role") == "assistant" and isinstance(item.get("id"), str):
                spoken = self._item(reply, item["id"])
                content = item.get("content")
                said = [_mapping(part) for part in (content if isinstance(content, list) else ())]
                parts = [str(part.get("transcript") or part.get("text") or "") for part in said]
                if not spoken.final and any(parts):
                    spoken.text, spoken.final = "".join(parts), True

    def _settle(self, reply: Reply) -> None:
        heard_out = reply.playback_ended or reply.total_ms == 0
        if reply.done_ms is not None and heard_out and not reply.over:
            self._end(reply)

    def _fail(self, reply: Reply, status: str, reason: str) -> None:
        if reply.response_id is not None and not reply.stopped:
            reply.stopped = True
            self._hub.act(StopPlayback(reply.response_id))
        reply.status, reply.reason = status, reason or reply.reason
        self._end(reply)

    def _end(self, reply: Reply) -> None:
        reply.over = True
        reply.plays_until_ms = min(reply.plays_until_ms, self._hub.now)
        if self.active is reply:
            self.active = None
        self._listener.reply_over(reply)

    @staticmethod
    def _item(reply: Reply, item_id: str) -> SpokenItem:
        item = reply.items.get(item_id)
        if item is None:
            item = reply.items[item_id] = SpokenItem(item_id)
        return item


def _mapping(told: Any) -> Mapping[str, Any]:
    """What a service told in an object; nothing if it is none."""
    return told if isinstance(told, Mapping) else {}
