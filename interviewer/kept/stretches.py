"""The stretches of the guest's speech in a kept call, from the service's own events."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interviewer.call.listening import ANOTHER
from interviewer.kept.reading import CallLog
from interviewer.kept.said import corrections
from interviewer.replay.recording import Stretch

_SPEECH: Final = "input_audio_buffer."
_WRITTEN: Final = "conversation.item.input_audio_transcription."
_EVENTS: Final = (
    *(f"{_SPEECH}{what}" for what in ("speech_started", "speech_stopped", "committed")),
    *(f"{_WRITTEN}{what}" for what in ("delta", "completed")),
)
HOLDING: Final = tuple(f'"type":"{event}"'.encode() for event in _EVENTS)
"""What the lines of a journal hold that stretches are made of."""


@dataclass(slots=True)
class _Item:
    id: str
    epoch: int
    started_ms: int
    stopped_ms: int | None = None
    committed_ms: int | None = None
    written_ms: int | None = None
    text: str = ""
    words: list[tuple[int, str]] = field(default_factory=list)


def stretches(log: CallLog, silence_ms: int) -> tuple[Stretch, ...]:
    """All that the guest said and was written down, in the order in which it began; names put right as in the turns.

    Times are ms since the call was begun. `silence_ms`: the silence after which the service says that one is over. What
    was taken for an echo or for noise is left out.
    """
    items: list[_Item] = []
    known: dict[str, _Item] = {}
    for t_ms, epoch, frame in _frames(log):
        item = _item(known.get(frame["item_id"]), t_ms, epoch, frame)
        if item is not known.get(item.id):
            known[item.id] = item
            items.append(item)
        _take(item, t_ms, frame)
    names, aside = corrections(log), _aside(log, items)
    found = (_stretch(item, names.text(item.text), silence_ms) for item in items if id(item) not in aside)
    return tuple(sorted(filter(None, found), key=lambda each: each.started_ms))


def _aside(log: CallLog, items: Sequence[_Item]) -> set[int]:
    found: set[int] = set()
    for t_ms, data in log.records("ignored"):
        if data.get("what") != ANOTHER:
            begun = [item for item in items if item.id == data.get("item_id") and item.started_ms <= t_ms]
            found.update(id(item) for item in begun[-1:])
    return found


def _frames(log: CallLog) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    for line in log.contents.lines:
        frame = line.data.get("frame") if line.kind == "in" else None
        if isinstance(frame, dict) and frame.get("type") in _EVENTS and isinstance(frame.get("item_id"), str):
            yield line.t_ms, line.data.get("epoch", 0), frame


def _item(known: _Item | None, t_ms: int, epoch: int, frame: Mapping[str, Any]) -> _Item:
    """The item an event is about: another of the same id on another connection, and where speech begins after it."""
    over = known is not None and known.written_ms is not None and frame["type"] == f"{_SPEECH}speech_started"
    return _Item(frame["item_id"], epoch, t_ms) if known is None or over or known.epoch != epoch else known


def _take(item: _Item, t_ms: int, frame: Mapping[str, Any]) -> None:
    match frame["type"].rpartition(".")[2]:
        case "speech_stopped":
            item.stopped_ms = t_ms
        case "committed" if item.committed_ms is None:
            item.committed_ms = t_ms
        case "delta" if item.written_ms is None:
            item.words.append((t_ms, str(frame.get("delta") or "")))
        case "completed" if item.written_ms is None:
            item.written_ms, item.text = t_ms, str(frame.get("transcript") or "").strip()


def _stretch(item: _Item, text: str, silence_ms: int) -> Stretch | None:
    if item.written_ms is None or not text:
        return None
    committed_ms = item.written_ms if item.committed_ms is None else item.committed_ms
    stopped_ms = committed_ms if item.stopped_ms is None else item.stopped_ms
    quiet_ms = max(item.started_ms, stopped_ms - silence_ms)
    return Stretch(item.started_ms, quiet_ms, stopped_ms, committed_ms, item.written_ms, text, tuple(item.words))
