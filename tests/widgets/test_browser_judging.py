from playwright.sync_api import expect

from interviewer.lab.kept_runs import keep_run
from interviewer.store.store import Store
from tests.lab.runs import moment, result, run
from tests.widgets.conftest import OpenNotebook

HOSTILE = "<img src=x onerror=document.title='run'>?"


def test_divergences_are_judged_blind_by_keyboard_and_summed_up_in_the_end(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("judging")
    home = notebook.path.with_name("judged")
    store = Store.open(home)
    for name, text in (("r-a", "Of A?"), ("r-b", f"{HOSTILE}\u202e")):
        moments = tuple(moment(turn, text, "", None, question_id=None) for turn in ("t1", "t3"))
        keep_run(store, run(name, result("talk", moments=moments)))
    notebook.begin(
        "from pathlib import Path\nfrom interviewer import Store\nfrom interviewer.widgets.judging import Judge\n"
        "Judge('r-a', 'r-b', 'Ann', store=Store.open(Path('judged')))"
    )
    widget = notebook.page.locator(".iv-judge")
    head = widget.locator(".iv-tool-done")
    expect(head).to_have_text("Ann: 0 of 2")
    expect(widget).not_to_contain_text("r-a")
    assert "\u202e" not in widget.inner_text()
    for number in range(2):
        widget.get_by_label("Reason").fill("because 1 and 2")  # keys there judge nothing
        widget.get_by_label("Reason").press("Escape")
        left = widget.locator(".iv-tool-question").first.inner_text()
        widget.press("1" if left == "Of A?" else "2")
        expect(head).to_have_text(f"Ann: {number + 1} of 2")
        if number == 0:
            expect(widget.get_by_label("Reason")).to_have_value("")
    expect(widget.locator(".iv-judge-sum")).to_contain_text("Run A was found better 2 times, run B 0 times")
    widget.press("Backspace")
    expect(widget.locator(".iv-problem")).to_contain_text("no judgement can be changed")
    expect(head).to_have_text("Ann: 2 of 2")
    kept = store.home.workspace.read_text(encoding="utf-8").splitlines()
    assert len(kept) == 2
    assert "because 1 and 2" in kept[0]
    assert notebook.page.title() != "run"
