// What is seen of the sound, and the widget's way in.

class View {
  constructor(sound, el) {
    this.sound = sound;
    this.start = button("Start sound", () => sound.start(), { icon: "microphone", first: true });
    this.mute = button("Mute", () => sound.mute(!sound.muted), { icon: "microphone" });
    this.stop = button("Stop voice", () => sound.stopSound(), { icon: "hush" });
    this.off = button("Turn off", () => sound.turnOff(), { icon: "off" });
    this.takeOver = button("Take over here", () => sound.start({ force: true }));
    this.select = make("select", { "aria-label": "Microphone", onchange: () => sound.choose(this.select.value) });
    this.bar = make("span", { class: "iv-audio-bar" });
    this.meter = make(
      "span",
      { class: "iv-audio-meter", role: "meter", "aria-label": "Microphone level", "aria-valuemin": 0, "aria-valuemax": 100 },
      this.bar,
    );
    this.status = make("span", { class: "iv-audio-status", role: "status" });
    this.problem = make("p", { class: "iv-problem", role: "alert" });
    const buttons = make("span", { class: "iv-audio-buttons" }, this.mute, this.stop, this.off);
    this.controls = make("span", { class: "iv-audio-controls" }, this.select, this.meter, buttons);
    const row = make("div", { class: "iv-audio-row" }, this.start, this.controls, this.takeOver, this.status);
    const root = make("section", { class: "iv-frame iv-audio", "aria-label": "Sound" }, row, this.problem);
    ownKeys(root);
    el.append(root);
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    sound.addEventListener("change", () => this.show(), { signal });
    sound.addEventListener("level", () => this.showLevel(), { signal });
    this.shown = 0;
    this.show();
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
    this.mute.say(sound.muted ? "Unmute" : "Mute");
    this.mute.setAttribute("aria-pressed", String(sound.muted));
    this.showDevices();
    put(this.status, this.words());
    put(this.problem, sound.sentences[sound.problem] ?? "");
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
