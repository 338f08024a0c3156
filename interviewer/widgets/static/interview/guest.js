// While the guest speaks: the clock, who speaks, the guest's own words, and nothing that would prime an answer.

const SPEAKS = {
  paused: "Paused",
  guest: "You are speaking",
  interviewer: "The interviewer is speaking",
  thinking: "One moment…",
  nobody: "Your turn",
  goodbye: "Goodbye",
  closing: "Hanging up…",
  after: "The call is over. Thank you.",
  gone: "",
};

const PAUSING = "Paused, once the interviewer has finished this";
const KEPT = "This machine needs some care. What you say is kept all the same: just go on.";
const LOST = "From here on what you say is not kept. You can go on, or end the call.";

class Guest {
  constructor(interview) {
    this.interview = interview;
    this.clock = new ClockBar(interview, { phases: false });
    this.halo = make("div", { class: "iv-halo" }, make("span"));
    this.who = make("p", { class: "iv-who", role: "status" });
    this.keeping = make("p", { class: "iv-hint iv-keeping", role: "status" });
    this.own = make("div", { class: "iv-own", "aria-live": "polite", "aria-label": "Your words" });
    this.caption = words("p", "iv-caption");
    this.captions = make("input", { type: "checkbox", onchange: () => this.show() });
    this.pause = button("Pause", () => interview.command(interview.clock.paused ? "resume" : "pause"), { icon: "pause" });
    this.type = button("Type instead", () => this.typing(this.form.hidden), { icon: "keyboard" });
    this.end = button("End the call", () => this.ending(), { icon: "end" });
    this.sure = make("span", { class: "iv-row", role: "group", "aria-label": "End the call?" },
      make("span", {}, "End it now?"),
      (this.yes = button("Yes, end it", () => interview.command("end"))),
      button("Go on", () => this.sureOf(false)));
    this.sure.hidden = true;
    const back = (event) => event.key === "Escape" && !this.sure.hidden && this.sureOf(false);
    this.typed = make("textarea", { rows: 2, "aria-label": "Your answer", placeholder: "Type your answer; Enter sends it", dir: "auto" });
    this.typed.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      this.sendTyped();
    });
    this.form = make("div", { class: "iv-typing" }, this.typed, button("Send", () => this.sendTyped(), { first: true }));
    this.form.hidden = true;
    const controls = make("div", { class: "iv-row iv-controls" }, this.pause, this.type, this.end, this.sure, tick(this.captions, "Captions"));
    this.slot = make("div", { class: "iv-sound" });
    this.el = make("div", { class: "iv-guest", onkeydown: back }, this.clock.el, make("div", { class: "iv-stage" }, this.halo, this.who, this.caption, this.own), this.keeping, this.form, controls, this.slot);
  }

  get landing() {
    return this.pause;
  }

  typing(on) {
    this.form.hidden = !on;
    this.type.setAttribute("aria-expanded", String(on));
    if (on) this.typed.focus();
  }

  sendTyped() {
    const text = this.typed.value.trim();
    if (text) this.interview.command("type", text);
    this.typed.value = "";
  }

  ending() {
    this.sureOf(true);
    this.yes.focus();
  }

  sureOf(asked) {
    this.sure.hidden = !asked;
    this.end.hidden = asked;
    if (!asked) this.end.focus();
  }

  get waitedFor() {
    const { destinations, form } = this.interview.setup;
    const place = destinations.find(({ id }) => id === form.destination)?.name ?? "the voice service";
    return `Connecting: waiting for ${place} to answer…`;
  }

  get state() {
    const { status, paused, speaks } = this.interview.clock;
    if (this.interview.gone) return "gone";
    if (["goodbye", "closing", "after"].includes(status) && speaks !== "interviewer") return status;
    if (status === "done") return "after";
    if (status !== "live" && status !== "goodbye") return "connecting";
    return paused ? "paused" : speaks;
  }

  show() {
    const state = this.state;
    this.el.dataset.state = state;
    const pausing = state === "paused" && this.interview.clock.speaks === "interviewer";
    put(this.who, state === "connecting" ? this.waitedFor : pausing ? PAUSING : (SPEAKS[state] ?? ""));
    const { problem, lost } = this.interview.get("keeping");
    put(this.keeping, problem ? (lost ? LOST : KEPT) : "");
    this.keeping.hidden = !problem;
    const { paused } = this.interview.clock;
    this.pause.say(paused ? "Go on" : "Pause");
    const over = ["closing", "after", "gone"].includes(state);
    for (const control of [this.pause, this.type, this.end]) control.disabled = over;
    this.showWords();
    this.tick();
  }

  showWords() {
    const { turns } = this.interview;
    const own = turns.filter(({ speaker, text, state }) => speaker === "guest" && (text || state === "inaudible")).slice(-2);
    keep(this.own, own, ({ id }) => id, () => ({ el: words("p", "iv-said") }), ({ el }, turn, at) => {
      put(el, turn.state === "inaudible" ? "(could not be made out)" : turn.text);
      el.classList.toggle("iv-old", at < own.length - 1);
      el.classList.toggle("iv-coming", !turn.over);
    });
    const last = turns.findLast(({ speaker }) => speaker === "interviewer");
    put(this.caption, this.captions.checked && last ? last.heard || "" : "");
  }

  tick() {
    this.clock.show();
    const { guest, voice } = this.interview.get("levels");
    const level = { guest, interviewer: voice }[this.state] ?? 0;
    this.halo.style.setProperty("--level", level.toFixed(2));
  }
}
