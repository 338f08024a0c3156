"""Pairs of questions in a CSV file, read with all that is wrong in it named by line."""

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.errors import MatchError
from interviewer.matching.interview_file import asked_in, not_text, opened, read_interviews
from interviewer.matching.pair_labels import Question, label, meant
from interviewer.matching.pairs import Pair
from interviewer.matching.placing import Place, place, whole_number
from interviewer.matching.text import plain

if TYPE_CHECKING:
    from _csv import Reader

_NUMBER = re.compile(r"\d.*", re.DOTALL)
_PLACE = ("interview", "turn_a", "turn_b")

# Wide enough for any sampling; beyond, sums of weights lose the small ones or overflow.
_LIGHTEST, _HEAVIEST = 1e-12, 1e12


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a line, counted from 1, that did not keep the file from being used."""

    line: int
    what: str


@dataclass(slots=True)
class PairFile:
    """A file as it was: `header`, `rows` and the line each begins on; read from it, pairs, labels and weights.

    `labels`: True for a positive, None where there is no label or it is left out of figures. `groups`: what belongs
    together: the interview, or "" without that column. `texts`: the columns of the two texts.
    `studies`: the study of each pair, "" if it is of none, and `asked`: what a study asks.
    """

    header: list[str]
    texts: tuple[str, str] = ("q1", "q2")
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    labels: list[bool | None] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)
    asked: dict[str, list[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def weighted(self) -> bool:
        """Whether the pairs have weights of their own."""
        return "weight" in self.header

    def cells(self, at: int) -> dict[str, str]:
        """The cells of a row by column, stripped; "" for a column that is not there."""
        given = zip(self.header, (cell.strip() for cell in self.rows[at]), strict=True)
        return dict.fromkeys((*_PLACE, "source", *self.texts, "label"), "") | {"weight": "1"} | dict(given)


def read(
    path: Path, study: Path | None = None, question: Question = "same", texts: tuple[str, str] = ("q1", "q2")
) -> PairFile:
    """The pairs of `path`: columns `texts` and, if there, interview, turn_a, turn_b, source, weight, label.

    `study`: interviews as JSON lines, or a folder of such files, to look up what surrounds each pair. Without it,
    pairs of interviews still say what their study asks. `question`: what the labels are read as an answer to. Raises
    MatchError naming file and line for what makes the file unusable: encoding, missing columns, rows that do not fit,
    a label or weight that is none. Lesser things (empty questions, repeated and contradicting rows, turns that are
    not there) are kept as problems.
    """
    with opened(path) as file:
        reader = csv.reader(file, strict=True)
        try:
            found = PairFile(_header(path, next(reader, []), texts), texts)
            for line, row in _rows(path, reader, len(found.header)):
                _add(found, path, line, row, question)
        except csv.Error as error:
            raise MatchError(f"{path}, line {reader.line_num}: {error}") from None
        except UnicodeDecodeError:
            raise not_text(path) from None
    if not found.rows:
        raise MatchError(f"{path} holds no pairs")
    if not any(found.weights):
        raise MatchError(f"{path}: every weight is 0: nothing would count")
    if study is None:
        _by_file(found, path)
    else:
        _by_study(found, path, study)
    _settle_repeated(found, question)
    return found


def _header(path: Path, names: list[str], texts: tuple[str, str]) -> list[str]:
    header = [name.strip() for name in names]
    missing = [name for name in texts if name not in header]
    if missing:
        shown = ", ".join(repr(name[:40]) for name in header[:12]) or "nothing"
        raise MatchError(
            f"{path}, line 1: no column {' and '.join(missing)}; there is {shown}. Separate cells by commas"
        )
    twice = [name for name, times in Counter(header).items() if times > 1]
    if twice:
        raise MatchError(f"{path}, line 1: the column {twice[0]!r} is there twice")
    return header


def _rows(path: Path, reader: "Reader", width: int) -> Iterator[tuple[int, list[str]]]:
    end = reader.line_num
    for row in reader:
        line, end = end + 1, reader.line_num
        if not row:
            continue
        if len(row) != width:
            raise MatchError(f"{path}, line {line}: {len(row)} cells where the header has {width}")
        yield line, row


def _add(found: PairFile, path: Path, line: int, row: list[str], question: Question) -> None:
    found.rows.append(row)
    found.lines.append(line)
    cells = found.cells(len(found.rows) - 1)
    first, second = found.texts
    for name in found.texts:
        if not cells[name]:
            found.problems.append(Problem(line, f"{name} is empty: no score"))
    found.labels.append(label(f"{path}, line {line}", cells["label"], question))
    found.weights.append(_weight(f"{path}, line {line}", cells["weight"]))
    found.groups.append(cells["interview"])
    found.pairs.append(Pair(cells[first], cells[second]))


def _weight(where: str, cell: str) -> float:
    try:
        weight = float(cell)
    except ValueError:
        weight = math.nan
    if weight and not _LIGHTEST <= weight <= _HEAVIEST:
        raise MatchError(
            f"{where}: the weight is {cell[:40]!r}; it must be 0, or a number of {_LIGHTEST:g} to {_HEAVIEST:g}"
        )
    return weight


def _by_file(found: PairFile, path: Path) -> None:
    """The study of a pair of an interview: its `source`, else what ids that differ by their number have in common."""
    asked: dict[str, dict[tuple[str, ...], str]] = {}
    for at, pair in enumerate(found.pairs):
        cells = found.cells(at)
        series = cells["source"] or _NUMBER.sub("", cells["interview"]).strip("-_ .") or path.stem
        study = series if cells["interview"] else ""
        found.studies.append(study)
        for turn, text in ((cells["turn_a"], pair.q1), (cells["turn_b"], pair.q2)):
            asked.setdefault(study, {})[cells["interview"], turn, text] = text
    found.asked = {study: list(texts.values()) for study, texts in asked.items() if study}


def _by_study(found: PairFile, path: Path, study: Path) -> None:
    if missing := [name for name in _PLACE if name not in found.header]:
        raise MatchError(f"{path}, line 1: to look pairs up in {study} it needs the column {', '.join(missing)}")
    interviews = read_interviews(study)
    found.asked = asked_in(interviews.values())
    places = []
    for at, pair in enumerate(found.pairs):
        cells = found.cells(at)
        name = cells["interview"]
        interview = interviews.get(name) or interviews.get(name.rpartition("/")[2])  # "source/id" is met with too
        found.studies.append(interview.study if interview else "")
        turns = whole_number(cells["turn_a"]), whole_number(cells["turn_b"])
        places.append(Place(pair, interview, cells["interview"], *turns))
    placed, counted = place(places)
    if counted:
        found.problems.append(Problem(1, counted))
    for at, (pair, said) in enumerate(placed):
        found.pairs[at] = pair
        found.problems += [Problem(found.lines[at], what) for what in said]
    found.problems.sort(key=lambda problem: problem.line)


def _settle_repeated(found: PairFile, question: Question) -> None:
    """A pair that is there twice counts once; one with two labels counts not at all.

    Case and spaces do not make it another pair, nor, where both texts are questions, which one comes first.
    """
    seen: dict[tuple[object, ...], int] = {}
    clashing: set[int] = set()
    for at in range(len(found.rows)):
        said = meant(found.cells(at)["label"], question)
        if said is None:
            continue
        first = seen.setdefault(_key(found, at, question), at)
        if first == at:
            continue
        if first in clashing or meant(found.cells(first)["label"], question) != said:
            clashing.add(first)
            found.labels[first] = None
            what = f"line {found.lines[first]} labels the same pair differently: neither counts in the figures"
        elif found.labels[at] is None:
            continue
        else:
            what = f"the same pair as line {found.lines[first]}: it counts once in the figures"
        found.labels[at] = None
        found.problems.append(Problem(found.lines[at], what))


def _key(found: PairFile, at: int, question: Question) -> tuple[object, ...]:
    cells = found.cells(at)
    texts = [" ".join(plain(cells[name]).split()) for name in found.texts]
    sides = list(zip(texts, (cells["turn_a"], cells["turn_b"]), strict=True))
    return cells["interview"], *(sides if question == "contains" else sorted(sides))
