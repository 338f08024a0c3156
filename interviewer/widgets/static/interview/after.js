// After the call: the drafts, what was found, what to return to, and what to take away.

const GOAL = { no: "Goal not met", partly: "Goal partly met", mostly: "Goal mostly met", fully: "Goal met" };

class After {
  constructor(interview) {
    this.interview = interview;
    this.title = heading(2, "iv-topic");
    this.title.tabIndex = -1;
    this.subtitle = words("p", "iv-subtitle");
    this.facts = make("p", { class: "iv-facts", dir: "auto" });
    this.parts = [new Stopped(interview), new Drafts(interview), new Findings(interview), new Quotes(interview), new FollowUp(interview), new Calls(interview), new Search(interview), new Names(interview), new Exports(interview), new Talk(interview)];
    const [stopped, drafts, findings, quotes, follow, calls, search, names, exports, talk] = this.parts;
    this.slot = stopped.slot;
    this.problem = make("p", { class: "iv-problem", role: "alert" });
    this.el = make("div", { class: "iv-after" },
      make("header", { class: "iv-head" }, this.title, this.subtitle, this.facts, this.problem),
      stopped.el,
      make("div", { class: "iv-columns" },
        make("div", { class: "iv-column" }, drafts.el, talk.el),
        make("div", { class: "iv-column" }, findings.el, quotes.el, follow.el, calls.el, search.el, names.el, exports.el)));
  }

  get landing() {
    return this.title;
  }

  show() {
    const after = this.interview.get("after");
    const { setup } = this.interview;
    const { analysis } = found(this.interview);
    put(this.title, analysis?.title || setup.form.topic);
    put(this.subtitle, analysis?.subtitle ?? "");
    const facts = after.call_id
      ? [`Call ${after.call_id} with ${after.guest}`, minutes(after.elapsed_ms), `${after.delivered} of ${after.planned} questions delivered`, cost(this.interview.get("cost")), after.reason]
      : [STATUS[this.interview.clock.status] ?? "", "the agents read the whole conversation"];
    put(this.facts, facts.filter(Boolean).join("  ·  "));
    put(this.problem, setup.problem);
    this.problem.hidden = !setup.problem;
    for (const part of this.parts) part.show();
  }

  tick() {}
}

/** Analysis and follow-up, from the kept call, or while it is being made from the running one. */
function found(interview) {
  const after = interview.get("after");
  const outcome = interview.get("outcome");
  return { analysis: after.analysis ?? outcome.analysis, follow_up: after.follow_up ?? outcome.follow_up };
}

/** A draft's Markdown as far as drafts use it: headings, quotations, slanted lines, paragraphs; the rest as written. */
function essay(markdown) {
  return markdown.split(/\n{2,}/).map((block) => block.trim()).filter(Boolean).map((block) => {
    const head = /^(#{1,6}) ([^\n]+)$/.exec(block);
    if (head) return heading(Math.min(6, head[1].length + 2), "iv-essay-head", head[2]);
    const lines = block.split("\n");
    if (lines.every((line) => line.startsWith(">"))) return words("blockquote", "", lines.map((line) => line.slice(1).trim()).join(" "));
    const text = lines.join(" ");
    const slanted = /^\*([^*]+)\*$/.exec(text);
    return slanted ? make("p", { dir: "auto" }, words("i", "", slanted[1])) : words("p", "", text);
  });
}

/** A call that was interrupted: on with it, or an end to it. */
class Stopped {
  constructor(interview) {
    this.interview = interview;
    this.slot = make("div", { class: "iv-sound" });
    this.why = words("p", "iv-hint");
    this.goOn = button("Go on where it stopped", () => interview.tell("resume"), { icon: "go", first: true });
    this.close = button("Close it into a draft", () => interview.tell("finish"));
    this.missing = make("span", { class: "iv-hint", role: "status" });
    this.el = panel("This call was interrupted", this.why, this.slot, make("div", { class: "iv-row" }, this.goOn, this.close, this.missing));
  }

  show() {
    const { stage, busy } = this.interview.setup;
    this.el.hidden = stage !== "stopped";
    const why = this.interview.get("after").cannot_resume ?? "";
    put(this.why, why || "What was said is kept. Start the sound to go on.");
    const busyWith = Object.values(busy).join(", ");
    this.slot.hidden = Boolean(why);
    this.goOn.disabled = Boolean(why) || Boolean(busyWith) || !this.interview.get("sound").on || this.interview.gone;
    this.close.disabled = Boolean(busyWith) || this.interview.gone;
    put(this.missing, busyWith);
  }
}

/** A name that was heard wrong, put right in all that is shown and in a new draft. */
class Names {
  constructor(interview) {
    this.interview = interview;
    this.wrong = make("input", { placeholder: "As heard", "aria-label": "Name as it was heard", dir: "auto" });
    this.right = make("input", { placeholder: "As it is", "aria-label": "Name as it is", dir: "auto" });
    this.mend = button("Correct the name", () => this.correct());
    for (const input of [this.wrong, this.right]) input.addEventListener("keydown", (event) => event.key === "Enter" && this.correct());
    this.el = panel("Names", make("div", { class: "iv-row iv-grow" }, this.wrong, make("span", { "aria-hidden": "true" }, "→"), this.right, this.mend));
  }

  correct() {
    if (this.mend.disabled) return;
    this.interview.tell("correct", { wrong: this.wrong.value.trim(), right: this.right.value.trim() });
    this.asked = true;
  }

  show() {
    const { busy, problem, stage } = this.interview.setup;
    this.el.hidden = stage !== "over";
    // What was refused stays, to be put right.
    if (this.asked && "draft" in busy) this.under = true;
    if (this.under && !("draft" in busy)) {
      if (!problem) this.wrong.value = this.right.value = "";
      this.asked = this.under = false;
    }
    this.mend.disabled = "draft" in busy || this.interview.gone;
  }
}

class Drafts {
  constructor(interview) {
    this.interview = interview;
    this.tabs = make("div", { class: "iv-row iv-tabs", role: "group", "aria-label": "Drafts" });
    this.page = make("article", { class: "iv-essay", "aria-live": "polite" });
    this.file = make("p", { class: "iv-hint iv-path" });
    this.styles = make("div", { class: "iv-row" });
    this.el = panel("Draft", this.tabs, this.page, this.file, this.styles);
  }

  get chosen() {
    return chosenDrafts.get(this.interview.down);
  }

  choose(version) {
    chosenDrafts.set(this.interview.down, version);
    this.show();
  }

  show() {
    const { drafts = [] } = this.interview.get("after");
    const { busy, stage } = this.interview.setup;
    const writing = "draft" in busy || stage === "call";
    if (drafts.length !== this.count) {
      // A new one is what was waited for.
      if (this.count !== undefined) chosenDrafts.delete(this.interview.down);
      this.count = drafts.length;
    }
    keep(this.tabs, drafts, ({ version }) => version, ({ version }) => {
      const el = button("", () => this.choose(version));
      return { el };
    }, ({ el }, { version, style }) => {
      el.say(`${version} · ${style}`);
      el.setAttribute("aria-pressed", String(!writing && version === (this.chosen ?? drafts.at(-1).version)));
    });
    const draft = drafts.find(({ version }) => version === this.chosen) ?? drafts.at(-1);
    const text = writing ? this.interview.get("draft").text : draft?.markdown ?? "";
    if (this.text !== text) {
      this.text = text;
      this.page.replaceChildren(...essay(text));
    }
    this.page.classList.toggle("iv-coming", writing && Boolean(text));
    const none = stage === "stopped" ? "none yet" : "none: the guest said nothing";
    put(this.el.extra, writing ? busy.draft || "being written" : drafts.length ? "" : none);
    put(this.file, writing ? "" : draft?.path ?? "");
    keep(this.styles, this.interview.get("styles"), (style) => style, (style) => ({ el: button(`Write a ${style} draft`, () => this.interview.tell("write", { style })) }), ({ el }) => {
      el.disabled = writing || !drafts.length || this.interview.gone;
    });
  }
}

const chosenDrafts = new WeakMap(); // by the kernel's side: a view may be made anew

class Findings {
  constructor(interview) {
    this.interview = interview;
    this.assessment = words("p", "");
    this.themes = make("ul", { class: "iv-themes" });
    this.claims = make("ul", { class: "iv-claims" });
    this.tensions = make("ul", {});
    this.more = make("details", {}, make("summary", {}, "Claims"), this.claims);
    this.tense = make("details", {}, make("summary", {}, "Tensions"), this.tensions);
    this.el = panel("Analysis", this.assessment, this.themes, this.more, this.tense);
  }

  show() {
    const { analysis } = found(this.interview);
    this.el.hidden = !analysis;
    if (!analysis || alike(this.shown, analysis)) return;
    this.shown = analysis;
    put(this.el.extra, GOAL[analysis.goal_met] ?? analysis.goal_met);
    put(this.assessment, analysis.assessment);
    this.themes.replaceChildren(...analysis.themes.map(({ name, summary }) => make("li", {}, words("b", "", name), words("p", "", summary))));
    this.claims.replaceChildren(...analysis.claims.map(({ text, evidence }) =>
      make("li", {}, words("span", "", text), ...evidence.filter(({ text: said }) => said !== text).map(({ text: said }) => words("q", "iv-quote", said)))));
    this.tensions.replaceChildren(...analysis.tensions.map((text) => words("li", "", text)));
    this.more.hidden = !analysis.claims.length;
    this.tense.hidden = !analysis.tensions.length;
  }
}

class Quotes {
  constructor(interview) {
    this.interview = interview;
    this.list = make("ul", { class: "iv-quotes" });
    this.el = panel("Quotes", this.list);
  }

  show() {
    const { analysis } = found(this.interview);
    const { sound = false } = this.interview.get("after");
    this.el.hidden = !analysis?.quotes.length;
    if (this.el.hidden || (alike(this.shown, analysis) && this.sound === sound)) return;
    [this.shown, this.sound] = [analysis, sound];
    this.list.replaceChildren(...analysis.quotes.map(({ text, turn, found: there }) => {
      const play = sound && there ? [button(`Play the moment of “${text}”`, () => this.interview.tell("clip", { turn }), { icon: "go", bare: true })] : [];
      return make("li", {}, ...play, words("blockquote", "", text));
    }));
  }
}

class Exports {
  constructor(interview) {
    this.interview = interview;
    this.folder = make("input", { placeholder: "Folder; empty: the home's exports", "aria-label": "Folder for files", dir: "auto" });
    const tell = (to) => () => interview.tell("export", { to, out: this.folder.value });
    this.kinds = interview.get("formats").map((to) => button(to, tell(to)));
    this.sounds = this.kinds.filter((_, at) => interview.get("sounds").includes(interview.get("formats")[at]));
    this.files = make("ul", { class: "iv-files-list", "aria-live": "polite" });
    this.el = panel("Take away", make("div", { class: "iv-row" }, ...this.kinds), this.folder, this.files);
  }

  show() {
    const { exported = {}, call_id, recording, sound = false } = this.interview.get("after");
    for (const kind of this.sounds) kind.hidden = !sound;
    for (const kind of this.kinds) kind.disabled = !call_id || this.interview.gone;
    put(this.el.extra, this.interview.setup.busy.export ?? "");
    const files = [...(recording ? [recording] : []), ...Object.values(exported).flat()];
    keep(this.files, files, (file) => file, () => ({ el: make("li", { class: "iv-path" }) }), ({ el }, file) => put(el, file));
  }
}
