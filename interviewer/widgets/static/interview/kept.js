// What the notebook itself keeps of a view: while it lives what stands in for it without a kernel, and once the call is
// over the call as plain HTML. The kernel puts that there where this page has seen the cell run; a page that was loaded
// anew, or after the end, knows of no such tie, and puts it there by itself.

class Kept {
  constructor(interview, manager, kind, key) {
    this.interview = interview;
    // JupyterLab's document; other pages have none, and keep what the kernel puts there.
    this.document = () => manager.context?.model;
    this.mark = `data-interview="${key}" data-view="${kind}"`;
    // The kernel's own comes first.
    this.soon = later(() => this.keep(), 500);
    interview.down.on("change:still", this.soon);
    this.soon();
  }

  keep() {
    const html = this.interview.get("still");
    const standIn = new StandIn(this.document(), this.mark);
    if (html) standIn.drop();
    for (const cell of this.document()?.cells ?? []) {
      for (let at = 0; at < (cell.outputs?.length ?? 0); at++) {
        const { data = {} } = cell.outputs.get(at).toJSON();
        const there = [data["text/html"] ?? ""].flat().join("");
        if (!there.includes(this.mark) || there === html) continue;
        if (html) cell.outputs.set(at, { output_type: "display_data", metadata: {}, data: { "text/html": html, "text/plain": "An interview" } });
        else if (data[VIEW_MIME]) standIn.put(data[VIEW_MIME].model_id, there);
      }
    }
  }

  close() {
    this.interview.down.off("change:still", this.soon);
  }
}
