// Divergences of two runs to judge blind. Every text goes in as text, never as HTML.

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = `iv-judge-${name}`;
  made.textContent = text;
  return made;
}

function card(title, text) {
  const made = element("section", "card");
  made.append(element("h4", "title", title));
  made.append(text ? element("p", "question", text) : element("p", "nothing", "no question at hand"));
  return made;
}

function render({ model, el }) {
  const root = element("div", "root");
  root.classList.add("iv-judge");
  root.tabIndex = 0;
  root.setAttribute("aria-label", "Judge by keyboard which question is the better one here");
  el.append(root);
  const reason = element("textarea", "reason");
  reason.rows = 2;
  reason.placeholder = "Why? (may stay empty; Escape goes back to the keys)";
  reason.setAttribute("aria-label", "Reason");
  // Keys that come before the kernel has answered are for none that was seen.
  let waiting = false;
  let shown = "";

  function tell(message) {
    if (waiting) return;
    waiting = true;
    model.send(message);
  }

  function judge(key) {
    const { pair } = model.get("_view");
    if (!pair) return;
    tell({ act: "judge", key: pair.key, verdict: model.get("_keys")[key].verdict, reason: reason.value });
  }

  function button(key, text, about, act) {
    const made = element("button", "button");
    made.type = "button";
    made.title = about;
    made.append(element("kbd", "key", key), ` ${text}`);
    made.addEventListener("click", () => {
      act();
      root.focus();
    });
    return made;
  }

  function keys() {
    const row = element("div", "keys");
    for (const [key, { verdict, about }] of Object.entries(model.get("_keys"))) {
      row.append(button(key, verdict, about, () => judge(key)));
    }
    row.append(button("⌫", "undo", "take the last judgement back", () => tell({ act: "undo" })));
    return row;
  }

  function talk(turns) {
    const made = element("div", "talk");
    for (const { speaker, text } of turns) {
      const line = element("p", "turn");
      line.append(element("b", speaker === "guest" ? "guest" : "interviewer", speaker), ` ${text}`);
      made.append(line);
    }
    return made;
  }

  function draw() {
    waiting = false;
    const { pair, done, total, judge: name, sum, problem } = model.get("_view");
    const focused = root.contains(document.activeElement);
    const head = element("div", "head", `${name}: ${done} of ${total}`);
    const bar = element("progress", "bar");
    bar.max = Math.max(1, total);
    bar.value = done;
    head.append(bar);
    const parts = [head];
    if (problem) parts.push(element("p", "problem", problem));
    if (pair) {
      if (pair.key !== shown) reason.value = "";
      shown = pair.key;
      const both = element("div", "both");
      both.append(card("Left", pair.left), card("Right", pair.right));
      parts.push(talk(pair.before), both, reason);
    } else {
      shown = "";
      parts.push(element("p", "text", total ? "All are judged." : "The two runs choose alike everywhere."));
    }
    if (sum) parts.push(element("p", "sum", sum));
    parts.push(keys());
    root.replaceChildren(...parts);
    if (focused) root.focus();
  }

  root.addEventListener("keydown", (event) => {
    if (event.target === reason) {
      if (event.key === "Escape") root.focus();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "backspace") tell({ act: "undo" });
    else if (key in model.get("_keys")) judge(key);
    else return;
    // The notebook has keys of its own.
    event.preventDefault();
    event.stopPropagation();
  });
  model.on("change:_view", draw);
  draw();
  return () => model.off("change:_view", draw);
}

export default { render };
