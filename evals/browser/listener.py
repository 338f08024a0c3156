"""Hears what a page plays: taps everything that goes to the loudspeaker of a 24 kHz context."""

import base64
from typing import Final

from playwright.sync_api import Page

TAP: Final = r"""
(() => {
  const module = () => registerProcessor("tap", class extends AudioWorkletProcessor {
    constructor() { super(); this.block = new Int16Array(1280); this.filled = 0; this.loudAt = 0; }
    process([[samples]]) {
      for (const value of samples ?? []) {
        if (Math.abs(value) > 0.002) this.loudAt = Date.now();
        this.block[this.filled++] = Math.round(value * 32767);
        if (this.filled < this.block.length) continue;
        this.port.postMessage({ block: this.block, loudAt: this.loudAt });
        this.block = new Int16Array(1280);
        this.filled = 0;
      }
      return true;
    }
  });
  const tap = (window.heardSound = { blocks: [], loudAt: 0 });
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode && this.context.sampleRate === 24000) {
      const url = URL.createObjectURL(new Blob([`(${module})()`], { type: "text/javascript" }));
      this.context.audioWorklet.addModule(url).then(() => {
        const node = new AudioWorkletNode(this.context, "tap", { numberOfOutputs: 0 });
        node.port.onmessage = ({ data }) => { tap.blocks.push(data.block); tap.loudAt = data.loudAt; };
        connect.call(this, node);
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


def loud_at(page: Page) -> float:
    """When the last sound was heard, in seconds of the Unix clock."""
    return float(page.evaluate("heardSound.loudAt")) / 1_000
