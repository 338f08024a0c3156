"""What the measured notebook's cell runs: a page's sound, and a bare comm beside it. Run by `browser_audio`."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
from IPython.display import display
from traitlets import Bool, Unicode

from interviewer.audio.pcm import silence
from interviewer.widgets.audio import BrowserAudio

_ESM = """
export default {
  async initialize({ model }) {
    const audio = await model.widget_manager.get_model(model.get("target"));
    const { comm } = audio;
    const send = comm.send.bind(comm);
    const trips = (window.bareTrips = []);
    const sentAt = (window.sentAt = []);
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
      sentAt.push(now());
      if (!model.get("on") || ++count % 5) return ours();
      if (count % 2) bare();
      const message = ours();
      if (count % 2 === 0) bare();
      return message;
    };
  },
};
"""


class Bare(anywidget.AnyWidget):
    """Sends back what it gets."""

    _esm = _ESM
    target = Unicode().tag(sync=True)
    on = Bool(True).tag(sync=True)


ours_ms: list[float] = []
bare_ms: list[float] = []
times: list[float] = []
memory: list[tuple[float, float]] = []


def arrived(_: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
    """Our own message, after the frames were handed on."""
    now = time.time()
    for number in range(len(buffers[0]) // 1920 if buffers else 0):
        ours_ms.append(now * 1_000 - content["at"] - 40 * number)


def echo(_: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
    """A frame on the bare comm."""
    bare_ms.append(time.time() * 1_000 - content["at"])
    bare.send({"number": content["number"]}, buffers)


def begin(*, bare: bool) -> float:
    """Forget what was measured so far."""
    globals()["bare"].on = bare
    for measured in (ours_ms, bare_ms, times):
        measured.clear()
    return time.time()


def result(began: float) -> dict[str, Any]:
    """What was measured since, but for the half second in which the page draws a new cell."""
    return {"ours_ms": ours_ms[:], "bare_ms": bare_ms[:], "times": [t for t in times if t > began + 0.5]}


def compute(seconds: float) -> None:
    """Keep this thread, and the interpreter's lock, busy."""
    until = time.time() + seconds
    while time.time() < until:
        sum(range(1_000))


def speak() -> None:
    """Something to play all the time, and a look at the memory every second."""
    began = time.time()
    for number in range(10**6):
        audio.speaker.play(str(number), silence(1_000))
        audio.speaker.end(str(number))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        memory.append((time.time() - began, pages * 4_096 / 1e6))
        time.sleep(1.0)


audio = BrowserAudio()
bare = Bare(target=audio.model_id)
bare.on_msg(echo)
audio.on_msg(arrived)
audio.microphone.start(lambda _: times.append(time.time()))
audio.speaker.start(lambda *_: None)
threading.Thread(target=speak, daemon=True).start()
display(bare, audio)  # type: ignore[no-untyped-call]
