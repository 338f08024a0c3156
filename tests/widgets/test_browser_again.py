"""A page that is loaded anew in the middle of a call, and where the keyboard is from step to step."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from tests.widgets.conftest import OpenNotebook

PATIENCE_MS = 30_000
BEGIN = """
from interviewer import Interview
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings
texts = ("Why?", "How?", "What became of the queens?")
questions = tuple(Question(id=f"q{number}", text=text) for number, text in enumerate(texts, 1))
plan = Plan(topic="Bees", goal="Why", sections=(Section(id="s1", title="S", questions=questions),))
simulator = Settings.load(env={}, voice={"service": "simulator"})
"""
# What the kernel says to the page's widgets from now on.
LISTEN = """
window.told = [];
jupyterapp.shell.currentWidget.sessionContext.session.kernel.iopubMessage.connect((_, message) => {
  if (message.header.msg_type.startsWith("comm_")) told.push(message.content.data);
});
"""
HERE = "document.activeElement.closest('.iv-question')?.dataset.id ?? document.activeElement.innerText"


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    opened = open_notebook("again")
    opened.page.evaluate("jupyterapp.shell.collapseLeft()")
    opened.run(BEGIN)
    return opened


def shown(notebook: Notebook, code: str) -> Locator:
    before = notebook.page.locator(".iv").count()
    notebook.run(code)
    notebook.page.locator(".iv").nth(before).wait_for()
    return notebook.page.locator(".iv").nth(before)


def saved(notebook: Notebook) -> list[dict[str, Any]]:
    """What the file holds of each output that is shown."""
    notebook.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    cells = json.loads(notebook.path.read_text(encoding="utf-8"))["cells"]
    return [output["data"] for cell in cells for output in cell.get("outputs", ()) if "data" in output]


def test_the_keyboard_stays_where_the_work_is(notebook: Notebook) -> None:
    form = shown(notebook, "i = Interview('Wasps', plan=plan, settings=simulator)\ni.show()")
    page = notebook.page
    expect(form.get_by_text("The plan is about “Bees”, not “Wasps”")).to_be_visible(timeout=PATIENCE_MS)
    form.get_by_role("button", name="Keep this plan and its topic").click()
    expect(form.get_by_text("The plan is about")).to_be_hidden(timeout=PATIENCE_MS)
    form.get_by_label("Minutes", exact=True).fill("99")
    expect(form.get_by_text("a length of 0.5 to 60 minutes")).to_be_visible()
    form.get_by_label("Minutes", exact=True).fill("1")
    expect(form.get_by_text("a length of 0.5 to 60 minutes")).to_be_hidden()
    form.get_by_role("group", name="Question q1", exact=True).get_by_role("button", name="Remove question").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(HERE) == "q2"
    form.get_by_role("button", name="Draw up another plan").focus()
    page.keyboard.press("Enter")
    notebook.page.wait_for_function(f"({HERE}) === 'q1'", timeout=PATIENCE_MS)


def test_a_call_is_in_the_file_though_its_page_was_loaded_anew(notebook: Notebook) -> None:
    view = shown(notebook, "i = Interview('Bees', plan=plan, minutes=1, settings=simulator)\ni.show()")
    view.get_by_role("button", name="Start sound").click()
    expect(view.get_by_role("button", name="Mute")).to_be_visible(timeout=PATIENCE_MS)
    view.get_by_label("Whoever speaks knows this and agrees").check()
    start = view.get_by_role("button", name="Start the call")
    expect(start).to_be_enabled(timeout=PATIENCE_MS)
    question = view.get_by_role("group", name="Question q1", exact=True).get_by_label("Question", exact=True)
    question.fill("Why on roofs?")
    notebook.page.evaluate(LISTEN)
    start.evaluate("button => { button.focus(); button.click(); button.click(); }")
    expect(view.get_by_role("button", name="Pause")).to_be_focused(timeout=PATIENCE_MS)
    assert notebook.value("[i.plan.questions[0].text, i.session.problem]") == ["Why on roofs?", ""]
    nothing_but_the_guests(notebook)
    living = saved(notebook)[-1]
    assert "application/vnd.jupyter.widget-view+json" in living
    assert "Bees" in "".join(living["text/html"])
    notebook.page.reload()
    notebook.wait_until(notebook._ready, 60_000)
    view = notebook.page.locator(".iv").last
    notebook.wait_until(lambda: notebook.value("i.session.slices().get('clock', {}).get('status')") == "live", 20_000)
    notebook.page.evaluate(LISTEN)
    view.get_by_role("button", name="Pause").click()
    expect(view.get_by_text("Paused")).to_be_visible(timeout=PATIENCE_MS)
    nothing_but_the_guests(notebook)
    view.get_by_role("button", name="End the call").click()
    view.get_by_role("button", name="Yes, end it").click()
    title = notebook.page.locator(".iv-after .iv-topic").last
    expect(title).to_be_focused(timeout=PATIENCE_MS)
    notebook.run("assert i.wait(40)")
    call = notebook.value("i.call_id")
    expect(notebook.page.locator(".iv").last.get_by_text(f"Call {call}")).to_be_visible(timeout=PATIENCE_MS)
    notebook.wait_until(lambda: f"Call {call}" in "".join(saved(notebook)[-1].get("text/html", "")))
    assert "application/vnd.jupyter.widget-view+json" not in saved(notebook)[-1]


def nothing_but_the_guests(notebook: Notebook) -> None:
    """A page with the guest's view alone is not sent what could prime an answer: not even out of sight."""
    notebook.page.wait_for_function("told.some(({ state }) => state?.clock?.status)", timeout=PATIENCE_MS)
    states = [data.get("state", {}) for data in notebook.page.evaluate("told")]
    assert not {"questions", "voice", "agents", "notes", "research"} & {name for state in states for name in state}
    # The last message from before the call may still be on its way.
    live = states[next(at for at, state in enumerate(states) if state.get("clock", {}).get("status")) :]
    assert [state["plan"] for state in live if state.get("plan")] == []
    assert "queens" not in json.dumps(live)
