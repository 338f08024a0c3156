"""The kernel's side of a view: what a page says is done, and what it should not say does no harm."""

from pathlib import Path
from typing import Any

import pytest

from interviewer import Interview
from interviewer.errors import InterviewerError
from interviewer.interview.session import InterviewSession
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.board import Board
from interviewer.widgets.panel import Panel
from tests.patience import until

PLAN = {
    "topic": "Bees",
    "goal": "Why some hives last",
    "sections": [{"id": "s1", "title": "Start", "questions": [{"id": "q1", "text": "Why roofs?"}]}],
}


class Page:
    """A page by hand: says things, and reads what it was told."""

    def __init__(self, session: InterviewSession) -> None:
        audio = BrowserAudio()
        self.session = session
        self.kept: list[Any] = []
        self.board = Board(session, audio, self.kept.append)
        self.panel = Panel(session, self.board, audio, "guest", "key")

    def say(self, **message: Any) -> None:
        self.panel._handle_custom_msg(message, [])

    def told(self, name: str, value: Any, of: str = "setup") -> None:
        """Wait until this is what the page was told."""
        until(lambda: getattr(self.board.slate("guest"), of).get(name) == value)


@pytest.fixture
def page(fresh_home: Path) -> Page:
    return Page(InterviewSession("Bees", home=fresh_home))


def test_a_form_is_filled_in_and_a_plan_drawn_up(page: Page) -> None:
    page.say(act="form", fields={"guest": "Ada", "minutes": 6})
    page.say(act="draw_up")
    page.told("topic", "Bees", of="plan")
    assert (page.session.preparation.form.guest, page.session.preparation.form.minutes) == ("Ada", 6.0)


def test_what_cannot_be_is_said_and_the_next_right_word_takes_it_back(page: Page) -> None:
    page.say(act="form", fields={"minutes": 90})
    page.told("problem", "minutes: a call is 0.5 to 60 of them, not 90")
    page.say(act="form", fields={"minutes": 9})
    page.told("problem", "")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"act": "no such act"},
        {"act": "form", "fields": "not fields"},
        {"act": "form", "fields": {"problem": "x"}},
        {"act": "plan", "plan": None, "by": "x"},
        {"act": "plan", "plan": {"sections": [{}]}, "by": "x"},
        {"act": "save_plan", "file": ""},
        {"act": "load_plan", "file": "no/such/file.yaml"},
        {"act": "view", "view": "director", "open": True},
        {"act": "start"},
        {"act": "command", "name": "explode", "value": ""},
        {"act": "clip", "turn": "t1"},
        {"act": "export", "to": "exe", "out": ""},
    ],
)
def test_nothing_a_page_says_breaks_it_or_begins_a_call(page: Page, message: dict[str, Any]) -> None:
    page.say(**message)
    page.say(act="form", fields={"guest": "Ada"})
    assert (page.session.stage, page.session.preparation.form.guest) == ("form", "Ada")


def test_what_nobody_foresaw_is_told_and_not_what_was_said(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise KeyError("the guest's own words")

    monkeypatch.setattr(page.session.preparation, "change", broken)
    page.say(act="form", fields={"guest": "Ada"})
    until(lambda: "something unforeseen went wrong here (KeyError)" in page.board.slate("guest").setup["problem"])
    assert "own words" not in page.session.problem


def test_nobody_s_consent_begins_no_call(page: Page) -> None:
    page.session.preparation.change_plan(PLAN)
    page.say(act="form", fields={"guest": " "})
    page.say(act="start")
    assert (page.session.stage, page.session.preparation.is_open) == ("form", True)
    assert "the consent is nobody's" in page.session.problem


def test_a_view_outside_of_a_notebook_says_what_to_do(fresh_home: Path) -> None:
    with pytest.raises(InterviewerError, match="interviewer lab"):
        Interview("Bees", home=fresh_home).show()


def test_the_same_interview_asked_for_during_its_call_is_that_call(fresh_home: Path) -> None:
    first = Interview("Bees", guest="Ada", home=fresh_home)
    assert Interview("Bees", guest="Ada", home=fresh_home).session is not first.session
    running = Interview("Bees", guest="Ada", home=fresh_home)
    running.session.stage = "call"
    assert Interview("Bees", guest="Ada", home=fresh_home).session is running.session
    assert Interview("Bees", guest="Eve", home=fresh_home).session is not running.session
