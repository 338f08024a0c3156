"""The labelled pairs of a planned question and an utterance, from every file of the set."""

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "labels" / "contains"
FILES = {
    "hand": ("contains.csv",),
    "simulated": ("simulated.csv",),
    "guide": ("guides_anthropic.csv",),
    "podcast": ("guides_livera.csv", "guides_changelog.csv"),
}
FRESH = ("fresh.csv",)
"""Pairs written after everything was fitted and chosen: never fitted to, only scored."""
CLASHES = "clashes.csv"
"""Pairs in nearly the planned words, written for the named clashes: in two rounds, the second after the rules."""

SPEECH = ("asked", "other", "other_quote", "wandered", "half", "guide_read", "guide_other")
"""Kinds of the simulator's speech, and of guides read out in real interviews."""
ADVERSARIAL = ("near_other", "other_quote", "mention", "one_part", "paraphrase_none")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A pair; `yes`: the question was put to the guest, whole. `group`: pairs of one planned question share it."""

    id: str
    source: str
    planned: str
    utterance: str
    yes: bool
    kind: str
    note: str
    group: str


def load() -> list[Labelled]:
    """All pairs but the fresh ones, in the order of the files."""
    return [row for source, names in FILES.items() for name in names for row in _read(source, name)]


def fresh() -> list[Labelled]:
    """The pairs that nothing was fitted to."""
    return [row for name in FRESH for row in _read("fresh", name)]


def clashes() -> dict[str, list[Labelled]]:
    """The pairs written for the clashes, by round: those at hand while the rules were written, those after."""
    with (FOLDER / CLASHES).open(encoding="utf-8", newline="") as file:
        rounds = [row["round"] for row in csv.DictReader(file)]
    found: dict[str, list[Labelled]] = {}
    for name, row in zip(rounds, _read("clashes", CLASHES), strict=True):
        found.setdefault(name, []).append(row)
    return found


def _read(source: str, name: str) -> list[Labelled]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [
            Labelled(
                row["id"],
                source,
                row["planned"],
                row["utterance"],
                row["label"] == "yes",
                row["kind"],
                row.get("note", ""),
                f"{source}: {row.get('group') or row['planned']}",
            )
            for row in csv.DictReader(file)
        ]
