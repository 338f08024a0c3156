// What the kernel has told this page of an interview. The kernel's side, and what the two say to each other: panel.py.

class Interview extends EventTarget {
  constructor(model, down) {
    super();
    this.model = model;
    this.down = down;
    this.gone = !down.comm_live;
    this.readAt = performance.now();
    this.onChange = () => this.changed();
    this.onClock = () => (this.readAt = performance.now());
    this.onLive = () => {
      this.gone = !down.comm_live;
      this.changed();
    };
    this.onMessage = (message, buffers) => message.kind === "clip" && this.play(buffers[0]);
    down.on("change:clock", this.onClock);
    down.on("change", this.onChange);
    down.on("comm_live_update", this.onLive);
    down.on("msg:custom", this.onMessage);
  }

  close() {
    this.down.off("change:clock", this.onClock);
    this.down.off("change", this.onChange);
    this.down.off("comm_live_update", this.onLive);
    this.down.off("msg:custom", this.onMessage);
  }

  get(name) {
    return this.down.get(name);
  }

  get setup() {
    return this.get("setup");
  }

  get clock() {
    return this.get("clock");
  }

  /** The call's clock now, in milliseconds: it goes on between two messages. */
  get elapsed() {
    const { elapsed_ms, running } = this.clock;
    return (elapsed_ms ?? 0) + (running && !this.gone ? performance.now() - this.readAt : 0);
  }

  /** Turns in order; those that are not over have their words so far. */
  get turns() {
    const so_far = this.get("words");
    return this.get("turns").map((turn) => (turn.over ? turn : { ...turn, ...so_far[turn.id] }));
  }

  tell(act, fields = {}) {
    if (!this.gone) this.model.send({ act, ...fields });
  }

  command(name, value = "") {
    this.tell("command", { name, value });
  }

  play(buffer) {
    this.player?.pause();
    const bytes = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
    const url = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
    this.player = new Audio(url);
    this.player.onended = this.player.onerror = () => URL.revokeObjectURL(url);
    this.player.play();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
