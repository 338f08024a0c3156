// The researcher's side: what was said, what is planned and why, what the agents do, and the controls.

const AGENTS = { note_taker: "Note-Taker", follow_up: "Follow-Up" };
const STATES = { delivered: "asked and heard", pending: "on its way", held: "held", available: "open" };
const MARKS = { delivered: "●", pending: "◐", held: "◌", available: "○" };
const OUTCOMES = { delivered: "delivered", held: "held", released: "released", open: "under way", free: "free reply" };

class Researcher {
  constructor(interview) {
    this.interview = interview;
    this.topic = heading(2, "iv-topic");
    this.about = make("p", { class: "iv-facts", dir: "auto" });
    this.clock = new ClockBar(interview, { phases: true });
    this.keeping = words("p", "iv-problem iv-keeping");
    this.keeping.setAttribute("role", "alert");
    this.memory = make("ul", { class: "iv-hint iv-memory", "aria-label": "What is remembered" });
    this.talk = new Talk(interview);
    this.parts = [this.talk, new Exchanges(interview), new Questions(interview), new Agents(interview), new Notes(interview), new Research(interview)];
    this.controls = new Controls(interview);
    const [talk, exchanges, questions, agents, notes, research] = this.parts;
    this.el = make("div", { class: "iv-researcher" },
      make("header", { class: "iv-head" }, this.topic, this.about, this.memory, this.keeping, this.clock.el, this.controls.el),
      make("div", { class: "iv-columns" },
        make("div", { class: "iv-column" }, talk.el, notes.el, research.el),
        make("div", { class: "iv-column" }, exchanges.el, questions.el, agents.el)));
  }

  show() {
    const { setup, clock } = this.interview;
    put(this.topic, setup.form.topic || "No topic yet");
    const { problem } = this.interview.get("keeping");
    put(this.keeping, problem ?? "");
    this.keeping.hidden = !problem;
    const stage = { form: "The call has not begun", stopped: "Interrupted" }[setup.stage] ?? STATUS[clock.status] ?? "Over";
    put(this.about, [`with ${setup.form.guest}`, clock.paused ? "Paused" : stage, cost(this.interview.get("cost"))].filter(Boolean).join("  ·  "));
    this.showMemory();
    this.controls.show();
    for (const part of this.parts) part.show();
    this.tick();
  }

  /** Of a follow-up: what it picks up, and what could not be remembered as it is. */
  showMemory() {
    const begun = this.interview.get("earlier");
    const { number, thread, problems = [] } = begun.number ? begun : this.interview.setup.follows ?? {};
    const told = number ? [`Call ${number} of this interview${thread ? `. It begins with the guest's words: “${thread}”` : ""}`, ...problems] : [];
    this.memory.hidden = !told.length;
    keep(this.memory, told, (_, at) => at, () => ({ el: words("li", "") }), ({ el }, text) => put(el, text));
  }

  tick() {
    this.clock.show();
  }
}

function cost({ spent_usd, limit_usd, uncounted }) {
  if (spent_usd === undefined) return "";
  const spent = spent_usd || limit_usd || uncounted ? `$${spent_usd.toFixed(spent_usd < 1 ? 4 : 2)}` : "no cost";
  return `${spent}${limit_usd ? ` of $${limit_usd}` : ""}${uncounted ? `, ${uncounted} runs of unknown cost` : ""}`;
}

class Controls {
  constructor(interview) {
    const tell = (name, value) => interview.command(name, value);
    this.interview = interview;
    this.ask = make("input", { placeholder: "A question of your own", "aria-label": "Question to ask next", dir: "auto" });
    this.wrong = make("input", { placeholder: "As heard", "aria-label": "Name as it was heard", dir: "auto" });
    this.right = make("input", { placeholder: "As it is", "aria-label": "Name as it is", dir: "auto" });
    const asking = () => {
      if (this.ask.value.trim()) tell("ask", this.ask.value.trim());
      this.ask.value = "";
    };
    const correcting = () => {
      const pair = [this.wrong.value.trim(), this.right.value.trim()];
      if (!pair.every(Boolean)) return;
      tell("correct", pair.join(" -> "));
      this.wrong.value = this.right.value = "";
    };
    const entered = (...inputs) => (act) => inputs.forEach((input) => input.addEventListener("keydown", (event) => event.key === "Enter" && act()));
    entered(this.ask)(asking);
    entered(this.wrong, this.right)(correcting);
    this.wrap = button("Wrap up now", () => tell("wrap_up"));
    this.skip = button("Skip the next question", () => tell("skip"));
    this.extend = button("+2 minutes", () => tell("extend", "120000"));
    this.pause = button("Pause", () => tell(interview.clock.paused ? "resume" : "pause"), { icon: "pause" });
    this.put = button("Ask this next", asking);
    this.mend = button("Correct the name", correcting);
    this.el = make("div", { class: "iv-steering" },
      make("div", { class: "iv-row" }, this.wrap, this.extend, this.skip, this.pause),
      make("div", { class: "iv-row iv-grow" }, this.ask, this.put),
      make("div", { class: "iv-row iv-grow" }, this.wrong, make("span", { "aria-hidden": "true" }, "→"), this.right, this.mend));
  }

  show() {
    const { setup, clock, gone } = this.interview;
    const live = setup.stage === "call" && clock.status === "live" && !gone;
    for (const control of [this.wrap, this.extend, this.skip, this.pause, this.put, this.ask]) control.disabled = !live;
    for (const control of [this.mend, this.wrong, this.right]) control.disabled = setup.stage !== "call" || gone;
    this.pause.say(clock.paused ? "Go on" : "Pause");
    this.el.hidden = setup.stage !== "call";
  }
}

/** What was meant to be asked, beside what the voice said. */
class Exchanges {
  constructor(interview) {
    this.interview = interview;
    this.next = make("div", { class: "iv-next" });
    this.nextHead = make("span", { class: "iv-label" });
    this.nextText = words("p", "iv-meant");
    this.nextWhy = words("p", "iv-hint");
    this.guard = make("ul", { class: "iv-guard", "aria-label": "Repeat guard" });
    this.next.append(this.nextHead, this.nextText, this.nextWhy, this.guard);
    this.list = make("ol", { class: "iv-exchanges" });
    this.el = panel("Proposed and said", this.next, this.list);
  }

  show() {
    const { next, decision, guard = [], exchanges = [] } = this.interview.get("voice");
    put(this.nextHead, next ? `Next: ${next.question}, ${next.stage}` : "Next: nothing chosen");
    put(this.nextText, next?.meant ?? "");
    const why = decision ? [decision.source && `from ${decision.source}`, decision.why, decision.outcome === "refused" && `refused: ${decision.reason}`] : [];
    put(this.nextWhy, decision ? [`Last decision: ${decision.outcome}`, ...why.filter(Boolean)].join("; ") : "");
    keep(this.guard, [...guard].reverse(), ({ seq }) => seq, () => {
      const row = { what: make("span", { class: "iv-state" }), text: words("span", "iv-said"), like: words("span", "iv-hint") };
      row.el = make("li", {}, row.what, row.text, row.like);
      return row;
    }, (row, { what, text, like, score, threshold, scorer }) => {
      row.el.dataset.outcome = { refused: "released", repeated: "released", warned: "held", returned: "superseded" }[what] ?? "delivered";
      put(row.what, score == null ? `guard: ${what}` : `guard: ${what} · ${score.toFixed(2)} (limit ${threshold.toFixed(2)}, ${scorer})`);
      put(row.text, text ?? "");
      put(row.like, like ? `nearest heard: ${like}` : "");
    });
    keep(this.list, [...exchanges].reverse(), ({ turn }) => turn, () => {
      const row = { meant: words("p", "iv-meant"), said: words("p", "iv-said"), state: make("span", { class: "iv-state" }) };
      row.el = make("li", {}, row.state, row.meant, row.said);
      return row;
    }, (row, { meant, said, outcome, reason, question }) => {
      row.el.dataset.outcome = outcome;
      put(row.state, [question, OUTCOMES[outcome] ?? outcome, reason.replaceAll("_", " ")].filter(Boolean).join(" · "));
      put(row.meant, meant);
      row.meant.hidden = !meant;
      put(row.said, said || "…");
    });
  }
}

class Questions {
  constructor(interview) {
    this.interview = interview;
    this.list = make("div", { class: "iv-plan-list" });
    this.el = panel("Plan", this.list);
  }

  show() {
    const plan = this.interview.get("plan");
    const live = this.interview.get("questions");
    if (this.shown?.[0] === plan && this.shown[1] === live) return;
    this.shown = [plan, live];
    const known = live.length ? live : (plan.sections ?? []).flatMap(({ id, questions }) =>
      questions.map((question) => ({ ...question, planned: true, section: id, state: "available", why: "" })));
    const sections = (plan.sections ?? []).map(({ id, title }) => ({ id, title, questions: known.filter((q) => q.planned && q.section === id) }));
    const others = known.filter(({ planned }) => !planned);
    if (others.length) sections.push({ id: "", title: "Came up on the way", questions: others });
    const planned = known.filter((q) => q.planned);
    put(this.el.extra, planned.length ? `${planned.filter(({ state }) => state === "delivered").length} of ${planned.length} delivered` : "");
    const depth = this.interview.get("notes").coverage ?? {};
    keep(this.list, sections, ({ id }) => id, () => {
      const title = words("span", "");
      const reached = make("span", { class: "iv-extra" });
      const list = make("ul", {});
      return { title, reached, list, el: make("div", {}, heading(4, "", title, reached), list) };
    }, (part, section) => {
      put(part.title, section.title);
      put(part.reached, depth[section.id] && depth[section.id] !== "none" ? `${depth[section.id]} coverage` : "");
      keep(part.list, section.questions, ({ id }) => id, () => new QuestionLine(), (line, question) => line.show(question));
    });
  }
}

class QuestionLine {
  constructor() {
    this.mark = make("span", { class: "iv-dot", role: "img" });
    this.text = words("span", "iv-asked");
    this.why = make("span", { class: "iv-why" });
    this.rank = make("span", { class: "iv-rank" });
    this.el = make("li", {}, this.mark, make("div", {}, this.text, this.why), this.rank);
  }

  show({ text, state, why, answered, closed, priority, planned, source, touched, clue }) {
    this.el.dataset.state = state;
    this.el.classList.toggle("iv-done", closed && state !== "delivered");
    put(this.mark, MARKS[state]);
    this.mark.setAttribute("aria-label", STATES[state]);
    put(this.text, text);
    const rebuilt = touched ? `reconstructed, ${touched}${clue ? `: ${clue}` : ""}` : "";
    put(this.why, [why, answered && "answered", rebuilt].filter(Boolean).join(" · "));
    put(this.rank, planned ? String(priority) : source);
    this.rank.title = planned ? `Priority ${priority}` : `From: ${source}`;
  }
}

class Agents {
  constructor(interview) {
    this.interview = interview;
    this.levels = ["Guest", "Voice"].map((name) => new Level(name));
    this.list = make("ul", { class: "iv-agents" });
    this.el = panel("Agents and sound", this.list, make("div", { class: "iv-levels" }, ...this.levels.map(({ el }) => el)));
  }

  show() {
    const { guest, voice } = this.interview.get("levels");
    this.levels[0].show(guest);
    this.levels[1].show(voice);
    keep(this.list, Object.entries(this.interview.get("agents")), ([name]) => name, () => {
      const row = { name: make("span", {}), state: make("span", { class: "iv-state" }), runs: make("span", { class: "iv-extra" }), bar: make("span", { class: "iv-fill" }) };
      row.el = make("li", {}, make("span", { class: "iv-lamp" }), row.name, row.state, make("span", { class: "iv-bar" }, row.bar), row.runs);
      return row;
    }, (row, [name, { running, runs, latency_ms, outcome, fallbacks }]) => {
      row.el.dataset.agent = name;
      row.el.dataset.working = String(running > 0);
      put(row.name, AGENTS[name] ?? name.replaceAll("_", " ").replace(/\b\w/g, (letter) => letter.toUpperCase()));
      put(row.state, running > 0 ? "at work" : outcome);
      row.el.classList.toggle("iv-failed", running === 0 && outcome !== "ok" && outcome !== "");
      row.bar.style.width = `${Math.min(100, (latency_ms ?? 0) / 80)}%`; // 8 s, a live agent's deadline, is full
      put(row.runs, `${runs} runs${latency_ms ? `, last ${(latency_ms / 1000).toFixed(1)} s` : ""}${fallbacks ? `, ${fallbacks} stood in for` : ""}`);
    });
  }
}

class Level {
  constructor(name) {
    this.fill = make("span", { class: "iv-fill" });
    this.bar = make("span", { class: "iv-bar", role: "meter", "aria-label": `${name} level`, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0 }, this.fill);
    this.el = make("div", { class: "iv-level", "data-side": name.toLowerCase() }, make("span", {}, name), this.bar);
  }

  show(level = 0) {
    this.fill.style.width = `${Math.round(100 * level)}%`;
    this.bar.setAttribute("aria-valuenow", Math.round(100 * level));
  }
}

class Notes {
  constructor(interview) {
    this.interview = interview;
    this.body = make("div", { class: "iv-notes-list" });
    this.el = panel("Notes", this.body);
  }

  show() {
    const notes = this.interview.get("notes");
    if (this.shown === notes) return;
    this.shown = notes;
    const names = { stories: "Stories", claims: "Claims", gaps: "Gaps", contradictions: "Contradictions", ideas: "Ideas", lines: "Lines worth quoting" };
    const kinds = Object.entries(names).map(([kind, name]) => ({ name, notes: notes[kind] ?? [] })).filter(({ notes }) => notes.length);
    put(this.el.extra, kinds.length ? `${kinds.reduce((sum, { notes }) => sum + notes.length, 0)}` : "none");
    keep(this.body, kinds, ({ name }) => name, ({ name }) => {
      const count = make("span", { class: "iv-extra" });
      const list = make("ul", {});
      return { count, list, el: make("details", { open: name === "Gaps" || name === "Contradictions" }, make("summary", {}, name, count), list) };
    }, (part, { notes }) => {
      put(part.count, String(notes.length));
      keep(part.list, [...notes].reverse(), (note, at) => note.id ?? `${notes.length - at}`, () => {
        const row = { text: words("span", ""), quote: words("q", "iv-quote") };
        row.el = make("li", {}, row.text, row.quote);
        return row;
      }, (row, { text, quote, first_quote, second_quote, confidence }) => {
        const said = quote ?? [first_quote, second_quote].filter(Boolean).join(" / ");
        put(row.text, [text ?? "", confidence && `(${confidence})`].filter(Boolean).join(" "));
        put(row.quote, text === said ? "" : said);
        row.quote.hidden = !row.quote.textContent;
      });
    });
  }
}

class Research {
  constructor(interview) {
    this.interview = interview;
    this.list = make("ul", { class: "iv-research" });
    this.el = panel("Research", this.list);
  }

  show() {
    const items = this.interview.get("research");
    if (this.shown === items) return;
    this.shown = items;
    put(this.el.extra, items.length ? `${items.length}` : "none");
    keep(this.list, [...items].reverse(), (_, at) => items.length - at, () => {
      const row = { subject: words("b", ""), state: make("span", { class: "iv-state" }), summary: words("p", ""), use: words("p", "iv-hint"), sources: make("ul", { class: "iv-sources" }) };
      row.el = make("li", {}, row.subject, row.state, row.summary, row.use, row.sources);
      return row;
    }, (row, { subject, verification, summary, use, sources }) => {
      put(row.subject, subject);
      put(row.state, verification === "not_a_claim" ? "" : verification);
      put(row.summary, summary);
      put(row.use, use);
      keep(row.sources, sources, (source) => source, () => ({ el: words("li", "iv-hint") }), ({ el }, source) => put(el, source));
    });
  }
}
