// A tool that is worked by keyboard: it shows one thing after another, and a key says what that is.

const LOST = "The kernel was restarted or has ended, and this has no connection to it any more. What was kept so far is kept: run the cell again to go on.";

class Tool {
  /**
   * `keys`: by key {name, about}, pressed by `press(key)`; Backspace takes the last one back, which `undoes` tells of.
   * `typing`: fields in which keys are text; Escape leads back from them.
   */
  constructor(model, el, { name, label, keys, press, undoes, typing = [] }) {
    this.model = model;
    this.waiting = false;
    this.root = make("div", { class: `iv-frame iv-tool ${name}`, role: "group", tabindex: 0, "aria-label": label });
    ownKeys(this.root);
    const undo = () => this.tell({ act: "undo" });
    this.root.addEventListener("keydown", (event) => {
      if (typing.includes(event.target)) {
        if (event.key === "Escape") this.root.focus();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const key = event.key.toLowerCase();
      if (key !== "backspace" && !(key in keys)) return;
      event.preventDefault();
      if (key in keys) press(key);
      else undo();
    });
    this.buttons = Object.entries(keys).map(([key, { name, about }]) => this.button(key, name, about, () => press(key)));
    this.row = make("div", { class: "iv-row" }, ...this.buttons, this.button("⌫", "undo", undoes, undo));
    this.lost = false;
    el.append(this.root);
  }

  /** Show by `draw` now and at each answer of the kernel; gives what ends that. */
  follow(draw) {
    const { model } = this;
    // A model comes to life before it is shown: this tells of its end.
    const lose = () => this.lose();
    model.on("change:_view", draw);
    model.on("comm_live_update", lose);
    draw();
    return () => {
      model.off("change:_view", draw);
      model.off("comm_live_update", lose);
    };
  }

  lose() {
    if (this.lost) return;
    this.lost = true;
    this.root.prepend(warning(LOST));
    for (const control of this.root.querySelectorAll("button, input")) control.disabled = true;
  }

  button(key, name, about, act) {
    const pressed = () => {
      act();
      this.root.focus();
    };
    return make("button", { type: "button", title: about, onclick: pressed }, make("kbd", { class: "iv-key" }, key), name);
  }

  /** Tell the kernel, but not before it has answered the last: a key that comes sooner is for nothing that was seen. */
  tell(message) {
    if (this.waiting || this.lost) return;
    this.waiting = true;
    try {
      this.model.send(message);
    } catch {
      this.lose(); // it was gone before this was shown
    }
  }

  /** The kernel has answered: show this, above the keys. */
  show(...parts) {
    this.waiting = false;
    const focused = this.root.contains(this.root.getRootNode().activeElement);
    this.root.replaceChildren(...parts, this.row);
    if (focused) this.root.focus();
  }
}

/** How many are done, and who does them. */
function progress(who, done, total) {
  const bar = make("progress", { max: Math.max(1, total), value: done, "aria-label": "done" });
  return make("div", { class: "iv-tool-head" }, make("span", { class: "iv-tool-done" }, `${who}: ${done} of ${total}`), bar);
}

/** What somebody said under a heading; `question`: it is what is looked at. */
function block(title, text, question = false) {
  const said = words("p", "iv-said", text);
  said.classList.toggle("iv-tool-question", question);
  return make("section", { class: "iv-tool-block" }, heading(4, "iv-label", title), said);
}

function warning(text) {
  return make("p", { class: "iv-problem", role: "alert", dir: "auto" }, text);
}
