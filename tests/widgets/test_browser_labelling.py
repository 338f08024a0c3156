from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from tests.widgets.conftest import OpenNotebook

# What two people press for five pairs, which each sees in an order of their own.
ANN = {"a": "r", "b": "d", "c": "n", "d": "n", "e": "o"}
BEN = {"a": "r", "b": "l", "c": "d", "d": "c", "e": "d"}
SECOND = "<img src=x onerror=document.title='run'>?"


def labeller(notebook: Notebook, name: str) -> Locator:
    """A new widget, ready for keys."""
    widgets = notebook.page.locator(".iv-labeller")
    before = widgets.count()
    notebook.begin(f"from interviewer.widgets.labelling import Labeller\nLabeller('pairs.csv', {name!r})")
    shown = widgets.nth(before)
    shown.focus()
    return shown


def press(widget: Locator, name: str, keys: dict[str, str], done: int, until: int) -> None:
    for number in range(done, until):
        first = widget.locator(".iv-tool-question").first.inner_text()
        widget.press(keys[first[0]])
        expect(widget.locator(".iv-tool-done")).to_have_text(f"{name}: {number + 1} of 5")


def test_two_people_label_by_keyboard_go_on_after_a_reload_and_see_how_far_they_agree(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook("labelling")
    rows = [f'\u202e{name},"{name}: <b>What</b> broke?","{SECOND}\u202e",The cable.,And?,top' for name in ANN]
    text = "\n".join(["id,q1,q2,answer,lead,stratum", *rows, ""])
    notebook.path.with_name("pairs.csv").write_text(text, encoding="utf-8")

    ann = labeller(notebook, "Ann")
    expect(ann.locator(".iv-tool-question").last).to_have_text(SECOND)
    expect(ann).not_to_contain_text("top")  # nothing says how alike they look
    # Keys that mean nothing here mean nothing to the notebook either: x would cut the cell, b add one.
    cells = notebook.page.locator(".jp-Notebook-cell").count()
    for key in ("x", "b", "Escape"):
        ann.press(key)
    press(ann, "Ann", ANN, 0, 3)
    expect(notebook.page.locator(".jp-Notebook-cell")).to_have_count(cells)

    again = Notebook(notebook.lab, notebook.page, "labelling")  # the page is loaded anew
    ann = labeller(again, "Ann")
    expect(ann.locator(".iv-tool-done")).to_have_text("Ann: 3 of 5")
    ann.press("Backspace")
    expect(ann.locator(".iv-tool-done")).to_have_text("Ann: 2 of 5")
    press(ann, "Ann", ANN, 2, 5)
    expect(ann).to_contain_text("All pairs are labelled.")
    expect(ann.locator(".iv-labeller-agreement")).to_have_count(0)

    ben = labeller(again, "Ben")
    press(ben, "Ben", BEN, 0, 5)
    # R D N N D and R D D C D: 3 of 5 alike, by chance (1*1 + 2*3) / 25; same: yes yes no no yes and yes yes yes unsure
    # yes: 3 of 5, by chance 3*4 / 25.
    kappas = f"label {(3 / 5 - 7 / 25) / (18 / 25):.2f}, same information {(3 / 5 - 12 / 25) / (13 / 25):.2f}"
    expect(ben.locator(".iv-labeller-agreement")).to_have_text(
        f"Ann and Ben agree on 3 of 5 pairs; Cohen's kappa: {kappas}"
    )
    assert again.page.title() != "run"
