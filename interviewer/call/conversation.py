"""The conversation as it was: turns in the order of the service's items, whenever their texts arrive."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from interviewer.call.hub import Hub
from interviewer.model.corrections import Corrections
from interviewer.model.turn import Said, Turn

INAUDIBLE = "[inaudible]"


@dataclass(slots=True)
class GuestItem:
    """One committed stretch of the guest's speech. `text` None: not transcribed yet, or it could not be.

    `id` is the service's, until it gives that to another item; `epoch`: the connection it was heard on.
    `doubtful`: no reply is due before its words are known. `unheard`: whether our microphone heard nobody, None if it
    tells nothing; `spoken_ms`: how much speech it heard. `aside`: why it is no speech of the guest's, if it is not.
    """

    id: str
    started_ms: int
    epoch: int
    ended_ms: int | None = None
    committed_ms: int | None = None
    text: str | None = None
    partial: str = ""
    failed: bool = False
    backchannel: bool = False
    doubtful: bool = False
    unheard: bool | None = None
    spoken_ms: int | None = None
    length_ms: int | None = None
    aside: str = ""

    @property
    def settled(self) -> bool:
        """Whether its text will not change any more, as far as one knows."""
        return self.text is not None or self.failed or bool(self.aside)


@dataclass(slots=True)
class Entry:
    """A turn with what it is made of; a guest turn may be several commits."""

    turn: Turn
    items: list[GuestItem] = field(default_factory=list)


class Conversation:
    """Keeps turns as they were heard, and shows them with names put right.

    `version` changes only when the final text of the conversation does.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.entries: list[Entry] = []
        self._items: dict[str, GuestItem] = {}
        self._unsettled: list[GuestItem] = []
        self._entry_of: dict[str, Entry] = {}
        self._interviewer: dict[str, Entry] = {}
        self.version = 0

    # -- guest ---------------------------------------------------------------------------------------------

    def guest_started(self, item_id: str) -> None:
        """The guest began to speak; the item joins the guest's turn if nothing was heard in between."""
        if item_id in self._items:
            return
        item = GuestItem(item_id, self._hub.now, self._hub.epoch)
        self._items[item_id] = item
        self._unsettled.append(item)
        entry = self._open_guest_entry()
        if entry is None:
            turn = Turn(self._new_id(), item_id, "guest", "", "speaking", self._hub.now)
            entry = Entry(turn)
            self.entries.append(entry)
        entry.items.append(item)
        entry.turn.state = "speaking"
        self._entry_of[item_id] = entry

    def renamed(self, item_id: str, *, begins: bool) -> str | None:
        """What the item of this id is called from now on, if the service means another one by it; None if it does not.

        An id is good for one connection, and on that, where speech `begins` again, until its item is settled.
        """
        item = self._items.get(item_id)
        if item is None:
            return None
        over = begins and item.committed_ms is not None and item.settled
        if item.epoch == self._hub.epoch and not over:
            return None
        while (name := f"{item_id}~{self._hub.count('id again')}") in self._items:
            pass
        item.id = name
        self._items[name] = self._items.pop(item_id)
        self._entry_of[name] = self._entry_of.pop(item_id)
        return name

    def guest_stopped(self, item_id: str) -> None:
        """The guest's silence was long enough."""
        if item := self._items.get(item_id):
            item.ended_ms = self._hub.now

    def guest_committed(self, item_id: str, *, backchannel: bool = False) -> None:
        """The service took the item into the conversation; its transcript is still to come."""
        self.guest_started(item_id)
        item = self._items[item_id]
        item.committed_ms = item.committed_ms if item.committed_ms is not None else self._hub.now
        item.ended_ms = item.ended_ms if item.ended_ms is not None else self._hub.now
        item.backchannel = backchannel
        self._refresh(self._entry_of[item_id])

    def went_on(self, item_id: str) -> None:
        """The item's end had been taken for lost, and came later: so long its turn lasted."""
        item = self._items.get(item_id)
        if item is not None and not item.aside:
            item.ended_ms = self._hub.now  # the event that tells of its end may be lost as well
            self._refresh(self._entry_of[item_id])

    def cut_off(self, item_id: str) -> None:
        """The connection went while the guest spoke: what was said is not to be had."""
        item = self._items.get(item_id)
        if item is not None and item.committed_ms is None:
            item.committed_ms = item.ended_ms = self._hub.now
            item.failed = True
            self._refresh(self._entry_of[item_id])

    def guest_typed(self, item_id: str, text: str) -> None:
        """The guest typed instead of speaking."""
        self.guest_committed(item_id)
        self.transcribed(item_id, text)

    def heard_partly(self, item_id: str, delta: str) -> None:
        """Words of a transcript that is not final."""
        if (item := self._items.get(item_id)) and item.text is None:
            item.partial += delta
            if self._hub.settings.cycle.on_partial_text:
                self._refresh(self._entry_of[item_id])
                self.version += 1

    def transcribed(self, item_id: str, text: str) -> bool:
        """The final transcript of an item; False if the item is unknown or had one."""
        item = self._items.get(item_id)
        if item is None or item.text is not None or item.aside:
            return False
        item.text = text.strip()
        self._refresh(self._entry_of[item_id])
        return True

    def inaudible(self, item_id: str) -> bool:
        """The item cannot be transcribed, or not in time; a late text may still mend it."""
        item = self._items.get(item_id)
        if item is None or item.settled:
            return False
        item.failed = True
        self._refresh(self._entry_of[item_id])
        return True

    def set_aside(self, item_id: str, why: str) -> bool:
        """The item is no speech of the guest's; a turn that holds nothing else is none. False if it was settled.

        What was taken for inaudible speech, written down and answered as such, stays that.
        """
        item = self._items.get(item_id)
        if item is None or item.settled:
            return False
        item.aside = why
        entry = self._entry_of[item_id]
        if all(i.aside for i in entry.items):
            self.entries.remove(entry)
        else:
            self._refresh(entry)
        return True

    def item(self, item_id: str) -> GuestItem | None:
        """A guest item by its id."""
        return self._items.get(item_id)

    def turn_of(self, item_id: str) -> Turn | None:
        """The guest turn an item belongs to."""
        entry = self._entry_of.get(item_id)
        return entry.turn if entry else None

    @property
    def unfinished(self) -> list[GuestItem]:
        """Items whose end the service has not told."""
        return [i for i in self._items.values() if i.committed_ms is None]

    @property
    def waiting(self) -> list[GuestItem]:
        """Committed items whose transcript has not come."""
        # Asked for at every step: what is settled stays so, and need not be looked at again.
        if not self._unsettled:
            return []
        self._unsettled = [i for i in self._unsettled if not i.settled]
        return [i for i in self._unsettled if i.committed_ms is not None]

    # -- interviewer ---------------------------------------------------------------------------------------

    def interviewer_started(self, response_id: str, question_id: str | None) -> Turn:
        """A response began: its turn stands here in the order."""
        turn = Turn(
            self._new_id(),
            "",
            "interviewer",
            "",
            "speaking",
            self._hub.now,
            response_id=response_id,
            question_id=question_id,
        )
        entry = Entry(turn)
        self.entries.append(entry)
        self._interviewer[response_id] = entry
        return turn

    def interviewer_said(self, response_id: str, item_id: str, text: str) -> None:
        """The final transcript of a response."""
        if (entry := self._interviewer.get(response_id)) and text:
            entry.turn.text, entry.turn.item_id, entry.turn.state = text, item_id, "final"
            self._changed(entry)

    def interviewer_unheard(self, response_id: str) -> None:
        """The reply is given up before anything of it was heard: the guest's turn goes on through it."""
        if entry := self._interviewer.get(response_id):
            entry.turn.ended_ms = self._hub.now

    def interviewer_over(self, response_id: str, heard: str) -> None:
        """A response is over; `heard` is the part of its text that was played."""
        if entry := self._interviewer.get(response_id):
            turn = entry.turn
            cut = turn.text != heard
            turn.heard, turn.ended_ms, turn.state = heard, self._hub.now, "final"
            self._write(entry)
            self.version += cut

    def mend(self, before: Corrections) -> None:
        """A name was put right: turns that read otherwise than with the names `before` are written again."""
        now = self._hub.names
        for entry in self.entries:
            if any(before.text(text) != now.text(text) for text in (entry.turn.text, entry.turn.heard)):
                self._changed(entry)

    # -- views ---------------------------------------------------------------------------------------------

    @property
    def turns(self) -> list[Turn]:
        """All turns, oldest first."""
        return [self._right(entry.turn) for entry in self.entries]

    def window(self, turns: int | None = None) -> tuple[Said, ...]:
        """The last `turns` turns with text (default: all), oldest first, as agents see them."""
        said: list[Said] = []
        for entry in reversed(self.entries):
            text = _visible(entry)
            if text:
                said.append(Said(entry.turn.id, entry.turn.speaker, self._hub.names.text(text)))
                if turns is not None and len(said) == turns:
                    break
        return tuple(reversed(said))

    def asked_before(self, turn_id: str) -> Iterator[Turn]:
        """The interviewer's turns before this one that were heard, at least in part, the latest first."""
        before = False
        for entry in reversed(self.entries):
            if before and entry.turn.speaker == "interviewer" and entry.turn.heard:
                yield entry.turn
            before = before or entry.turn.id == turn_id

    def partial_texts(self) -> Iterator[tuple[str, str]]:
        """Guest turns that are not final, by id, with the words known so far; only the latest can be such."""
        for entry in reversed(self.entries):
            if entry.turn.speaker == "guest" and entry.turn.state in ("speaking", "waiting"):
                texts = (i.partial.strip() if i.text is None else i.text for i in entry.items)
                yield entry.turn.id, " ".join(text for text in texts if text)
            elif entry.turn.speaker == "guest":
                return

    def turn_of_response(self, response_id: str | None) -> str | None:
        """The id of the turn that a response speaks, or None."""
        entry = self._interviewer.get(response_id) if response_id else None
        return entry.turn.id if entry else None

    @property
    def last_guest_turn_ended_ms(self) -> int | None:
        """When the guest last stopped speaking."""
        for entry in reversed(self.entries):
            if entry.turn.speaker == "guest" and entry.turn.ended_ms is not None:
                return entry.turn.ended_ms
        return None

    # -- inside --------------------------------------------------------------------------------------------

    def _open_guest_entry(self) -> Entry | None:
        for entry in reversed(self.entries):
            if entry.turn.speaker == "guest":
                return entry
            if entry.turn.ended_ms is None or entry.turn.heard:
                return None
        return None

    def _refresh(self, entry: Entry) -> None:
        turn = entry.turn
        partial = self._hub.settings.cycle.on_partial_text
        texts = (i.text if i.text is not None or not partial else i.partial.strip() for i in entry.items)
        turn.text = " ".join(text for text in texts if text)
        turn.ended_ms = max((i.ended_ms for i in entry.items if i.ended_ms is not None), default=None)
        if any(i.committed_ms is None for i in entry.items):
            turn.state = "speaking"
        elif not all(i.settled for i in entry.items):
            turn.state = "waiting"
        else:
            turn.state = "final" if turn.text else "inaudible"
            self._changed(entry)

    def _changed(self, entry: Entry) -> None:
        self.version += 1
        self._write(entry)

    def _right(self, turn: Turn) -> Turn:
        names = self._hub.names
        return replace(turn, text=names.text(turn.text), heard=names.text(turn.heard)) if names.pairs else turn

    def _write(self, entry: Entry) -> None:
        t = self._right(entry.turn)
        self._hub.record(
            "turn",
            id=t.id,
            item_id=t.item_id,
            speaker=t.speaker,
            text=t.text,
            state=t.state,
            started_ms=t.started_ms,
            ended_ms=t.ended_ms,
            heard=t.heard,
            response_id=t.response_id,
            question_id=t.question_id,
            position=int(t.id[1:]),
        )

    def _new_id(self) -> str:
        return f"t{self._hub.count('turn')}"


def _visible(entry: Entry) -> str:
    turn = entry.turn
    if turn.speaker == "guest":
        return turn.text or (INAUDIBLE if turn.state == "inaudible" else "")
    return turn.text if turn.ended_ms is None else turn.heard
