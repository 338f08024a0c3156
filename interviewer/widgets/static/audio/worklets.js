// What runs in the page's sound threads: both functions are shipped there as text.

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
