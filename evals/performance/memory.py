"""Run: python -m evals.performance.memory [--minutes M] [--speed X]. Writes evals/performance/memory.json.

A whole call over a socket, by sound alone, its sound kept: a LiveCall as a terminal or a notebook holds it, with the
simulated guest in its process; the simulated service is a process of its own. All run faster than life. The process is
looked at ten times a minute of the call, for as long as the conversation lasts. Its first sixth fills caches; over each
of the other five the slope of the resident memory is taken by least squares: shown are all five, their mean and its
interval (Student, 95 %), in megabytes an hour of the call.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]

from evals.performance.measure import machine
from interviewer.audio.recording import Recording
from interviewer.audio.speech import duration_ms
from interviewer.call.actions import Action, Record
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.kept.records import CallRecord
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.guest import Guest
from interviewer.simulate.spoken_guest import SpokenGuest
from interviewer.store.home import home

LIMIT_MB_PER_HOUR: Final = 20.0

_DOSSIER: Final = "incidents-and-on-call"
_PARTS: Final = 6
_STUDENT_4: Final = 2.776  # two-sided 95 % of Student's t with 4 degrees of freedom
_EVERY_MS: Final = 6_000


def main() -> int:
    """Measure, print and write down; exit 1 if the limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="length of the call, 0.5 to 60")
    parser.add_argument("--speed", type=float, default=20.0, help="times real time")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _service(given.speed) as url:
        report = {"machine": machine(), "speed": given.speed, **measure(Path(folder), url, given.minutes, given.speed)}
    text = json.dumps(report, indent=1)
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if report["kept"] else 1


class _service:  # noqa: N801  used as a function
    """The simulated service as a process of its own; its address."""

    def __init__(self, speed: float) -> None:
        command = [sys.executable, "-m", "interviewer", "--json", "simulate", "--port", "0", "--speed", str(speed)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self) -> str:
        assert self._process.stdout is not None
        return str(json.loads(self._process.stdout.readline())["url"])

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)


def measure(folder: Path, url: str, minutes: float, speed: float) -> dict[str, Any]:
    """Hold the call and give what its process took."""
    target_ms = int(minutes * 60_000)
    # At this speed a busy machine needs longer than a service does.
    waits = dict.fromkeys(("connect_ms", "ack_ms", "ack_after_turn_ms", "created_ms", "playback_over_ms"), 60_000)
    # The conversation is to last as long as the call: it is not wrapped up before its last minute.
    about = {"target_ms": target_ms, "wrap_up_from": 0.98}
    settings = Settings.load(env={}, call=about, wait=waits)
    dossier = by_name(_DOSSIER)
    backend = Rules(settings.agents, 0)
    plan = plan_call(dossier.topic, dossier.context, target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, world="simulated", settings=settings)
    place = home(folder)
    with CallRecord.begin(place, setup, source="call") as record:
        spoken = SpokenGuest(Guest(dossier, seed=0, duration_ms=duration_ms), speed=speed)
        recording = Recording(place.recording(record.call_id))
        over = threading.Event()
        call = LiveCall(
            Core(setup),
            voice=settings.voice.model_copy(update={"url": url}),
            microphone=spoken.microphone,
            speaker=spoken.speaker,
            backend=backend,
            write=record.write,
            speed=speed,
            wait=settings.wait,
            recording=recording,
            on_actions=lambda _, actions: over.set() if any(map(_closes, actions)) else None,
        )
        samples = _looked_at(call, over, speed)
    return {"call": _facts(call, recording), **_judged(samples)}


def _closes(action: Action) -> bool:
    return isinstance(action, Record) and action.kind == "status" and action.data["status"] == "closing"


def _looked_at(call: LiveCall, over: threading.Event, speed: float) -> list[tuple[float, float]]:
    """(minutes of the call, megabytes) until the conversation is over."""
    process = psutil.Process()
    samples: list[tuple[float, float]] = []
    call.start()
    began = time.monotonic()
    while not (over.wait(_EVERY_MS / 1_000 / speed) or call.wait(0)):
        samples.append(((time.monotonic() - began) * speed / 60, process.memory_info().rss / 1e6))
    call.join()
    return samples


def _judged(samples: list[tuple[float, float]]) -> dict[str, Any]:
    minutes = samples[-1][0]
    slopes = []
    for part in range(1, _PARTS):
        low, high = part * minutes / _PARTS, (part + 1) * minutes / _PARTS
        inside = [sample for sample in samples if low <= sample[0] <= high]
        slopes.append(statistics.linear_regression(*zip(*inside, strict=True)).slope * 60)
    mean, half = statistics.mean(slopes), _STUDENT_4 * statistics.stdev(slopes) / len(slopes) ** 0.5
    shown = [(round(at, 1), round(size, 1)) for at, size in samples[:: max(1, len(samples) // 60)]]
    return {
        "minutes": round(minutes, 1),
        "samples": len(samples),
        "slopes_mb_per_hour": [round(slope, 2) for slope in slopes],
        "mean_mb_per_hour": round(mean, 2),
        "interval_95": [round(mean - half, 2), round(mean + half, 2)],
        "limit_mb_per_hour": LIMIT_MB_PER_HOUR,
        "kept": mean <= LIMIT_MB_PER_HOUR,
        "megabytes_by_minute": shown,
    }


def _facts(call: LiveCall, recording: Recording) -> dict[str, Any]:
    return {
        "reason": call.reason,
        "error": str(call.error) if call.error else None,
        "sound_error": str(recording.error) if recording.error else None,
        "minutes": round(call.core.elapsed_ms / 60_000, 2),
        "turns": len(call.core.turns),
        "questions": len(call.core.ledger.questions),
        "ledger_events": len(call.core.ledger.events),
    }


if __name__ == "__main__":
    raise SystemExit(main())
