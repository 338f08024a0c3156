"""Calls that were taken away come back: the same turns, words and times."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.importing.read import read_transcript
from interviewer.settings import ImportSettings
from interviewer.store.export import Format, export
from interviewer.store.plain import harmless
from interviewer.store.store import Store
from interviewer.store.text import vtt
from tests.store import journals

APART = ImportSettings(merge=False)
_WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: " ".join(harmless(" ".join(text.split())).split()) != ""
)
_TURNS = st.lists(
    st.tuples(
        st.sampled_from(["interviewer", "guest"]),
        st.one_of(
            _WORDS, st.sampled_from(["a --> b", "<v X>y</v>", "&amp; &lt;b&gt;", "Anna: no", "NOTE x", "1", "WEBVTT"])
        ),
        st.integers(0, 20_000_000),
        st.integers(500, 60_000),
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "call.vtt"


@given(_TURNS)
def test_subtitles_come_back_as_they_were_written(place: Path, turns: list[tuple[str, str, int, int]]) -> None:
    rows: list[dict[str, Any]] = [
        {"speaker": who, "text": text, "heard": text, "started_ms": start, "ended_ms": start + length}
        for who, text, start, length in sorted(turns, key=lambda turn: turn[2])
    ]
    place.write_text(vtt({"turns": rows}), encoding="utf-8", newline="")
    found = read_transcript(place, settings=APART)
    assert [(turn.role, turn.text.split(), turn.started_ms, turn.ended_ms, turn.times) for turn in found.turns] == [
        (_role(row, rows), harmless(" ".join(row["text"].split())).split(), row["started_ms"], row["ended_ms"], "file")
        for row in rows
    ]


def _role(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """One alone is the guest: nobody is left to answer."""
    return row["speaker"] if len({other["speaker"] for other in rows}) == 2 else "guest"


@pytest.mark.parametrize("kind", ["vtt", "json", "csv"])
def test_a_kept_call_comes_back_whole(tmp_path: Path, kind: Format) -> None:
    path = journals.write(
        tmp_path / "journals" / "c-9.jsonl",
        iter(
            [
                journals.setup(),
                journals.turn(1, "interviewer", "How did you begin?", 0),
                journals.turn(2, "guest", '=cmd "quoted", with\tflour & <b>water</b>', 3_000),
                journals.turn(3, "interviewer", "All of it? Or none?", 6_000, heard="All of it?"),
                journals.turn(4, "interviewer", "Why?", 9_000),
            ]
        ),
    )
    store = Store.open(tmp_path)
    written = export(store, store.ingest(path).call_id, kind, tmp_path / "out")
    found = read_transcript(next(file for file in written if file.stem in ("turns", "c-9")), settings=APART)
    assert [(turn.role, " ".join(turn.text.split()), turn.started_ms, turn.ended_ms) for turn in found.turns] == [
        ("interviewer", "How did you begin?", 0, 2_000),
        ("guest", '=cmd "quoted", with flour & <b>water</b>', 3_000, 5_000),
        ("interviewer", "All of it?", 6_000, 8_000),
        ("interviewer", "Why?", 9_000, 11_000),
    ]
    assert {turn.times for turn in found.turns} == {"file"}
