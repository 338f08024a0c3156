"""Browsers and places that give a page no microphone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserType, expect

from evals.browser.chromium import NoBrowser, chromium, executable
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.problems import PROBLEMS

MODULE = Path(__file__).parents[2] / "interviewer" / "widgets" / "static" / "audio.js"
SECURE = {"isSecureContext": True, "AudioWorkletNode": True}
PLACES = [
    ({"hostname": "localhost", "protocol": "http:", **SECURE}, ""),
    ({"hostname": "hub.example.org", "protocol": "https:", **SECURE}, ""),
    ({"hostname": "hub.example.org", "protocol": "http:", "isSecureContext": False}, "insecure"),
    ({"hostname": "abc", "protocol": "vscode-webview:", **SECURE}, "vscode"),
    ({"hostname": "abc.vscode-cdn.net", "protocol": "https:", **SECURE}, "vscode"),
    ({"hostname": "x-colab.googleusercontent.com", "protocol": "https:", **SECURE}, "colab"),
    ({"hostname": "localhost", "protocol": "http:", "policy": False, **SECURE}, "frame"),
    ({"hostname": "localhost", "protocol": "http:", "isSecureContext": True}, "unsupported"),
]
ASK = """
async ([source, place]) => {
  const { problemOfPlace } = await import("data:text/javascript;base64," + btoa(unescape(encodeURIComponent(source))));
  const { hostname, protocol, policy, isSecureContext, AudioWorkletNode } = place;
  const document = policy === undefined ? {} : { permissionsPolicy: { allowsFeature: () => policy } };
  const navigator = isSecureContext ? { mediaDevices: { getUserMedia() {} } } : {};
  return problemOfPlace({ location: { hostname, protocol }, isSecureContext, AudioWorkletNode, document, navigator });
}
"""


def refused(lab: Lab, name: str, **browser: Any) -> str:
    """The problem's code in the kernel, once the page shows its sentence."""
    with chromium(**browser) as running:
        notebook = Notebook(lab, running.new_page(), name)
        notebook.run("from interviewer.widgets.audio import BrowserAudio\naudio = BrowserAudio()\naudio")
        notebook.page.get_by_role("button", name="Start sound").click()
        code = str(notebook.wait_until(lambda: notebook.value("audio.problem_code")))
        expect(notebook.page.get_by_role("alert")).to_have_text(PROBLEMS[code])
        expect(notebook.page.get_by_role("button", name="Start sound")).to_be_enabled()
        return code


def test_a_denied_permission_is_named(lab: Lab, voice: Path) -> None:
    assert refused(lab, "denied", voice=voice, grant=False) == "permission_denied"


def test_a_machine_without_a_microphone_is_named(lab: Lab) -> None:
    assert refused(lab, "deaf") == "no_device"


def test_places_without_a_microphone_are_told_apart() -> None:
    source = MODULE.read_text(encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        found = [page.evaluate(ASK, [source, place]) for place, _ in PLACES]
    assert found == [code for _, code in PLACES]


def test_every_problem_that_a_page_can_name_has_its_sentence() -> None:
    source = MODULE.read_text(encoding="utf-8")
    assert [code for code in PROBLEMS if f'"{code}"' not in source] == ["page_gone", "page_silent"]
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
