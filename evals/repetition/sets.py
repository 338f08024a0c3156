"""The labelled pairs, with what surrounds them, what their study asks, and what stays together in a split."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interviewer.matching.interview_file import Interview, Turns, asked_in, read_interviews
from interviewer.matching.pairs import INTERVIEWER, Context, Pair, context
from interviewer.matching.split import linked

DATA = Path(__file__).parents[2] / "data"
IN_INTERVIEW, INJECTED, INTERVIEWS = (DATA / "labels" / name for name in ("in_interview", "injected", "interviews"))
PAIRS = DATA / "pairs"
SOURCES = ("anthropic", "changelog", "livera")


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Labelled pairs; all lists of one length. `kinds`: R, D or N, else "". `groups`: what a split keeps together.

    `sources`: the study of each pair.
    """

    name: str
    pairs: tuple[Pair, ...]
    same: NDArray[np.bool_]
    kinds: tuple[str, ...]
    strata: tuple[str, ...]
    groups: tuple[str, ...]
    sources: tuple[str, ...]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.pairs)

    def where(self, name: str, kept: NDArray[np.bool_]) -> "Labelled":
        """Those of the pairs, under another name."""
        at = np.flatnonzero(kept)

        def cut(values: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(values[k] for k in at)

        return Labelled(
            name,
            tuple(self.pairs[k] for k in at),
            self.same[at],
            cut(self.kinds),
            cut(self.strata),
            cut(self.groups),
            cut(self.sources),
            self.weights[at],
        )

    def joined(self, name: str, other: "Labelled") -> "Labelled":
        """These pairs and the other's, all weighing 1."""
        return Labelled(
            name,
            self.pairs + other.pairs,
            np.hstack([self.same, other.same]),
            self.kinds + other.kinds,
            self.strata + other.strata,
            self.groups + other.groups,
            self.sources + other.sources,
            np.ones(len(self) + len(other)),
        )

    def relabelled(self, same: NDArray[np.bool_]) -> "Labelled":
        """The same pairs, something else being positive."""
        return replace(self, same=same)


def in_interview() -> Labelled:
    """Pairs of questions of one real interview; those that nobody could tell (C) are left out."""
    found = interviews()
    rows = [row for s in SOURCES for row in interview_rows(IN_INTERVIEW / f"{s}.csv") if row["label"] != "C"]
    pairs = [
        Pair(r["q1"], r["q2"], context(turns, int(r["turn_a"]), r["q1"], int(r["turn_b"]), r["q2"]))
        for r in rows
        for turns in [found[r["interview"]].turns]
    ]
    return _labelled("in_interview", pairs, rows, [r["stratum"] for r in rows], [float(r["weight"]) for r in rows])


def injected() -> Labelled:
    """Questions written for the set and placed into real interviews after the guest's turn `turn_b`."""
    found = interviews()
    rows = [row for s in SOURCES for row in injected_rows(INJECTED / f"injected_{s}.jsonl")]
    pairs = [Pair(r["q1"], r["q2"], _placed(found[r["interview"]].turns, r)) for r in rows]
    return _labelled("injected", pairs, rows, [r["style"] for r in rows], [1.0] * len(rows))


def public(name: str) -> Labelled:
    """Pairs of a public intent data set, "banking77" or "clinc150": same or other intent, no context."""
    with (PAIRS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = tuple(Pair(row["q1"], row["q2"]) for row in rows)
    same = np.array([row["label"] == "1" for row in rows])
    some = ("",) * len(rows)
    return Labelled(name, pairs, same, some, some, linked(pairs, same), (name,) * len(rows), np.ones(len(rows)))


@cache
def interviews() -> dict[str, Interview]:
    """The interviews, shortened to what the scorers read, by id."""
    return read_interviews(INTERVIEWS)


@cache
def asked() -> dict[str, list[str]]:
    """What the interviewers of each study ask."""
    return asked_in(interviews().values())


def interview_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def injected_rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _placed(turns: Turns, row: dict[str, Any]) -> Context:
    told = [*turns[: row["turn_b"] + 1], (INTERVIEWER, row["q2"])]
    return context(told, row["turn_a"], row["q1"], len(told) - 1, row["q2"])


def _labelled(
    name: str, pairs: list[Pair], rows: Sequence[dict[str, Any]], strata: list[str], weights: list[float]
) -> Labelled:
    kinds = tuple(row["label"] for row in rows)
    return Labelled(
        name,
        tuple(pairs),
        np.array([kind in ("R", "D") for kind in kinds]),
        kinds,
        tuple(strata),
        tuple(row["interview"] for row in rows),
        tuple(interviews()[row["interview"]].study for row in rows),
        np.array(weights),
    )
