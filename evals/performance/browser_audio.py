"""Run: python -m evals.performance.browser_audio [--seconds N]. Writes evals/performance/browser_audio.json.

A live call through a page, in a headless Chromium: sound both ways, the service at the other end of a socket. First
beside an idle kernel, then while a cell computes in the kernel's main thread. In the first part every fifth frame also
goes over a bare comm that does nothing but send it back, in turn before and after our own message, so both meet the
same load. Latency, from the page's sound thread to the socket's other end, is judged as a ratio to the bare frame's way
there; its ratio to there and back is shown too. In the second part ours and the bare comm take turns of 15 s with all
frames. Gaps are between messages with frames as they reach the call's sound in the kernel; those of the page's sending
before it and of the socket's other end after it are shown too.
"""

import argparse
import json
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession

from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from evals.performance.measure import load, machine, quantiles
from evals.performance.socket_end import SocketEnd
from interviewer.audio import wav
from interviewer.audio.pcm import silence, to_bytes
from interviewer.audio.speech import synthesise

RATIO: Final = 1.5
GAP_MS: Final = 100.0

TURN_MS: Final = 15_000

_SETTLE_S: Final = 5
_SETUP: Final = Path(__file__).with_name("browser_audio_kernel.py")


def main() -> int:
    """Measure, print and write down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="of each of the two parts; 300 is a whole call")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        before = load()
        measured = _measure(Path(folder), seconds)
    loads = {"load_before": before, "load_after": load()}
    report = {"machine": machine(), **loads, "seconds": seconds, **measured}
    text = json.dumps(report, indent=2)
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if report["latency"]["kept"] and report["gaps"]["kept"] else 1


def _measure(folder: Path, seconds: int) -> dict[str, Any]:
    voice = folder / "voice.wav"
    wav.write(voice, silence(500) + to_bytes(synthesise("The voice of a guest.")) + silence(500))
    with SocketEnd() as socket, Lab(folder) as lab, chromium(voice=voice) as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 800})
        notebook = Notebook(lab, page, "sound")
        notebook.run(f"url, turn_ms = {socket.url!r}, {TURN_MS}\n" + _SETUP.read_text(encoding="utf-8"))
        page.get_by_role("button", name="Start sound").click()
        page.get_by_text("The voice is speaking").wait_for()
        page.wait_for_timeout(_SETTLE_S * 1_000)
        heap = _Heap(page.context.new_cdp_session(page))
        heap.note(0)
        notebook.run("begin('beside')")
        page.wait_for_timeout(seconds * 1_000)
        found = notebook.value("result()")
        latency = _latency(found, socket.arrived, page.evaluate("bareTrips.splice(0)"))
        idle = _gaps(found, socket.arrived)
        heap.note(seconds)
        # Twice as long, as the bare comm has every other turn.
        notebook.begin(f"begin('turns'); compute({2 * seconds}); computed = result()")
        page.wait_for_timeout((2 * seconds + 2) * 1_000)
        gaps = _gaps(notebook.value("computed"), socket.arrived)
        heap.note(3 * seconds)
        memory = {"kernel_mb_per_min": _slope(notebook.value("memory")), "page_mb_per_min": _slope(heap.noted)}
        lost = notebook.value("dict(frames=audio.dropped_frames, voice_ms=audio.speaker.dropped_ms)")
        notebook.run("call.stop(); call.join()")
        return {"latency": latency, "gaps_idle": idle, "gaps": gaps, "memory": memory, "lost": lost}


class _Heap:
    """The page's live JavaScript memory over time."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self.noted: list[tuple[float, float]] = []
        session.send("Performance.enable")

    def note(self, at_s: float) -> None:
        self._session.send("HeapProfiler.collectGarbage")
        metrics = {m["name"]: m["value"] for m in self._session.send("Performance.getMetrics")["metrics"]}
        self.noted.append((at_s, metrics["JSHeapUsedSize"] / 1e6))


def _latency(found: dict[str, Any], arrived: list[float], echo_ms: list[float]) -> dict[str, Any]:
    added = [there * 1_000 - at for there, at in zip(arrived[found["first"] :], found["at"], strict=False)]
    ours, bare, echo = (quantiles(values) for values in (added, found["bare_ms"], echo_ms))
    to_way, to_echo = ({name: round(ours[name] / peer[name], 2) for name in ("p50", "p95")} for peer in (bare, echo))
    return {
        "sound_thread_to_socket_ms": ours,
        "bare_comm_one_way_ms": bare,
        "bare_comm_echo_ms": echo,
        "ratio_to_one_way": to_way,
        "ratio_to_echo": to_echo,
        "limit": RATIO,
        "kept": to_way["p95"] <= RATIO,
    }


def _gaps(found: dict[str, Any], arrived: list[float]) -> dict[str, Any]:
    """Between messages with frames: as the kernel has them, and where they come from and go to."""
    sent, came = ([pair[end] for pair in found["came"]] for end in (0, 1))
    bare = found["bare_came"]
    out = [at * 1_000 for at in arrived[found["first"] : found["first"] + len(found["at"])]]
    ours = _between(came)
    report = {"ours": ours, "ours_sent_by_the_page": _between(sent), "ours_out_of_the_socket": _between(out)}
    if bare:
        report["bare_comm"] = _between(bare)
        ways = [there - at for at, there in zip(sent, came, strict=True)]
        report |= {"page_to_kernel_ms": quantiles(ways), "bare_page_to_kernel_ms": quantiles(found["bare_ms"])}
    return {**report, "limit_ms": GAP_MS, "kept": ours["over_limit"] == 0}


def _between(times_ms: list[float]) -> dict[str, Any]:
    """The gaps within turns."""
    turns = [(at, at // TURN_MS) for at in times_ms]
    gaps = sorted(later - sooner for (sooner, turn), (later, same) in pairwise(turns) if turn == same)
    return {
        "n": len(gaps),
        "p95_ms": round(gaps[int(0.95 * len(gaps))], 1),
        "largest_ms": [round(gap, 1) for gap in gaps[-5:]],
        "over_limit": sum(gap > GAP_MS for gap in gaps),
    }


def _slope(samples: list[tuple[float, float]]) -> float:
    """Megabytes a minute, by least squares; `samples` are (seconds, megabytes)."""
    return round(statistics.linear_regression(*zip(*samples, strict=True)).slope * 60, 3)


if __name__ == "__main__":
    raise SystemExit(main())
