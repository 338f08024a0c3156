// Pairs of questions to label. Every text of the pair goes in as text, never as HTML.

function context(title, text) {
  const made = block(title, text);
  made.classList.add("iv-labeller-context");
  return made;
}

function render({ model, el }) {
  const keys = model.get("_keys");
  const tool = new Tool(model, el, {
    name: "iv-labeller",
    label: "Label pairs of questions by keyboard",
    keys,
    press: (key) => {
      const { pair } = model.get("_view");
      if (pair) tool.tell({ act: "label", pair: pair.id, kind: keys[key].name });
    },
    undoes: "take the last label back",
  });

  function draw() {
    const { pair, done, total, annotator, agreement, said } = model.get("_view");
    const parts = [progress(annotator, done, total)];
    if (said) parts.push(warning(said));
    if (pair) {
      parts.push(block("First question", pair.q1, true));
      if (pair.answer) parts.push(context("What was answered", pair.answer));
      if (pair.lead) parts.push(context("Right before the second", pair.lead));
      parts.push(block("Second question", pair.q2, true));
    } else {
      parts.push(make("p", {}, "All pairs are labelled."));
    }
    if (agreement) parts.push(make("p", { class: "iv-labeller-agreement" }, agreement));
    tool.show(...parts);
  }

  return tool.follow(draw);
}

export default { render };
