"""Pairs of questions in a CSV file, read with all that is wrong in it named by line."""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from interviewer.errors import MatchError
from interviewer.matching.pairs import Context, Pair, context
from interviewer.matching.text import plain

if TYPE_CHECKING:
    from _csv import Reader

SAME = {"1": True, "yes": True, "true": True, "r": True, "d": True}
OTHER = {"0": False, "no": False, "false": False, "n": False}
UNTOLD = frozenset({"", "c", "unsure"})
"""Labels that leave a pair out of all figures."""

Turns = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a line, counted from 1, that did not keep the file from being used."""

    line: int
    what: str


@dataclass(slots=True)
class PairFile:
    """A file as it was: `header`, `rows` and the line each begins on; read from it, pairs, labels and weights.

    `labels`: True for the same question, None where there is no label or it is left out of figures. `groups`: what
    belongs together: the interview, or "" without that column.
    """

    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    labels: list[bool | None] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def weighted(self) -> bool:
        """Whether the pairs have weights of their own."""
        return "weight" in self.header


def read(path: Path, study: Path | None = None) -> PairFile:
    """The pairs of `path`: columns q1, q2 and, if there, interview, turn_a, turn_b, weight, label.

    `study`: interviews as JSON lines, to look up what surrounds each pair. Raises MatchError naming file and line for
    what makes the file unusable: encoding, missing columns, rows that do not fit, a label or weight that is none.
    Lesser things (empty questions, repeated and contradicting rows, turns that are not there) are kept as problems.
    """
    turns = None if study is None else read_study(study)
    with _opened(path) as file:
        reader = csv.reader(file, strict=True)
        try:
            found = PairFile(_header(path, next(reader, [])))
            _need_place(path, found.header, study)
            for line, row in _rows(path, reader, len(found.header)):
                _add(found, path, line, row, turns)
        except csv.Error as error:
            raise MatchError(f"{path}, line {reader.line_num}: {error}") from None
        except UnicodeDecodeError as error:
            raise MatchError(
                f"{path} is not UTF-8 near line {reader.line_num + 1} ({error.reason}): save it so"
            ) from None
    if not found.rows:
        raise MatchError(f"{path} holds no pairs")
    _settle_repeated(found)
    return found


def read_study(path: Path) -> dict[str, Turns]:
    """(role, text) of the turns of each interview of a JSON lines file, by id. Raises MatchError naming the line."""
    found: dict[str, Turns] = {}
    with _opened(path) as file:
        try:
            for number, line in enumerate(file, 1):
                if line.strip():
                    name, turns = _interview(f"{path}, line {number}", line)
                    if name in found:
                        raise MatchError(f"{path}, line {number}: a second interview has the id {name!r}")
                    found[name] = turns
        except UnicodeDecodeError as error:
            raise MatchError(f"{path} is not UTF-8 ({error.reason}): save it so") from None
    return found


def _interview(where: str, line: str) -> tuple[str, Turns]:
    try:
        given: Any = json.loads(line)
        return str(given["id"]), [(str(turn["role"]), str(turn["text"])) for turn in given["turns"]]
    except ValueError as error:
        raise MatchError(f"{where} is not JSON: {error}") from None
    except (KeyError, TypeError) as error:
        raise MatchError(f"{where} is no interview: it needs id, and turns with role and text ({error})") from None


def _opened(path: Path) -> IO[str]:
    try:
        with path.open("rb") as file:
            start = file.read(2)
        return path.open(encoding="utf-16" if start in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", newline="")
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None


def _header(path: Path, names: list[str]) -> list[str]:
    header = [name.strip() for name in names]
    missing = [name for name in ("q1", "q2") if name not in header]
    if missing:
        shown = ", ".join(repr(name[:40]) for name in header[:12]) or "nothing"
        raise MatchError(
            f"{path}, line 1: no column {' and '.join(missing)}; there is {shown}. Separate cells by commas"
        )
    twice = [name for name, times in Counter(header).items() if times > 1]
    if twice:
        raise MatchError(f"{path}, line 1: the column {twice[0]!r} is there twice")
    return header


def _need_place(path: Path, header: Sequence[str], study: Path | None) -> None:
    missing = [name for name in ("interview", "turn_a", "turn_b") if name not in header]
    if study is not None and missing:
        raise MatchError(f"{path}, line 1: to look pairs up in {study} it needs the column {', '.join(missing)}")


def _rows(path: Path, reader: "Reader", width: int) -> Iterator[tuple[int, list[str]]]:
    end = reader.line_num
    for row in reader:
        line, end = end + 1, reader.line_num
        if not row:
            continue
        if len(row) != width:
            raise MatchError(f"{path}, line {line}: {len(row)} cells where the header has {width}")
        yield line, row


def _add(found: PairFile, path: Path, line: int, row: list[str], turns: dict[str, Turns] | None) -> None:
    cells = dict(zip(found.header, (cell.strip() for cell in row), strict=True))
    for name in ("q1", "q2"):
        if not cells[name]:
            found.problems.append(Problem(line, f"{name} is empty: no score"))
    found.rows.append(row)
    found.lines.append(line)
    found.labels.append(_label(f"{path}, line {line}", cells.get("label", "")))
    found.weights.append(_weight(f"{path}, line {line}", cells.get("weight", "1")))
    found.groups.append(cells.get("interview", ""))
    found.pairs.append(_pair(found, line, cells, turns))


def _label(where: str, cell: str) -> bool | None:
    key = cell.casefold()
    if key in UNTOLD:
        return None
    if key in SAME or key in OTHER:
        return key in SAME
    raise MatchError(f"{where}: the label is {cell[:40]!r}; use 1 and 0, yes and no, or R, D, N and C")


def _weight(where: str, cell: str) -> float:
    try:
        weight = float(cell)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise MatchError(f"{where}: the weight is {cell[:40]!r}; it must be a number of 0 or more")
    return weight


def _pair(found: PairFile, line: int, cells: dict[str, str], turns: dict[str, Turns] | None) -> Pair:
    bare = Pair(cells["q1"], cells["q2"])
    if turns is None:
        return bare
    spoken = turns.get(cells["interview"])
    if spoken is None:
        found.problems.append(
            Problem(line, f"no interview {cells['interview'][:60]!r} in the study: words alone count")
        )
        return bare
    try:
        at = int(cells["turn_a"]), int(cells["turn_b"])
    except ValueError:
        found.problems.append(Problem(line, "turn_a or turn_b is no number: words alone count"))
        return bare
    return _placed(found, line, bare, spoken, at)


def _placed(found: PairFile, line: int, bare: Pair, spoken: Turns, at: tuple[int, int]) -> Pair:
    first, second = (bare.q1, at[0]), (bare.q2, at[1])
    if at[0] > at[1]:
        first, second = second, first
        found.problems.append(Problem(line, "turn_a comes after turn_b: the pair is read the other way round"))
    try:
        around: Context = context(spoken, first[1], first[0], second[1], second[0])
    except MatchError as error:
        found.problems.append(Problem(line, f"{error}: words alone count"))
        return bare
    for question, turn in (first, second):
        if plain(question) not in plain(spoken[turn][1]):
            found.problems.append(Problem(line, f"turn {turn} does not hold {question[:60]!r} word for word"))
    return Pair(first[0], second[0], around)


def _settle_repeated(found: PairFile) -> None:
    """A pair that is there twice counts once; one with two labels counts not at all."""
    seen: dict[tuple[str, ...], int] = {}
    places = [found.header.index(n) for n in ("q1", "q2", "interview", "turn_a", "turn_b") if n in found.header]
    clashing: set[int] = set()
    for at, row in enumerate(found.rows):
        first = seen.setdefault(tuple(row[place].strip() for place in places), at)
        if first == at or found.labels[at] is None:
            continue
        if found.labels[first] is None and first not in clashing:
            seen[tuple(row[place].strip() for place in places)] = at
            continue
        if first in clashing or found.labels[first] != found.labels[at]:
            clashing.add(first)
            found.labels[first] = None
            what = f"line {found.lines[first]} labels the same pair differently: neither counts in the figures"
        else:
            what = f"the same pair as line {found.lines[first]}: it counts once in the figures"
        found.labels[at] = None
        found.problems.append(Problem(found.lines[at], what))
