"""The plots of the evaluation."""

from pathlib import Path

from evals.contains.measure import Row
from interviewer.plots.style import RULE, WIDTH_IN, look

# Okabe and Ito (2008), the baseline in grey.
_COLOURS = {
    "jaccard, whole turn": "#A9ACB2",
    "jaccard, by sentence": "#56B4E9",
    "tfidf, by sentence": "#E69F00",
    "minilm, by sentence": "#0072B2",
    "mix": "#D55E00",
    "contains": "#008F68",
}
_PARTS = {"speech": "simulated speech, guides read out", "adversarial": "adversarial pairs", "all": "all pairs"}
_VERDICTS = {"stored_yes": "#008F68", "stored_unconfirmed": "#D9DBDF", "stored_no": "#D55E00"}


def draw(tables: dict[str, list[Row]], folder: Path) -> None:
    """Write `curves.png`, precision and recall, and `verdicts.png`, what each kind gets."""
    from matplotlib.figure import Figure

    with look():
        figure = Figure(figsize=(WIDTH_IN, 4.2), layout="constrained")
        axes = figure.subplots(1, len(_PARTS), sharey=True)
        for place, (part, title) in zip(axes, _PARTS.items(), strict=True):
            for name, colour in _COLOURS.items():
                rows = [row for row in tables["curves"] if (row["part"], row["scorer"]) == (part, name)]
                place.plot([r["recall"] for r in rows], [r["precision"] for r in rows], color=colour, label=name)
            place.set(title=title, xlabel="recall", xlim=(0, 1.02), ylim=(0, 1.02))
            place.axhline(0.9, color=RULE, linewidth=1)
            place.grid(color=RULE)
        axes[0].set_ylabel("precision")
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        figure.savefig(folder / "curves.png", dpi=110)
        _verdicts(tables["verdicts"], folder / "verdicts.png")


def _verdicts(rows: list[Row], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_IN, 6.4), layout="constrained")
    axes = figure.subplots(1, 2)
    for place, truth in zip(axes, ("yes", "no"), strict=True):
        here = [row for row in rows if row["truth"] == truth][::-1]
        labels = [f"{row['kind']} ({row['n']})".replace("_", " ") for row in here]
        start = [0.0] * len(here)
        for name, colour in _VERDICTS.items():
            shares = [float(row[name]) for row in here]
            place.barh(labels, shares, left=start, color=colour, label=name.removeprefix("stored_"))
            start = [a + b for a, b in zip(start, shares, strict=True)]
        place.set(title="asked" if truth == "yes" else "not asked, or not whole", xlim=(0, 1), xlabel="share of pairs")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=110)
