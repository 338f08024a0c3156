// Both sides' words as they come.

class Talk {
  constructor(interview) {
    this.interview = interview;
    this.list = make("ol", { class: "iv-talk", role: "log", "aria-live": "polite", "aria-label": "Conversation", tabindex: 0 });
    this.el = panel("Conversation", this.list);
    this.el.classList.add("iv-talk-panel");
  }

  show() {
    const { list } = this;
    const shown = [this.interview.get("turns"), this.interview.get("words")];
    if (this.shown?.every((slice, at) => slice === shown[at])) return;
    this.shown = shown;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const turns = this.interview.turns.filter(({ text, state, over }) => text || state === "inaudible" || !over);
    keep(list, turns, ({ id }) => id, () => new TurnLine(), (line, turn) => line.show(turn));
    put(this.el.extra, turns.length ? `${turns.length} turns` : "");
    if (atEnd) list.scrollTop = list.scrollHeight;
  }
}

class TurnLine {
  constructor() {
    this.who = make("span", { class: "iv-speaker" });
    this.at = make("span", { class: "iv-at" });
    this.heard = make("span", {});
    this.rest = make("span", { class: "iv-unheard" });
    this.text = words("p", "iv-said");
    this.text.append(this.heard, this.rest);
    this.el = make("li", {}, make("div", { class: "iv-turn-head" }, this.who, this.at), this.text);
  }

  show({ speaker, text = "", heard = "", state, over, at_ms }) {
    this.el.dataset.speaker = speaker;
    this.el.classList.toggle("iv-coming", !over);
    put(this.who, speaker === "guest" ? "Guest" : "Interviewer");
    put(this.at, at_ms === null || at_ms === undefined ? "" : minutes(at_ms));
    const played = speaker === "guest" || !text.startsWith(heard) ? text : heard;
    put(this.heard, state === "inaudible" && !text ? "(could not be made out)" : played);
    put(this.rest, text.slice(played.length));
    this.rest.title = over ? "not heard" : "not heard yet";
    this.rest.classList.toggle("iv-struck", over);
  }
}
