"""A Chromium whose microphone is a WAV file."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserType, Playwright, sync_playwright

_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page in the background of a test must keep its pace.
    "--disable-renderer-backgrounding",
)
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
_START_MS: Final = 60_000


class NoBrowser(RuntimeError):
    """No Chromium on this machine."""


@contextlib.contextmanager
def chromium(
    *, voice: Path | None = None, repeat: bool = True, grant: bool = True, playwright: Playwright | None = None
) -> Iterator[Browser]:
    """A browser that says the WAV file `voice`, over and over or once, into every page that may use the microphone.

    Without `voice` the machine's own devices are used; without `grant` nobody answers when a page asks for them. Where
    a `playwright` runs already, it must be given: a thread has one. Raises NoBrowser. Must be used by one thread only.
    """
    flags = [*_FLAGS]
    if grant:
        flags.append("--use-fake-ui-for-media-stream")
    if voice:
        flags += ["--use-fake-device-for-media-stream"]
        flags += [f"--use-file-for-fake-audio-capture={voice}{'' if repeat else '%noloop'}"]
    with contextlib.nullcontext(playwright) if playwright else sync_playwright() as running:
        found = executable(running.chromium)
        browser = running.chromium.launch(executable_path=found, args=flags, timeout=_START_MS)
        try:
            yield browser
        finally:
            browser.close()


def executable(own: BrowserType) -> str:
    """CHROME_PATH if it is set, else the system's Chromium or Chrome, else Playwright's `own`."""
    chosen = os.environ.get("CHROME_PATH")
    candidates = [chosen] if chosen else [*map(shutil.which, _NAMES), own.executable_path]
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return candidate
    raise NoBrowser(
        f"CHROME_PATH={chosen} is not a file"
        if chosen
        else "the browser tests need a Chromium: install it (apt-get install chromium, or python -m playwright install "
        "chromium), or set CHROME_PATH to a Chrome, Chromium or Edge"
    )
