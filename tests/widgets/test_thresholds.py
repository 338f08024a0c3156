"""The slider over one's own calls; in a browser the page's own code talks to the widget's own."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from interviewer.errors import MatchError
from interviewer.lab.measured_sql import QUERIES, lab_questions
from interviewer.lab.threshold_lab import ThresholdLab as Lab
from interviewer.matching import thresholds
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from interviewer.widgets.labelling import Labeller
from interviewer.widgets.thresholds import ThresholdLab
from interviewer.widgets.tool import Tool
from tests.store.journals import head, turn

# By shared words: nothing is like the first; the third has 3 of 5 words of the second (old, bridge, cost; town, img).
HOSTILE = "What did the old bridge cost <img src=x onerror=document.title='run'>?"
ASKED = ("Who taught you?", "What did the old bridge cost?", f"{HOSTILE}\u202e", "Which winter froze the canal?")
PAGE = """
const state = {_view: VIEW, _about: ABOUT};
const listeners = [];
const model = {
  get: (name) => state[name],
  send: (message) => toKernel(message).then((view) => { state._view = view; listeners.forEach((tell) => tell()); }),
  on: (name, tell) => name === "change:_view" && listeners.push(tell),
  off() {},
};
render({ model, el: document.body });
"""


def keep(home: Path, name: str, asked: tuple[str, ...]) -> None:
    with Journal.create(home / "journals" / f"{name}.jsonl", head(name)) as journal:
        for number, text in enumerate(asked):
            for place, (speaker, words) in enumerate((("interviewer", text), ("guest", "It was long ago, and cold."))):
                kind, data = turn(2 * number + place, speaker, words, 10_000 * number + 5_000 * place)
                journal.write(kind, 10_000 * number + 5_000 * place, data)


@pytest.fixture
def store(fresh_home: Path) -> Store:
    (fresh_home / "journals").mkdir()
    for number in range(12):
        keep(fresh_home, f"c-{number}", ASKED)
    return Store.open(fresh_home)


def label_all(lab: Lab) -> None:
    while waiting := lab.next(0.3):
        lab.label(waiting.id, "unwanted" if "img" in waiting.q2 else "different")


def test_labels_given_at_any_threshold_tell_what_each_does_and_are_kept_with_it(store: Store) -> None:
    lab = Lab(store, "Ann", "jaccard")
    assert [len(lab.rows), lab.sliding.calls] == [36, 12]  # a call's first question has none before it
    assert not lab.at(0.3).slipped.enough
    label_all(lab)
    # Twelve calls that are all alike, a repeat in each: nothing varies from call to call.
    low, high = lab.at(0.1), lab.at(0.99)
    assert (low.refused, low.slipped.value, low.good.value) == (12, 0.0, 0.0)
    assert (high.refused, high.slipped.value, high.slipped.low, high.slipped.high) == (0, 1.0, 1.0, 1.0)
    again = Lab(store, "Ann", "jaccard")
    assert again.sliding.labelled == 36
    assert again.next(0.3) is None


def test_labels_still_count_when_more_calls_were_held(store: Store) -> None:
    label_all(Lab(store, "Ann", "jaccard"))
    keep(store.home.root, "c-new", ("Who hurt the oven?", "Why that oven?"))
    lab = Lab(Store.open(store.home.root), "Ann", "jaccard")
    assert (len(lab.rows), lab.sliding.labelled) == (37, 36)


def test_a_threshold_is_kept_under_a_name_that_is_free_and_only_with_labels_that_say_what_it_is_good_for(
    store: Store,
) -> None:
    lab = Lab(store, "Ann", "jaccard")
    with pytest.raises(MatchError, match=r"not enough labels .* no label near this score"):
        lab.save("mine", 0.3)
    for row in lab.rows:  # half of those that look alike repeat: a repeat costs as much as a good question
        lab.label(row.id, "unwanted" if "img" in row.second.text and int(row.interview.name[2:]) % 2 else "different")
    score = next(row.score for row in lab.rows if "img" in row.second.text)
    kept = lab.save("mine", score - 0.01)
    assert kept.fold_spread is None  # chosen by hand: there were no folds
    assert kept.scorer == "jaccard"
    assert kept.low < kept.value < kept.high  # half of twelve calls: by others it may be worth refusing fewer, or more
    assert (kept.cost_ratio, kept.prevalence) == pytest.approx((1.0, 6 / 36))
    assert thresholds.load("mine", store.home.root) == kept
    with pytest.raises(MatchError, match="there is one of that name"):
        lab.save("mine", 0.2)
    with pytest.raises(MatchError, match="comes with the package"):
        lab.save("guard-jaccard", 0.2, replace=True)
    with pytest.raises(MatchError, match=r"'no name' cannot be kept: name: "):
        lab.save("no name", score - 0.01)


def test_what_a_threshold_does_can_be_asked_in_sql(store: Store) -> None:
    lab = Lab(store, "Ann", "jaccard")
    for place, row in enumerate(lab.rows):
        lab.label(row.id, ("unwanted", "different", "different", "unwanted", "unclear")[place % 5])
    for threshold in (-1.0, *sorted({row.score for row in lab.rows})):
        effect = lab.at(threshold)
        found = store.sql(QUERIES["threshold"], {"threshold": threshold}, {"scored": lab_questions(lab)}).iloc[0]
        assert found["refused"] == effect.refused
        assert found["slipped_a_call"] == pytest.approx(effect.slipped.value)
        assert found["good_refused_a_call"] == pytest.approx(effect.good.value)


def test_a_slider_that_is_moved_out_of_all_bounds_stays_where_it_was(store: Store) -> None:
    widget = ThresholdLab(store, "Ann", "jaccard")
    before = widget.threshold
    for value in (10**400, float("inf"), float("nan")):
        widget._arrived(widget, {"act": "slide", "value": value}, [])
    assert widget.threshold == before


@pytest.mark.parametrize("asked", [(), ("Who taught you?",)])
def test_calls_without_two_questions_are_not_enough(fresh_home: Path, asked: tuple[str, ...]) -> None:
    (fresh_home / "journals").mkdir()
    keep(fresh_home, "c-1", asked)
    with pytest.raises(MatchError, match=r"1 call, and none has two questions .* not enough"):
        Lab(Store.open(fresh_home), "Ann", "jaccard")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1000, "height": 1100})


def test_in_a_page_the_slider_moves_the_figures_and_keys_label(store: Store, page: Page) -> None:
    before = Lab(store, "Ann", "jaccard")
    for row in before.rows[:-3]:
        before.label(row.id, "unwanted" if "img" in row.second.text else "different")
    widget = ThresholdLab(store, "Ann", "jaccard")

    def arrived(message: dict[str, Any]) -> dict[str, Any]:
        widget._arrived(widget, message, [])
        return dict(widget._view)

    page.expose_function("toKernel", arrived)
    code = ThresholdLab._esm.replace("export default { render };", "")
    data = PAGE.replace("VIEW", json.dumps(widget._view)).replace("ABOUT", json.dumps(widget._about))
    page.set_content("<title>still</title><body></body>")
    page.evaluate(f"(() => {{ {code} {data} }})()")
    slider = page.get_by_label("threshold", exact=True)
    slider.fill("0.1")
    expect(page.locator(".iv-lab-fact").first).to_have_text("12 of 36 questions in 12 calls (jaccard/1)")
    expect(page.locator(".iv-lab-fact").nth(3)).to_have_text("0.00 a call, 95 % 0.00 to 0.27 (11 labels)")
    # The text of a call is shown as it is.
    expect(page.locator(".iv-lab-list").first.locator(".iv-lab-second").first).to_have_text(HOSTILE)
    root = page.locator(".iv-lab")
    root.focus()
    for number in range(33, 36):
        repeat = "img" in page.locator(".iv-lab-next .iv-said").last.inner_text()
        root.press("r" if repeat else "n")
        expect(page.locator(".iv-lab-next .iv-label").first).to_contain_text(f"({number + 1} of 36 labelled)")
    expect(page.locator(".iv-lab-fact").nth(2)).to_have_text("0.00 a call, 95 % 0.00 to 0.25 (24 labels)")
    page.get_by_label("name of the threshold").fill("mine")
    page.get_by_role("button", name="Keep this threshold").click()
    expect(page.locator(".iv-lab-said")).to_contain_text("not enough labels")
    root.press("Backspace")
    expect(page.locator(".iv-lab-next .iv-label").first).to_contain_text("(35 of 36 labelled)")
    assert page.title() == "still"


def shown_in(page: Page, widget: Tool, data: str) -> None:
    """Its own code in a bare page; `data` makes the model."""
    code = str(widget._esm).replace("export default { render };", "")
    page.set_content("<body></body>")
    page.evaluate(f"(() => {{ {code} {data} render({{ model, el: document.body }}); }})()")


def test_keep_keeps_what_the_slider_shows_also_while_the_kernel_is_at_it(store: Store, page: Page) -> None:
    widget = ThresholdLab(store, "Ann", "jaccard")
    about = widget._about | {"low": 0, "high": 1}
    data = (
        f"const state = {{_view: {json.dumps(widget._view)}, _about: {json.dumps(about)}}};"
        + """
      window.told = [];
      let draw;
      const model = { get: (name) => state[name], send: (message) => told.push(message),
                      on: (name, tell) => { if (name === "change:_view") draw = tell; } };
      window.answer = () => draw();
    """
    )
    shown_in(page, widget, data)
    for value in ("0.1", "0.2", "0.3"):
        page.get_by_label("threshold", exact=True).fill(value)
    page.get_by_role("button", name="Keep this threshold").click()
    for _ in range(2):
        page.evaluate("answer()")
    told = page.evaluate("told.map(({ act, value }) => [act, value ?? null])")
    assert told == [["slide", 0.1], ["slide", 0.3], ["save", None]]


@pytest.mark.parametrize("end", ["the kernel ends", "it had ended before"])
def test_a_page_whose_kernel_is_gone_says_so(fresh_home: Path, page: Page, end: str) -> None:
    (fresh_home / "pairs.csv").write_text("id,q1,q2\na,What broke?,Which part?\n", encoding="utf-8")
    widget = Labeller(fresh_home / "pairs.csv", "Ann")
    data = (
        f"const state = {{_view: {json.dumps(widget._view)}, _keys: {json.dumps(widget._keys)}}};"
        + """
      const model = { get: (name) => state[name], send: () => { throw new Error("Cannot send"); },
                      on: (name, tell) => { if (name === "comm_live_update") window.end = tell; } };
    """
    )
    shown_in(page, widget, data)
    lost = page.get_by_text("run the cell again to go on")
    expect(lost).to_be_hidden()
    if end == "the kernel ends":
        page.evaluate("end()")
    else:
        page.locator(".iv-labeller").press("r")
    expect(lost).to_be_visible()
    expect(page.get_by_role("button", name="unwanted")).to_be_disabled()


def test_a_page_is_answered_whatever_goes_wrong(fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (fresh_home / "pairs.csv").write_text("id,q1,q2\na,What broke?,Which part?\n", encoding="utf-8")
    widget = Labeller(fresh_home / "pairs.csv", "Ann")

    def broken(*_: object) -> None:
        raise RuntimeError("What broke?")

    for method in ("label", "agreement"):  # as it is done, and as it is told
        monkeypatch.setattr(widget.labelling, method, broken)
        before = widget._view["turn"]
        widget._arrived(widget, {"act": "label", "pair": "a", "kind": "unwanted"}, [])
        assert widget._view["turn"] == before + 1
        assert "something unforeseen went wrong here (RuntimeError)" in widget._view["said"]
