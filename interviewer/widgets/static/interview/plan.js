// The plan as it is changed: sections and questions, moved by buttons or Alt and the arrow keys.

class PlanEditor {
  constructor(interview) {
    this.interview = interview;
    this.plan = undefined;
    this.version = -1;
    // Of this view alone: another one of the page must hear of its edits.
    this.id = `iv-plan-${Math.random()}`;
    this.send = later(() => interview.tell("plan", { plan: this.plan, by: this.id }), 250);
    this.empty = make("p", { class: "iv-quiet" }, "No plan yet. Draw one up, or load one from a file.");
    this.goal = make("textarea", { rows: 2, dir: "auto" });
    this.goal.addEventListener("input", () => this.edit(() => (this.plan.goal = this.goal.value)));
    this.sections = make("div", { class: "iv-sections" });
    this.more = button("Section", () => this.addSection(), { icon: "add" });
    this.file = make("input", { placeholder: "plan.yaml", "aria-label": "File of the plan", dir: "auto" });
    this.save = button("Save", () => this.withFile("save_plan"));
    this.load = button("Load", () => this.withFile("load_plan"));
    this.saved = make("span", { class: "iv-hint", role: "status" });
    this.problem = make("p", { class: "iv-problem", role: "alert" });
    this.notice = make("p", { class: "iv-hint", role: "status" });
    this.keepIt = button("Keep this plan and its topic", () => this.interview.tell("form", { fields: { topic: this.plan.topic } }));
    this.other = make("div", { class: "iv-row" }, this.notice, this.keepIt);
    this.body = make("div", { class: "iv-plan" }, field("Goal", this.goal), this.sections, make("div", { class: "iv-row" }, this.more));
    const files = make("div", { class: "iv-row iv-files" }, this.file, this.save, this.load, this.saved);
    this.el = panel("Plan", this.empty, this.other, this.body, this.problem, files);
    this.el.classList.add("iv-plan-panel");
  }

  get there() {
    return this.plan !== undefined;
  }

  get first() {
    return this.sections.querySelector(".iv-question textarea");
  }

  land(id) {
    const row = this.sections.querySelector(`[data-id="${CSS.escape(id)}"]`);
    row?.querySelector("textarea, input")?.focus();
    return Boolean(row);
  }

  /** Take one of `items` away; the next one has the focus then, else the one before, else `rest`. */
  remove(items, at, rest) {
    this.edit(() => items.splice(at, 1));
    const beside = items[at] ?? items[at - 1];
    if (!beside || !this.land(beside.id)) rest.focus();
  }

  show() {
    const { plan_version, plan_by, plan_problem, plan_notice, plan_file } = this.interview.setup;
    const given = this.interview.get("plan");
    if (given.sections && plan_version !== this.version && plan_by !== this.id) {
      this.plan = structuredClone(given);
      fill(this.goal, this.plan.goal);
    }
    this.version = plan_version;
    this.empty.hidden = this.there;
    this.body.hidden = !this.there;
    this.save.disabled = !this.there;
    put(this.problem, plan_problem);
    this.problem.hidden = !plan_problem;
    put(this.notice, plan_notice ?? "");
    this.other.hidden = !plan_notice;
    put(this.saved, plan_file);
    if (this.there) this.draw();
  }

  draw() {
    const questions = this.plan.sections.reduce((sum, section) => sum + section.questions.length, 0);
    const seconds = this.plan.sections.reduce((sum, section) => sum + (section.seconds || 0), 0);
    put(this.el.extra, `${questions} questions, ${minutes(1000 * seconds)}`);
    keep(this.sections, this.plan.sections, (section) => section.id, () => new SectionRow(this), (row, section, at) => row.show(section, at));
  }

  edit(change) {
    change();
    this.draw();
    this.send();
  }

  withFile(act) {
    this.send.now();
    this.interview.tell(act, { file: this.file.value || this.file.placeholder });
  }

  freshId(letter) {
    const used = new Set(this.plan.sections.flatMap((section) => [section.id, ...section.questions.map(({ id }) => id)]));
    let number = 1;
    while (used.has(`${letter}${number}`)) number++;
    return `${letter}${number}`;
  }

  addSection() {
    const id = this.freshId("s");
    this.edit(() => this.plan.sections.push({ id, title: "New section", importance: "medium", seconds: 60, questions: [] }));
    this.addQuestion(this.plan.sections.at(-1));
  }

  addQuestion(section) {
    const id = this.freshId("q");
    this.edit(() => section.questions.push({ id, text: "", role: "backbone", priority: 2, notes: "" }));
    this.land(id);
  }

  moveSection(at, by) {
    const { sections } = this.plan;
    if (at + by < 0 || at + by >= sections.length) return;
    this.edit(() => sections.splice(at + by, 0, ...sections.splice(at, 1)));
  }

  /** Beyond the end of a section a question goes on into the next one. */
  moveQuestion(section, at, by) {
    const { sections } = this.plan;
    const to = at + by;
    const beside = sections[sections.indexOf(section) + by];
    if (to >= 0 && to < section.questions.length) {
      this.edit(() => section.questions.splice(to, 0, ...section.questions.splice(at, 1)));
    } else if (beside) {
      this.edit(() => beside.questions.splice(by > 0 ? 0 : beside.questions.length, 0, ...section.questions.splice(at, 1)));
    }
  }
}

/** Buttons that move and remove a row; Alt and an arrow key anywhere in the row move it too. */
function movers(editor, row, name, move, remove) {
  const moved = (by, focus) => {
    move(by);
    // In another section it is another row.
    if (row.isConnected) focus?.focus();
    else editor.land(row.dataset.id);
  };
  const up = button(`Move ${name} up`, () => moved(-1, up), { icon: "up", bare: true });
  const down = button(`Move ${name} down`, () => moved(1, down), { icon: "down", bare: true });
  row.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !by || event.defaultPrevented) return;
    event.preventDefault();
    moved(by, event.target);
  });
  return make("span", { class: "iv-movers" }, up, down, button(`Remove ${name}`, remove, { icon: "remove", bare: true }));
}

class SectionRow {
  constructor(editor) {
    this.editor = editor;
    this.title = make("input", { class: "iv-title", "aria-label": "Section", dir: "auto" });
    this.importance = make("select", { "aria-label": "Importance" });
    options(this.importance, [["high", "High"], ["medium", "Medium"], ["low", "Low"]]);
    this.seconds = make("input", { type: "number", min: 0, step: 5, "aria-label": "Seconds meant for it" });
    this.questions = make("div", { class: "iv-questions" });
    const change = (act) => () => editor.edit(act);
    this.title.addEventListener("input", change(() => (this.section.title = this.title.value)));
    this.importance.addEventListener("change", change(() => (this.section.importance = this.importance.value)));
    this.seconds.addEventListener("input", change(() => (this.section.seconds = Number(this.seconds.value) || 0)));
    this.el = make("section", { class: "iv-section" });
    const move = movers(editor, this.el, "section", (by) => editor.moveSection(this.at, by), () => editor.remove(editor.plan.sections, this.at, editor.more));
    const head = make("div", { class: "iv-section-head" }, this.title, this.importance, make("span", { class: "iv-seconds" }, this.seconds, "s"), move);
    this.more = button("Question", () => editor.addQuestion(this.section), { icon: "add" });
    this.el.append(head, this.questions, this.more);
  }

  show(section, at) {
    this.el.dataset.id = section.id;
    this.section = section;
    this.at = at;
    fill(this.title, section.title);
    fill(this.importance, section.importance);
    fill(this.seconds, section.seconds);
    keep(this.questions, section.questions, ({ id }) => id, () => new QuestionRow(this.editor, this.more), (row, question, place) => row.show(question, section, place));
  }
}

class QuestionRow {
  constructor(editor, more) {
    this.text = make("textarea", { rows: 1, "aria-label": "Question", dir: "auto" });
    this.priority = make("select", { "aria-label": "Priority", class: "iv-priority" });
    options(this.priority, [["1", "1 must"], ["2", "2 should"], ["3", "3 could"]]);
    this.role = make("select", { "aria-label": "Role" });
    options(this.role, [["backbone", "Backbone"], ["follow_up", "Follow-up"]]);
    this.notes = make("input", { "aria-label": "Notes", placeholder: "Notes for the interviewer", class: "iv-notes", dir: "auto" });
    const change = (act) => () => editor.edit(act);
    this.text.addEventListener("input", change(() => (this.question.text = this.text.value)));
    this.priority.addEventListener("change", change(() => (this.question.priority = Number(this.priority.value))));
    this.role.addEventListener("change", change(() => (this.question.role = this.role.value)));
    this.notes.addEventListener("input", change(() => (this.question.notes = this.notes.value)));
    this.el = make("div", { class: "iv-question", role: "group" });
    const move = movers(editor, this.el, "question", (by) => editor.moveQuestion(this.section, this.at, by), () => editor.remove(this.section.questions, this.at, more));
    // The row's own keys come first: the section around it moves by the same ones.
    this.el.append(this.text, move, this.priority, this.role, this.notes);
  }

  show(question, section, at) {
    Object.assign(this, { question, section, at });
    this.el.dataset.id = question.id;
    this.el.dataset.priority = question.priority;
    this.el.setAttribute("aria-label", `Question ${question.id}`);
    fill(this.text, question.text);
    fill(this.priority, question.priority);
    fill(this.role, question.role);
    fill(this.notes, question.notes);
  }
}
