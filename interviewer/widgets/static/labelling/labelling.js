// Pairs of questions to label. Every text of the pair goes in as text, never as HTML.

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = `iv-label-${name}`;
  made.textContent = text;
  return made;
}

function block(title, text, name) {
  const made = element("section", name);
  made.append(element("h4", "title", title), element("p", "text", text));
  return made;
}

function render({ model, el }) {
  const root = element("div", "root");
  root.classList.add("iv-label");
  root.tabIndex = 0;
  root.setAttribute("aria-label", "Label pairs of questions by keyboard");
  el.append(root);
  // Keys that come before the kernel has answered are for no pair that was seen.
  let waiting = false;

  function tell(message) {
    if (waiting) return;
    waiting = true;
    model.send(message);
  }

  function label(key) {
    const { pair } = model.get("_view");
    if (pair) tell({ act: "label", pair: pair.id, kind: model.get("_keys")[key].kind });
  }

  function button(text, about, act) {
    const made = element("button", "button", text);
    made.type = "button";
    made.title = about;
    made.addEventListener("click", () => {
      act();
      root.focus();
    });
    return made;
  }

  function keys() {
    const row = element("div", "keys");
    for (const [key, { kind, about }] of Object.entries(model.get("_keys"))) {
      const made = button("", about, () => label(key));
      made.append(element("kbd", "key", key), ` ${kind}`);
      row.append(made);
    }
    const back = button("", "take the last label back", () => tell({ act: "undo" }));
    back.append(element("kbd", "key", "⌫"), " undo");
    row.append(back);
    return row;
  }

  function draw() {
    waiting = false;
    const { pair, done, total, annotator, agreement, problem } = model.get("_view");
    const focused = root.contains(document.activeElement);
    const head = element("div", "head", `${annotator}: ${done} of ${total}`);
    const bar = element("progress", "bar");
    bar.max = total;
    bar.value = done;
    head.append(bar);
    const parts = [head];
    if (problem) parts.push(element("p", "problem", problem));
    if (pair) {
      parts.push(block("First question", pair.q1, "question"));
      if (pair.answer) parts.push(block("What was answered", pair.answer, "context"));
      if (pair.lead) parts.push(block("Right before the second", pair.lead, "context"));
      parts.push(block("Second question", pair.q2, "question"));
    } else {
      parts.push(element("p", "text", "All pairs are labelled."));
    }
    if (agreement) parts.push(element("p", "agreement", agreement));
    parts.push(keys());
    root.replaceChildren(...parts);
    if (focused) root.focus();
  }

  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "backspace") tell({ act: "undo" });
    else if (key in model.get("_keys")) label(key);
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
