"""Browsers and places that give a page no microphone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Playwright, expect

from evals.browser.chromium import NoBrowser, chromium, executable
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.problems import PROBLEMS

FROM_THE_KERNEL = ["not_started", "not_shown", "page_gone", "page_silent"]
# Real windows at these addresses; what is in them comes from the test.
PLACES = {
    "https://hub.example.org/": "",
    "http://localhost:8888/": "",
    "http://hub.example.org/": "insecure",
    "https://abc.vscode-cdn.net/": "vscode",
    "https://x-colab.googleusercontent.com/": "colab",
}
FRAMED = "https://elsewhere.example.org/"
# Windows that cannot be had here.
MADE_UP = [
    ({"hostname": "abc", "protocol": "vscode-webview:", "worklet": True}, "vscode"),
    ({"hostname": "localhost", "protocol": "http:", "worklet": False}, "unsupported"),
]
ERRORS = {
    "NotAllowedError": "permission_denied",
    "SecurityError": "permission_denied",
    "NotFoundError": "no_device",
    "OverconstrainedError": "no_device",
    "NotReadableError": "device_busy",
    "AbortError": "device_busy",
    "TypeError": "sound_failed",
}
LOAD = """
async (source) => {
  window.module = await import("data:text/javascript;base64," + btoa(unescape(encodeURIComponent(source))));
}
"""
MAKE_UP = """
({ hostname, protocol, worklet }) => module.problemOfPlace({
  location: { hostname, protocol }, isSecureContext: true, AudioWorkletNode: worklet, document: {},
  navigator: { mediaDevices: { getUserMedia() {} } },
})
"""


def refused(lab: Lab, playwright: Playwright, name: str, **browser: Any) -> str:
    """The problem's code in the kernel, once the page shows its sentence."""
    with chromium(playwright=playwright, **browser) as running:
        notebook = Notebook(lab, running.new_page(), name)
        notebook.run("from interviewer.widgets.audio import BrowserAudio\naudio = BrowserAudio()\naudio")
        notebook.page.get_by_role("button", name="Start sound").click()
        code = str(notebook.wait_until(lambda: notebook.value("audio.problem_code")))
        expect(notebook.page.get_by_role("alert")).to_have_text(PROBLEMS[code])
        expect(notebook.page.get_by_role("button", name="Start sound")).to_be_enabled()
        return code


def test_a_denied_permission_is_named(lab: Lab, playwright: Playwright, voice: Path) -> None:
    assert refused(lab, playwright, "denied", voice=voice, grant=False) == "permission_denied"


def test_a_machine_without_a_microphone_is_named(lab: Lab, playwright: Playwright) -> None:
    assert refused(lab, playwright, "deaf") == "no_device"


def test_places_without_a_microphone_and_refusals_are_told_apart(browser: Browser) -> None:
    source = BrowserAudio._esm
    page = browser.new_page()
    page.route("**/*", lambda route: route.fulfill(content_type="text/html", body=f"<iframe src={FRAMED}>"))
    found = {}
    for address in PLACES:
        page.goto(address)
        page.evaluate(LOAD, source)
        found[address] = page.evaluate("module.problemOfPlace(window)")
    assert found == PLACES
    made_up = [page.evaluate(MAKE_UP, place) for place, _ in MADE_UP]
    assert made_up == [code for _, code in MADE_UP]
    asked = "names => names.map((name) => module.problemOfError(new DOMException('', name)))"
    assert page.evaluate(asked, list(ERRORS)) == list(ERRORS.values())
    frame = next(frame for frame in page.frames if frame.url == FRAMED)
    frame.evaluate(LOAD, source)
    assert frame.evaluate("module.problemOfPlace(window)") == "frame"
    page.close()


def test_every_problem_that_a_page_can_name_has_its_sentence() -> None:
    assert [code for code in PROBLEMS if f'"{code}"' not in BrowserAudio._esm] == FROM_THE_KERNEL
    assert BrowserAudio()._sentences == PROBLEMS


def test_a_missing_browser_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Own(BrowserType):
        executable_path = str(tmp_path / "none")

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    with pytest.raises(NoBrowser, match="apt-get install chromium"):
        executable(Own.__new__(Own))
    monkeypatch.setenv("CHROME_PATH", str(tmp_path / "chrome"))
    with pytest.raises(NoBrowser, match="CHROME_PATH"):
        executable(Own.__new__(Own))
