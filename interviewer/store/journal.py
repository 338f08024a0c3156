"""A call's journal: one file of checksummed JSON lines, written as things happen, readable after any crash.

A line that was written is with the operating system: the death of the process, by whatever signal, loses nothing. A
power cut loses what the system had not yet brought to the disk; `sync` brings it there, and closing does.
"""

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from interviewer.errors import JournalBusy, JournalError
from interviewer.store import locks
from interviewer.store.lines import (
    Line,
    canonical_line,
    decode,
    encode,
    places_holding,
    places_of,
    rescue,
    seal_of,
)
from interviewer.store.whose import whose

FORMAT = 2
"""In format 1 the checksums did not tell one call's lines from another's."""

Entry = tuple[str, int, Mapping[str, Any]]
"""Kind, time in ms and data of a line."""

_FLAGS = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Damage:
    """A place of a journal that cannot be trusted. `raw` is what stands there, None if something is missing."""

    line_number: int
    reason: str
    raw: bytes | None = None


@dataclass(slots=True)
class JournalContents:
    """All that can be read of a journal.

    `lines` holds every undamaged line but the head, by number; `head` is empty if it is damaged or missing; `torn` says
    that the file ends inside a line, which is so while it is being written or when its writer was killed; `seal` is
    what its checksums go on from; `call_id` is what is left of a damaged head's id, where the file's name is another.
    """

    head: dict[str, Any] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    damaged: list[Damage] = field(default_factory=list)
    torn: bool = False
    size: int = 0
    seal: int = 0
    call_id: str = ""

    @property
    def last_n(self) -> int:
        """Number of the last line."""
        return self.lines[-1].n if self.lines else 1


class Journal:
    """A journal being written. A line that `write` returned from survives the end of this process.

    One writer a journal, among all processes, and from one thread at a time. Usable as a context manager.
    """

    def __init__(self, path: Path, descriptor: int, size: int, last_n: int, seal: int) -> None:
        self.path = path
        self.seal = seal
        self._descriptor: int | None = descriptor
        self._size = size
        self._n = last_n
        self._synced = size
        self._closing = threading.Lock()

    @property
    def last_n(self) -> int:
        """Number of the last line written."""
        return self._n

    @classmethod
    def create(cls, path: Path, head: Mapping[str, Any]) -> Self:
        """A new journal that begins with `head`. Raises JournalError if the file exists or cannot be made."""
        try:
            descriptor = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            raise JournalError(f"{path} exists already; a journal is never overwritten") from None
        except OSError as error:
            raise JournalError(f"cannot create journal {path}: {error.strerror}") from None
        locks.hold(descriptor)
        whole_head = {"format": FORMAT, **head}
        journal = cls(path, descriptor, 0, 0, 0)
        try:
            journal.write("head", 0, whole_head)
            journal.seal = seal_of(whole_head)
        except JournalError:
            journal.close()
            path.unlink()
            raise
        journal.sync()
        _sync_folder(path.parent)
        return journal

    @classmethod
    def reopen(cls, path: Path) -> Self:
        """Go on writing after the last whole line; a torn tail is moved to `<name>.torn`.

        Raises JournalBusy if another process writes it, JournalError as `read` does, or if it cannot be written.
        """
        try:
            descriptor = os.open(path, _FLAGS)
        except OSError as error:
            raise JournalError(f"cannot go on writing journal {path}: {error.strerror}") from None
        try:
            if not locks.hold(descriptor):
                raise JournalBusy(f"{path} is being written: its call still runs; end it there first")
            return cls(path, descriptor, *_mend(path, descriptor))
        except BaseException:
            os.close(descriptor)
            raise

    def write(self, kind: str, t_ms: int, data: Mapping[str, Any]) -> int:
        """Append one line and hand it to the operating system. Returns its number.

        Raises JournalError if the journal is closed, the data is not JSON or the disk does not take it; a line
        that did not fit is cut off again, so that the journal stays whole.
        """
        return self.append([self.line(1, (kind, t_ms, data))])

    def line(self, ahead: int, entry: Entry) -> bytes:
        """The line `ahead` of the last one written, as it will stand there. Raises JournalError if it is not JSON."""
        kind, t_ms, data = entry
        try:
            return encode(self._n + ahead, kind, t_ms, data, self.seal)
        except (TypeError, ValueError, RecursionError) as error:
            raise JournalError(
                f"{self.path}, line {self._n + ahead} ({kind}): cannot be written as JSON: {error}"
            ) from None

    def append(self, lines: Sequence[bytes]) -> int:
        """Append lines made by `line`, all or none. Returns the number of the last one; raises as `write` does."""
        if self._descriptor is None:
            raise JournalError(f"{self.path}: the journal is closed")
        together = b"".join(lines)
        self._append(self._descriptor, together)
        self._n += len(lines)
        self._size += len(together)
        return self._n

    def _append(self, descriptor: int, line: bytes) -> None:
        left = memoryview(line)
        try:
            while left:
                left = left[os.write(descriptor, left) :]
        except OSError as error:
            if len(left) < len(line):
                os.ftruncate(descriptor, self._size)
            raise JournalError(f"{self.path}, line {self._n + 1}: cannot be written: {error.strerror}") from None

    def sync(self) -> None:
        """Bring what was written to the disk, where a power cut does not reach it. From any thread."""
        with self._closing:
            if self._descriptor is not None and self._synced != self._size:
                size = self._size
                # A disk that cannot be synced says so at the next write.
                with contextlib.suppress(OSError):
                    os.fsync(self._descriptor)
                    self._synced = size

    def close(self) -> None:
        """Stop writing. Closing twice does no harm."""
        self.sync()
        with self._closing:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read(path: Path) -> JournalContents:
    """Everything that can be read of the journal at `path`; damaged and missing lines are reported, not fatal.

    Raises JournalError naming file and line if it cannot be opened, is no journal or is of a newer format.
    """
    return _scan(_load(path), path)


def read_parts(path: Path, parts: frozenset[str], holding: Sequence[bytes] = ()) -> JournalContents:
    """As `read`, with only the lines of these kinds, such as `in` and `rec/turn`, for who needs no others.

    Beside them come the inputs that hold one of `holding`, such as `"type":"input_audio_buffer.committed"`.

    Where all parts are parts of a kind, the other lines are not even looked at: what is damaged or missing of them is
    not told, nor whether the file ends inside a line. Otherwise all are held against their checksums.
    """
    wanted = frozenset(part.encode() for part in (*parts, "head"))
    if not parts & {"in", "rec", "out", "ev"}:
        return _few(_load(path), path, wanted, holding)
    contents = _scan(_load(path), path, wanted)
    contents.lines = [line for line in contents.lines if line.data]
    return contents


def _few(raw: bytes, path: Path, wanted: frozenset[bytes], holding: Sequence[bytes]) -> JournalContents:
    """The wanted lines of a journal that may be large."""
    pieces: list[tuple[int, bytes]] = []
    line_number, before = 1, 0
    places = places_of(raw, wanted)
    if holding:
        places = sorted({*places, *places_holding(raw, holding)})
        wanted = wanted | {b"in"}
    for start, end in places:
        line_number, before = line_number + raw.count(b"\n", before, start), start
        pieces.append((line_number, raw[start:end]))
    seal, call_id = whose([piece for _, piece in pieces], raw.partition(b"\n")[0], path)
    contents = JournalContents(size=len(raw), seal=seal, call_id=call_id)
    found: list[Line] = []
    for line_number, piece in pieces:
        _take(piece, line_number, found, contents, wanted)
    contents.lines = sorted({line.n: line for line in reversed(found)}.values(), key=lambda line: line.n)
    _take_head(contents, path)
    return contents


def canonical(path: Path) -> Iterator[str]:
    """The journal without head, numbers and checksums: the same call from the same seed gives the same lines."""
    return map(canonical_line, read(path).lines)


def mend(path: Path) -> bool:
    """Put the end of a journal right whose writer was killed: what is torn goes to `<name>.torn`. Whether it was.

    Raises as `Journal.reopen` does.
    """
    before = _load(path)
    if before.endswith(b"\n"):
        return False
    Journal.reopen(path).close()
    return True


def _mend(path: Path, descriptor: int) -> tuple[int, int, int]:
    """Put the end right; gives the size of the file, the number of its last line, and its seal."""
    raw = _load(path)
    contents = _scan(raw, path)
    whole = raw.rfind(b"\n") + 1
    try:
        if raw[whole:] and rescue(raw[whole:], 0, contents.seal):
            os.write(descriptor, b"\n")
        elif raw[whole:]:
            with path.with_name(f"{path.name}.torn").open("ab") as torn:
                torn.write(raw[whole:])
            os.ftruncate(descriptor, whole)
        size = os.fstat(descriptor).st_size
    except OSError as error:
        raise JournalError(f"cannot go on writing journal {path}: {error.strerror}") from None
    last_line = contents.lines[-1].line_number if contents.lines else 1
    lost = sum(1 for damage in contents.damaged if damage.raw is not None and damage.line_number > last_line)
    return size, contents.last_n + lost, contents.seal


def _sync_folder(folder: Path) -> None:
    """A new file is only safe from a power cut once its folder is; Windows sees to that itself."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read journal {path}: {error.strerror}") from None


def _scan(raw: bytes, path: Path, parts: frozenset[bytes] = frozenset()) -> JournalContents:
    pieces = raw.split(b"\n")
    tail = pieces.pop()
    seal, call_id = whose(pieces, pieces[0] if pieces else tail, path)
    contents = JournalContents(size=len(raw), seal=seal, call_id=call_id)
    found: list[Line] = []
    for line_number, piece in enumerate(pieces, 1):
        _take(piece, line_number, found, contents, parts)
    if tail and (more := rescue(tail, len(pieces) + 1, contents.seal)):
        contents.damaged.append(Damage(len(pieces) + 1, "the line end is missing", tail))
        found += more
    contents.torn = bool(tail) and not isinstance(decode(tail, 0, contents.seal), Line)
    _put_in_order(found, contents)
    _take_head(contents, path)
    return contents


def _take(
    piece: bytes, line_number: int, found: list[Line], contents: JournalContents, parts: frozenset[bytes]
) -> None:
    line = decode(piece, line_number, contents.seal, parts)
    if isinstance(line, Line):
        found.append(line)
        return
    contents.damaged.append(Damage(line_number, line, piece))
    found += rescue(piece, line_number, contents.seal)


def _put_in_order(found: list[Line], contents: JournalContents) -> None:
    """Lines by their numbers, each number once; report repeated and moved ones, and missing ones.

    Of two lines with one number the first in the file counts. Missing numbers that damaged lines explain are no news.
    """
    if [line.n for line in found] == list(range(1, len(found) + 1)):
        contents.lines += found  # as nearly always: nothing is missing, moved or repeated
        contents.damaged.sort(key=lambda damage: damage.line_number)
        return
    explained = sorted({damage.line_number for damage in contents.damaged})
    told: list[Damage] = _moved(found)
    last = Line(0, "", 0, {}, 0)
    for line in sorted(found, key=lambda line: line.n):
        if line.n == last.n:
            told.append(Damage(line.line_number, _again(line, last)))
            continue
        missing = line.n - last.n - 1
        if missing and missing > _between(explained, last, line):
            words = "1 line is" if missing == 1 else f"{missing} lines are"
            told.append(Damage(line.line_number, f"{words} missing before this one"))
        contents.lines.append(line)
        last = line
    contents.damaged = sorted([*contents.damaged, *told], key=lambda damage: damage.line_number)


def _between(places: Sequence[int], one: Line, other: Line) -> int:
    """How many of these lines of the file stand between two."""
    first, last = sorted((one.line_number, other.line_number))
    return sum(first <= at <= last for at in places)


def _again(line: Line, first: Line) -> str:
    if (line.kind, line.t_ms, line.data) == (first.kind, first.t_ms, first.data):
        return f"number {line.n} stands here again, the same as on line {first.line_number}; nothing is lost"
    return f"number {line.n} stands here again, other than on line {first.line_number}: this one is left out"


def _moved(found: list[Line]) -> list[Damage]:
    """One report of all lines that stand after one with a higher number, at the first of them."""
    highest, moved, seen = 0, [], set()
    for line in found:
        if line.n < highest and line.n not in seen:
            moved.append(line.line_number)
        seen.add(line.n)
        highest = max(highest, line.n)
    if not moved:
        return []
    words = "1 line stands" if len(moved) == 1 else f"{len(moved)} lines stand"
    return [Damage(moved[0], f"{words} after later ones; they are read in their order")]


def _take_head(contents: JournalContents, path: Path) -> None:
    if not contents.lines:
        raise JournalError(f"{path}, line 1: not a journal of this package, or nothing of it is left")
    first = contents.lines[0]
    if first.n == 1 and first.kind == "head":
        contents.lines.pop(0)
        _check_format(first.data, path)
        if contents.lines and seal_of(first.data) != contents.seal:
            contents.damaged.insert(0, Damage(first.line_number, "the first line is of another call than the rest"))
        else:
            contents.head = first.data


def _check_format(head: Mapping[str, Any], path: Path) -> None:
    found = head.get("format")
    if type(found) is not int or found < 1:
        raise JournalError(f"{path}, line 1: not a journal of this package (format {found!r})")
    if found > FORMAT:
        raise JournalError(
            f"{path}, line 1: written in format {found}, and this version reads up to {FORMAT}; update the package"
        )
