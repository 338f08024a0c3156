"""Run: python -m evals.performance.browser_stop [--stops N]. Writes evals/performance/browser_stop.json.

How soon a page is silent when the voice is stopped, as when the guest cuts in: in a headless Chromium, from the
kernel's call of `stop` to the last sample above silence that the page's sound thread puts out. First beside an idle
kernel, then while a cell computes in its main thread; the microphone is on all the time. Beside it, in the same run,
the way there and back of a message on a bare comm. What the page then reports as heard is held against the samples
that were put out; it leaves out what still lay between them and the loudspeaker (`latency_ms`, as the browser reckons).
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from evals.browser import listener
from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from evals.performance.measure import load, machine, quantiles
from interviewer.audio import wav
from interviewer.audio.pcm import RATE, silence, to_bytes
from interviewer.audio.speech import synthesise

LIMIT_MS: Final = 100.0
_SEED: Final = 1
_WAIT_MS: Final = 60_000
_SETUP: Final = Path(__file__).with_name("browser_stop_kernel.py")


def main() -> int:
    """Measure, print and write down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, default=35, help="in each of the two parts")
    stops = parser.parse_args().stops
    with tempfile.TemporaryDirectory() as folder:
        before = load()
        parts = _measure(Path(folder), stops)
    report = {"machine": machine(), "load_before": before, "load_after": load(), "limit_ms": LIMIT_MS, **parts}
    text = json.dumps(report, indent=2)
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if all(part["kept"] for part in parts.values()) else 1


def _measure(folder: Path, stops: int) -> dict[str, Any]:
    voice = folder / "voice.wav"
    wav.write(voice, silence(500) + to_bytes(synthesise("The voice of a guest.")) + silence(500))
    with Lab(folder) as lab, chromium(voice=voice) as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 800})
        page.add_init_script(listener.TAP)
        notebook = Notebook(lab, page, "stop")
        notebook.run(f"seed = {_SEED}\n" + _SETUP.read_text(encoding="utf-8"))
        page.get_by_role("button", name="Start sound").click()
        page.get_by_text("Listening").wait_for()
        notebook.run("stop_one('warm')")
        found = {}
        for part, meanwhile in (("idle", "thread.join()"), ("computing", "compute(thread)")):
            page.evaluate("bareTrips.splice(0)")
            already = len(listener.bursts(page))
            notebook.run(f"stopped.clear(); thread = stop_many({part!r}, {stops}); {meanwhile}")
            heard = notebook.value("stopped")
            page.wait_for_timeout(200)
            found[part] = _part(heard, listener.bursts(page)[already:], page)
        return found


def _part(stopped: list[dict[str, float]], bursts: list[dict[str, float]], page: Page) -> dict[str, Any]:
    if len(stopped) != len(bursts):
        raise RuntimeError(f"{len(stopped)} stops, but {len(bursts)} stretches of sound were heard")
    pairs = list(zip(stopped, bursts, strict=True))
    silent = quantiles([burst["until"] - stop["at"] for stop, burst in pairs])
    trips = quantiles([trip for _, trip in page.evaluate("bareTrips")])
    short = [1_000 * (burst["last"] - burst["first"]) / RATE - stop["heard_ms"] for stop, burst in pairs]
    return {
        "stop_to_last_sample_ms": silent,
        "bare_comm_echo_ms": trips,
        "ratio_to_echo": {name: round(silent[name] / trips[name], 2) for name in ("p50", "p95")},
        "put_out_but_not_reported_ms": quantiles(short),
        "latency_ms": round(listener.latency_ms(page), 1),
        "kept": silent["p95"] <= LIMIT_MS,
    }


if __name__ == "__main__":
    raise SystemExit(main())
