import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from interviewer.errors import NotFound, StoreError
from interviewer.store.export import EXPORTED, Format, export
from interviewer.store.store import Store
from tests.store import journals

FOR_PEOPLE: tuple[Format, ...] = ("md", "vtt")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    home = tmp_path_factory.mktemp("export")
    journals.write(home / "journals" / "c-1.jsonl")
    journals.write(home / "journals" / "c-2.jsonl")
    return Store.open(home)


def _call(store: Store, name: str, *turns: tuple[str, dict[str, Any]]) -> str:
    path = journals.write(store.home.journal(name), iter([journals.setup(), *turns]))
    return store.ingest(path).call_id


def test_markdown_holds_essay_transcript_and_questions(store: Store, tmp_path: Path) -> None:
    [path] = export(store, "c-1", "md", tmp_path / "call.md")
    assert path == tmp_path / "call.md"
    text = path.read_text(encoding="utf-8")
    parts = ["# Bread", "## Essay", "With flour.", "## Transcript", "How did you begin?", "## Questions"]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)
    assert "**Guest** (0:03): With \\<b\\>flour\\</b\\> \\& water" in text
    assert "| What went wrong first? | yes | 2 | held | 1 | unconfirmed |" in text


def test_markdown_shows_what_was_not_heard(store: Store, tmp_path: Path) -> None:
    call = _call(
        store,
        "unheard",
        journals.turn(1, "interviewer", "All of it.", 0, heard="All"),
        journals.turn(2, "interviewer", "Nothing.", 10, heard=""),
        journals.turn(3, "guest", "", 20, state="inaudible"),
    )
    text = export(store, call, "md", tmp_path)[0].read_text(encoding="utf-8")
    assert "All (the rest was not heard)" in text
    assert "(not heard) Nothing." in text
    assert "**Guest** (0:00): (inaudible)" in text


def test_json_is_one_object_with_nested_values_read(store: Store, tmp_path: Path) -> None:
    [path] = export(store, "c-1", "json", tmp_path)
    assert path == tmp_path / "c-1.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert set(found) == set(EXPORTED)
    assert found["calls"][0]["started_at"] == "2026-11-30T13:15:00Z"
    assert found["ledger_events"][7]["evidence"]["tolerance_ms"] == 250
    assert found["plans"][0]["plan"] == journals.PLAN
    assert {row["call_id"] for rows in found.values() for row in rows} == {"c-1"}


def test_webvtt_has_a_cue_for_everything_heard(store: Store, tmp_path: Path) -> None:
    call = _call(
        store,
        "cues",
        journals.turn(1, "interviewer", "Hello there.", 61_005, heard="Hello"),
        journals.turn(2, "guest", "a --> b\n\n<v X>& more", 3_600_000, ended_ms=None),
        journals.turn(3, "interviewer", "never played", 3_700_000, heard=""),
        journals.turn(4, "guest", "first", 0),
    )
    assert export(store, call, "vtt", tmp_path)[0].read_text(encoding="utf-8") == (
        "WEBVTT\n\nNOTE Times are those of the call's sound: connecting and pauses count.\n\n"
        "00:00:00.000 --> 00:00:02.000\n<v Guest>first\n\n"
        "00:01:01.005 --> 00:01:03.005\n<v Interviewer>Hello\n\n"
        "01:00:00.000 --> 01:00:00.500\n<v Guest>a --&gt; b &lt;v X&gt;&amp; more\n"
    )


def test_csv_has_one_file_a_table_for_this_call_only(store: Store, tmp_path: Path) -> None:
    paths = export(store, "c-1", "csv", tmp_path / "out")
    assert [path.name for path in paths] == [f"{name}.csv" for name in EXPORTED]
    with (tmp_path / "out" / "turns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["call_id"], row["turn_id"], row["speaker"]) for row in rows] == [
        ("c-1", "t1", "interviewer"),
        ("c-1", "t2", "guest"),
    ]


def test_csv_never_hands_a_spreadsheet_a_formula(store: Store, tmp_path: Path) -> None:
    said = [f"{start}HYPERLINK(1)" for start in ("=", "+", "-", "@", "\t", "\r", "\n")]
    turns = [journals.turn(number, "guest", text, -5) for number, text in enumerate([*said, "a=b", ""])]
    export(store, _call(store, "formulas", *turns), "csv", tmp_path)
    with (tmp_path / "turns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == [*(f"'{text}" for text in said), "a=b", ""]
    assert {row["started_ms"] for row in rows} == {"-5"}


def test_parquet_keeps_types_and_lists(store: Store, tmp_path: Path) -> None:
    paths = export(store, "c-2", "parquet", tmp_path)
    assert len(paths) == len(EXPORTED)
    events = pd.read_parquet(tmp_path / "ledger_events.parquet")
    assert (len(events), events["score"].max(), set(events["call_id"])) == (16, 0.9, {"c-2"})
    topics = pd.read_parquet(tmp_path / "follow_ups.parquet")
    assert list(topics["questions"][0]) == ["One?", "Two?"]


def test_exporting_again_replaces_the_files(store: Store, tmp_path: Path) -> None:
    first = export(store, "c-1", "md", tmp_path)[0].read_bytes()
    assert export(store, "c-1", "md", tmp_path)[0].read_bytes() == first


def test_what_cannot_be_exported_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        export(store, "nobody", "md", tmp_path)
    with pytest.raises(StoreError, match="cannot export to 'pdf'; there are: md, json"):
        export(store, "c-1", "pdf", tmp_path)  # type: ignore[arg-type]
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot write .*file"):
        export(store, "c-1", "csv", tmp_path / "file")


def test_an_escape_sequence_takes_no_mark_along(store: Store, tmp_path: Path) -> None:
    call = _call(store, "sneaking", journals.turn(1, "guest", "one \x1b<<script>", 0))
    page, cues = (export(store, call, to, tmp_path)[0].read_text(encoding="utf-8") for to in FOR_PEOPLE)
    # ESC and the mark after it are a sequence of two signs; the backslash before a mark is not its second one.
    assert "one \\<script\\>" in page
    assert "one &lt;script&gt;" in cues


def test_signs_that_act_on_a_terminal_are_not_taken_along(store: Store, tmp_path: Path) -> None:
    said = "one \x1b[31mred\x1b[0m \x07bell \u202eback\u202c two"
    call = _call(store, "acting", journals.turn(1, "guest", said, 0), journals.rec("essay", title=said, markdown=said))
    for to in FOR_PEOPLE:
        text = export(store, call, to, tmp_path)[0].read_text(encoding="utf-8")
        assert "one red bell back two" in text
        assert not set("\x1b\x07\u202e\u202c") & set(text)
    raw = export(store, call, "json", tmp_path)[0].read_text(encoding="utf-8")
    assert not set("\x1b\x07\u202e\u202c") & set(raw)
    assert json.loads(raw)["turns"][0]["text"] == said
