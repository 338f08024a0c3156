"""What a redaction replaces, and that it does so alike in every kind of file."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from interviewer.store.export import export, redaction_of
from interviewer.store.redact import Redaction
from interviewer.store.store import Store
from tests.store import journals


def redacted(*texts: str, names: tuple[str, ...] = ()) -> list[str]:
    made = Redaction(texts, names)
    return [made.text(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("I met Rosa Iglesias there, and Rosa laughed.", "I met [NAME 1] there, and [NAME 1] laughed."),
        ("We moved to Barrow. Barrow was small.", "We moved to [NAME 1]. [NAME 1] was small."),
        ("Bread is slow. We say Bread when bread is done.", "Bread is slow. We say Bread when bread is done."),
        ("On Monday I asked the FDA.", "On Monday I asked the FDA."),
        ("It was Ada's idea.", "It was [NAME 1]'s idea."),
        ("Write to a.b+c@mail.example.org or A.B+C@mail.example.org.", "Write to [EMAIL 1] or [EMAIL 1]."),
        ("Call +44 20 7946 0018 or (020) 7946-0018.", "Call [PHONE 1] or [PHONE 2]."),
        ("It cost $1,200, or 1,200 dollars, or €3.5 million.", "It cost [AMOUNT 1], or [AMOUNT 2], or [AMOUNT 3]."),
        ("In 1999 we were 12, number 4711007.", "In 1999 we were 12, number [PHONE 1]."),
        ("Account 471100 is closed.", "Account [NUMBER 1] is closed."),
        ("It cost CHF 500, or USD 1,200, or 1'234'567 francs.", "It cost [AMOUNT 1], or [AMOUNT 2], or [AMOUNT 3]."),
        ("All of 1'234'567 were there.", "All of [AMOUNT 1] were there."),
        ("Pay to CH93 0076 2011 6238 5295 7.", "Pay to [IBAN 1]."),
        ("The host 192.168.100.200 fell at 12:30:45.", "The host 192.168.100.200 fell at 12:30:45."),
        ("See https://example.org/a?b=c and go.", "See [LINK 1] and go."),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_replaced(text: str, becomes: str) -> None:
    assert redacted(text) == [becomes]


def test_names_that_are_given_are_found_whatever_their_capitals_and_in_parts() -> None:
    texts = ("ada lovelace said so", "Lovelace was first", "ADA!", "adapter")
    assert redacted(*texts, names=("Ada Lovelace",)) == [
        "[NAME 1] said so",
        "[NAME 1] was first",
        "[NAME 1]!",
        "adapter",
    ]


def test_names_next_to_underscores_and_with_loose_accents_are_found() -> None:
    texts = ("_Ada_ wrote ada_quint.md", "Rene\u0301 came", "Ren\u00e9 left")
    assert redacted(*texts, names=("Ada Quint", "Ren\u00e9")) == [
        "_[NAME 1]_ wrote [NAME 1]_[NAME 1].md",
        "[NAME 2] came",
        "[NAME 2] left",
    ]


def test_names_in_reasons_and_in_keys_are_found() -> None:
    made = Redaction([], ["Ada Quint"])
    value = {"reason": "Ada said so", "by": "Ada", "people": {"Ada Quint": 1}, "kind": "Ada", "ada": 2}
    assert made.value(value) == {
        "reason": "[NAME 1] said so",
        "by": "[NAME 1]",
        "people": {"[NAME 1]": 1},
        "kind": "Ada",
        "ada": 2,
    }


def test_a_guest_without_a_name_is_none() -> None:
    assert redacted("the guest was a guest", names=("the guest", "guest", "")) == ["the guest was a guest"]


def test_a_name_keeps_its_mark_over_all_texts() -> None:
    assert redacted("I saw Milo.", "Then Otto and Milo came.") == [
        "I saw [NAME 1].",
        "Then [NAME 2] and [NAME 1] came.",
    ]


@pytest.fixture
def store(fresh_home: Path) -> Store:
    lines = list(journals.small_call())
    lines[-1:-1] = [
        journals.turn(3, "guest", "My sister Rosa Iglesias paid 73,519 euros; rosa@bread.example", 9_000),
        journals.rec("correction", wrong="Marten", right="Maarten"),
        journals.turn(4, "interviewer", "And what did marten say to Ada, who bakes?", 12_000),
        journals.rec("essay", title="Rosa", markdown="# Rosa\n\nMaarten owes 73,519 euros.", sentences=[]),
    ]
    journals.write(fresh_home / "journals" / "c-1.jsonl", iter(lines))
    return Store.open(fresh_home)


SECRETS = ("Rosa", "Iglesias", "73,519", "rosa@", "arten", "Ada")


def test_every_kind_of_file_is_redacted_alike(store: Store, tmp_path: Path) -> None:
    made = redaction_of(store, "c-1")
    files = {
        kind: export(store, "c-1", kind, tmp_path / kind, redaction=made)
        for kind in ("md", "json", "vtt", "csv", "parquet")
    }
    text = "\n".join(path.read_text(encoding="utf-8") for kind in ("md", "json", "vtt", "csv") for path in files[kind])
    assert [secret for secret in SECRETS if secret in text] == []
    rows = json.loads(files["json"][0].read_text(encoding="utf-8"))
    turns = {row["turn_id"]: row["text"] for row in rows["turns"]}
    assert turns["t3"] == "My sister [NAME 4] paid [AMOUNT 1]; [EMAIL 1]"
    assert turns["t4"] == "And what did [NAME 2] say to [NAME 1], who bakes?"
    assert rows["calls"][0]["guest"] == "[NAME 1]"
    assert rows["calls"][0]["call_id"] == "c-1"
    assert rows["drafts"][-1]["markdown"] == "# [NAME 4]\n\n[NAME 3] owes [AMOUNT 1]."
    table = pq.read_table(next(path for path in files["parquet"] if path.name == "turns.parquet"))
    assert table.column("text").to_pylist()[2] == turns["t3"]
    assert made.counts == {"NAME": 4, "AMOUNT": 1, "EMAIL": 1}


def test_without_being_asked_nothing_is_replaced(store: Store, tmp_path: Path) -> None:
    (file,) = export(store, "c-1", "json", tmp_path)
    assert all(secret in file.read_text(encoding="utf-8") for secret in SECRETS)


def test_what_a_redacted_table_looks_like_stays(store: Store, tmp_path: Path) -> None:
    plain = export(store, "c-1", "parquet", tmp_path / "plain")
    marked = export(store, "c-1", "parquet", tmp_path / "marked", redaction=redaction_of(store, "c-1"))
    for one, other in zip(plain, marked, strict=True):
        assert pq.read_schema(one).equals(pq.read_schema(other))
        assert pq.read_table(one).num_rows == pq.read_table(other).num_rows
