"""What the measured notebook's cell runs: a tone that is stopped over and over, and a bare comm beside it.

Run by `browser_stop`, which sets `seed`.
"""

import random
import time
from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

import anywidget
import numpy as np
from IPython.display import display

from interviewer.audio.pcm import RATE, ms_to_bytes, to_bytes
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.comms import obey_the_page

_ESM = """
export default {
  initialize({ model }) {
    const trips = (window.bareTrips = []);
    const now = () => performance.timeOrigin + performance.now();
    model.on("msg:custom", ({ at }) => trips.push([at, now() - at]));
    setInterval(() => model.send({ at: now() }), 250);
  },
};
"""
_TONE_MS, _PACKET_MS = 5_000, 200
_STOP_AFTER_MS, _JITTER_MS = 500, 250
_APART_S = 0.4
_LATE_S = 10.0


class Bare(anywidget.AnyWidget):
    """Sends back what it gets."""

    _esm = _ESM


stopped: list[dict[str, Any]] = []
heard_ms: dict[str, int] = {}
over = Event()
at_least = Event()
rng = random.Random(globals()["seed"])


def echo(_: object, content: dict[str, Any], __: Sequence[memoryview]) -> None:
    """A message on the bare comm."""
    bare.send(content)


def played(response_id: str, ms: int, ended: bool) -> None:
    """The page's report."""
    heard_ms[response_id] = ms
    if ms >= _STOP_AFTER_MS:
        at_least.set()
    if ended:
        over.set()


def stop_one(name: str) -> None:
    """Play the tone, stop it at some moment, and note when, and what the page says was heard of it."""
    over.clear()
    at_least.clear()
    for at in range(0, len(tone), ms_to_bytes(_PACKET_MS)):
        audio.speaker.play(name, tone[at : at + ms_to_bytes(_PACKET_MS)])
    if not at_least.wait(_LATE_S):
        raise TimeoutError(f"{name} was not played")
    time.sleep(rng.uniform(0, _JITTER_MS) / 1_000)
    stopped_ms = time.time() * 1_000
    audio.speaker.stop(name)
    if not over.wait(_LATE_S):
        raise TimeoutError(f"{name} did not end")
    stopped.append({"at": stopped_ms, "heard_ms": heard_ms[name]})
    time.sleep(_APART_S)


def stop_many(part: str, count: int) -> Thread:
    """Do so `count` times, on a thread of its own, as a call does."""

    def run() -> None:
        for number in range(count):
            stop_one(f"{part}-{number}")

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def compute(until: Thread) -> None:
    """Keep this thread, and the interpreter's lock, busy as long as that one runs."""
    while until.is_alive():
        sum(range(1_000))


tone = to_bytes((8_000 * np.sin(2 * np.pi * 440 * np.arange(RATE * _TONE_MS // 1_000) / RATE)).astype(np.int16))
audio = BrowserAudio()
audio.microphone.start(lambda _: None)
audio.speaker.start(played)
bare = Bare()
bare.on_msg(echo)
obey_the_page(bare.comm)
display(bare, audio)  # type: ignore[no-untyped-call]
