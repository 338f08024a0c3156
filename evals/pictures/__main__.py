"""Run: python -m evals.pictures [--out FOLDER]. Draws a demo call as the terminal and the notebook show it."""

import argparse
import io
import re
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Locator
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from evals.pictures.notebook import album
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.cli.screen import screen
from interviewer.interview.demo import run_demo
from interviewer.interview.return_demo import run_follow_up
from interviewer.interview.slices import Slices
from interviewer.interview.snapshot import Activity, Heading, Snapshot, snapshot
from interviewer.model.plan import Plan
from interviewer.plots.chain import chain_coverage
from interviewer.plots.questions import question_states
from interviewer.plots.timeline import call_timeline
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.store.store import Store

_DOSSIER, _SEED = "rents-in-wellington", 1
_SHORT_MINUTES = 4
_AT = 0.6  # share of the call at which the terminal is shown
_COLUMNS, _LINES, _DPI = 122, 40, 130
_TALLEST = 1_400
_GROWN_MS = 200  # what is loud has grown to its size by then
_HERE = Path(__file__).resolve().parents[2] / "data" / "pictures"
_FONT_FACE = re.compile(r"\s*@font-face \{\{.*?\n\s*\}\}", re.DOTALL)  # those would be fetched from elsewhere


class Shutter:
    """Looks on and keeps two moments: the first after a share of the call at which each side has begun to speak.

    `moment` is the voice's as the terminal shows it, `slices` has both, by speaker, as a notebook does.
    """

    def __init__(self, heading: Heading) -> None:
        self._heading = heading
        self._activity = Activity()
        self._slicer = Slices(heading.wrap_up_from)
        self.moment: Snapshot | None = None
        self.slices: dict[str, dict[str, Any]] = {}
        self.plan: Plan | None = None

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Follow, and keep the moment when it comes."""
        self._activity.take(actions)
        if core.elapsed_ms < _AT * core.target_ms or len(self.slices) == 2:
            return
        self.plan = core.setup.plan
        slices = self._slicer.cut(core, self._activity, None)
        clock: Any = slices["clock"]
        if (speaker := clock["speaks"]) in ("interviewer", "guest") and speaker not in self.slices:
            self.slices[speaker] = slices
        if self.moment is None and speaker == "interviewer":
            self.moment = snapshot(self._heading, core, self._activity)


def main() -> None:
    """Draw all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=_HERE)
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    dossier, settings = by_name(_DOSSIER), Settings.load(env={})
    shutter = Shutter(Heading(dossier.topic, dossier.guest, settings.call.wrap_up_from))
    with tempfile.TemporaryDirectory() as folder:
        done = run_demo(dossier=_DOSSIER, seed=_SEED, settings=settings, home=Path(folder), watcher=shutter)
        store = Store.open(Path(folder))
        _notebook(out, shutter, dossier.guest, done.call_id, Path(folder))
        figures = {"timeline": call_timeline(store, done.call_id), "questions": question_states(store, done.call_id)}
        figures["chain"] = chain_coverage(store, _chain(store))
    for name, figure in figures.items():
        figure.savefig(out / f"{name}.png", dpi=_DPI, metadata={"Software": None})
    if shutter.moment is not None:
        (out / "demo.svg").write_text(_terminal(shutter.moment), encoding="utf-8")
    print(*sorted(str(path) for path in out.iterdir()), sep="\n")


def _chain(store: Store) -> str:
    """An interview of a short call and two follow-ups."""
    first = run_demo(dossier=_DOSSIER, minutes=_SHORT_MINUTES, seed=_SEED, home=store.home.root)
    for seed, pick in enumerate((1, 2), _SEED + 1):
        run_follow_up(store, first.call_id, pick=pick, minutes=_SHORT_MINUTES, seed=seed)
    return first.call_id


def _notebook(out: Path, shutter: Shutter, guest: str, call_id: str, home: Path) -> None:
    assert shutter.plan is not None
    with album() as shown:
        speaking = shown.moment(shutter.plan, guest, shutter.slices["guest"], "guest", sound=True)
        speaking.evaluate("element => element.scrollIntoView()")
        loud = "halo => parseFloat(halo.style.getPropertyValue('--level')) > 0.5"
        speaking.page.wait_for_function(loud, arg=speaking.locator(".iv-halo").element_handle())
        speaking.page.wait_for_timeout(_GROWN_MS)
        _shoot(speaking, out / "guest.png")
        looking_on = shown.moment(shutter.plan, guest, shutter.slices["interviewer"], "researcher")
        _shoot(looking_on, out / "researcher.png")
        after = shown.show(f"Interview.of_call({call_id!r}, home={str(home)!r}).show()")
        _shoot(after, out / "after.png")


def _shoot(view: Locator, path: Path) -> None:
    """The upper part of a view, in the 256 colours that cover it best."""
    view.evaluate("element => element.scrollIntoView()")
    box = view.bounding_box()
    assert box is not None
    clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": min(_TALLEST, box["height"])}
    view.page.screenshot(path=path, clip=clip)  # type: ignore[arg-type]
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def _terminal(moment: Snapshot) -> str:
    console = Console(
        record=True, file=io.StringIO(), width=_COLUMNS, height=_LINES, force_terminal=True, color_system="truecolor"
    )
    console.print(screen(moment, _COLUMNS, _LINES))
    page = _FONT_FACE.sub("", CONSOLE_SVG_FORMAT)
    return console.export_svg(title="interviewer demo", code_format=page, unique_id="demo")


if __name__ == "__main__":
    main()
