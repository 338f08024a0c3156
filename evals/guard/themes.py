"""Whether an utterance is about a planned question's theme: whole words against substrings, on labelled pairs."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evals.guard.summary import rounded
from interviewer.agents.briefs import themes
from interviewer.matching.touching import touches
from interviewer.metrics.statistics import share

_LABELS = Path(__file__).parents[2] / "data" / "labels" / "contains"
_SETS = ("contains", "fresh", "simulated", "guides_anthropic", "guides_changelog", "guides_livera")

Rule = Callable[[str, str], bool]
RULES: dict[str, Rule] = {
    "whole words": touches,
    "substrings": lambda theme, text: any(word in text.casefold() for word in theme.split()),
}


def measure() -> dict[str, Any]:
    """For each rule accuracy, with its interval by resampling planned questions, precision, recall and F1."""
    rows = [row for name in _SETS for row in _read(_LABELS / f"{name}.csv")]
    told = [(row["planned"], " ".join(themes(row["planned"])), row["utterance"], row["label"] == "yes") for row in rows]
    told = [row for row in told if row[1]]
    return {"pairs": len(told), **{name: _figures(rule, told) for name, rule in RULES.items()}}


def _figures(rule: Rule, told: list[tuple[str, str, str, bool]]) -> dict[str, Any]:
    said = [(planned, rule(theme, text), truth) for planned, theme, text, truth in told]
    hits = sum(about and truth for _, about, truth in said)
    found, there = sum(about for _, about, _ in said), sum(truth for _, _, truth in said)
    right: dict[str, list[int]] = {}
    for planned, about, truth in said:
        right.setdefault(planned, []).append(about == truth)
    accuracy = share([sum(each) for each in right.values()], [len(each) for each in right.values()])
    precision, recall = hits / found, hits / there
    f1 = 2 * precision * recall / (precision + recall)
    figures = {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}
    return {"accuracy": rounded(accuracy), **figures}


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
