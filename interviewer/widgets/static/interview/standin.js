// What a notebook shows in a living view's place once its kernel is gone. JupyterLab looks for a widget in the kernel,
// then in the notebook, and says "Error displaying widget" if it is in neither: so the notebook has a plain one.

const VIEW_MIME = "application/vnd.jupyter.widget-view+json";
const STATE_MIME = "application/vnd.jupyter.widget-state+json";

function plainWidget(name, module, state = {}) {
  return { model_name: name, model_module: `@jupyter-widgets/${module}`, model_module_version: "2.0.0", state };
}

class StandIn {
  /** `document` is JupyterLab's, if there is one; `mark` is what the HTML of this view has, and of no other. */
  constructor(document, mark) {
    this.document = document?.setMetadata ? document : undefined;
    this.mark = mark;
  }

  /** Have HTML shown where the widget `id` is missing. */
  put(id, html) {
    this.change((state) => {
      if (state[id]?.state.value === html) return false;
      // In this order: a widget must come after those it names.
      state[`${id}-layout`] = plainWidget("LayoutModel", "base");
      state[`${id}-style`] = plainWidget("HTMLStyleModel", "controls");
      const parts = { layout: `IPY_MODEL_${id}-layout`, style: `IPY_MODEL_${id}-style` };
      state[id] = plainWidget("HTMLModel", "controls", { value: html, ...parts });
      return true;
    });
  }

  /** The call is over: nothing alive is left to stand in for. */
  drop() {
    this.change((state) => {
      const ids = Object.keys(state).filter((id) => state[id].state.value?.includes?.(this.mark));
      for (const id of ids) for (const part of ["", "-layout", "-style"]) delete state[`${id}${part}`];
      return ids.length > 0;
    });
  }

  change(act) {
    if (!this.document) return;
    const widgets = structuredClone(this.document.getMetadata("widgets") ?? {});
    widgets[STATE_MIME] ??= { version_major: 2, version_minor: 0, state: {} };
    if (!act(widgets[STATE_MIME].state)) return;
    if (!Object.keys(widgets[STATE_MIME].state).length) delete widgets[STATE_MIME];
    if (Object.keys(widgets).length) this.document.setMetadata("widgets", widgets);
    else this.document.deleteMetadata("widgets");
  }
}
