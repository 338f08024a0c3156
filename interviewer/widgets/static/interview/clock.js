// The clock of a call: time gone, length, and the bar with the mark at which the phase locks.

const PHASES = { opening: "Opening", exploration: "Exploration", wrap_up: "Wrap-up, locked" };
const STATUS = {
  connecting: "Connecting",
  live: "Live",
  goodbye: "Saying goodbye",
  closing: "Hanging up",
  renewing: "Connecting anew",
  after: "Over; the agents read it once more",
  done: "Over",
};

class ClockBar {
  constructor(interview, { phases }) {
    this.interview = interview;
    this.gone = make("span", { class: "iv-time" });
    this.whole = make("span", { class: "iv-time iv-quiet" });
    this.fill = make("span", { class: "iv-fill" });
    this.mark = make("span", { class: "iv-mark" });
    const bar = make("span", { class: "iv-bar", role: "img", "aria-label": "Share of the time gone" }, this.fill, this.mark);
    this.bar = bar;
    this.phase = make("span", { class: "iv-phase" });
    this.phase.hidden = this.mark.hidden = !phases;
    this.el = make("div", { class: "iv-clock" }, this.gone, bar, this.whole, this.phase);
  }

  show() {
    const { target_ms = 0, wrap_up_ms = 0, phase = "opening" } = this.interview.clock;
    this.el.hidden = !target_ms; // before the call there is none
    const elapsed = this.interview.elapsed;
    put(this.gone, minutes(elapsed));
    put(this.whole, minutes(target_ms));
    put(this.phase, PHASES[phase] ?? phase);
    this.el.dataset.phase = phase;
    const share = target_ms ? Math.min(1, elapsed / target_ms) : 0;
    this.fill.style.width = `${(100 * share).toFixed(2)}%`;
    if (target_ms) this.mark.style.left = `${((100 * wrap_up_ms) / target_ms).toFixed(1)}%`;
    this.mark.title = `The phase locks at ${minutes(wrap_up_ms)}`;
    this.bar.setAttribute("aria-label", `${minutes(elapsed)} of ${minutes(target_ms)}`);
  }
}
