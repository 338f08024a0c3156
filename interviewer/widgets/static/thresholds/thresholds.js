// A threshold under a slider. Every text of a call goes in as text, never as HTML.

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = `iv-lab-${name}`;
  made.textContent = text;
  return made;
}

const percent = (score) => score.toFixed(2);

function render({ model, el }) {
  const about = model.get("_about");
  const root = element("div", "root");
  root.classList.add("iv-lab");
  root.tabIndex = 0;
  root.setAttribute("aria-label", "Try thresholds by slider, label by keyboard");
  el.append(root);

  // Where the hand is, and what the kernel has not been asked yet.
  let wanted = null;
  let asked = null;

  const head = element("div", "head");
  const slider = element("input", "slider");
  Object.assign(slider, { type: "range", min: about.low, max: about.high, step: 0.001 });
  slider.setAttribute("aria-label", "threshold");
  const number = element("output", "number");
  head.append(element("span", "label", "Refuse above"), slider, number);
  const facts = element("dl", "facts");
  const shown = {};
  for (const [key, title] of [
    ["refused", "Refused"],
    ["flipped", "Decided otherwise"],
    ["slipped", "Repeats that slip through"],
    ["good", "Good questions refused"],
    ["ratio", "This threshold"],
  ]) {
    shown[key] = element("dd", "fact");
    facts.append(element("dt", "title", title), shown[key]);
  }
  const lists = element("div", "lists");
  const stopped = list("Just refused");
  const passing = list("Just let through");
  lists.append(stopped.el, passing.el);
  const label = element("section", "next");
  const keep = element("form", "keep");
  const name = element("input", "name");
  Object.assign(name, { type: "text", placeholder: "name", maxLength: 64, spellcheck: false });
  name.setAttribute("aria-label", "name of the threshold");
  const over = element("input", "over");
  over.type = "checkbox";
  const overLabel = element("label", "over-label");
  overLabel.append(over, " write over my own");
  const save = element("button", "button", "Keep this threshold");
  save.type = "submit";
  keep.append(name, save, overLabel);
  const said = element("p", "said");
  said.setAttribute("role", "status");
  root.append(head, facts, lists, label, keep, said);

  function list(title) {
    const rows = element("ol", "rows");
    const part = element("section", "list");
    part.append(element("h4", "title", title), rows);
    return { el: part, rows };
  }

  // One question at a time: while the kernel is at one, only the newest of the next is kept.
  function tell(message) {
    if (asked) {
      wanted = message;
      return;
    }
    asked = message;
    model.send(message);
  }

  function fill(rows, pairs) {
    rows.replaceChildren(
      ...pairs.map(({ score, first, second, label: given }) => {
        const row = element("li", "row");
        const sides = element("div", "sides");
        sides.append(element("p", "second", second), element("p", "first", `heard before: ${first}`));
        row.append(element("span", "score", percent(score)), sides, element("span", "given", given));
        row.dataset.label = given;
        return row;
      }),
    );
  }

  function button(text, title, act) {
    const made = element("button", "button", text);
    made.type = "button";
    made.title = title;
    made.addEventListener("click", () => {
      act();
      root.focus();
    });
    return made;
  }

  function block(title, text) {
    const made = element("div", "block");
    made.append(element("h4", "title", title), element("p", "text", text));
    return made;
  }

  function give(kind) {
    const { next } = model.get("_view");
    if (next && !asked) tell({ act: "label", pair: next.id, kind });
  }

  function drawNext({ next, labelled }) {
    const keys = element("div", "keys");
    for (const [key, { kind, about: meaning }] of Object.entries(about.keys)) {
      const made = button("", meaning, () => give(kind));
      made.append(element("kbd", "key", key), ` ${kind}`);
      made.disabled = !next;
      keys.append(made);
    }
    const back = button("", "take the last label back", () => tell({ act: "undo" }));
    back.append(element("kbd", "key", "⌫"), " undo");
    keys.append(back);
    const parts = [element("h4", "title", `Label one from here (${labelled} of ${about.questions} labelled)`)];
    if (next) {
      parts.push(block("Heard before", next.q1));
      if (next.answer) parts.push(block("What was answered", next.answer));
      parts.push(block("Asked later", next.q2));
    } else {
      parts.push(element("p", "text", "All questions are labelled."));
    }
    label.replaceChildren(...parts, keys);
  }

  function draw() {
    asked = null;
    const view = model.get("_view");
    const moving = wanted?.act === "slide";
    if (!moving) slider.value = view.threshold;
    number.textContent = view.threshold.toFixed(3);
    const of = `${about.questions} questions in ${about.calls} calls (${about.scorer})`;
    shown.refused.textContent = `${view.refused} of ${of}`;
    shown.flipped.textContent = about.reference
      ? `${view.flipped}, against ${about.reference.name} at ${about.reference.value.toFixed(3)}`
      : "no stored threshold of this scorer to compare with";
    for (const key of ["slipped", "good", "ratio"]) {
      shown[key].textContent = view[key];
      shown[key].dataset.lacking = view[key].startsWith("not enough");
    }
    fill(stopped.rows, view.stopped);
    fill(passing.rows, view.passing);
    drawNext(view);
    said.textContent = view.said;
    if (wanted) {
      const message = wanted;
      wanted = null;
      tell(message);
    }
  }

  slider.addEventListener("input", () => {
    number.textContent = Number(slider.value).toFixed(3);
    tell({ act: "slide", value: Number(slider.value) });
  });
  keep.addEventListener("submit", (event) => {
    event.preventDefault();
    tell({ act: "save", name: name.value, replace: over.checked });
  });
  root.addEventListener("keydown", (event) => {
    if (event.target === name) {
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "backspace") tell({ act: "undo" });
    else if (key in about.keys) give(about.keys[key].kind);
    else return;
    // The notebook has keys of its own: d twice deletes a cell.
    event.preventDefault();
    event.stopPropagation();
  });
  model.on("change:_view", draw);
  draw();
  return () => model.off("change:_view", draw);
}

export default { render };
