"""An interview is gone on with in the page that shows its call, by keyboard, and what was said is found again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from interviewer.interview.demo import run_demo
from tests.widgets.conftest import OpenNotebook
from tests.widgets.test_thresholds import ASKED, keep

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


def test_what_was_typed_stays_when_a_file_or_a_draft_is_written(
    notebook: Notebook, view: Locator, tmp_path: Path
) -> None:
    own, found = view.get_by_role("textbox", name="In your own words"), view.get_by_label("Search what was said")
    view.get_by_label("Folder for files").fill(str(tmp_path))
    own.fill("The winter")
    for number, kind in enumerate(("md", "vtt"), 1):
        view.get_by_role("button", name=kind, exact=True).press("Enter")
        expect(view.locator(".iv-files-list li")).to_have_count(number, timeout=PATIENCE_MS)
        assert len(list(tmp_path.iterdir())) == number
        # Long enough for an output that is put anew.
        notebook.page.wait_for_timeout(700)
        expect(view.get_by_role("button", name=kind, exact=True)).to_be_focused()
    view.get_by_role("button", name=re.compile("^Write a .* draft$")).first.click()
    found.fill("queens")
    expect(view.get_by_role("button", name=re.compile("^2 · "))).to_be_visible(timeout=PATIENCE_MS)
    notebook.page.wait_for_timeout(700)
    expect(found).to_be_focused()
    expect(found).to_have_value("queens")
    expect(own).to_have_value("The winter")
    expect(view.get_by_label("Folder for files")).to_have_value(str(tmp_path))
    expect(view.get_by_role("radio").last).to_be_checked()
    own.fill("")


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
    end = view.get_by_role("button", name="End the call")
    end.click()
    page.keyboard.press("Escape")
    expect(end).to_be_focused()
    expect(view.get_by_role("button", name="Yes, end it")).to_be_hidden()
    end.click()
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


def test_figures_of_a_threshold_stand_beside_their_names(notebook: Notebook, tmp_path: Path) -> None:
    """In an output of JupyterLab, which has rules of its own for such lists."""
    (tmp_path / "journals").mkdir()
    keep(tmp_path, "c-1", ASKED)
    notebook.run("from pathlib import Path\nfrom interviewer import Store")
    notebook.begin(
        "from interviewer.widgets.thresholds import ThresholdLab\n"
        f"ThresholdLab(Store.open(Path({str(tmp_path)!r})), 'Ann', 'jaccard')"
    )
    facts = notebook.page.locator(".iv-lab-facts")
    facts.wait_for()
    boxes = facts.evaluate("e => [...e.children].map((c) => c.getBoundingClientRect()).map(({ x, y }) => [x, y])")
    names, figures = boxes[::2], boxes[1::2]
    assert len({x for x, _ in names}) == len({x for x, _ in figures}) == 1
    assert names[0][0] < figures[0][0]
    assert [abs(name[1] - figure[1]) < 3 for name, figure in zip(names, figures, strict=True)] == [True] * len(names)
