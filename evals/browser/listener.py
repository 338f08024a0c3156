"""Hears what a page plays: taps everything that goes to the loudspeaker of a 24 kHz context."""

import base64
from typing import Final

from playwright.sync_api import Page

TAP: Final = r"""
(() => {
  const module = () => registerProcessor("tap", class extends AudioWorkletProcessor {
    constructor() {
      super();
      this.block = new Int16Array(1280);
      this.filled = this.count = 0;
      this.burst = { number: -1, last: -Infinity };
    }
    process([[samples]]) {
      for (const value of samples ?? []) {
        this.count++;
        if (Math.abs(value) > 0.002) this.loud(Date.now());
        this.block[this.filled++] = Math.round(value * 32767);
        if (this.filled < this.block.length) continue;
        this.port.postMessage({ block: this.block, burst: this.burst });
        this.block = new Int16Array(1280);
        this.filled = 0;
      }
      return true;
    }
    loud(at) {
      const { number, last } = this.burst;
      if (this.count - last > 2400) this.burst = { number: number + 1, first: this.count, from: at };
      Object.assign(this.burst, { last: this.count, until: at });
    }
  });
  const tap = (window.heardSound = { blocks: [], bursts: [], loudAt: 0 });
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode && this.context.sampleRate === 24000) {
      const url = URL.createObjectURL(new Blob([`(${module})()`], { type: "text/javascript" }));
      this.context.audioWorklet.addModule(url).then(() => {
        const node = new AudioWorkletNode(this.context, "tap", { numberOfOutputs: 0 });
        node.port.onmessage = ({ data: { block, burst } }) => {
          tap.blocks.push(block);
          if (burst.number < 0) return;
          tap.bursts[burst.number] = burst;
          tap.loudAt = burst.until;
        };
        connect.call(this, node);
        tap.context = this.context;
      });
    }
    return connect.call(this, target, ...rest);
  };
})();
"""
"""Script for `page.add_init_script`."""

_TAKE: Final = """
() => {
  const bytes = new Uint8Array(heardSound.blocks.length * 2560);
  heardSound.blocks.splice(0).forEach((block, index) => bytes.set(new Uint8Array(block.buffer), index * 2560));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
"""


def take(page: Page) -> bytes:
    """What has been heard since the last time: PCM, 24 kHz 16-bit mono, silence included."""
    return base64.b64decode(page.evaluate(_TAKE))


def bursts(page: Page) -> list[dict[str, float]]:
    """Every stretch of sound so far without 0.1 s of silence in it.

    `from` and `until`: when its first and its last sample were put out, in ms of the Unix clock; `first` and `last`:
    their numbers, at 24 kHz.
    """
    return list(page.evaluate("heardSound.bursts"))


def latency_ms(page: Page) -> float:
    """How long, as the browser reckons, a sample that was put out takes to the loudspeaker."""
    return float(page.evaluate("1000 * (heardSound.context.baseLatency + heardSound.context.outputLatency)"))


def loud_at(page: Page) -> float:
    """When the last sound was heard, in seconds of the Unix clock."""
    return float(page.evaluate("heardSound.loudAt")) / 1_000
