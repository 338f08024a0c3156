from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Playwright, expect, sync_playwright

from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.listener import TAP
from evals.browser.notebook import Notebook
from interviewer.audio import wav
from interviewer.audio.pcm import silence, to_bytes
from interviewer.audio.speech import synthesise

SAID = "We kept the audit log on paper."

# A busy machine takes its time; where there is something to wait for nobody waits longer than it takes.
expect.set_options(timeout=20_000)

OpenNotebook = Callable[[str], Notebook]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def voice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the microphone hears, over and over: SAID between pauses."""
    path = tmp_path_factory.mktemp("voice") / "voice.wav"
    wav.write(path, silence(600) + to_bytes(synthesise(SAID)) + silence(900))
    return path


def shown(notebook: Notebook, code: str) -> Locator:
    """The sound's widget that a new cell shows; the cell is waited for only as long as that takes."""
    widgets = notebook.page.locator(".iv-audio")
    before = widgets.count()
    notebook.begin(code)
    widgets.nth(before).wait_for()
    return widgets.nth(before)


# Not for the whole session: while Playwright runs, no other test of this thread can run an event loop.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright, voice: Path) -> Iterator[Browser]:
    """One with a microphone, for all tests of this folder that a process runs."""
    with chromium(voice=voice, playwright=playwright) as running:
        yield running


@pytest.fixture(scope="module")
def open_notebook(lab: Lab, browser: Browser) -> Iterator[OpenNotebook]:
    """Opens a notebook by name, each in a tab of its own; what a page remembers is forgotten after each file."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    context.add_init_script(TAP)
    yield lambda name: Notebook(lab, context.new_page(), name)
    context.close()
