"""The exchange every client holds: what it is told, how it is run, and what must have come of it."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from interviewer.audio.pcm import to_bytes
from interviewer.audio.speech import Transcriber, synthesise
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.server import SimulatorServer

SAID: Final = (
    "Hello there, I have kept bees on a roof for nine years now.",
    "It began when my neighbour left me two hives, and I knew nothing.",
    "The first winter was hard. I lost one of them in the cold.",
    "Sorry, wait, I forgot something.",
)
TYPED: Final = "I also wrote about it once, for a small magazine."
INSTRUCTIONS: Final = "<topic>keeping bees on a roof</topic>\n<reply>free</reply>"
SPEED: Final = 6.0
"""Times real time; a client's microphone runs as fast."""

_ROOT: Final = Path(__file__).parents[2]
_BROKEN_IN_ON: Final = 2  # number of the reply that the last of `SAID` breaks in on
_MODEL: Final = "gpt-realtime-2.1"
_LIMIT_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a client reported, and what of it is wrong (empty: nothing)."""

    client: str
    summary: dict[str, Any]
    wrong: tuple[str, ...]


def hold(client: str, program: Sequence[str], folder: Path, *, seed: int = 1) -> Outcome:
    """Start a simulated service, have `program` speak with it, and check what it reports.

    `folder` takes the sound of both sides. A machine that is too busy for the pace gets a slower one, once.
    """
    outcome = _held(client, program, folder, seed, SPEED)
    return outcome if "timed out" not in outcome.wrong else _held(client, program, folder, seed, SPEED / 3)


def _held(client: str, program: Sequence[str], folder: Path, seed: int, speed: float) -> Outcome:
    with Hosted(SimulatorServer(seed=seed, clock=WallClock(speed))) as hosted:
        plan = _plan(hosted.server.url, folder, speed)
        # No proxy on the way to this machine, and no report of the exchange to anybody.
        env = {**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
        command = [*program, str(plan)]
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[2],
            env=env,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
    if done.returncode:
        return Outcome(client, {}, (f"ended with {done.returncode}: {done.stderr[-2_000:]}",))
    summary = json.loads(done.stdout)
    return Outcome(client, summary, tuple(check(summary, folder)))


def _plan(url: str, folder: Path, speed: float) -> Path:
    said = []
    for number, text in enumerate(SAID):
        name = f"said_{number}.pcm"
        (folder / name).write_bytes(to_bytes(synthesise(text)))
        said.append({"pcm": name})
    plan = {"url": url, "model": _MODEL, "speed": speed, "instructions": INSTRUCTIONS, "said": said, "typed": TYPED}
    path = folder / "plan.json"
    path.write_text(json.dumps(plan), encoding="utf-8")
    return path


def check(summary: dict[str, Any], folder: Path) -> list[str]:
    """What is wrong with a client's report: it must have been understood, answered, heard, and able to break in."""
    wrong = [f"error: {error}" for error in summary["errors"]] + [p for p in (summary["problem"],) if p]
    ours = [item["text"] for item in summary["items"] if item["role"] == "user"]
    if sorted(ours) != sorted([*SAID, TYPED]):
        wrong.append(f"the guest was taken to say {ours}")
    if summary["interrupted"] < 1:
        wrong.append("nobody was interrupted")
    replies = [item for item in summary["items"] if item["role"] == "assistant"]
    if len(replies) < len(SAID) + 1 or len(summary["audio"]) < len(SAID) + 1:
        wrong.append(f"{len(replies)} replies, {len(summary['audio'])} of them spoken")
    for number, item in enumerate(replies):
        wrong += _voice_problems(item, summary["audio"], folder, cut=number == _BROKEN_IN_ON)
    return wrong


def _voice_problems(item: dict[str, str], audio: dict[str, str], folder: Path, *, cut: bool) -> list[str]:
    """The sound of a reply must say its text; of one that was cut the last word, or all the text, may be missing."""
    if item["id"] not in audio:
        return [f"no sound of {item['text']!r}"]
    ear = Transcriber()
    ear.feed((folder / audio[item["id"]]).read_bytes())
    heard = ear.take() or ""
    same = _begins_alike(item["text"], heard[:-1].strip()) if cut else item["text"] == heard
    return [] if same else [f"{item['text']!r} sounds like {heard!r}"]


def _begins_alike(text: str, heard: str) -> bool:
    """Some clients keep of a reply that was cut what came of it, others only what was played."""
    return text.startswith(heard) or heard.startswith(text.strip(" .…"))
