// Elements of a page. Every text goes in as text, never as markup.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Somebody else's words: their own direction of writing stays inside. */
function words(tag, name, text = "") {
  return make(tag, { class: name, dir: "auto" }, text);
}

/** Only when it changes: a live region is read out each time. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether the kernel has told the same again: that is another object each time. */
function alike(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", ICONS[name]);
  svg.append(line);
  return svg;
}

const ICONS = {
  up: "M8 13V3.5M3.8 7.5 8 3.3l4.2 4.2",
  down: "M8 3v9.5M3.8 8.5 8 12.7l4.2-4.2",
  remove: "M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4",
  add: "M8 3v10M3 8h10",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  go: "M5 3.2v9.6L12.6 8z",
  keyboard: "M1.8 4.2h12.4v7.6H1.8zM4.3 6.6h.1M6.7 6.6h.1M9.2 6.6h.1M11.6 6.6h.1M5 9.4h6",
  end: "M3 8.8c2.9-3.4 7.1-3.4 10 0l-1.6 1.7-2-1.1V7.6M3 8.8l1.6 1.7 2-1.1V7.6",
  microphone: "M8 1.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2zM3.8 7.5a4.2 4.2 0 0 0 8.4 0M8 11.8v2.7",
  hush: "M2.5 6v4h2.6L8.5 13V3L5.1 6zM11 6l3.5 4M14.5 6 11 10",
  off: "M8 2v5.5M4.6 4.2a5 5 0 1 0 6.8 0",
};

/** A button; with an `icon` and no label shown, `label` is its name for those who do not see it. */
function button(label, onclick, { icon: name = "", bare = false, first = false } = {}) {
  const text = make("span", bare ? { class: "iv-name" } : {}, label);
  const made = make("button", { type: "button", onclick, ...(bare ? { title: label } : {}) }, ...(name ? [icon(name)] : []), text);
  made.classList.toggle("iv-bare", bare);
  made.classList.toggle("iv-first", first);
  made.say = (label) => put(text, label);
  return made;
}

function field(label, control, hint = "") {
  return make("label", { class: "iv-field" }, make("span", { class: "iv-label" }, label), control, ...(hint ? [make("span", { class: "iv-hint" }, hint)] : []));
}

function options(select, wanted) {
  const key = JSON.stringify(wanted);
  if (select.wanted === key) return;
  select.wanted = key;
  select.replaceChildren(...wanted.map(([value, label]) => make("option", { value }, label)));
}

/** Give a control its value, unless somebody is at it. */
function fill(control, value) {
  if (control.getRootNode().activeElement === control) return;
  if (control.type === "checkbox") control.checked = value;
  else if (control.value !== String(value)) control.value = value;
}

/** The notebook has keys of its own, such as x, which cuts a cell: none of them acts while the focus is in here. */
function ownKeys(root) {
  // A click on plain text brings the focus here too.
  if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation());
}

/** Whether the focus has fallen to `root` or what is around it, as when the control that had it is gone or disabled. */
function adrift(root) {
  const active = root.getRootNode().activeElement;
  return !active || active.disabled || active.contains(root);
}

/** Keep the children of `parent` in step with `items`, so that what has not changed stays where it is. */
function keep(parent, items, keyOf, create, update) {
  const before = parent.parts ?? new Map();
  const parts = new Map();
  items.forEach((item, index) => {
    const key = keyOf(item, index);
    const part = before.get(key) ?? create(item);
    parts.set(key, part);
    update(part, item, index);
    if (parent.children[index] !== part.el) parent.insertBefore(part.el, parent.children[index] ?? null);
  });
  for (const [key, part] of before) if (!parts.has(key)) part.el.remove();
  parent.parts = parts;
}

function minutes(ms) {
  const seconds = Math.max(0, Math.floor((ms ?? 0) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function later(act, wait) {
  let timer;
  const run = () => {
    clearTimeout(timer);
    timer = undefined;
    act();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
  soon.now = () => timer !== undefined && run();
  return soon;
}

/** Not an h1 to h6: JupyterLab hangs links on those. */
function heading(level, name, ...children) {
  return make("div", { class: `iv-heading ${name}`, role: "heading", "aria-level": level, dir: "auto" }, ...children);
}

function panel(title, ...children) {
  const extra = make("span", { class: "iv-extra" });
  const section = make("section", { class: "iv-panel" }, heading(3, "iv-panel-head", make("span", {}, title), extra), ...children);
  section.extra = extra;
  return section;
}
