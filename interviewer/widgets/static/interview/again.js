// Returning: a follow-up of the call that is shown, the other calls of its interview, and all that was ever said.

/** Three topics and one of one's own; the one that is picked becomes a plan. */
class FollowUp {
  constructor(interview) {
    this.interview = interview;
    this.name = `iv-topic-${Math.random()}`;
    this.cards = make("div", { class: "iv-cards", role: "radiogroup", "aria-label": "What to return to" });
    this.own = make("input", { placeholder: "What to return to, in your own words", "aria-label": "In your own words", dir: "auto" });
    this.own.addEventListener("input", () => this.choose(0));
    this.own.addEventListener("keydown", (event) => event.key === "Enter" && this.draw());
    this.ownCard = this.card(0, [words("b", "", "In your own words"), this.own]);
    this.length = make("input", { type: "number", min: 0.5, max: 60, step: "any", "aria-label": "Minutes of the follow-up" });
    this.length.addEventListener("input", () => this.show());
    this.go = button("Draw up the follow-up", () => this.draw(), { icon: "go", first: true });
    this.missing = make("span", { class: "iv-hint", role: "status" });
    const length = make("label", { class: "iv-choice" }, this.length, make("span", {}, "minutes"));
    this.row = make("div", { class: "iv-row iv-draw" }, this.go, length);
    this.el = panel("Continue this interview", this.cards, this.row, this.missing);
  }

  card(pick, content) {
    const radio = make("input", { type: "radio", name: this.name, onchange: () => this.choose(pick) });
    radio.pick = pick;
    const card = make("label", { class: "iv-card" }, radio, make("span", { class: "iv-card-words" }, ...content));
    card.radio = radio;
    return card;
  }

  get radios() {
    return [...this.cards.querySelectorAll("input[type=radio]")];
  }

  get picked() {
    return this.radios.find(({ checked }) => checked)?.pick;
  }

  choose(pick) {
    for (const radio of this.radios) if (radio.pick === pick) radio.checked = true;
    if (pick === 0 && adrift(this.el)) this.own.focus();
    this.show();
  }

  get fits() {
    return Number(this.length.value) >= 0.5 && Number(this.length.value) <= 60;
  }

  draw() {
    if (this.go.disabled) return;
    this.interview.tell("follow_up", { pick: this.picked, about: this.own.value.trim(), minutes: Number(this.length.value) });
  }

  show() {
    const { follow_up } = found(this.interview);
    const { busy, stage } = this.interview.setup;
    const topics = follow_up?.topics ?? [];
    this.el.hidden = stage !== "over" && !follow_up;
    if (!alike(this.shown, follow_up)) {
      this.shown = follow_up;
      this.cards.replaceChildren(...topics.map(({ title, why, questions }, at) => this.card(at + 1, [
        words("b", "", title),
        words("span", "iv-hint", why),
        make("ul", {}, ...questions.map((text) => words("li", "", text))),
      ])), this.ownCard);
      this.ownCard.radio.checked = false;
    }
    if (!this.length.value) this.length.value = this.interview.get("after").follow_up_minutes ?? "";
    const lacks = [];
    if (this.picked === undefined) lacks.push("pick a topic, or say what to return to");
    if (this.picked === 0 && !this.own.value.trim()) lacks.push("say what to return to");
    if (!this.fits) lacks.push("give a length of 0.5 to 60 minutes");
    const drawing = "follow_up" in busy;
    this.row.hidden = stage !== "over";
    this.go.disabled = drawing || lacks.length > 0 || this.interview.gone;
    this.go.say(drawing ? "Drawing up…" : "Draw up the follow-up");
    put(this.missing, stage === "over" && !drawing && lacks.length ? `To go on, ${lacks.join(", ")}.` : "");
  }
}

/** The calls of the interview, in order; any of them can be shown here. */
class Calls {
  constructor(interview) {
    this.interview = interview;
    this.list = make("ol", { class: "iv-calls" });
    this.el = panel("Calls of this interview", this.list);
  }

  show() {
    const { calls = [], call_id } = this.interview.get("after");
    this.el.hidden = calls.length < 2;
    keep(this.list, calls, (call) => call.call_id, (call) => {
      const facts = words("span", "iv-call");
      const go = button("Show", () => this.interview.tell("turn_to", { call: call.call_id }));
      return { el: make("li", {}, facts, go), facts, go };
    }, ({ el, facts, go }, call, at) => {
      const asked = call.planned ? `${call.delivered} of ${call.planned} questions` : "";
      const ended = call.end_reason ? "" : "not ended";
      put(facts, [`${at + 1}`, call.started_at ?? "", minutes(call.elapsed_ms), call.source, asked, ended].filter(Boolean).join("  ·  "));
      el.setAttribute("aria-current", String(call.call_id === call_id));
      go.hidden = call.call_id === call_id;
      go.disabled = "turn" in this.interview.setup.busy || this.interview.gone;
      go.setAttribute("aria-label", `Show call ${at + 1}`);
    });
  }
}

/** Everything said, in every call or in those of this interview. */
class Search {
  constructor(interview) {
    this.interview = interview;
    this.words = make("input", { type: "search", placeholder: "Words, or a “phrase”", "aria-label": "Search what was said", dir: "auto" });
    this.words.addEventListener("keydown", (event) => event.key === "Enter" && this.look());
    this.here = make("input", { type: "checkbox", onchange: () => this.words.value.trim() && this.look() });
    this.go = button("Search", () => this.look());
    this.count = make("p", { class: "iv-hint", role: "status" });
    this.list = make("ul", { class: "iv-found" });
    this.el = panel("Search everything said", make("div", { class: "iv-row iv-grow" }, this.words, this.go), tick(this.here, "Only this interview"), this.count, this.list);
  }

  look() {
    if (!this.go.disabled && this.words.value.trim()) this.interview.tell("search", { words: this.words.value, everywhere: !this.here.checked });
  }

  show() {
    const { busy, stage } = this.interview.setup;
    const answer = this.interview.get("found");
    this.el.hidden = stage !== "over";
    this.go.disabled = "search" in busy || this.interview.gone;
    this.go.say("search" in busy ? "Searching…" : "Search");
    if (this.shown === answer) return;
    this.shown = answer;
    const { words: asked, count, passages = [] } = answer;
    const more = count > passages.length ? `; the first ${passages.length} are shown` : "";
    put(this.count, asked === undefined ? "" : `${asked}: ${count === 1 ? "1 place" : `${count} places`}${more}`);
    this.list.replaceChildren(...passages.map((passage) => this.passage(passage)));
  }

  passage({ call_id, started_at, topic, guest, number, speaker, at_ms, pieces }) {
    const who = speaker === "guest" ? guest || "Guest" : "Interviewer";
    const facts = [who, minutes(at_ms), `turn ${number}`, topic, (started_at ?? "").slice(0, 10)].filter(Boolean).join("  ·  ");
    const text = words("p", "iv-said");
    text.append(...pieces.map(({ text, hit }) => (hit ? make("mark", {}, text) : text)));
    const elsewhere = call_id !== this.interview.get("after").call_id;
    const go = elsewhere ? [button("Show this call", () => this.interview.tell("turn_to", { call: call_id }))] : [];
    return make("li", {}, words("span", "iv-at", facts), text, ...go);
  }
}
