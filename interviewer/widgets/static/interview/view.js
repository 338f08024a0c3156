// One view of an interview: which face it shows, and where it stands in the page.

const GONE = "The kernel was restarted or has ended, and what is shown here has no connection to it any more. What was said in a call is kept: run the cell again, or look with `interviewer show last`.";

class View {
  constructor(interview, kind, el, sound, fillSound) {
    this.interview = interview;
    this.kind = kind;
    this.sound = sound;
    this.fillSound = fillSound;
    this.faces = new Map();
    this.gone = make("p", { class: "iv-problem iv-gone", role: "alert" });
    this.root = make("div", { class: "iv-frame iv", "data-view": kind }, this.gone);
    ownKeys(this.root);
    el.append(this.root);
    // Where the person is: in this view, until they click or go elsewhere.
    this.onHere = (event) => {
      const here = event.composedPath().includes(this.root);
      if (here && event.type === "focusin") this.focused = event.composedPath()[0];
      if (here) interview.at = kind;
      else if (interview.at === kind && event.target !== document.body) interview.at = undefined;
    };
    for (const event of ["focusin", "pointerdown"]) document.addEventListener(event, this.onHere);
    this.onChange = () => this.soon();
    interview.addEventListener("change", this.onChange);
    this.timer = setInterval(() => this.face?.tick?.(), 250);
    this.onLeave = () => interview.tell("view", { view: kind, open: false });
    window.addEventListener("pagehide", this.onLeave);
    interview.tell("view", { view: kind, open: true });
    this.show();
  }

  /** At most once a frame, and not at all while nobody can see it. */
  soon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.show();
    });
  }

  show() {
    const { interview } = this;
    put(this.gone, interview.gone ? GONE : "");
    this.gone.hidden = !interview.gone;
    const { call_id } = interview.get("after");
    // Another call: what was typed and agreed to before is not for this one.
    if (this.call !== call_id) this.faces.clear();
    this.call = call_id;
    const face = this.faceFor(interview.setup.stage, interview.clock.status);
    const changed = this.face !== face;
    if (changed) {
      this.face?.el.remove();
      this.face = face;
      face.slot?.append(this.sound);
      this.root.append(face.el);
    }
    face.show();
    if (interview.setup.stage === "form") {
      this.fillSound?.(this.sound);
      this.fillSound = undefined;
    }
    if (changed && interview.at === this.kind && adrift(this.root)) face.landing?.focus();
  }

  /** Stand at another place, as the same: with what was typed, and the focus if it was here. */
  moveTo(place) {
    place.append(this.root);
    if (this.interview.at !== this.kind || !adrift(this.root)) return;
    (this.root.contains(this.focused) ? this.focused : this.face.landing)?.focus();
  }

  faceFor(stage, status) {
    const name = this.kind === "researcher" ? "researcher" : stage === "form" ? "setup" : stage === "over" || stage === "stopped" || status === "after" || status === "done" ? "after" : "guest";
    if (!this.faces.has(name)) this.faces.set(name, this.make(name));
    return this.faces.get(name);
  }

  make(name) {
    const { interview } = this;
    if (name === "researcher") return new Researcher(interview);
    if (name === "after") return new After(interview);
    return name === "setup" ? new Setup(interview) : new Guest(interview);
  }

  close() {
    clearInterval(this.timer);
    cancelAnimationFrame(this.waiting);
    this.interview.removeEventListener("change", this.onChange);
    window.removeEventListener("pagehide", this.onLeave);
    for (const event of ["focusin", "pointerdown"]) document.removeEventListener(event, this.onHere);
    this.onLeave();
    this.root.remove();
  }
}

// Once a call is over its output is a page of plain HTML, so that the saved notebook holds nothing alive. While the
// kernel lives, the view takes the place of that page.
class Places {
  /** `fillSound` puts the sound into an element: needed once a follow-up is prepared. */
  constructor(interview, kind, key, fillSound) {
    this.found = document.getElementsByClassName("iv-still");
    this.views = new Map();
    this.look = () => {
      const homeless = [...this.views].filter(([place]) => !place.isConnected);
      for (const [place] of homeless) this.views.delete(place);
      for (const place of this.found) {
        if (place.dataset.interview !== key || place.dataset.view !== kind || this.views.has(place)) continue;
        // JupyterLab's rules for the text of pages are not meant for controls.
        place.closest(".jp-RenderedHTMLCommon")?.classList.remove("jp-RenderedHTMLCommon");
        place.style.maxWidth = "none";
        place.replaceChildren();
        // A page that was put anew, as with another draft, has the view that stood in the old one.
        const [, view] = homeless.shift() ?? [];
        view?.moveTo(place);
        this.views.set(place, view ?? new View(interview, kind, place, make("div"), fillSound));
      }
      for (const [, view] of homeless) view.close();
    };
    this.observer = new MutationObserver(this.look);
    this.observer.observe(document.body, { childList: true, subtree: true });
    this.look();
  }

  close() {
    this.observer.disconnect();
    for (const view of this.views.values()) view.close();
  }
}

const panels = new Map(); // by name: `initialize` and `render` get different proxies of one model

async function initialize({ model }) {
  const down = await model.widget_manager.get_model(model.get("_down"));
  const interview = new Interview(model, down);
  const places = new Places(interview, model.get("_kind"), model.get("_key"), (slot) => showSound(model, slot));
  const kept = new Kept(interview, model.widget_manager, model.get("_kind"), model.get("_key"));
  panels.set(model.get("_name"), { interview, kept });
  return () => {
    kept.close();
    places.close();
    interview.close();
    panels.delete(model.get("_name"));
  };
}

/** Where no widget is rendered there is no host to ask, so the page's own manager makes the view. */
async function showSound(model, slot) {
  const [, id] = model.get("_sound").split(":");
  if (!id) return;
  const manager = model.widget_manager;
  const view = await manager.create_view(await manager.get_model(id));
  slot.append(view.el);
}

async function render({ model, el, host, signal }) {
  const sound = make("div");
  const { interview, kept } = panels.get(model.get("_name"));
  const view = new View(interview, model.get("_kind"), el, sound);
  kept.soon();
  signal.addEventListener("abort", () => view.close());
  const ref = model.get("_sound");
  if (ref) await (await host.getWidget(ref)).render({ el: sound, signal });
}

export default { initialize, render };
