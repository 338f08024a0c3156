"""The one-page card of the results, in Markdown."""

from evals.contains.fitting import Outside
from evals.contains.measure import Row

Tables = dict[str, list[Row]]

_FEW = 5

_HEAD = """
Does what an interviewer says contain the planned question? `contains` answers yes, unconfirmed or no by named features
of the words; it needs no model. Labelled by AI models, none of it checked by a person; see `data/labels/README.md`.
Figures are on planned questions that neither the fit nor the choice of the grey band has seen (nested, five folds by
planned question), intervals (90 %) by resampling planned questions, unless said otherwise.
"""
_READ = """
Speech is what the simulated voice says and the guides that are read out in real interviews. The scorers beside it are
those of two questions; by sentence: the best sentence of the utterance. Adding MiniLM to the features of `contains`
was tried and gained nothing outside the fit; it is left out.
"""
_KINDS = """
Near other: most words shared, another question. Paraphrase none: no content word shared; what gets no yes there is
left unconfirmed, not refused. One part, half: only a part was asked.
"""
_FRESH = """
Written by the same AI reader after fit and band were first chosen, and never fitted to; the features were last changed
after it had been scored once (what a question quotes counts since), so it is not wholly untouched.
"""
_CLASHES = """ A pair in nearly the planned words,
whose difference is one of grammar, a sign or what stands beside it, is unconfirmed by a named clash (`contains_clash`),
whatever its score. Written and labelled by one AI reader; the first round was at hand while the rules were written, the
second was written after them; rules changed since for other reasons, its figure did not. Nothing is fitted to either.
"""
_FOOT = """
What a model makes of what stays unconfirmed: `python -m evals.judge`.

Regenerate: `python -m evals.contains` (`--fit` first fits and chooses anew); `python -m evals.contains.speech` writes
the simulated pairs. All tables lie beside this.
"""


def card(tables: Tables, outside: Outside, day: str) -> str:
    """What was measured, what is reached and what is not."""
    ends = ", ".join(f"{one.high:.2f}" for one in outside.bands)
    return "\n".join(
        [
            f"# Was the planned question asked? Results ({day})",
            _HEAD,
            "## How well scores rank\n",
            _table(
                [row for row in tables["average_precision"] if row["part"] in ("speech", "adversarial", "all")],
                ("part", "scorer", "n", "prevalence", "ap", "low", "high", "recall_at_precision_90"),
            ),
            _READ,
            "![Precision and recall](curves.png)\n",
            "## Yes, at the grey band\n",
            _table(
                tables["decisions"],
                ("part", "rule", "n", "precision", "recall", "contains_alone_right", "this_alone_right", "mcnemar_p"),
            ),
            f"\nUpper ends chosen without each fold: {ends}.\n",
            "## By kind\n",
            _table(
                tables["verdicts"],
                ("kind", "truth", "n", "yes", "low", "high", "stored_yes", "stored_unconfirmed", "stored_no"),
            ),
            _KINDS,
            "![Verdicts](verdicts.png)\n",
            "What differs in near others, and how many get a yes (kinds of fewer than five in `near_other.csv`): "
            + "; ".join(
                f"{row['differs']} {row['false_yes']} of {row['n']}"
                for row in tables["near_other"]
                if int(row["n"]) >= _FEW
            )
            + ".\n",
            "Kinds left out of the fit: "
            + "; ".join(f"{row['left_out']} ({row['truth']}) {row['yes']}" for row in tables["kinds_left_out"])
            + ".\n",
            "## Fresh pairs\n",
            _table(tables["fresh"], ("kind", "truth", "n", "yes", "unconfirmed", "no")),
            _FRESH,
            "## Clashes\n",
            _table(
                tables["clashes"],
                ("round", "kind", "truth", "n", "yes_by_score_alone", "yes", "unconfirmed", "no"),
            ),
            _clashes(tables["clashes"]),
            _FOOT,
        ]
    )


def _clashes(rows: list[Row]) -> str:
    said = []
    for name in ("1", "2"):
        here = [row for row in rows if (row["round"], row["truth"]) == (name, "no")]
        n, alone, yes = (sum(int(row[key]) for row in here) for key in ("n", "yes_by_score_alone", "yes"))
        said.append(f"round {name}: {yes} of {n} ({alone} by the score alone)")
    return "\nFalse yes, " + "; ".join(said) + "." + _CLASHES


def _table(rows: list[Row], columns: tuple[str, ...]) -> str:
    lines = ["| " + " | ".join(column.replace("_", " ") for column in columns) + " |"]
    lines.append("| " + " | ".join("---" for _ in columns) + " |")
    lines += ["| " + " | ".join(str(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(lines)
