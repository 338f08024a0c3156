// Microphone and loudspeaker of this page.

const RATE = 24000;

async function addModule(context, module) {
  const url = URL.createObjectURL(new Blob([`(${module})();`], { type: "text/javascript" }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

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
