// Before the call: what it is about, where the voice goes, the plan, the guest's consent.

class Setup {
  constructor(interview) {
    this.interview = interview;
    this.asked = new Map(); // fields on their way to the kernel
    const send = later(() => {
      interview.tell("form", { fields: Object.fromEntries(this.asked) });
      this.asked.clear();
    }, 300);
    this.send = send;
    const edited = (name, read) => () => {
      this.asked.set(name, read());
      send();
    };
    const input = (name, attributes = {}) => {
      const control = make(attributes.rows ? "textarea" : "input", { dir: "auto", ...attributes });
      control.addEventListener("input", edited(name, () => control.value));
      return control;
    };
    this.slot = make("div", { class: "iv-sound" });
    this.topic = input("topic", { placeholder: "What the interview is about" });
    this.context = input("context", { rows: 3, placeholder: "Who the guest is, what is known already: every agent reads it" });
    this.guest = input("guest");
    this.languages = make("datalist", { id: `iv-languages-${Math.random()}` });
    this.language = input("language", { list: this.languages.id, size: 6 });
    this.languageNote = make("span", { class: "iv-hint", role: "status" });
    this.length = new Length((value) => edited("minutes", () => value)(), () => this.show());
    this.place = make("select", { onchange: edited("destination", () => this.place.value) });
    this.placeNote = make("span", { class: "iv-hint" });
    this.keepSound = make("input", { type: "checkbox", onchange: edited("keep_sound", () => this.keepSound.checked) });
    this.draw = button("Draw up a plan", () => this.drawUp());
    this.plan = new PlanEditor(interview);
    this.consent = make("p", { class: "iv-consent" });
    this.agreed = make("input", { type: "checkbox", onchange: () => this.show() });
    this.start = button("Start the call", () => this.begin(), { icon: "go", first: true });
    this.missing = make("span", { class: "iv-hint", role: "status" });
    this.problem = make("p", { class: "iv-problem", role: "alert" });
    const place = field("Where the voice goes", this.place);
    place.append(this.placeNote);
    const language = field("Language", this.language);
    language.append(this.languageNote);
    const about = panel(
      "About",
      field("Topic", this.topic),
      field("Context", this.context),
      make("div", { class: "iv-row" }, field("Guest", this.guest), language, this.languages),
      this.length.el,
      place,
      tick(this.keepSound, "Keep the sound, both sides, as a file on this machine"),
      make("div", { class: "iv-row" }, this.draw),
    );
    about.classList.add("iv-about");
    const ready = panel("Ready?", make("div", { class: "iv-ready" },
      make("div", { class: "iv-agree" }, this.consent, tick(this.agreed, "Whoever speaks knows this and agrees")),
      make("div", { class: "iv-check" }, make("p", { class: "iv-hint" }, "Start the sound and say a word: the bar moves."), this.slot)),
      make("div", { class: "iv-row" }, this.start, this.missing));
    ready.classList.add("iv-wide");
    this.thread = words("span", "");
    this.forgotten = words("p", "iv-hint");
    this.back = button("Back to the call before", () => interview.tell("turn_to", { call: interview.setup.follows.call_id }));
    this.returning = make("div", { class: "iv-returning iv-wide" }, this.thread, this.back, this.forgotten);
    this.el = make("div", { class: "iv-setup" }, this.returning, about, this.plan.el, ready, this.problem);
  }

  /** What was changed last goes first: it would come over the new plan otherwise. */
  drawUp() {
    this.send.now();
    this.plan.send.now();
    this.drawnFrom = this.interview.setup.plan_version;
    this.seen = false;
    this.interview.tell("draw_up");
  }

  /** What was typed last goes first. */
  begin() {
    this.send.now();
    this.plan.send.now();
    this.start.disabled = true;
    this.interview.tell("start");
  }

  /** A plan that was asked for here takes the focus, unless that is elsewhere by now. */
  landAfterDrawing(busy, version) {
    if (this.drawnFrom === undefined) return;
    const fresh = version !== this.drawnFrom;
    this.seen ||= busy;
    if (busy || !(fresh || this.seen)) return;
    this.drawnFrom = undefined;
    if (adrift(this.el) || this.el.getRootNode().activeElement === this.draw) (fresh ? this.plan.first : this.draw)?.focus();
  }

  get landing() {
    return this.interview.setup.follows ? this.back : this.start.disabled ? this.topic : this.start;
  }

  /** A follow-up: what it picks up, and what could not be remembered. */
  showReturning() {
    const { follows } = this.interview.setup;
    this.returning.hidden = !follows;
    this.draw.hidden = Boolean(follows);
    if (!follows) return;
    const { number, thread, problems } = follows;
    put(this.thread, `Call ${number} of this interview${thread ? `. It begins with what you said: “${thread}”` : ""}`);
    put(this.forgotten, problems.join("; "));
    this.forgotten.hidden = !problems.length;
  }

  show() {
    const { form, destinations, consent, busy, problem, plan_problem, plan_version } = this.interview.setup;
    for (const name of ["topic", "context", "guest", "language"]) if (!this.asked.has(name)) fill(this[name], form[name]);
    options(this.languages, this.interview.get("languages").map((code) => [code, code]));
    const known = this.interview.get("languages");
    put(this.languageNote, known.includes(form.language) ? "" : `Goodbyes are known in ${known.join(", ")} only: is this a language's code?`);
    options(this.place, destinations.map(({ id, name }) => [id, name]));
    fill(this.place, form.destination);
    put(this.placeNote, destinations.find(({ id }) => id === form.destination)?.note ?? "");
    fill(this.keepSound, form.keep_sound);
    this.length.show(form.minutes);
    put(this.consent, consent);
    // Who agreed to something else has not agreed to this.
    if (this.agreedTo !== undefined && this.agreedTo !== consent) this.agreed.checked = false;
    this.agreedTo = consent;
    this.showReturning();
    this.plan.show();
    this.draw.disabled = "plan" in busy || !this.topic.value.trim();
    this.draw.say("plan" in busy ? "Drawing up…" : this.plan.there ? "Draw up another plan" : "Draw up a plan");
    put(this.problem, problem);
    this.problem.hidden = !problem;
    const lacks = [];
    if (!this.guest.value.trim()) lacks.push("the guest's name");
    if (!this.length.fits) lacks.push("a length of 0.5 to 60 minutes");
    if (!this.plan.there) lacks.push("a plan");
    if (plan_problem) lacks.push("a plan without mistakes");
    if (!this.interview.get("sound").on) lacks.push("the sound");
    if (!this.agreed.checked) lacks.push("the guest's consent");
    this.start.disabled = lacks.length > 0 || "call" in busy || this.interview.gone;
    this.landAfterDrawing("plan" in busy, plan_version);
    put(this.missing, lacks.length ? `Still missing: ${lacks.join(", ")}.` : "");
  }
}

function tick(box, label) {
  return make("label", { class: "iv-tick" }, box, make("span", {}, label));
}

class Length {
  constructor(onChange, onTyped) {
    const name = `iv-length-${Math.random()}`;
    this.custom = make("input", { type: "number", min: 0.5, max: 60, step: "any", "aria-label": "Minutes" });
    this.custom.addEventListener("input", () => {
      this.choices.at(-1).checked = true;
      told(this.custom.value);
    });
    const told = (value) => {
      if (this.fits) onChange(Number(value));
      onTyped();
    };
    this.choices = ["14", "6", ""].map((value) =>
      make("input", { type: "radio", name, value, onchange: () => told(value || this.custom.value) }),
    );
    const labels = ["14 minutes", "6 minutes"].map((text, at) => make("label", { class: "iv-choice" }, this.choices[at], make("span", {}, text)));
    labels.push(make("label", { class: "iv-choice" }, this.choices[2], this.custom, make("span", {}, "minutes")));
    this.el = make("fieldset", { class: "iv-field iv-length" }, make("legend", { class: "iv-label" }, "Length"), make("div", { class: "iv-choices" }, ...labels));
  }

  /** A number typed that is no length of a call is not sent, and keeps the call from starting. */
  get fits() {
    const { value } = this.custom;
    return !this.choices.at(-1).checked || (value !== "" && Number(value) >= 0.5 && Number(value) <= 60);
  }

  show(value) {
    if (this.value === value) return;
    this.value = value;
    const known = this.choices.find((choice) => choice.value === String(value)) ?? this.choices.at(-1);
    known.checked = true;
    if (!this.custom.value || known === this.choices.at(-1)) fill(this.custom, value);
  }
}
