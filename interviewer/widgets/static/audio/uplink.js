// The way to the kernel.

const FRAME = 960; // samples: 40 ms
const IN_FLIGHT = 12; // unanswered messages from which on frames wait and then go together: half a second
const BATCH = 25; // frames in one message at most: 1 s
const HELD = 250; // frames that wait at most: 10 s
const LOST_MS = 12000; // no answer will come any more

class Uplink {
  constructor(model, page) {
    this.model = model;
    this.page = page;
    this.frames = [];
    this.events = [];
    this.inFlight = new Set();
    this.reset();
  }

  reset() {
    this.frames.length = this.events.length = 0;
    this.inFlight.clear();
    this.next = this.dropped = 0;
    this.sentAt = performance.now();
  }

  frame(pcm, at) {
    this.frames.push({ pcm, at, number: this.next++ });
    while (this.frames.length > HELD) {
      this.frames.shift();
      this.dropped++;
    }
    if (this.inFlight.size < IN_FLIGHT) this.flush();
  }

  event(event) {
    this.events.push(event);
    this.flush();
  }

  /** How long the oldest unanswered message has waited, in milliseconds. */
  waited(now) {
    for (const sent of this.inFlight) {
      if (now - sent.at < LOST_MS) return now - sent.at;
      this.inFlight.delete(sent);
    }
    return 0;
  }

  flush() {
    const frames = this.frames.splice(0, BATCH);
    const content = { page: this.page, events: this.events.splice(0), dropped: this.dropped };
    if (frames.length) Object.assign(content, { first: frames[0].number, at: frames[0].at });
    const sent = { at: performance.now() };
    this.inFlight.add(sent);
    this.sentAt = sent.at;
    const status = (message) => message.content.execution_state === "idle" && this.answered(sent);
    this.model.send(content, { iopub: { status } }, frames.length ? [joined(frames)] : []);
  }

  answered(sent) {
    this.inFlight.delete(sent);
    if (this.frames.length && this.inFlight.size < IN_FLIGHT) this.flush();
  }
}

function joined(frames) {
  if (frames.length === 1) return frames[0].pcm.buffer;
  const all = new Int16Array(frames.length * FRAME);
  frames.forEach(({ pcm }, index) => all.set(pcm, index * FRAME));
  return all.buffer;
}
