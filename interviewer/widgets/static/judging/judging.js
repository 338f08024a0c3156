// Divergences of two runs to judge blind. Every text goes in as text, never as HTML.

function side(title, text) {
  const made = block(title, text || "no question at hand", true);
  made.lastChild.classList.toggle("iv-judge-nothing", !text);
  return made;
}

function talk(turns) {
  const said = ({ speaker, text }) =>
    make("p", { "data-speaker": speaker },
      make("span", { class: "iv-judge-speaker" }, speaker === "guest" ? "Guest" : "Interviewer"),
      words("span", "iv-said", text));
  return make("div", { class: "iv-judge-talk", tabindex: 0, "aria-label": "What was said before" }, ...turns.map(said));
}

function render({ model, el }) {
  const keys = model.get("_keys");
  const reason = make("textarea", {
    rows: 2,
    placeholder: "Why? (may stay empty; Escape goes back to the keys)",
    "aria-label": "Reason",
    dir: "auto",
  });
  let shown = "";
  const tool = new Tool(model, el, {
    name: "iv-judge",
    label: "Judge by keyboard which question is the better one here",
    keys,
    press: (key) => {
      const { pair } = model.get("_view");
      if (pair) tool.tell({ act: "judge", key: pair.key, verdict: keys[key].name, reason: reason.value });
    },
    undoes: "take the last judgement back",
    typing: [reason],
  });

  function draw() {
    const { pair, done, total, judge, sum, said } = model.get("_view");
    const parts = [progress(judge, done, total)];
    if (said) parts.push(warning(said));
    if (pair) {
      if (pair.key !== shown) reason.value = "";
      const both = make("div", { class: "iv-judge-both" }, side("Left", pair.left), side("Right", pair.right));
      parts.push(talk(pair.before), both, reason);
    } else {
      parts.push(make("p", {}, total ? "All are judged." : "The two runs choose alike everywhere."));
    }
    shown = pair?.key ?? "";
    if (sum) parts.push(make("p", { class: "iv-judge-sum" }, sum));
    tool.show(...parts);
  }

  return tool.follow(draw);
}

export default { render };
