from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import fold
from interviewer.plots.show import Html, essay_page, question_table, transcript_table
from interviewer.store.store import Store
from tests.store import journals

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe\x1b[31m & \"'"
OURS = {"div", "table", "tr", "td", "span", "b", "br", "i", "p", "h1", "h2", "blockquote"}


class _Reader(HTMLParser):
    def __init__(self, page: Html) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words = ""
        self.feed(page._repr_html_())

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def _turns(**changes: Any) -> pd.DataFrame:
    turn = {"number": 1, "turn_id": "t1", "speaker": "guest", "at_ms": 61_000, "started_ms": 64_000}
    turn |= {"text": "With flour.", "heard": "", "state": "final", "question_id": None}
    return pd.DataFrame([turn | changes])


def _hostile_is_shown_as_text(page: Html) -> None:
    reader = _Reader(page)
    assert reader.tags <= OURS
    assert "<script>alert(1)</script><img src=x onerror=alert(2)>" in reader.words
    assert "\u202e" not in reader.words
    assert "\x1b" not in reader.words


def test_what_people_said_is_shown_and_never_becomes_part_of_the_page() -> None:
    _hostile_is_shown_as_text(transcript_table(_turns(text=HOSTILE)))
    _hostile_is_shown_as_text(transcript_table(_turns(text=HOSTILE, speaker="interviewer", heard=HOSTILE[:60])))
    event = LedgerEvent(1, 0, "question", "q1", None, evidence={"text": HOSTILE, "priority": 1, "planned": True})
    _hostile_is_shown_as_text(question_table(fold([event])))


def test_an_essay_keeps_its_headings_and_shows_all_other_markup() -> None:
    page = essay_page(f"# Bread\n\n*slow*\n\n## {HOSTILE}\n\n{HOSTILE}\n\n> With\n> flour\n\n[x](javascript:alert)")
    _hostile_is_shown_as_text(page)
    assert "<h1>Bread</h1><p><i>slow</i></p><h2>" in page.text
    assert "<blockquote>With flour</blockquote>" in page.text
    assert "[x](javascript:alert)" in _Reader(page).words


def test_formula_typesetting_is_kept_away() -> None:
    assert 'class="tex2jax_ignore mathjax_ignore"' in transcript_table(_turns(text="costs $5 or $6")).text


def test_a_turn_has_its_time_and_speaker_and_what_was_not_heard_is_struck_through() -> None:
    page = transcript_table(_turns(speaker="interviewer", text="Right. And then?", heard="Right."))
    assert "1:01" in page.text
    assert "Interviewer" in page.text
    assert (
        'Right. <span style="text-decoration:line-through;opacity:.6" title="not heard">And then?</span>' in page.text
    )


def test_a_turn_that_could_not_be_made_out_says_so() -> None:
    assert "<i>inaudible</i>" in transcript_table(_turns(state="inaudible", text="")).text


def test_a_stored_call_and_its_ledger_can_be_shown(fresh_home: Path) -> None:
    journals.write(fresh_home / "journals" / "c-1.jsonl")
    words = _Reader(transcript_table(Store.open(fresh_home).transcript("c-1"))).words
    assert "Hello. How did you begin?" in words
    assert "With <b>flour</b> & water -- in 1999" in words
    events = [LedgerEvent.from_dict(data) for kind, data in journals.small_call() if kind == "ev"]
    told = _Reader(question_table(fold(events))).words
    assert "q1 is delivered: asked and heard." in told
    assert "q3 is available: never chosen; the guest answered it unasked." in told
