"""The notebook's faces of a call, as a real page shows them."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator

from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from interviewer.audio import wav
from interviewer.audio.pcm import silence, to_bytes
from interviewer.audio.speech import synthesise
from interviewer.model.plan import Plan

_MOMENT: Final = """
import json
from pathlib import Path
from interviewer import Interview
from interviewer.interview.levels import Levels
from interviewer.interview.session import InterviewSession
from interviewer.model.plan import Plan
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.face import Face

shown = json.loads(Path({file!r}).read_text(encoding="utf-8"))

audio = BrowserAudio()
levels = Levels(audio.microphone, audio.speaker)

class Moment(InterviewSession):
    def slices(self, shown=shown, levels=levels):
        return {{**super().slices(), **shown["slices"], "levels": {{"guest": levels.guest, "voice": levels.voice}}}}

session = Moment(plan=Plan.model_validate(shown["plan"]), guest=shown["guest"])
session.stage = shown["stage"]
face = Face(session, audio)
levels.microphone.start(lambda frame: None)
"""
_SOUND_MS: Final = 15_000


class Album:
    """A notebook in a headless browser whose cells show interviews."""

    def __init__(self, notebook: Notebook, folder: Path) -> None:
        self.notebook = notebook
        self._folder = folder
        self._count = 0

    def moment(
        self, plan: Plan, guest: str, slices: Mapping[str, Any], view: str, *, stage: str = "call", sound: bool = False
    ) -> Locator:
        """A view of a call that stands still at the moment of these slices."""
        self._count += 1
        file = self._folder / f"moment-{self._count}.json"
        clock = {**slices.get("clock", {}), "running": False}
        shown = {"plan": plan.model_dump(mode="json"), "guest": guest, "stage": stage}
        file.write_text(json.dumps({**shown, "slices": {**slices, "clock": clock}}), encoding="utf-8")
        widget = self.show(f"{_MOMENT.format(file=str(file))}\nface.show({view!r})")
        if sound:
            widget.get_by_role("button", name="Start sound").click()
            widget.get_by_role("meter", name="Microphone level").wait_for(timeout=_SOUND_MS)
        return widget

    def show(self, code: str) -> Locator:
        """The view that this code shows."""
        widgets = self.notebook.page.locator(".iv")
        before = widgets.count()
        self.notebook.begin(code)
        widgets.nth(before).wait_for(timeout=_SOUND_MS)
        return widgets.nth(before)


@contextmanager
def album(width: int = 1180, height: int = 2400, scale: float = 1.5) -> Iterator[Album]:
    """Open one; all views are narrower than `width` pixels. Raises NoBrowser."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        voice = folder / "voice.wav"
        wav.write(
            voice, silence(200) + to_bytes(synthesise("We kept the audit log on paper, and two years of it were lost."))
        )
        (folder / "lab").mkdir()
        with Lab(folder / "lab") as lab, chromium(voice=voice) as browser:
            page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
            notebook = Notebook(lab, page, "album")
            page.evaluate("jupyterapp.shell.collapseLeft()")
            yield Album(notebook, folder)
