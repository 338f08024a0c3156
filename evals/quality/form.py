"""Open, closed or no question: the rule against the labels of AnnoMI."""

import csv
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from evals.quality.agreement import Indices, with_interval
from interviewer.matching.agreement import kappa
from interviewer.metrics.form import turn_form

FILE = "AnnoMI-full.csv"
_FORMS = ("open", "closed", "none")


def measure(path: Path) -> dict[str, Any]:
    """Cohen's kappa of `turn_form` with people, of people with each other, by halves, and what is taken for what."""
    labels: dict[tuple[str, int], list[str]] = defaultdict(list)
    texts: dict[tuple[str, int], str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["interlocutor"] == "therapist":
                turn = row["transcript_id"], int(row["utterance_id"])
                labels[turn].append(row["question_subtype"] if row["question_exists"] == "True" else "none")
                texts[turn] = row["utterance_text"]
    turns = sorted(labels)
    people = [Counter(labels[turn]).most_common(1)[0][0] for turn in turns]
    rule = [turn_form(texts[turn]) for turn in turns]
    talks = np.array([turn[0] for turn in turns])

    def agreement(rows: Indices) -> float:
        return kappa([people[row] for row in rows], [rule[row] for row in rows])

    def half(odd: int) -> dict[str, Any]:
        rows = np.flatnonzero(np.array([int(talk) % 2 for talk in talks]) == odd)
        return with_interval(lambda drawn: agreement(rows[drawn]), talks[rows].tolist())

    pairs = [pair for given in labels.values() for pair in combinations(given, 2)]
    return {
        "kappa": with_interval(agreement, talks.tolist()),
        "kappa_looked_at": half(0),
        "kappa_not_looked_at": half(1),
        "people": {
            "pairs": len(pairs),
            "turns": sum(len(given) > 1 for given in labels.values()),
            "kappa": round(kappa(*([pair[side] for pair in pairs] for side in (0, 1))), 3),
        },
        "confusion": {
            label: {form: sum(p == label and r == form for p, r in zip(people, rule, strict=True)) for form in _FORMS}
            for label in _FORMS
        },
    }
