// Microphone and loudspeaker of this page. The kernel's side, and what the two say to each other: page.py.

const RATE = 24000;
const FRAME = 960; // samples: 40 ms
const IN_FLIGHT = 12; // unanswered messages from which on frames wait and then go together: half a second
const BATCH = 25; // frames in one message at most: 1 s
const HELD = 250; // frames that wait at most: 10 s
const LATE_MS = 3000; // the kernel has not answered for this long
const LOST_MS = 12000; // no answer will come any more
const REMEMBERED = "interviewer.microphone";

// -- in the sound threads: these two functions are shipped as text ------------------------------------------------

function recorderModule() {
  // Exact polyphase resampling by a windowed sinc: `up` phases of as many taps as the cut-off asks for.
  class Resampler {
    constructor(from, to) {
      let [a, b] = [from, to];
      while (b) [a, b] = [b, a % b];
      this.up = to / a;
      this.down = from / a;
      const stretch = Math.max(1, from / to);
      this.taps = 2 * Math.ceil(16 * stretch);
      this.filters = Array.from({ length: this.up }, (_, phase) => this.filter(phase / this.up, stretch));
      this.line = new Float32Array(this.taps + 128);
      this.at = 0;
      this.phase = 0;
    }

    filter(shift, stretch) {
      const half = this.taps / 2;
      const filter = new Float32Array(this.taps);
      let sum = 0;
      for (let k = 0; k < this.taps; k++) {
        const t = k - half + shift;
        const x = (0.94 * t) / stretch;
        const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
        filter[k] = Math.abs(t) >= half ? 0 : sinc * (0.5 + 0.5 * Math.cos((Math.PI * t) / half));
        sum += filter[k];
      }
      return filter.map((value) => value / sum);
    }

    push(block, emit) {
      if (this.line.length !== this.taps + block.length) this.line = new Float32Array(this.taps + block.length);
      this.line.set(block, this.taps);
      while (this.at < block.length) {
        const filter = this.filters[this.phase];
        const last = this.taps + this.at;
        let sample = 0;
        for (let k = 0; k < this.taps; k++) sample += filter[k] * this.line[last - k];
        emit(sample);
        this.phase += this.down;
        this.at += Math.floor(this.phase / this.up);
        this.phase %= this.up;
      }
      this.at -= block.length;
      this.line.copyWithin(0, block.length);
    }
  }

  class Recorder extends AudioWorkletProcessor {
    constructor({ processorOptions }) {
      super();
      this.size = processorOptions.frame;
      this.resampler = new Resampler(sampleRate, processorOptions.rate);
      this.silence = new Float32Array(128);
      this.frame = new Int16Array(this.size);
      this.filled = 0;
      this.energy = 0;
    }

    process([input]) {
      this.resampler.push(input[0] ?? this.silence, (sample) => this.add(sample));
      return true;
    }

    add(sample) {
      const value = Math.max(-1, Math.min(1, sample));
      this.energy += value * value;
      this.frame[this.filled++] = Math.round(value * 32767);
      if (this.filled < this.size) return;
      const level = Math.sqrt(this.energy / this.size);
      this.port.postMessage({ pcm: this.frame, level, at: Date.now() }, [this.frame.buffer]);
      this.frame = new Int16Array(this.size);
      this.filled = this.energy = 0;
    }
  }
  registerProcessor("interviewer-recorder", Recorder);
}

function playerModule() {
  // Responses in the order of their first audio. What was rendered counts as heard once it has left the loudspeaker.
  class Player extends AudioWorkletProcessor {
    constructor({ processorOptions }) {
      super();
      Object.assign(this, processorOptions); // jitter, report: samples
      this.latency = 0;
      this.rendered = 0;
      this.fade = 0;
      this.responses = new Map();
      this.over = new Set();
      this.port.onmessage = ({ data }) => this[data.kind](data);
    }

    open(name) {
      if (this.over.has(name)) return undefined;
      if (!this.responses.has(name)) {
        const fresh = { chunks: [], waiting: 0, taken: 0, last: 0, told: -this.report, complete: false, dry: true };
        this.responses.set(name, fresh);
      }
      return this.responses.get(name);
    }

    play({ response, pcm }) {
      const found = this.open(response);
      if (!found || found.complete) return;
      found.chunks.push({ pcm, at: 0 });
      found.waiting += pcm.length;
    }

    end({ response }) {
      const found = this.open(response);
      if (found) found.complete = true;
    }

    stop({ response }) {
      const found = this.open(response);
      if (found) this.finish(response, this.heard(found));
    }

    stopAll() {
      for (const name of [...this.responses.keys()]) this.stop({ response: name });
    }

    delay({ samples }) {
      this.latency = samples;
    }

    process(_, [[out]]) {
      let at = 0;
      for (const found of this.responses.values()) {
        at = this.fill(out, at, found);
        if (found.waiting || !found.complete || at === out.length) break;
      }
      // A cut-off wave clicks; it dies away in 3 ms instead.
      for (let k = at; k < out.length; k++) out[k] = this.fade *= 0.95;
      this.fade = Math.abs(out[out.length - 1]) < 1e-5 ? 0 : out[out.length - 1];
      this.rendered += out.length;
      for (const [name, found] of [...this.responses]) this.tell(name, found);
      return true;
    }

    fill(out, at, found) {
      // After a beginning or a gap some is gathered first, or every late packet would be heard.
      if (found.dry && found.waiting < this.jitter && !found.complete) return at;
      found.dry = false;
      while (at < out.length && found.chunks.length) {
        const chunk = found.chunks[0];
        const count = Math.min(out.length - at, chunk.pcm.length - chunk.at);
        for (let k = 0; k < count; k++) out[at + k] = chunk.pcm[chunk.at + k] / 32768;
        at += count;
        chunk.at += count;
        found.waiting -= count;
        found.taken += count;
        found.last = this.rendered + at;
        if (chunk.at === chunk.pcm.length) found.chunks.shift();
      }
      if (at < out.length && !found.complete) found.dry = true;
      if (at) this.fade = out[at - 1];
      return at;
    }

    heard(found) {
      return Math.max(0, found.taken - Math.max(0, found.last - (this.rendered - this.latency)));
    }

    tell(name, found) {
      const heard = this.heard(found);
      if (found.complete && !found.waiting && heard === found.taken) this.finish(name, heard);
      else if (heard && heard >= found.told + this.report) {
        found.told = heard;
        this.port.postMessage({ response: name, samples: heard, ended: false });
      }
    }

    finish(name, samples) {
      this.responses.delete(name);
      this.over.add(name);
      this.port.postMessage({ response: name, samples, ended: true });
    }
  }
  registerProcessor("interviewer-player", Player);
}

async function addModule(context, module) {
  const url = URL.createObjectURL(new Blob([`(${module})();`], { type: "text/javascript" }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

// -- where this page is -------------------------------------------------------------------------------------------

/** Why a page of this kind cannot have a microphone; "" if it can. `scope` is its window. */
export function problemOfPlace(scope) {
  const { hostname, protocol } = scope.location;
  if (protocol === "vscode-webview:" || /(^|\.)vscode-(cdn|resource|webview)\./.test(hostname)) return "vscode";
  if (/(^|\.)(colab\.research\.google|[\w-]*colab[\w-]*\.googleusercontent)\.com$/.test(hostname)) return "colab";
  if (!scope.isSecureContext) return "insecure";
  const policy = scope.document.permissionsPolicy ?? scope.document.featurePolicy;
  if (policy && !policy.allowsFeature("microphone")) return "frame";
  return scope.navigator.mediaDevices?.getUserMedia && scope.AudioWorkletNode ? "" : "unsupported";
}

/** The problem that an error of getUserMedia stands for. */
export function problemOfError(error) {
  const known = {
    NotAllowedError: "permission_denied",
    SecurityError: "permission_denied",
    NotFoundError: "no_device",
    OverconstrainedError: "no_device",
    NotReadableError: "device_busy",
    AbortError: "device_busy",
  };
  return known[error?.name] ?? "sound_failed";
}

// -- the way to the kernel ----------------------------------------------------------------------------------------

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

// -- the sound ----------------------------------------------------------------------------------------------------

/** The microphone: calls `onFrame(pcm, level, at)`, and `onLost()` when it is unplugged. */
class Microphone {
  constructor(processing, onFrame, onLost) {
    this.processing = processing;
    this.onFrame = onFrame;
    this.onLost = onLost;
    this.muted = false;
  }

  /** Must be called from a click. */
  async open(device) {
    this.context ??= new AudioContext({ latencyHint: "interactive" });
    await Promise.all([this.context.resume(), this.prepare()]);
    await this.choose(device);
  }

  async prepare() {
    if (this.recorder) return;
    await addModule(this.context, recorderModule);
    this.recorder = new AudioWorkletNode(this.context, "interviewer-recorder", {
      numberOfOutputs: 0,
      processorOptions: { rate: RATE, frame: FRAME },
    });
    this.recorder.port.onmessage = ({ data }) => {
      if (this.muted) data.pcm.fill(0);
      this.onFrame(data.pcm, data.level, data.at);
    };
  }

  async choose(device) {
    const wanted = device ? { deviceId: { ideal: device } } : {};
    const audio = { channelCount: 1, ...this.processing, ...wanted };
    this.release();
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    this.stream = stream;
    [this.track] = stream.getAudioTracks();
    this.track.addEventListener("ended", () => stream === this.stream && this.onLost());
    this.source = this.context.createMediaStreamSource(stream);
    this.source.connect(this.recorder, 0, 0);
  }

  get device() {
    return this.track?.getSettings().deviceId ?? "";
  }

  release() {
    const stream = this.stream;
    this.stream = this.track = undefined;
    this.source?.disconnect();
    stream?.getTracks().forEach((track) => track.stop());
  }

  async close() {
    this.release();
    const context = this.context;
    this.context = this.recorder = undefined;
    if (context && context.state !== "closed") await context.close();
  }
}

/** The loudspeaker: calls `onPlayed({response, samples, ended})`. */
class Loudspeaker {
  constructor(onPlayed) {
    this.onPlayed = onPlayed;
  }

  /** Must be called from a click. */
  async open() {
    const context = new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
    this.context = context;
    await Promise.all([context.resume(), addModule(context, playerModule)]);
    this.node = new AudioWorkletNode(context, "interviewer-player", {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { jitter: RATE * 0.1, report: RATE * 0.25 },
    });
    this.node.port.onmessage = ({ data }) => this.onPlayed(data);
    this.node.connect(context.destination);
  }

  post(message) {
    this.node?.port.postMessage(message);
  }

  measure() {
    const seconds = (this.context?.baseLatency ?? 0) + (this.context?.outputLatency ?? 0);
    this.post({ kind: "delay", samples: Math.round(seconds * RATE) });
  }

  async close() {
    this.node?.disconnect();
    const context = this.context;
    this.context = this.node = undefined;
    if (context && context.state !== "closed") await context.close();
  }
}

/** All of one widget on one page, however many views show it. `phase`: off, starting, on. */
class Sound extends EventTarget {
  constructor(model) {
    super();
    this.page = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    this.sentences = model.get("_sentences");
    this.up = new Uplink(model, this.page);
    this.microphone = new Microphone(
      model.get("_processing"),
      (pcm, level, at) => this.heard(pcm, level, at),
      () => this.lost(),
    );
    this.loudspeaker = new Loudspeaker((played) => this.played(played));
    this.phase = "off";
    this.listening = this.muted = this.alive = false;
    this.devices = [];
    this.problems = new Map(); // by where it comes from; the first that is set is shown
    this.speaking = new Set();
    this.set("place", problemOfPlace(window));
  }

  get problem() {
    for (const source of ["kernel", "place", "owner", "device", "context", "line", "tab"]) {
      if (this.problems.get(source)) return this.problems.get(source);
    }
    return "";
  }

  /** Note or clear (code "") a problem, and tell the kernel what is foremost now. */
  set(source, code) {
    const before = this.problem;
    this.problems.set(source, code);
    if (this.problem !== before) this.tell({ kind: "problem", code: this.problem });
    this.changed();
  }

  tell(event) {
    if (this.problems.get("kernel") !== "kernel_gone") this.up.event(event);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  // What a person does.

  async start({ force = false } = {}) {
    if (this.phase !== "off" || this.problems.get("place")) return;
    this.phase = "starting";
    for (const source of ["owner", "device", "context", "line"]) this.problems.set(source, "");
    this.changed();
    const device = localStorage.getItem(REMEMBERED);
    const opened = await Promise.allSettled([this.loudspeaker.open(), this.microphone.open(device)]);
    const failed = opened.find(({ status }) => status === "rejected");
    if (failed) return this.end("device", problemOfError(failed.reason));
    if (this.phase !== "starting") return this.end(); // the kernel went away meanwhile
    for (const { context } of [this.microphone, this.loudspeaker]) {
      context.onstatechange = () => this.watchContext(context);
    }
    this.phase = "on";
    await this.listDevices();
    this.claim(force);
    this.timer = setInterval(() => this.tick(), 500);
  }

  claim(force) {
    this.up.reset();
    this.listening = this.alive = false;
    this.tell({ kind: "claim", force });
    this.changed();
  }

  async choose(device) {
    try {
      await this.microphone.choose(device);
      localStorage.setItem(REMEMBERED, device);
      this.set("device", "");
    } catch (error) {
      this.set("device", problemOfError(error));
    }
    await this.listDevices();
    this.tellState();
  }

  mute(on) {
    this.muted = this.microphone.muted = on;
    this.tellState();
    this.changed();
  }

  stopSound() {
    this.loudspeaker.post({ kind: "stopAll" });
  }

  turnOff() {
    if (this.alive) this.tell({ kind: "bye" });
    this.end();
  }

  /** Let go of everything; `code` says why, if it was not wished for. */
  async end(source = "", code = "") {
    clearInterval(this.timer);
    this.phase = "off";
    this.listening = this.alive = false;
    this.speaking.clear();
    for (const cleared of ["device", "context", "line", "tab"]) this.problems.set(cleared, "");
    if (source) this.set(source, code);
    else this.changed();
    await Promise.allSettled([this.microphone.close(), this.loudspeaker.close()]);
  }

  // What the kernel says.

  received(message, buffers) {
    if (message.page === this.page) this[`on_${message.kind}`]?.(message, buffers);
  }

  on_yours({ listen }) {
    if (this.phase !== "on") return this.tell({ kind: "bye" }); // turned off before the answer came
    this.alive = true;
    this.listening = listen;
    this.tellState();
    this.set("owner", "");
  }

  on_refused() {
    if (this.phase === "on" && !this.alive) this.end("owner", "elsewhere");
  }

  // The next two may answer something this page said before its last claim: then they are not for now.

  on_taken() {
    if (this.alive) this.end("owner", "taken_over");
  }

  on_again() {
    // The kernel took this page for gone; what it had to play counts as not heard.
    if (!this.alive) return;
    this.stopSound();
    this.claim(false);
  }

  on_listen({ on }) {
    this.listening = on;
    this.changed();
  }

  on_play({ response }, [buffer]) {
    const bytes = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
    this.speaking.add(response);
    this.loudspeaker.post({ kind: "play", response, pcm: new Int16Array(bytes) });
    this.changed();
  }

  on_end({ response }) {
    this.loudspeaker.post({ kind: "end", response });
  }

  on_stop({ response }) {
    this.loudspeaker.post({ kind: "stop", response });
  }

  on_mute({ on }) {
    this.mute(on);
  }

  on_over() {
    this.end();
  }

  // What happens.

  heard(pcm, level, at) {
    this.level = this.muted ? 0 : level;
    this.dispatchEvent(new Event("level"));
    if (this.alive && this.listening) this.up.frame(pcm, at);
  }

  played({ response, samples, ended }) {
    if (ended) this.speaking.delete(response);
    this.tell({ kind: "played", response, samples, ended });
    if (ended) this.changed();
  }

  lost() {
    this.microphone.release();
    this.set("device", "device_lost");
    this.listDevices();
  }

  async listDevices() {
    const all = await navigator.mediaDevices.enumerateDevices();
    this.devices = all.filter(({ kind }) => kind === "audioinput");
    const gone = this.microphone.track && !this.devices.some(({ deviceId }) => deviceId === this.microphone.device);
    if (gone && this.microphone.device) this.lost();
    else this.changed();
  }

  watchContext(context) {
    if (this.phase === "on") this.set("context", context.state === "running" ? "" : "sound_blocked");
  }

  tellState() {
    if (this.alive) this.tell({ kind: "state", muted: this.muted, device: this.microphone.track?.label ?? "" });
  }

  kernelGone() {
    this.end("kernel", "kernel_gone");
  }

  tick() {
    const now = performance.now();
    const late = this.up.waited(now) > LATE_MS;
    const dropped = this.up.dropped;
    const code = late ? "no_answer" : dropped > (this.droppedBefore ?? 0) ? "sound_late" : "";
    this.droppedBefore = dropped;
    if (code !== (this.problems.get("line") ?? "")) this.set("line", code);
    if (this.alive && now - this.up.sentAt > 900) this.up.flush();
    this.loudspeaker.measure();
  }
}

// -- what is seen -------------------------------------------------------------------------------------------------

/** An element with attributes and children; text goes in as text, never as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

const ICONS = {
  microphone: "M8 1.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2zM3.8 7.5a4.2 4.2 0 0 0 8.4 0M8 11.8v2.7",
  stop: "M2.5 6v4h2.6L8.5 13V3L5.1 6zM11 6l3.5 4M14.5 6 11 10",
  off: "M8 2v5.5M4.6 4.2a5 5 0 1 0 6.8 0",
};

class View {
  constructor(sound, el) {
    this.sound = sound;
    this.start = this.button("microphone", "Start sound", () => sound.start());
    this.start.classList.add("iv-audio-first");
    this.mute = this.button("microphone", "Mute", () => sound.mute(!sound.muted));
    this.stop = this.button("stop", "Stop voice", () => sound.stopSound());
    this.off = this.button("off", "Turn off", () => sound.turnOff());
    this.takeOver = this.button("", "Take over here", () => sound.start({ force: true }));
    this.select = make("select", { "aria-label": "Microphone", onchange: () => sound.choose(this.select.value) });
    this.bar = make("span", { class: "iv-audio-bar" });
    this.meter = make(
      "span",
      { class: "iv-audio-meter", role: "meter", "aria-label": "Microphone level", "aria-valuemin": 0, "aria-valuemax": 100 },
      this.bar,
    );
    this.status = make("span", { class: "iv-audio-status", role: "status" });
    this.problem = make("p", { class: "iv-audio-problem", role: "alert" });
    const buttons = make("span", { class: "iv-audio-buttons" }, this.mute, this.stop, this.off);
    this.controls = make("span", { class: "iv-audio-controls" }, this.select, this.meter, buttons);
    const row = make("div", { class: "iv-audio-row" }, this.start, this.controls, this.takeOver, this.status);
    el.append(make("section", { class: "iv-audio", "aria-label": "Sound" }, row, this.problem));
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    sound.addEventListener("change", () => this.show(), { signal });
    sound.addEventListener("level", () => this.showLevel(), { signal });
    this.shown = 0;
    this.show();
  }

  button(name, label, onclick) {
    const text = make("span", {}, label);
    const button = make("button", { type: "button", onclick }, ...(name ? [icon(ICONS[name])] : []), text);
    button.label = text;
    return button;
  }

  show() {
    const { sound } = this;
    const on = sound.phase === "on";
    const owned = ["elsewhere", "taken_over"].includes(sound.problems.get("owner"));
    const hopeless = Boolean(sound.problems.get("place") || sound.problems.get("kernel"));
    this.start.hidden = on || owned;
    this.start.disabled = sound.phase === "starting" || hopeless;
    this.takeOver.hidden = on || !owned || hopeless;
    this.controls.hidden = !on;
    this.stop.disabled = !sound.speaking.size;
    this.mute.label.textContent = sound.muted ? "Unmute" : "Mute";
    this.mute.setAttribute("aria-pressed", String(sound.muted));
    this.showDevices();
    // Set only when it changes: a live region is read out each time.
    for (const [element, text] of [[this.status, this.words()], [this.problem, sound.sentences[sound.problem] ?? ""]]) {
      if (element.textContent !== text) element.textContent = text;
    }
    this.problem.hidden = !this.problem.textContent;
    this.problem.dataset.code = sound.problem;
  }

  words() {
    const { sound } = this;
    if (sound.phase === "starting") return "Waiting for the browser…";
    if (sound.phase === "off") return sound.problem ? "" : "The sound is off.";
    if (sound.problem) return "";
    if (!sound.alive) return "Waiting for the kernel…";
    if (sound.muted) return "Muted";
    if (sound.speaking.size) return "The voice is speaking";
    return sound.listening ? "Listening" : "Ready";
  }

  showDevices() {
    const { sound } = this;
    const wanted = sound.devices.map(({ deviceId, label }, index) => [deviceId, label || `Microphone ${index + 1}`]);
    const key = JSON.stringify([wanted, sound.microphone.device]);
    if (key === this.devicesShown) return;
    this.devicesShown = key;
    this.select.replaceChildren(...wanted.map(([value, label]) => make("option", { value }, label)));
    this.select.value = sound.microphone.device;
  }

  showLevel() {
    // -60 dB below full scale is the left end.
    const share = Math.max(0, Math.min(1, 1 + (20 * Math.log10(this.sound.level + 1e-6)) / 60));
    this.bar.style.transform = `scaleX(${share.toFixed(3)})`;
    const now = performance.now();
    if (now - this.shown > 1000) {
      this.shown = now;
      this.meter.setAttribute("aria-valuenow", Math.round(share * 100));
    }
  }
}

const sounds = new Map(); // by the widget's second comm: each call of `initialize` and `render` gets another `model`

async function initialize({ model, signal }) {
  const key = model.get("_down");
  const sound = new Sound(model);
  sounds.set(key, sound);
  sound.tell({ kind: "here" });
  const down = await model.widget_manager.get_model(key);
  const received = (message, buffers) => sound.received(message, buffers);
  const live = () => down.comm_live || sound.kernelGone();
  const hidden = () => sound.set("tab", document.hidden && sound.phase === "on" ? "tab_hidden" : "");
  const leave = () => sound.turnOff();
  const devices = () => sound.phase === "on" && sound.listDevices();
  down.on("msg:custom", received);
  down.on("comm_live_update", live);
  document.addEventListener("visibilitychange", hidden, { signal });
  window.addEventListener("pagehide", leave, { signal });
  navigator.mediaDevices?.addEventListener("devicechange", devices, { signal });
  return () => {
    down.off("msg:custom", received);
    down.off("comm_live_update", live);
    sounds.delete(key);
    sound.turnOff();
  };
}

function render({ model, el }) {
  const view = new View(sounds.get(model.get("_down")), el);
  return () => view.aborter.abort();
}

export default { initialize, render };
