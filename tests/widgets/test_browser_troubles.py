"""What goes wrong with a page's sound is noticed and named, in a real page."""

import os
import signal
import sys

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from interviewer.widgets.problems import PROBLEMS
from tests.widgets.conftest import OpenNotebook, shown

SETUP = """
from interviewer.widgets.audio import BrowserAudio
frames = []
audio = BrowserAudio()
audio.microphone.start(frames.append)
audio
"""
PATIENCE_MS = 30_000  # a busy machine is slow, not wrong
# The page's own name for a microphone is somebody else's text.
HOSTILE = """<img src=x onerror="window.hurt = true"><b>Mic</b> & 'co'"""
TAMPER = """
(label) => {
  const { mediaDevices } = navigator;
  const [ask, list] = [mediaDevices.getUserMedia, mediaDevices.enumerateDevices].map((f) => f.bind(mediaDevices));
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    window.track = stream.getAudioTracks()[0];
    return stream;
  };
  const Context = window.AudioContext;
  window.AudioContext = class extends Context {
    constructor(...given) { super(...given); window.sounding = this; }
  };
  mediaDevices.enumerateDevices = async () =>
    (await list()).map(({ deviceId, kind }) => ({ deviceId, kind, label }));
}
"""


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    return open_notebook("troubles")


def started(notebook: Notebook) -> Locator:
    """A new widget whose sound is on, at the end of the notebook."""
    widget = shown(notebook, SETUP)
    widget.get_by_role("button", name="Start sound").click()
    expect(widget.get_by_role("status")).to_have_text("Listening", timeout=PATIENCE_MS)
    return widget


def expect_problem(widget: Locator, code: str) -> None:
    expect(widget.get_by_role("alert")).to_have_text(PROBLEMS[code], timeout=PATIENCE_MS)


def test_a_device_name_is_text(notebook: Notebook) -> None:
    notebook.page.evaluate(TAMPER, HOSTILE)
    widget = started(notebook)
    assert HOSTILE in widget.get_by_label("Microphone", exact=True).locator("option").all_text_contents()
    assert widget.locator("img, b").count() == 0
    assert notebook.page.evaluate("window.hurt") is None


def test_an_unplugged_microphone_is_named_and_another_can_be_chosen(notebook: Notebook) -> None:
    widget = started(notebook)
    # The browser says this when the device is gone.
    notebook.page.evaluate("track.dispatchEvent(new Event('ended'))")
    expect_problem(widget, "device_lost")
    notebook.wait_until(lambda: notebook.value("audio.problem_code") == "device_lost")
    widget.get_by_label("Microphone", exact=True).select_option(index=1)
    expect(widget.get_by_role("status")).to_have_text("Listening")
    notebook.wait_until(lambda: notebook.value("audio.problem_code") == "")


def test_a_hidden_tab_is_named(notebook: Notebook) -> None:
    widget = started(notebook)
    hide = "on => { Object.defineProperty(document, 'hidden', { value: on, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    notebook.page.evaluate(hide, True)
    expect_problem(widget, "tab_hidden")
    notebook.wait_until(lambda: notebook.value("audio.problem_code") == "tab_hidden")
    notebook.page.evaluate(hide, False)
    expect(widget.get_by_role("status")).to_have_text("Listening")


def test_sound_that_the_browser_pauses_is_named(notebook: Notebook) -> None:
    widget = started(notebook)
    notebook.page.evaluate("sounding.suspend()")
    expect_problem(widget, "sound_blocked")
    notebook.page.evaluate("sounding.resume()")
    expect(widget.get_by_role("status")).to_have_text("Listening")


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be halted there")
def test_a_kernel_that_does_not_answer_is_named_and_later_gets_what_was_said_meanwhile(notebook: Notebook) -> None:
    widget = started(notebook)
    notebook.wait_until(lambda: notebook.value("len(frames) > 25"))
    process, before = notebook.value("(__import__('os').getpid(), len(frames))")
    os.kill(process, signal.SIGSTOP)
    try:
        expect_problem(widget, "no_answer")
    finally:
        os.kill(process, signal.SIGCONT)
    expect(widget.get_by_role("status")).to_have_text("Listening")
    # More than three seconds went by, of 25 frames each, and all were kept.
    assert notebook.value("len(frames)") - before > 75
    assert notebook.value("audio.dropped_frames, audio.problem_code") == [0, ""]


def test_two_tabs_of_one_call_tell_who_has_the_sound_and_one_goes_on_when_the_other_is_closed(
    notebook: Notebook, open_notebook: OpenNotebook
) -> None:
    first = started(notebook)
    # However busy the machine: a page that has not come to say anything is not given up while this is not the point.
    notebook.run("from interviewer.widgets import page\npatience, page.SILENT_S = page.SILENT_S, 60.0")
    other = open_notebook("troubles")
    second = shown(other, "audio")
    second.get_by_role("button", name="Start sound").click()
    expect_problem(second, "elsewhere")
    expect(first.get_by_role("status")).to_have_text("Listening", timeout=PATIENCE_MS)
    second.get_by_role("button", name="Take over here").click()
    expect(second.get_by_role("status")).to_have_text("Listening", timeout=PATIENCE_MS)
    expect_problem(first, "taken_over")
    first.get_by_role("button", name="Take over here").click()
    expect(first.get_by_role("status")).to_have_text("Listening", timeout=PATIENCE_MS)
    expect_problem(second, "taken_over")
    other.run("page.SILENT_S = patience")
    # A page that goes has no time to make sure that its goodbye arrives.
    notebook.page.close()
    other.wait_until(lambda: other.value("audio.problem_code") in ("page_gone", "page_silent"), PATIENCE_MS)
    second.get_by_role("button", name="Take over here").click()
    expect(second.get_by_role("status")).to_have_text("Listening", timeout=PATIENCE_MS)
    other.run("frames.clear()")
    other.wait_until(lambda: other.value("audio.problem_code == '' and len(frames) > 10"), PATIENCE_MS)
    restarted_kernel_is_named(other, second)


def restarted_kernel_is_named(notebook: Notebook, widget: Locator) -> None:
    notebook.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect_problem(widget, "kernel_gone")
    expect(widget.get_by_role("button", name="Start sound")).to_be_disabled()
