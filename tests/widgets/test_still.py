"""What a saved notebook holds of a call: plain HTML, in which no text of others is markup."""

from html.parser import HTMLParser
from typing import Any

import pytest

from interviewer.interview.onlooker import View
from interviewer.widgets.still import still

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe\x1b[31m & \"'"
OURS = {"div", "h1", "h2", "h3", "p", "i", "small", "ol", "li", "b", "br", "details", "summary", "span", "blockquote"}
AFTER: dict[str, Any] = {
    "call_id": HOSTILE,
    "topic": HOSTILE,
    "guest": HOSTILE,
    "reason": HOSTILE,
    "elapsed_ms": 61_000,
    "planned": 3,
    "delivered": 2,
    "analysis": {"title": HOSTILE, "subtitle": HOSTILE, "assessment": HOSTILE, "quotes": [{"text": HOSTILE}]},
    "follow_up": {"topics": [{"title": HOSTILE, "why": HOSTILE}]},
    "drafts": [{"version": 1, "style": HOSTILE, "markdown": f"# {HOSTILE}\n\n{HOSTILE}"}],
    "turns": [
        {"speaker": "guest", "text": HOSTILE, "heard": ""},
        {"speaker": "interviewer", "text": HOSTILE, "heard": HOSTILE[:20]},
        {"speaker": HOSTILE, "text": "", "heard": ""},
    ],
}
QUESTIONS = [{"id": HOSTILE, "text": HOSTILE, "why": HOSTILE, "state": HOSTILE}]


class Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("view", ["guest", "researcher"])
def test_texts_of_others_are_shown_and_never_markup(view: View) -> None:
    page = Reader(still(AFTER, QUESTIONS, view, HOSTILE))
    assert page.tags <= OURS
    assert page.attributes <= {"class", "style", "dir", "title", "data-interview", "data-view"}
    assert "<script>alert(1)</script>" in page.words
    assert "\u202e" not in page.words
    assert "\x1b" not in page.words


def test_the_guests_page_has_the_call_in_short_and_the_whole_transcript() -> None:
    words = Reader(still(AFTER, (), "guest", "k")).words
    assert "1:01 long, 2 of 3 questions delivered" in words
    assert "Transcript, 3 turns" in words


def test_a_call_of_which_nothing_is_left_has_a_page_too() -> None:
    assert "Transcript, 0 turns" in Reader(still({}, (), "researcher", "k")).words
