"""The pairs a judge is asked about: a few of each kind of the labelled sets, the same ones each time."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evals.contains import sets as contains
from evals.repetition import sets as repetition
from interviewer.agents.judge import JudgeInput
from interviewer.matching.judge import Task
from interviewer.matching.pairs import INTERVIEWER

CONTAINS = {"near_other": 10, "one_part": 4, "mention": 4, "paraphrase_none": 12, "paraphrase_words": 6}
"""How many of the pairs written by hand, by kind."""
EACH = 8
"""How many pairs of questions, by label and by where they come from."""
_ANSWER_WORDS = 60


@dataclass(frozen=True, slots=True)
class Sample:
    """What the judge is asked, and what a reader says: `yes` or not."""

    id: str
    kind: str
    yes: bool
    data: JudgeInput

    @property
    def task(self) -> Task:
        """What is asked of the two texts."""
        return self.data.task


def samples(seed: int = 0) -> list[Sample]:
    """All of them, by task and kind."""
    return [*_contains(seed), *_same(seed), *_unwanted(seed)]


def _contains(seed: int) -> Iterator[Sample]:
    rows = [row for row in contains.load() if row.source == "hand"]
    for kind, count in CONTAINS.items():
        for row in random.Random(f"{seed}:{kind}").sample([row for row in rows if row.kind == kind], count):
            yield Sample(row.id, kind, row.yes, JudgeInput(first=row.planned, second=row.utterance))


def _same(seed: int) -> Iterator[Sample]:
    for where, rows in _questions().items():
        for labels, yes in (("RD", True), ("N", False)):
            for row in _drawn(rows, labels, f"{seed}:same:{where}:{labels}"):
                data = JudgeInput(task="same", first=row["q1"], second=row["q2"])
                yield Sample(row["id"], f"{where}, {'the same' if yes else 'another'}", yes, data)


def _unwanted(seed: int) -> Iterator[Sample]:
    """Of pairs that ask for the same: the second step has nothing to say of others."""
    for where, rows in _questions().items():
        for label, yes in (("R", True), ("D", False)):
            for row in _drawn(rows, label, f"{seed}:unwanted:{where}:{label}"):
                data = JudgeInput(task="unwanted", first=f"{row['q1']}\n{_answer(row)}", second=row["q2"])
                yield Sample(row["id"], f"{where}, {'unwanted' if yes else 'deliberate'}", yes, data)


def _questions() -> dict[str, list[dict[str, Any]]]:
    real = [r for s in repetition.SOURCES for r in repetition.interview_rows(repetition.IN_INTERVIEW / f"{s}.csv")]
    put = [r for s in repetition.SOURCES for r in repetition.injected_rows(repetition.INJECTED / f"injected_{s}.jsonl")]
    return {"real": [dict(row) for row in real], "injected": put}


def _drawn(rows: list[dict[str, Any]], labels: str, seed: str) -> list[dict[str, Any]]:
    found = [row for row in rows if row["label"] in labels]
    return random.Random(seed).sample(found, min(EACH, len(found)))


def _answer(row: dict[str, Any]) -> str:
    """What the guest said to the earlier question, at most so many words."""
    turns = repetition.interviews()[row["interview"]].turns
    told = next((text for role, text in turns[int(row["turn_a"]) + 1 :] if role != INTERVIEWER), "")
    return " ".join(told.split()[:_ANSWER_WORDS])
