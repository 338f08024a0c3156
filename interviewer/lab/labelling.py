"""Labels that people give pairs of questions: each kept at once, one line a decision, nothing ever overwritten."""

import csv
import json
import math
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from interviewer.errors import MatchError
from interviewer.matching.agreement import kappa
from interviewer.matching.pair_file import read
from interviewer.model.characters import whole
from interviewer.model.counting import counted
from interviewer.store.append import append_line

KINDS: Final = {
    "unwanted": ("R", "unwanted repeat: already answered, and no sign that it is asked again on purpose"),
    "return": ("D", "deliberate return: not answered, or said to come back to it"),
    "continuation": ("D", "continuation: asks for more of the same answer (anything else?)"),
    "clarification": ("D", "clarification or narrowing: asks what was meant, or for a detail of the same answer"),
    "different": ("N", "different: asks for other information"),
    "unclear": ("C", "cannot be told from what is here"),
}
"""What can be said of a pair: the label it stands for, and what it means."""

_SAME = {"R": "yes", "D": "yes", "N": "no", "C": "unsure"}
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair as an annotator sees it: no score, no stratum, no other label."""

    id: str
    q1: str
    q2: str
    answer: str
    lead: str

    @property
    def fingerprint(self) -> str:
        """64 bits of BLAKE2b of the two questions, as hexadecimal digits: a label belongs to texts, not to an id."""
        return blake2b(json.dumps([self.q1, self.q2]).encode(), digest_size=8).hexdigest()


class Labelling:
    """One annotator's way through the pairs of a CSV file; open it again to go on.

    Labels lie beside the file, in `NAME.labels.jsonl`, all annotators' in one; each is on the disk before the next
    pair is shown. Pairs come in an order of the annotator's own. A label given to other texts, or to a pair that is
    not there any more, stays in the file and counts for none: see `strangers`. Raises MatchError naming file and line.
    """

    def __init__(self, pairs: Path, annotator: str) -> None:
        self.annotator = " ".join(whole(annotator).split())
        if not 0 < len(self.annotator) <= _LONGEST_NAME:
            raise MatchError(f"the annotator needs a name of 1 to {_LONGEST_NAME} characters")
        self.file = pairs
        self.place = pairs.with_suffix(".labels.jsonl")
        self.damaged: list[int] = []
        self.strangers: list[tuple[int, str]] = []
        """Lines of labels that belong to none of these pairs, with the id of the pair they were given to."""
        self._pairs = {shown.id: shown for shown in _shown(pairs)}
        self._order = sorted(self._pairs)
        random.Random(f"{self.annotator}:{pairs.name}").shuffle(self._order)
        self._given: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()
        self._load()

    @property
    def warning(self) -> str:
        """What in the file of labels does not count, in words; "" if all does."""
        said = []
        if self.strangers:
            first, name = self.strangers[0]
            said.append(
                f"{counted(len(self.strangers), 'line')} of {self.place} belong to other texts or to pairs that "
                f"are not in {self.file.name} (the first: line {first}, pair {name!r}): kept, and not counted here"
            )
        if self.damaged:
            lines = counted(len(self.damaged), "line")
            said.append(f"{lines} of {self.place} cannot be read (the first: line {self.damaged[0]})")
        return "; ".join(said)

    @property
    def done(self) -> int:
        """Pairs this annotator has labelled."""
        return len(self._given.get(self.annotator, {}))

    @property
    def total(self) -> int:
        """Pairs there are."""
        return len(self._order)

    @property
    def current(self) -> Shown | None:
        """The next pair to label; None once all are."""
        mine = self._given.get(self.annotator, {})
        return next((self._pairs[pair] for pair in self._order if pair not in mine), None)

    def shown(self, pair: str) -> Shown:
        """A pair by its id. Raises MatchError."""
        if pair not in self._pairs:
            raise MatchError(f"{self.file} has no pair {pair!r}")
        return self._pairs[pair]

    def label(self, pair: str, kind: str) -> None:
        """Say what a pair is; it is kept before this returns. Raises MatchError."""
        if kind not in KINDS:
            raise MatchError(f"{kind!r} is no kind; there are {', '.join(KINDS)}")
        self.shown(pair)
        self._keep(pair, kind)

    def undo(self) -> None:
        """Take this annotator's last label back; its pair comes again. Nothing happens if there is none."""
        if mine := self._given.get(self.annotator):
            self._keep(list(mine)[-1], "")

    def labels(self) -> dict[str, dict[str, str]]:
        """For each annotator the label R, D, N or C of each pair."""
        return {name: {pair: KINDS[kind][0] for pair, kind in given.items()} for name, given in self._given.items()}

    def agreement(self) -> dict[str, Any] | None:
        """Cohen's kappa on the label and on `same`, of the two annotators who first labelled all pairs; else None."""
        if self.current is None:
            self._load()  # the other one may be at work in another notebook
        whole = [(name, given) for name, given in self.labels().items() if len(given) == self.total]
        if len(whole) < 2:
            return None
        (name_a, a), (name_b, b) = whole[:2]
        labels = [a[pair] for pair in self._order], [b[pair] for pair in self._order]
        return {
            "annotators": (name_a, name_b),
            "pairs": self.total,
            "alike": sum(one == other for one, other in zip(*labels, strict=True)),
            "label": kappa(*labels),
            "same": kappa([_SAME[one] for one in labels[0]], [_SAME[one] for one in labels[1]]),
        }

    def to_csv(self, out: Path) -> int:
        """The file with everyone's labels, a column `label_NAME` each, and `label` where all who gave one agree.

        `tune` takes it: pairs without an agreed label are left out there. Gives how many have one. Raises MatchError.
        """
        found, given = read(self.file), self.labels()
        header = [*found.header, *(f"label_{name}" for name in given)]
        agreed = 0
        try:
            with out.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, [*dict.fromkeys([*header, "label"])], lineterminator="\n")
                writer.writeheader()
                for at, row in enumerate(found.rows):
                    own = {name: labels.get(_id(found.cells(at), at), "") for name, labels in given.items()}
                    said = {label for label in own.values() if label}
                    label = said.pop() if len(said) == 1 else ""
                    agreed += bool(label)
                    cells = dict(zip(found.header, row, strict=True))
                    writer.writerow(cells | {f"label_{name}": one for name, one in own.items()} | {"label": label})
        except OSError as error:
            raise MatchError(f"cannot write {out}: {error.strerror}") from None
        return agreed

    def _keep(self, pair: str, kind: str) -> None:
        line = {
            "annotator": self.annotator,
            "pair": pair,
            "texts": self._pairs[pair].fingerprint,
            "kind": kind,
            "label": KINDS[kind][0] if kind else "",
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with self._lock:
            try:
                append_line(self.place, line)
            except OSError as error:
                raise MatchError(f"cannot write {self.place}: {error.strerror}: the label was not kept") from None
            self._note(self.annotator, pair, kind)

    def _load(self) -> None:
        self._given, self.damaged, self.strangers = {}, [], []
        for name, pair, kind in self._read():
            self._note(name, pair, kind)

    def _note(self, name: str, pair: str, kind: str) -> None:
        given = self._given.setdefault(name, {})
        given.pop(pair, None)
        if kind:
            given[pair] = kind

    def _read(self) -> Iterator[tuple[str, str, str]]:
        if not self.place.exists():
            return
        try:
            lines = self.place.read_bytes().split(b"\n")
        except OSError as error:
            raise MatchError(f"cannot read {self.place}: {error.strerror}") from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                given = json.loads(line)
                name, pair, kind = str(given["annotator"]), str(given["pair"]), str(given["kind"])
                texts = given.get("texts")
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                self.damaged.append(number)
                continue
            shown = self._pairs.get(pair)
            if shown is None or texts not in (None, shown.fingerprint):  # files of before hold no fingerprint
                self.strangers.append((number, pair))
            elif kind in {"", *KINDS}:
                yield name, pair, kind


def _shown(path: Path) -> list[Shown]:
    found = read(path)
    shown = []
    for at in range(len(found.rows)):
        cells = found.cells(at)
        texts = (cells.get(name, "") for name in ("q1", "q2", "answer", "lead"))
        shown.append(Shown(_id(cells, at), *texts))
    if len({one.id for one in shown}) < len(shown):
        raise MatchError(f"{path}: two rows have one id: give each its own, or leave the column id out")
    return shown


def _id(cells: dict[str, str], at: int) -> str:
    return cells.get("id") or f"row {at + 1}"


def shown_kappa(value: float) -> str:
    """A kappa to read."""
    return "not defined: only one label was given" if math.isnan(value) else f"{value:.2f}"
