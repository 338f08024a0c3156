"""An interview is gone on with in the page that shows its call, by keyboard, and what was said is found again."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from interviewer.interview.demo import run_demo
from tests.widgets.conftest import OpenNotebook

PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    opened = open_notebook("returning")
    opened.page.evaluate("jupyterapp.shell.collapseLeft()")
    return opened


@pytest.fixture(scope="module")
def view(notebook: Notebook, tmp_path_factory: pytest.TempPathFactory) -> Locator:
    """A kept call of half a minute, as `Interview.open` shows it."""
    home = tmp_path_factory.mktemp("home")
    run_demo("On call", minutes=0.5, seed=4, home=Path(home))
    settings = "settings=Settings.load(env={}, voice={'service': 'simulator'})"
    notebook.run("from interviewer import Interview, Settings")
    notebook.run(f"i = Interview.open('last', home={str(home)!r}, {settings})\ni.show()")
    shown = notebook.page.locator(".iv").last
    expect(shown.get_by_text("Continue this interview")).to_be_visible(timeout=PATIENCE_MS)
    return shown


def test_what_was_said_is_found_and_marked(view: Locator) -> None:
    box = view.get_by_label("Search what was said")
    box.fill("incident*")
    box.press("Enter")
    expect(view.locator(".iv-found mark").first).to_have_text("incidents", timeout=PATIENCE_MS)
    box.fill("<img src=x onerror=alert(1)>")
    box.press("Enter")
    expect(view.get_by_text("onerror=alert(1)>: 0 places")).to_be_visible(timeout=PATIENCE_MS)
    assert view.locator("img").count() == 0


def test_a_topic_is_picked_by_keyboard_and_its_call_stands_in_the_chain(notebook: Notebook, view: Locator) -> None:
    page = notebook.page
    first = notebook.value("i.call_id")
    draw = view.get_by_role("button", name="Draw up the follow-up")
    expect(draw).to_be_disabled()
    view.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(view.get_by_role("radio").nth(1)).to_be_checked()
    view.get_by_label("Minutes of the follow-up").fill("1")
    draw.press("Enter")
    expect(view.get_by_text("Call 2 of this interview")).to_be_visible(timeout=PATIENCE_MS)
    expect(view.get_by_role("button", name="Back to the call before")).to_be_focused()
    view.get_by_role("button", name="Start sound").click()
    expect(view.get_by_role("button", name="Mute")).to_be_visible(timeout=PATIENCE_MS)
    view.get_by_label("Whoever speaks knows this and agrees").check()
    start = view.get_by_role("button", name="Start the call")
    expect(start).to_be_enabled(timeout=PATIENCE_MS)
    start.click()
    expect(view.get_by_role("button", name="Pause")).to_be_visible(timeout=PATIENCE_MS)
    view.get_by_role("button", name="End the call").click()
    view.get_by_role("button", name="Yes, end it").click()
    # The notebook's output is made anew once the call is kept.
    after = page.locator(".iv").last
    expect(after.get_by_text("Calls of this interview")).to_be_visible(timeout=60_000)
    assert notebook.value("[call['call_id'] for call in i.session.slices()['after']['calls']]") == [
        first,
        notebook.value("i.call_id"),
    ]
    after.get_by_role("button", name="Show call 1").click()
    expect(after.get_by_text(f"Call {first}")).to_be_visible(timeout=PATIENCE_MS)
