"""The widget as it is seen and reached: half a screen wide, light and dark, with a keyboard."""

import re

import pytest
from playwright.sync_api import Locator, expect

from evals.browser.notebook import Notebook
from tests.widgets.conftest import OpenNotebook

SETUP = """
from interviewer.audio.pcm import silence
from interviewer.widgets.audio import BrowserAudio
audio = BrowserAudio()
audio.microphone.start(lambda frame: None)
audio.speaker.start(lambda *report: None)
audio
"""
CONTROLS = ["Mute", "Stop voice", "Turn off"]
LEAST_CONTRAST = 4.5  # of small text, WCAG 2.2 AA


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    opened = open_notebook("looks")
    opened.page.set_viewport_size({"width": 700, "height": 800})
    opened.run(SETUP)
    return opened


@pytest.fixture(scope="module")
def widget(notebook: Notebook) -> Locator:
    shown = notebook.page.locator(".iv-audio")
    shown.get_by_role("button", name="Start sound").click()
    expect(shown.get_by_role("status")).to_have_text("Listening", timeout=15_000)
    return shown


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of a colour as browsers compute it, `rgb(r, g, b)`."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(part: Locator, ground: str) -> float:
    colour = str(part.evaluate("element => getComputedStyle(element).color"))
    low, high = sorted((luminance(colour), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_read_in_both_themes(notebook: Notebook, widget: Locator, theme: str) -> None:
    notebook.theme(theme)
    ground = str(widget.evaluate("element => getComputedStyle(element).backgroundColor"))
    assert (luminance(ground) > 0.5) == (theme == "light")
    parts = [widget.get_by_role("button", name="Mute"), widget.get_by_label("Microphone", exact=True)]
    parts.append(widget.get_by_role("status"))
    assert [contrast(part, ground) for part in parts if contrast(part, ground) < LEAST_CONTRAST] == []


def test_it_fits_half_a_screen(notebook: Notebook, widget: Locator) -> None:
    box = widget.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 700
    assert widget.evaluate("element => element.scrollWidth <= element.clientWidth")
    for name in CONTROLS:
        inner = widget.get_by_role("button", name=name).bounding_box()
        assert inner is not None
        assert inner["x"] + inner["width"] <= box["x"] + box["width"]


def test_a_keyboard_reaches_and_works_everything(notebook: Notebook, widget: Locator) -> None:
    notebook.run("audio.speaker.play('long', silence(60_000))")
    stop = widget.get_by_role("button", name="Stop voice")
    expect(stop).to_be_enabled()
    widget.get_by_label("Microphone", exact=True).focus()
    reached = []
    for _ in CONTROLS:
        notebook.page.keyboard.press("Tab")
        reached.append(notebook.page.evaluate("document.activeElement.textContent"))
    assert reached == CONTROLS
    stop.press("Enter")
    expect(stop).to_be_disabled()
    mute = widget.get_by_role("button", name="Mute")
    mute.focus()
    notebook.page.keyboard.press("Space")
    expect(widget.get_by_role("button", name="Unmute")).to_have_attribute("aria-pressed", "true")
    notebook.page.keyboard.press("Space")


def test_the_level_is_told_to_those_who_do_not_see_it(widget: Locator) -> None:
    meter = widget.get_by_role("meter", name="Microphone level")
    expect(meter).to_have_attribute("aria-valuenow", re.compile(r"[1-9]\d"))
