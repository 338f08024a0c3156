// A call that is over as plain HTML in the notebook itself. The kernel puts it there where this page has seen the cell
// run; a page that was loaded anew, or after the end, knows of no such tie, and puts it there by itself.

class Kept {
  constructor(interview, manager, kind, key) {
    this.interview = interview;
    // JupyterLab's document; other pages have none, and keep what the kernel puts there.
    this.cells = () => manager.context?.model?.cells ?? [];
    this.mark = `data-interview="${key}" data-view="${kind}"`;
    // The kernel's own comes first.
    this.onChange = later(() => this.keep(), 500);
    interview.down.on("change:still", this.onChange);
    this.onChange();
  }

  keep() {
    const html = this.interview.get("still");
    if (!html) return;
    for (const cell of this.cells()) {
      for (let at = 0; at < (cell.outputs?.length ?? 0); at++) {
        const { data = {} } = cell.outputs.get(at).toJSON();
        const there = [data["text/html"] ?? ""].flat().join("");
        if (!there.includes(this.mark) || there === html) continue;
        cell.outputs.set(at, { output_type: "display_data", metadata: {}, data: { "text/html": html, "text/plain": "An interview" } });
      }
    }
  }

  close() {
    this.interview.down.off("change:still", this.onChange);
  }
}
