"""What the guest said in a kept call, where the service gives an id again."""

from pathlib import Path
from typing import Any

from interviewer.kept.reading import CallLog
from interviewer.kept.stretches import stretches
from interviewer.store.journal import JournalContents
from interviewer.store.lines import Line

_SPEECH = "input_audio_buffer"


class Journal:
    """Lines of a call as it would have written them."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def _line(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        n = len(self.lines) + 2
        self.lines.append(Line(n, kind, t_ms, data, n))

    def frame(self, t_ms: int, epoch: int, type_: str, **fields: Any) -> None:
        frame = {"type": type_, "item_id": "same", **fields}
        self._line("in", t_ms, {"type": "Frame", "t_ms": t_ms, "epoch": epoch, "frame": frame})

    def answer(self, t_ms: int, epoch: int, text: str) -> None:
        """An item of 3 s, written down 1 s later."""
        self.frame(t_ms, epoch, f"{_SPEECH}.speech_started")
        self.frame(t_ms + 3_000, epoch, f"{_SPEECH}.speech_stopped")
        self.frame(t_ms + 3_000, epoch, f"{_SPEECH}.committed")
        self.frame(t_ms + 4_000, epoch, "conversation.item.input_audio_transcription.completed", transcript=text)

    def ignored(self, t_ms: int, what: str) -> None:
        self._line("rec", t_ms, {"kind": "ignored", "data": {"what": what, "item_id": "same"}})

    def said(self) -> list[tuple[int, str]]:
        log = CallLog(Path("call.jsonl"), JournalContents(lines=self.lines))
        return [(each.started_ms, each.text) for each in stretches(log, 500)]


def test_an_id_that_comes_again_is_another_stretch() -> None:
    journal = Journal()
    journal.answer(1_000, 1, "One.")
    journal.answer(10_000, 1, "Two.")
    journal.answer(20_000, 2, "Three.")
    assert journal.said() == [(1_000, "One."), (10_000, "Two."), (20_000, "Three.")]


def test_of_items_of_one_id_that_which_was_no_speech_is_left_out() -> None:
    journal = Journal()
    journal.answer(1_000, 1, "One.")
    journal.answer(10_000, 1, "An echo.")
    journal.ignored(14_000, "echo of the voice")
    journal.answer(20_000, 1, "Three.")
    assert journal.said() == [(1_000, "One."), (20_000, "Three.")]


def test_other_words_for_an_item_take_nothing_away() -> None:
    journal = Journal()
    journal.answer(1_000, 1, "One.")
    journal.ignored(6_000, "another transcript")
    assert journal.said() == [(1_000, "One.")]
