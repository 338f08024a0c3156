"""What the measured notebook's cell runs: a call through a page's sound, and a bare comm beside it.

Run by `browser_audio`, which sets `url`, the address of the socket's other end, and `turn_ms`, a turn's length.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import anywidget
from IPython.display import display
from traitlets import Int, Unicode

from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.comms import obey_the_page

_ESM = """
export default {
  async initialize({ model }) {
    const audio = await model.widget_manager.get_model(model.get("target"));
    const { comm } = audio;
    const send = comm.send.bind(comm);
    const trips = (window.bareTrips = []);
    const waiting = new Map();
    let count = 0;
    const now = () => performance.timeOrigin + performance.now();
    model.on("msg:custom", ({ number }) => {
      trips.push(now() - waiting.get(number));
      waiting.delete(number);
    });
    comm.send = (data, callbacks, metadata, buffers) => {
      const ours = () => send(data, callbacks, metadata, buffers);
      const bare = () => {
        waiting.set(count, now());
        model.send({ number: count, at: now() }, undefined, buffers);
      };
      if (!buffers?.length) return ours();
      const mode = model.get("mode");
      if (mode === "turns" && Math.floor(now() / model.get("turn_ms")) % 2) {
        model.send({ at: now() }, callbacks, buffers);
        return;
      }
      data.content.sent = now();
      if (mode !== "beside" || ++count % 5) return ours();
      if (count % 2) bare();
      const message = ours();
      if (count % 2 === 0) bare();
      return message;
    };
  },
};
"""
_HOUR_MS = 3_600_000


class Bare(anywidget.AnyWidget):
    """Sends back what it gets. `mode`: every fifth frame `beside` ours, all frames in `turns` with ours, or none."""

    _esm = _ESM
    target = Unicode().tag(sync=True)
    mode = Unicode().tag(sync=True)
    turn_ms = Int().tag(sync=True)


class Timed(BrowserAudio):
    """Knows when the page's sound thread had the frame that is handed over just now, in ms of the Unix clock."""

    frame_at = 0.0

    def _arrived(self, widget: object, content: object, buffers: Sequence[memoryview]) -> None:
        if isinstance(content, dict):
            self.frame_at = float(content.get("at", 0.0))
            if buffers:
                came_ms.append((float(content["sent"]), time.time() * 1_000))
        super()._arrived(widget, content, buffers)


bare_ms: list[float] = []
came_ms: list[tuple[float, float]] = []
bare_came_ms: list[float] = []
spoken: list[float] = []
memory: list[tuple[float, float]] = []
first = 0


def send(pcm: bytes) -> None:
    """A frame on its way to the socket."""
    spoken.append(audio.frame_at)
    audio.frame_at += 40
    _send(pcm)


def echo(_: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
    """A frame on the bare comm."""
    now_ms = time.time() * 1_000
    bare_ms.append(now_ms - content["at"])
    if "number" in content:
        bare.send({"number": content["number"]}, buffers)
    else:
        bare_came_ms.append(now_ms)
        audio._page.heard_from(audio._page.owner)


def begin(mode: str) -> None:
    """Forget what was measured so far; but for the half second in which the page draws a new cell."""
    global first
    bare.mode = mode
    obey_the_page(bare.comm)
    time.sleep(0.5)
    for noted in (bare_ms, came_ms, bare_came_ms):
        noted.clear()
    first = len(spoken)


def result() -> dict[str, Any]:
    """What was measured since: `at`, in ms of the Unix clock, of the frames from number `first` on.

    `came`: when each message with frames was sent and was there, likewise; `bare_came`: when it was there.
    """
    came = {"came": came_ms[:], "bare_came": bare_came_ms[:]}
    return {"first": first, "at": spoken[first:], "bare_ms": bare_ms[:], **came}


def compute(seconds: float) -> None:
    """Keep this thread, and the interpreter's lock, busy."""
    until = time.time() + seconds
    while time.time() < until:
        sum(range(1_000))


def watch() -> None:
    """A look at the memory every second."""
    began = time.time()
    while True:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        memory.append((time.time() - began, pages * 4_096 / 1e6))
        time.sleep(1.0)


settings = Settings.load(env={}, call={"target_ms": _HOUR_MS}, voice={"url": globals()["url"]})
backend = Rules(settings.agents, 0)
plan = plan_call("Measuring sound", "", _HOUR_MS, "en", backend).plan
audio = Timed()
bare = Bare(target=audio.model_id, turn_ms=globals()["turn_ms"])
bare.on_msg(echo)
call = LiveCall(
    Core(CallSetup(plan=plan, world="simulated", settings=settings)),
    voice=settings.voice,
    microphone=audio.microphone,
    speaker=audio.speaker,
    backend=backend,
    write=lambda *_: None,
    wait=settings.wait,
)
_send = call._gate._send
call._gate._send = send
call.start()
Thread(target=watch, daemon=True).start()
display(bare, audio)  # type: ignore[no-untyped-call]
