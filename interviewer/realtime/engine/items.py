"""The conversation: its items in order, and what a client may do with them."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.realtime.engine import errors
from interviewer.realtime.engine.brain import Line
from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.schema import anything, choice, many, record, short_text, text, variant, whole

ID_LIMIT = 32
_ROLES = ("user", "assistant", "system")


_TEXT = record({"text": text}, ("text",), extra=True)
_AUDIO = record({"audio": text, "transcript": text}, ("audio",), extra=True)
_IMAGE = record({"image_url": text, "detail": choice("auto", "low", "high")}, ("image_url",), extra=True)
_PARTS = {
    "user": variant("type", {"input_text": _TEXT, "input_audio": _AUDIO, "input_image": _IMAGE}),
    # The service takes no audio of the assistant's from a client: even an output_audio part needs a text.
    "assistant": variant("type", {"output_text": _TEXT, "output_audio": _TEXT}),
    "system": variant("type", {"input_text": _TEXT}),
}


def _message(value: Any, at: str) -> None:
    record({"role": choice(*_ROLES), "content": anything}, ("role", "content"), extra=True)(value, at)
    many(_PARTS[value["role"]])(value["content"], f"{at}.content")


_HEAD = {"id": short_text(ID_LIMIT), "status": choice("completed", "incomplete", "in_progress")}
_CALL = record({"name": text, "arguments": text, "call_id": text}, ("name", "arguments"), extra=True)
_OUTPUT = record({"call_id": text, "output": text}, ("call_id", "output"), extra=True)
_KINDS = {"message": _message, "function_call": _CALL, "function_call_output": _OUTPUT}


def check_item(value: Any, at: str) -> None:
    """An item as clients may write it."""
    record(_HEAD, ("type",), extra=True)(value, at)
    variant("type", _KINDS)(value, at)


_CREATE = record({"item": check_item, "previous_item_id": text}, ("item",), extra=True)
_NAMED = record({"item_id": text}, ("item_id",), extra=True)
_TRUNCATE = record(
    {"item_id": text, "content_index": whole(0, 0), "audio_end_ms": whole(0, 2**53)},
    ("item_id", "content_index", "audio_end_ms"),
    extra=True,
)


@dataclass(slots=True)
class Item:
    """One conversation item.

    `body` is the item on the wire without its id; `text` what the model knows it to say. `audio_ms` is the length of
    its sound, of the guest's or the model's; `heard_ms` is where a client cut the model's.
    """

    id: str
    body: dict[str, Any]
    role: str
    text: str
    audio_ms: int = 0
    heard_ms: int | None = None
    model_audio: bool = False

    def wire(self) -> dict[str, Any]:
        """The item as frames carry it now."""
        return {"id": self.id, **copy.deepcopy(self.body)}

    def line(self) -> Line:
        """The item as the model sees it: cut text in proportion to the part of the sound that was kept."""
        if self.heard_ms is None or not self.audio_ms:
            return Line(self.role, self.text)
        return Line(self.role, self.text[: len(self.text) * self.heard_ms // self.audio_ms])

    def cut(self, at_ms: int) -> None:
        """Keep the model's audio up to `at_ms`; its transcript goes, as the service does it."""
        if not self.model_audio:
            raise errors.not_model_audio()
        length = self.audio_ms if self.heard_ms is None else self.heard_ms
        if at_ms > length:
            raise errors.audio_is_shorter(length, at_ms)
        self.heard_ms = at_ms
        for part in self.body["content"]:
            part["transcript"] = None


def from_client(raw: Mapping[str, Any], item_id: str) -> Item:
    """An item a client wrote, checked before by `check_item`."""
    if raw["type"] != "message":
        body = {k: copy.deepcopy(v) for k, v in raw.items() if k not in ("id", "object")}
        return Item(item_id, body, "", "")
    content = [_stored(part) for part in raw["content"]]
    said = " ".join(part.get("text") or part.get("transcript") or "" for part in raw["content"]).strip()
    status = raw.get("status") or "completed"
    body = {"type": "message", "status": status, "role": raw["role"], "content": content}
    return Item(item_id, body, raw["role"], said)


def _stored(part: Mapping[str, Any]) -> dict[str, Any]:
    kind = part["type"]
    if kind == "input_audio":
        return {"type": kind, "transcript": part.get("transcript")}
    if kind == "input_image":
        return {"type": kind, "image_url": part["image_url"], "detail": part.get("detail") or "auto"}
    return {"type": "output_text" if kind == "output_audio" else kind, "text": part["text"]}


class Conversation:
    """Items in order."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.id = core.mint("conv")
        self._items: list[Item] = []

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def find(self, item_id: str) -> Item | None:
        """The item of this id."""
        return next((item for item in self._items if item.id == item_id), None)

    def previous(self, item: Item) -> str | None:
        """Id of the item before; None for the first and for one that is gone."""
        before = None
        for other in self._items:
            if other is item:
                return before
            before = other.id
        return None

    @property
    def last_id(self) -> str | None:
        """Id of the last item."""
        return self._items[-1].id if self._items else None

    def place(self, item: Item, index: int | None = None) -> None:
        """Put an item in (at the end) and announce it; `done` comes separately."""
        self._items.insert(len(self._items) if index is None else index, item)
        self.announce("added", item, self.previous(item))

    def add(self, item: Item, index: int | None = None) -> None:
        """Put a complete item in: added, then done."""
        self.place(item, index)
        self.announce("done", item, self.previous(item))

    def announce(self, what: str, item: Item, previous: str | None) -> None:
        """Send `conversation.item.added` or `.done`."""
        self._core.send(
            {"type": f"conversation.item.{what}", "previous_item_id": previous, "item": item.wire()},
        )

    def create(self, event: Mapping[str, Any]) -> None:
        """`conversation.item.create`."""
        _CREATE(event, "")
        raw = event["item"]
        item_id = raw.get("id") or self._core.mint("item")
        if self.find(item_id):
            problem = f"Error adding item: the item with id '{item_id}' already exists."
            raise errors.Refused("invalid_value", problem, "item.id")
        index = self._index_after(event.get("previous_item_id"))
        self.add(from_client(raw, item_id), index)

    def _index_after(self, previous: str | None) -> int | None:
        if not previous:
            return None
        if previous == "root":
            return 0
        for index, item in enumerate(self._items):
            if item.id == previous:
                return index + 1
        problem = f"Error adding item: the previous item with id '{previous}' does not exist."
        raise errors.Refused("invalid_value", problem, "previous_item_id")

    def retrieve(self, event: Mapping[str, Any]) -> None:
        """`conversation.item.retrieve`: the item as it is now."""
        item = self._named(event, "retrieve", "retrieving")
        self._core.send({"type": "conversation.item.retrieved", "item": item.wire()})

    def delete(self, event: Mapping[str, Any]) -> None:
        """`conversation.item.delete`."""
        item = self._named(event, "delete", "deleting")
        self._items.remove(item)
        self._core.send({"type": "conversation.item.deleted", "item_id": item.id})

    def truncate(self, event: Mapping[str, Any]) -> None:
        """`conversation.item.truncate`."""
        _TRUNCATE(event, "")
        item, end_ms = self._named(event, "truncate", "truncating"), event["audio_end_ms"]
        item.cut(end_ms)
        frame = {"type": "conversation.item.truncated", "item_id": item.id, "content_index": 0}
        self._core.send({**frame, "audio_end_ms": end_ms})

    def _named(self, event: Mapping[str, Any], verb: str, gerund: str) -> Item:
        _NAMED(event, "")
        item = self.find(event["item_id"])
        if item is None:
            raise errors.no_such_item(verb, gerund, event["item_id"])
        return item
