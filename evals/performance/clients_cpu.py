"""Run: python -m evals.performance.clients_cpu [--rounds N] [--seconds S] [--others NAME...] [--out FILE].

CPU time of a minute's call, of this package's live path and of other people's clients, each used as it is meant to be:
the same recording into the microphone in real time, the same simulated service in a process of its own, the voice
played to nobody at the speed of speech. Imports and connecting are not counted; the journal, the core and the agents
by rules, all of which only this package has, are.
"""

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evals.clients import environment
from evals.clients.clients import PYTHON, ROOT
from interviewer.audio import wav
from interviewer.audio.pcm import ms_to_bytes, to_bytes
from interviewer.audio.speech import synthesise

OURS: Final = "interviewer"
_OTHERS: Final = ("openai_agents", "pipecat_pipeline", "livekit_agents")
_SAID: Final = (
    "It began when my neighbour left me two hives, and I knew nothing.",
    "The first winter was hard. I lost one of them in the cold.",
    "After that I read what there was to read, and asked whoever would talk.",
    "Nobody had told me how much of it is carrying boxes.",
)
_INSTRUCTIONS: Final = (
    "<topic>keeping bees on a roof</topic>\n<reply>question</reply>\n"
    "<ask>What is the oddest decision you made that turned out right?</ask>"
)
"""The voice then says to everybody about as much as it says to this package."""

_EVERY_MS: Final = 12_000
_LEAST_MS: Final = 5_000
_TRIES: Final = 3
_LEAD_S: Final = 22  # this package's interviewer opens the call, which takes so long; the others wait for the guest
_HERE: Final = Path(__file__).parent


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--others", nargs="+", choices=_OTHERS, default=_OTHERS)
    parser.add_argument("--out", type=Path, default=_HERE / "clients_cpu.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="interviewer-cpu-") as name, _service() as url:
        folder = Path(name)
        pythons = {o: environment.make(folder / o, *PYTHON[o]) for o in options.others}
        programs: dict[str, tuple[str, ...]] = {OURS: (sys.executable, "-m", "evals.performance.live_minute")}
        programs |= {o: (str(python), "-E", "-s", "-m", f"evals.clients.programs.{o}") for o, python in pythons.items()}
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in programs}
        for number in range(options.rounds):
            # Each begins a round as often as the others.
            order = list(programs)[number % len(programs) :] + list(programs)[: number % len(programs)]
            for who in order:
                found[who].append(_heard(programs[who], url, folder / f"{who}_{number}", options.seconds))
                print(number, who, {k: v for k, v in found[who][-1].items() if k != "said"}, flush=True)
    report = _report(found, options.seconds)
    options.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))
    return 0 if report["ratio_to_the_leanest_other"]["median"] <= 1 else 1


@contextlib.contextmanager
def _service() -> Iterator[str]:
    command = (sys.executable, "-m", "interviewer", "simulate", "--port", "0", "--seed", "1", "--json")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["url"])
    finally:
        process.terminate()
        process.wait()


class _TooLittle(RuntimeError):
    """The voice said too little for the call to count."""


def _heard(program: Sequence[str], url: str, folder: Path, seconds: float) -> dict[str, Any]:
    """One call in which the voice spoke; it is held again, at most twice, if it hardly did."""
    for number in range(_TRIES):
        try:
            return _minute(program, url, folder.with_name(f"{folder.name}_{number}"), seconds)
        except _TooLittle as problem:
            print("held again:", problem, flush=True)
    raise RuntimeError(f"{program[-1]}: the voice said too little, {_TRIES} times")


def _minute(program: Sequence[str], url: str, folder: Path, seconds: float) -> dict[str, Any]:
    """One call; raises RuntimeError if it did not take place."""
    folder.mkdir()
    pcm = b"".join(_stretch(text) for text in _SAID)
    (folder / "recording.pcm").write_bytes(pcm)
    wav.write(folder / "recording.wav", bytes(ms_to_bytes(_LEAD_S * 1_000)) + pcm)
    plan = {"url": url, "model": "gpt-realtime-2.1", "speed": 1.0, "instructions": _INSTRUCTIONS}
    path = folder / "plan.json"
    more = {"recording": "recording.pcm", "seconds": seconds, "lead_s": _LEAD_S}
    path.write_text(json.dumps({**plan, **more}), encoding="utf-8")
    env = {**os.environ, "NO_PROXY": "127.0.0.1", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    done = subprocess.run(
        [*program, str(path)], capture_output=True, text=True, cwd=ROOT, env=env, timeout=seconds + 120, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{program[-1]}: {done.stderr[-2_000:]}")
    told = json.loads(done.stdout)
    if told["problem"] or told["errors"]:
        raise RuntimeError(f"{program[-1]}: {told}")
    if told["heard_ms"] < _LEAST_MS:
        raise _TooLittle(f"{program[-1]}: {told['heard_ms']} ms of voice")
    per_minute = 60 / seconds
    return {"cpu_s_per_minute": round(told["cpu_s"] * per_minute, 3), "heard_s": round(told["heard_ms"] / 1_000, 1)}


def _stretch(text: str) -> bytes:
    """Silence, then what is said, 12 s in all."""
    said = to_bytes(synthesise(text))
    return bytes(ms_to_bytes(_EVERY_MS) - len(said)) + said


def _report(found: Mapping[str, Sequence[Mapping[str, float]]], seconds: float) -> dict[str, Any]:
    cpu = {who: [one["cpu_s_per_minute"] for one in rounds] for who, rounds in found.items()}
    leanest = min((who for who in cpu if who != OURS), key=lambda who: statistics.median(cpu[who]))
    ratios = [ours / theirs for ours, theirs in zip(cpu[OURS], cpu[leanest], strict=True)]
    return {
        "seconds_a_call": seconds,
        "rounds": len(cpu[OURS]),
        "python": platform.python_version(),
        "system": platform.system(),
        "packages": {who: list(PYTHON[who]) for who in found if who != OURS},
        "cpu_s_per_call_minute": {who: _spread(values) for who, values in cpu.items()},
        "voice_heard_s": {who: _spread([one["heard_s"] for one in rounds]) for who, rounds in found.items()},
        "leanest_other": leanest,
        "ratio_to_the_leanest_other": _spread(ratios),
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {
        "median": round(statistics.median(values), 3),
        "least": round(min(values), 3),
        "most": round(max(values), 3),
    }


if __name__ == "__main__":
    raise SystemExit(main())
