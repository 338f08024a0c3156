"""The stretches of the guest's speech in a kept call, from the service's own events."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

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
    items: dict[str, _Item] = {}
    for t_ms, frame in _frames(log):
        _take(items, t_ms, frame)
    names, aside = corrections(log), {str(data.get("item_id")) for _, data in log.records("ignored")}
    found = (_stretch(item, names.text(item.text), silence_ms) for name, item in items.items() if name not in aside)
    return tuple(sorted(filter(None, found), key=lambda each: each.started_ms))


def _frames(log: CallLog) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line in log.contents.lines:
        frame = line.data.get("frame") if line.kind == "in" else None
        if isinstance(frame, dict) and frame.get("type") in _EVENTS and isinstance(frame.get("item_id"), str):
            yield line.t_ms, frame


def _take(items: dict[str, _Item], t_ms: int, frame: Mapping[str, Any]) -> None:
    item = items.setdefault(frame["item_id"], _Item(t_ms))
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
