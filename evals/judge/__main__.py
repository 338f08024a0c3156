"""Run: python -m evals.judge [--record]. How well a model judges pairs of texts, from its recorded answers.

Three questions: does what was said ask the planned question; do two questions ask for the same; is the later one an
unwanted repeat. `--record` asks a small local model anew (SmolLM2, 135 million parameters).
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

from evals.judge.answers import MODEL, record, recorded
from evals.judge.samples import Sample, samples
from interviewer.matching.judge import QUESTIONS

RESULTS = Path(__file__).parent / "results"
_SAID = ("yes", "no", "unsure", "none")
_HEAD = f"""# How well a model judges

Recorded answers of {MODEL}: so small a model shows that the way works, not what a capable one says. The truth is that
of the labels in `data/labels`, given by AI models. Precision and recall are of `yes`; unsure and no answer count as no.

"""
_FOOT = """
Regenerate: `python -m evals.judge`; `--record` asks the local model again. Changed prompts or texts are named as such.
"""

Row = dict[str, str | int | float]


def main() -> int:
    """Write the table and the card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    asked = samples()
    if given.record:
        record(asked)
    rows = table(asked, recorded(asked))
    given.out.mkdir(parents=True, exist_ok=True)
    with (given.out / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    lines = ["| " + " | ".join(rows[0]) + " |", "| " + " | ".join("---" for _ in rows[0]) + " |"]
    lines += ["| " + " | ".join(str(value) for value in row.values()) + " |" for row in rows]
    card = _HEAD + "\n".join(lines) + "\n" + _FOOT
    (given.out / "README.md").write_text(card, encoding="utf-8")
    print(card)
    return 0


def table(asked: list[Sample], answers: list[str]) -> list[Row]:
    """Of each task and kind what was answered; of each task, over all kinds, precision and recall of yes."""
    both = list(zip(asked, answers, strict=True))
    rows: list[Row] = []
    for task in QUESTIONS:
        of_task = [(sample, said) for sample, said in both if sample.task == task]
        for kind in dict.fromkeys(sample.kind for sample, _ in of_task):
            here = [(sample, said) for sample, said in of_task if sample.kind == kind]
            rows.append(_row(task, kind, here) | {"precision": "", "recall": ""})
        hits = sum(said == "yes" and sample.yes for sample, said in of_task)
        said_yes = sum(said == "yes" for _, said in of_task)
        true = sum(sample.yes for sample, _ in of_task)
        precision = round(hits / said_yes, 2) if said_yes else ""
        rows.append(_row(task, "all", of_task) | {"precision": precision, "recall": round(hits / true, 2)})
    return rows


def _row(task: str, kind: str, here: list[tuple[Sample, str]]) -> Row:
    truths = {sample.yes for sample, _ in here}
    truth = ("yes" if truths == {True} else "no") if len(truths) == 1 else ""
    counted = Counter(said for _, said in here)
    row: Row = {"task": task, "kind": kind, "truth": truth, "n": len(here)}
    return row | {name: counted[name] for name in _SAID}


if __name__ == "__main__":
    raise SystemExit(main())
