// A threshold under a slider. Every text of a call goes in as text, never as HTML.

const FACTS = {
  refused: "Refused",
  flipped: "Decided otherwise",
  slipped: "Repeats that slip through",
  good: "Good questions refused",
  ratio: "This threshold",
};

/** Pairs on one side of the threshold, the nearest first. */
class Near {
  constructor(title) {
    this.rows = make("ol", {});
    this.el = make("section", { class: "iv-lab-list" }, heading(4, "iv-label", title), this.rows);
  }

  show(pairs) {
    this.rows.replaceChildren(...pairs.map(({ score, first, second, label }) =>
      make("li", { class: "iv-lab-row", "data-label": label },
        make("span", { class: "iv-lab-score" }, score.toFixed(2)),
        make("div", {}, words("p", "iv-said iv-lab-second", second), words("p", "iv-hint", `heard before: ${first}`)),
        make("span", { class: "iv-lab-given" }, label))));
  }
}

class Lab extends Tool {
  constructor(model, el) {
    const about = model.get("_about");
    const name = make("input", { type: "text", placeholder: "name", maxlength: 64, spellcheck: "false", "aria-label": "name of the threshold" });
    super(model, el, {
      name: "iv-lab",
      label: "Try thresholds by slider, label by keyboard",
      keys: about.keys,
      press: (key) => this.give(about.keys[key].name),
      undoes: "take the last label back",
      typing: [name],
    });
    this.about = about;
    this.queue = []; // what is to be told once the kernel has answered
    this.slider = make("input", { type: "range", class: "iv-lab-slider", min: about.low, max: about.high, step: 0.001, "aria-label": "threshold" });
    this.slider.addEventListener("input", () => this.slide());
    this.number = make("output", { class: "iv-lab-number" });
    this.facts = Object.fromEntries(Object.keys(FACTS).map((key) => [key, make("dd", { class: "iv-lab-fact" })]));
    this.stopped = new Near("Just refused");
    this.passing = new Near("Just let through");
    this.next = make("section", { class: "iv-lab-next" });
    this.said = make("p", { class: "iv-lab-said", role: "status", dir: "auto" });
    const over = make("input", { type: "checkbox" });
    const keep = make("form", { class: "iv-row iv-lab-keep" }, name, make("button", { type: "submit" }, "Keep this threshold"),
      make("label", { class: "iv-tick" }, over, make("span", {}, "write over my own")));
    keep.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tell({ act: "save", name: name.value, replace: over.checked });
    });
    this.root.append(
      make("div", { class: "iv-tool-head" }, make("span", {}, "Refuse above"), this.slider, this.number),
      make("dl", { class: "iv-lab-facts" }, ...Object.entries(FACTS).flatMap(([key, title]) => [make("dt", { class: "iv-label" }, title), this.facts[key]])),
      make("div", { class: "iv-lab-lists" }, this.stopped.el, this.passing.el),
      this.next, keep, this.said);
  }

  /** One at a time, in the order they came; of several like one another in a row only the newest. */
  tell(message) {
    if (!this.waiting) {
      super.tell(message);
      return;
    }
    if (this.queue.at(-1)?.act === message.act) this.queue.pop();
    this.queue.push(message);
  }

  slide() {
    this.number.textContent = Number(this.slider.value).toFixed(3);
    this.tell({ act: "slide", value: Number(this.slider.value) });
  }

  give(kind) {
    const { next } = this.model.get("_view");
    if (next && !this.waiting) this.tell({ act: "label", pair: next.id, kind });
  }

  draw() {
    this.waiting = false;
    const view = this.model.get("_view");
    const { reference, questions, calls, scorer } = this.about;
    // Where the hand is counts, not where it was.
    if (!this.queue.some(({ act }) => act === "slide")) {
      this.slider.value = view.threshold;
      this.number.textContent = view.threshold.toFixed(3);
    }
    put(this.facts.refused, `${view.refused} of ${questions} questions in ${calls} calls (${scorer})`);
    put(this.facts.flipped, reference
      ? `${view.flipped}, against ${reference.name} at ${reference.value.toFixed(3)}`
      : "no stored threshold of this scorer to compare with");
    for (const key of ["slipped", "good", "ratio"]) {
      put(this.facts[key], view[key]);
      this.facts[key].dataset.lacking = view[key].startsWith("not enough");
    }
    this.stopped.show(view.stopped);
    this.passing.show(view.passing);
    this.drawNext(view);
    put(this.said, view.said);
    const message = this.queue.shift();
    if (message) this.tell(message);
  }

  drawNext({ next, labelled }) {
    const parts = [heading(4, "iv-label", `Label one from here (${labelled} of ${this.about.questions} labelled)`)];
    if (next) {
      parts.push(block("Heard before", next.q1));
      if (next.answer) parts.push(block("What was answered", next.answer));
      parts.push(block("Asked later", next.q2));
    } else {
      parts.push(make("p", {}, "All questions are labelled."));
    }
    for (const button of this.buttons) button.disabled = !next;
    const focused = this.next.contains(this.root.getRootNode().activeElement);
    this.next.replaceChildren(...parts, this.row);
    if (focused) this.root.focus();
  }
}

function render({ model, el }) {
  const lab = new Lab(model, el);
  return lab.follow(() => lab.draw());
}

export default { render };
