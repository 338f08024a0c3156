// All of one widget on one page, however many views show it. The kernel's side, and what the two say: page.py.

const LATE_MS = 3000; // the kernel has not answered for this long
const REMEMBERED = "interviewer.microphone";

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
    this.speaking = new Set(); // responses that are heard, or will be
    this.ended = new Set(); // what was on its way when they were stopped here is not played
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
    this.ended.clear();
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
    if (!this.ended.has(response)) this.speaking.add(response);
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
    if (ended) {
      this.speaking.delete(response);
      this.ended.add(response);
    }
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
