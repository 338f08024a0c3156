"""The views of an interview in a page, without a call: hostile words, keyboard, half a screen, a saved notebook."""

import json
import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from evals.pictures.notebook import Album
from interviewer.interview.demo import run_demo
from interviewer.interview.session import InterviewSession
from interviewer.interview.slices import plain
from interviewer.model.plan import Plan, Question, Section
from interviewer.widgets.still import still
from tests.widgets.conftest import OpenNotebook
from tests.widgets.test_browser_looks import LEAST_CONTRAST, contrast, luminance

HOSTILE = (
    "<img src=x onerror='window.hurt = 1'><script>window.hurt = 2</script><b>bold</b> **md** [x](javascript:hurt) "
    "`code` \x1b[31mred \u202egnp.exe $x^2$ &lt;i&gt;"
)
PATIENCE_MS = 30_000  # a busy machine is slow, not wrong
PLAN = Plan(
    topic=HOSTILE,
    goal=HOSTILE,
    sections=(Section(id="s1", title=HOSTILE, questions=(Question(id="q1", text=HOSTILE, notes=HOSTILE),)),),
)
QUOTED = {"id": "n1", "text": HOSTILE, "quote": HOSTILE, "question": HOSTILE}
SLICES: dict[str, Any] = plain(
    {
        "clock": {"elapsed_ms": 61_000, "target_ms": 120_000, "wrap_up_ms": 102_000, "phase": "exploration"}
        | {"status": "live", "paused": False, "speaks": "guest"},
        "turns": [
            {
                "id": "t1",
                "speaker": "interviewer",
                "state": "final",
                "over": True,
                "text": HOSTILE,
                "heard": HOSTILE[:30],
            },
            {"id": "t2", "speaker": "guest", "state": "speaking", "over": False, "text": "", "heard": ""},
        ],
        "words": {"t2": {"text": HOSTILE, "heard": HOSTILE}},
        "questions": [
            {"id": "q1", "text": HOSTILE, "planned": True, "source": "plan", "section": "s1", "priority": 1}
            | {"role": "backbone", "state": "held", "why": HOSTILE, "answered": False, "closed": False},
            {"id": "u1", "text": HOSTILE, "planned": False, "source": HOSTILE, "section": None, "priority": 2}
            | {"role": "backbone", "state": "available", "why": HOSTILE, "answered": False, "closed": False},
        ],
        "agents": {HOSTILE: {"running": 0, "runs": 1, "latency_ms": 900, "outcome": HOSTILE, "fallbacks": 1}},
        "notes": {"gaps": [QUOTED], "ideas": [QUOTED], "contradictions": [], "coverage": {"s1": HOSTILE}},
        "research": [
            {"subject": HOSTILE, "verification": HOSTILE, "summary": HOSTILE, "use": HOSTILE, "sources": [HOSTILE]}
        ],
        "voice": {
            "next": {"question": "q1", "stage": "accepted", "meant": HOSTILE},
            "decision": {"outcome": HOSTILE, "source": HOSTILE, "why": HOSTILE, "reason": HOSTILE},
            "guard": [
                {
                    "seq": 1,
                    "what": HOSTILE,
                    "text": HOSTILE,
                    "like": HOSTILE,
                    "score": 0.9,
                    "threshold": 0.7,
                    "scorer": HOSTILE,
                },
                {
                    "seq": 2,
                    "what": "passed",
                    "text": HOSTILE,
                    "like": None,
                    "score": None,
                    "threshold": None,
                    "scorer": None,
                },
            ],
            "exchanges": [
                {"turn": "t1", "said": HOSTILE, "question": HOSTILE, "meant": HOSTILE, "outcome": "held", "reason": ""}
            ],
        },
        "keeping": {"problem": HOSTILE, "lost": False},
        "after": {
            "call_id": HOSTILE,
            "interrupted": True,
            "cannot_resume": HOSTILE,
            "guest": HOSTILE,
            "elapsed_ms": 61_000,
            "delivered": 0,
            "planned": 1,
        }
        | {
            "reason": HOSTILE,
            "sound": True,
            "exported": {"md": [HOSTILE]},
            "drafts": [
                {"version": 1, "style": HOSTILE, "title": HOSTILE, "path": HOSTILE}
                | {"markdown": f"# {HOSTILE}\n\n> {HOSTILE}\n\n{HOSTILE}"}
            ],
            "analysis": {"goal_met": HOSTILE, "assessment": HOSTILE, "title": HOSTILE, "subtitle": HOSTILE}
            | {
                "themes": [{"name": HOSTILE, "summary": HOSTILE}],
                "tensions": [HOSTILE],
                "claims": [{"text": HOSTILE, "evidence": [{"text": f"“{HOSTILE}”"}]}],
                "quotes": [{"text": HOSTILE, "turn": "t2", "found": True}],
            },
            "follow_up": {"topics": [{"title": HOSTILE, "why": HOSTILE, "questions": [HOSTILE]}]},
        },
    }
)


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    opened = open_notebook("interview")
    opened.page.evaluate("jupyterapp.shell.collapseLeft()")
    return opened


@pytest.fixture(scope="module")
def album(notebook: Notebook, tmp_path_factory: pytest.TempPathFactory) -> Album:
    return Album(notebook, tmp_path_factory.mktemp("album"))


def is_text_only(view: Locator) -> None:
    """Every hostile word is there to be read, and none has become an element or was run."""
    assert view.locator("img, script, a, code, .MathJax, mjx-container").count() == 0
    assert view.get_by_text("bold", exact=True).count() == 0
    assert view.page.evaluate("window.hurt") is None
    shown = view.inner_text() + "".join(view.locator("input, textarea").evaluate_all("all => all.map((e) => e.value)"))
    assert "<script>window.hurt = 2</script>" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("view", "stage"),
    [("guest", "form"), ("guest", "call"), ("researcher", "call"), ("guest", "stopped"), ("guest", "over")],
)
def test_hostile_words_are_shown_as_text(album: Album, view: str, stage: str) -> None:
    is_text_only(album.moment(PLAN, HOSTILE, SLICES, view, stage=stage))


def test_the_guest_sees_nothing_that_would_prime_an_answer(album: Album) -> None:
    secret = Plan(
        topic="Bees",
        goal="SECRET goal",
        sections=(Section(id="s1", title="T", questions=(Question(id="q1", text="SECRET?"),)),),
    )
    slices = {
        "clock": SLICES["clock"],
        "voice": {"next": {"question": "q1", "stage": "accepted", "meant": "SECRET"}, "exchanges": []},
        "keeping": {"problem": "SECRET.jsonl cannot be written: the disk is full", "lost": False},
    }
    guest = album.moment(secret, "Ada", slices, "guest")
    expect(guest.get_by_text("You are speaking")).to_be_visible()
    expect(guest.get_by_text("What you say is kept all the same: just go on.")).to_be_visible()
    assert "SECRET" not in guest.evaluate("element => element.outerHTML")
    researcher = album.moment(secret, "Ada", slices, "researcher")
    expect(researcher.get_by_text("Next: q1, accepted")).to_be_visible()
    expect(researcher.get_by_role("alert").get_by_text("the disk is full")).to_be_visible()


def test_a_view_is_there_within_a_second(notebook: Notebook) -> None:
    """The kernel is warm: the tests before have imported everything. The best of some, as the machine may be busy."""

    def took() -> float:
        before = notebook.page.locator(".iv").count()
        began = monotonic()
        notebook.begin("interview = Interview('Keeping bees')\ninterview.show()")
        notebook.page.locator(".iv").nth(before).wait_for()
        return monotonic() - began

    notebook.run("from interviewer import Interview")
    assert any(took() < 1.0 for _ in range(10))


def test_a_keyboard_fills_in_the_form_and_moves_a_question(notebook: Notebook) -> None:
    notebook.run("")  # a cell that ends takes the focus: wait for the one before
    form, keyboard = notebook.page.locator(".iv").last, notebook.page.keyboard
    form.get_by_label("Topic").focus()
    keyboard.press("End")
    keyboard.type(" on roofs")
    for _ in range(9):
        if form.get_by_role("button", name="Draw up a plan").evaluate("b => b === document.activeElement"):
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    expect(form.get_by_role("group", name="Question q2", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    assert notebook.value("interview.plan.topic") == "Keeping bees on roofs"
    form.get_by_role("group", name="Question q1", exact=True).get_by_label("Question", exact=True).focus()
    keyboard.press("Alt+ArrowDown")
    assert notebook.page.evaluate("document.activeElement.closest('.iv-question').dataset.id") == "q1"
    notebook.wait_until(lambda: notebook.value("[q.id for q in interview.plan.questions[:2]]") == ["q2", "q1"])


def test_a_question_without_words_keeps_the_call_from_starting(notebook: Notebook) -> None:
    form = notebook.page.locator(".iv").last
    question = form.get_by_role("group", name="Question q1", exact=True).get_by_label("Question", exact=True)
    question.fill("")
    mistake = form.get_by_role("alert").filter(has_text="section 1, question 2: text is empty")
    expect(mistake).to_be_visible(timeout=PATIENCE_MS)
    expect(form.get_by_text("a plan without mistakes")).to_be_visible(timeout=PATIENCE_MS)
    question.fill("Why roofs?")
    expect(form.get_by_text("a plan without mistakes")).to_be_hidden(timeout=PATIENCE_MS)


def test_two_views_of_a_form_have_one_plan_and_lose_no_edit(notebook: Notebook) -> None:
    views = notebook.page.locator(".iv")
    first, second = views.nth(views.count() - 1), views.nth(views.count())
    notebook.run("interview.show()")

    def question(view: Locator, name: str) -> Locator:
        return view.get_by_role("group", name=f"Question {name}", exact=True).get_by_label("Question", exact=True)

    expect(question(second, "q1")).to_have_value(question(first, "q1").input_value(), timeout=PATIENCE_MS)
    question(first, "q1").fill("Why bees?")
    expect(question(second, "q1")).to_have_value("Why bees?", timeout=PATIENCE_MS)
    question(second, "q2").fill("Which roof?")
    expect(question(first, "q2")).to_have_value("Which roof?", timeout=PATIENCE_MS)
    asked = {question.id: question.text for question in kept_plan(notebook).questions}
    assert (asked["q1"], asked["q2"]) == ("Why bees?", "Which roof?")


def kept_plan(notebook: Notebook) -> Plan:
    return Plan.model_validate(notebook.value("interview.plan.model_dump(mode='json')"))


def test_after_a_click_on_plain_text_a_key_does_nothing_to_the_notebook(notebook: Notebook) -> None:
    cells = "jupyterapp.shell.currentWidget.content.model.cells.length"
    before = notebook.page.evaluate(cells)
    notebook.page.locator(".iv").last.get_by_text("Start the sound and say a word").click()
    for key in ("x", "d", "d", "b"):
        notebook.page.keyboard.press(key)
    assert notebook.page.evaluate(cells) == before


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_read_and_fits_half_a_screen(notebook: Notebook, album: Album, theme: str) -> None:
    notebook.theme(theme)
    notebook.page.set_viewport_size({"width": 640, "height": 900})
    for view, stage in (("guest", "form"), ("guest", "call"), ("researcher", "call"), ("guest", "over")):
        shown = album.moment(PLAN, "Ada", SLICES, view, stage=stage)
        ground = str(shown.evaluate("element => getComputedStyle(element).backgroundColor"))
        assert (luminance(ground) > 0.5) == (theme == "light")
        words = shown.locator(
            ".iv-hint:visible, .iv-said:visible, .iv-who:visible, .iv-extra:visible, .iv-first:visible"
        )
        faint = [part.inner_text() for part in words.all() if contrast(part, of(part, ground)) < LEAST_CONTRAST]
        assert faint == []
        wide = (
            "root => [...root.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > innerWidth).length"
        )
        assert shown.evaluate(wide) == 0
    notebook.page.set_viewport_size({"width": 1100, "height": 800})


def of(part: Locator, ground: str) -> str:
    """What a part stands on: its own ground if it has one, else that of the view."""
    own = str(part.evaluate("element => getComputedStyle(element).backgroundColor"))
    return ground if own.endswith(", 0)") else own


def test_a_saved_notebook_shows_the_call_without_a_kernel_and_runs_nothing(
    lab: Lab, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    done = run_demo(minutes=1, seed=2, home=tmp_path)
    after = {**InterviewSession.of_call("last", home=tmp_path).slices()["after"], "guest": HOSTILE}
    output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": still(after, (), "guest", "key")}}
    cell = {"cell_type": "code", "id": "c", "metadata": {}, "source": "", "execution_count": 1, "outputs": [output]}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    saved = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (lab.root / "saved.ipynb").write_text(json.dumps(saved), encoding="utf-8")
    page = open_notebook("saved").page
    expect(page.get_by_text(re.compile(f"Call {done.call_id} with <img src=x"))).to_be_visible(timeout=PATIENCE_MS)
    assert page.evaluate("window.hurt") is None
    assert page.locator(".iv").count() == 0


# Last: it takes the kernel's memory.
def test_a_restarted_kernel_is_named_and_a_page_loaded_anew_says_how_to_see_the_call(notebook: Notebook) -> None:
    page, has_widget = notebook.page, "jupyterapp.shell.currentWidget.content.model.getMetadata('widgets')"
    living = page.locator(".iv").last
    notebook.wait_until(lambda: "An interview about Keeping bees" in json.dumps(page.evaluate(has_widget)))
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(living.locator(".iv-gone")).to_contain_text("The kernel was restarted", timeout=PATIENCE_MS)
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    notebook.wait_until(notebook._ready, 60_000)
    expect(page.get_by_text('Interview.of_call("last").show()').last).to_be_visible(timeout=PATIENCE_MS)
