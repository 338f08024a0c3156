"""What to replay: kept calls and transcripts, by name, file or pattern; what cannot be used stands apart."""

import functools
import glob
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from interviewer.errors import InterviewerError, NotFound, ReplayError, TranscriptError
from interviewer.importing.read import read_transcripts
from interviewer.kept.imported import SOURCE
from interviewer.kept.reading import CallLog
from interviewer.model.recorded import Recorded
from interviewer.model.turn import Speaker
from interviewer.replay.outcome import Failed
from interviewer.replay.recording import Origin
from interviewer.settings import ImportSettings, Settings
from interviewer.store import journal
from interviewer.store.lines import HEAD
from interviewer.store.store import Store

_FIRST = 3
"""Reasons that are told where nothing can be replayed."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a recording is; it is read when it is replayed, so that thousands of them take no memory.

    `id` is unique among sources that were found together. `place`: which of a file's readable conversations, from 0.
    `digest`: of what the file of a transcript held when it was found. `speakers`: roles that were given, by name.
    """

    id: str
    origin: Origin
    path: Path
    place: int = 0
    digest: str = ""
    speakers: tuple[tuple[str, Speaker], ...] = ()

    def log(self, parts: frozenset[str] = frozenset(), holding: Sequence[bytes] = ()) -> CallLog:
        """The kept call, or its lines of these kinds and inputs that hold one of these. Raises JournalError."""
        if not parts:
            return CallLog.read(self.path)
        return CallLog(self.path, journal.read_parts(self.path, parts, holding))

    def recorded(self, settings: ImportSettings) -> Recorded:
        """The transcript. Raises TranscriptError if it changed since it was found."""
        try:
            stamp = self.path.stat()
        except OSError as error:
            raise TranscriptError(f"cannot be read: {error.strerror}", self.path) from None
        found, digest = _conversations(str(self.path), stamp.st_mtime_ns, stamp.st_size, settings, self.speakers)
        if self.digest and digest != self.digest:
            raise TranscriptError("it changed since it was found; replay it again", self.path)
        if self.place >= len(found):
            raise TranscriptError(f"it holds no conversation number {self.place + 1} any more", self.path)
        return found[self.place]


class Sources(NamedTuple):
    """What was found: sources, in order, and why the others cannot be used."""

    good: tuple[Source, ...]
    failures: tuple[Failed, ...]

    def some(self) -> "Sources":
        """These, if there is anything to replay among them. Raises ReplayError that says why there is not."""
        if not self.good:
            more = f"; and {len(self.failures) - _FIRST} more" if len(self.failures) > _FIRST else ""
            why = "; ".join(each.problem for each in self.failures[:_FIRST]) or "none is named"
            raise ReplayError(f"no recording to replay: {why}{more}")
        return self


def find_sources(
    wanted: str | Path | Source | Iterable[str | Path | Source],
    store: Store | None = None,
    settings: Settings | None = None,
    speakers: Mapping[str, Speaker] | None = None,
) -> Sources:
    """The recordings that these name: files, folders, patterns such as `talks/*.vtt`, calls of the store.

    A call is named by its id, a prefix or `last`; `all` are all its calls. `store` (default: opened if a call is named)
    and `settings` (of importing) count where they are needed. `speakers` gives roles in transcripts by name, such as
    `{"Anna": "interviewer"}`; else they are guessed. What cannot be found or read is listed apart.
    """
    chosen = (settings or Settings()).importing
    seen = _Finder(store, chosen, tuple((speakers or {}).items()))
    for one in (wanted,) if isinstance(wanted, str | Path | Source) else wanted:
        seen.take(one)
    return Sources(tuple(seen.good), tuple(seen.failures))


class _Finder:
    def __init__(
        self, store: Store | None, settings: ImportSettings, speakers: tuple[tuple[str, Speaker], ...]
    ) -> None:
        self.good: list[Source] = []
        self.failures: list[Failed] = []
        self._store, self._settings, self._speakers = store, settings, speakers
        self._ids: set[str] = set()

    def take(self, one: str | Path | Source) -> None:
        if isinstance(one, Source):
            self._add(one)
            return
        try:
            paths = list(_paths(one))
            for path in paths:
                self._file(path)
            if not paths:
                self._calls(str(one))
        except InterviewerError as error:
            self._failed(str(one), error)

    def _file(self, path: Path) -> None:
        try:
            if _is_journal(path):
                log = CallLog.read(path)
                self._add(Source(log.call_id, _origin(log), path))
                return
            digest = digest_of(path)
            found = read_transcripts([path], speakers=dict(self._speakers), settings=self._settings)
        except InterviewerError as error:
            self._failed(str(path), error)
            return
        for problem in found.failures:
            self._failed(str(path), problem)
        for place, recorded in enumerate(found.good):
            self._add(Source(recorded.id, "file", path, place, digest, self._speakers))

    def _calls(self, name: str) -> None:
        if self._store is None:
            self._store = Store.open(make=False)
        ids = self._store.calls()["call_id"].tolist() if name == "all" else [self._store.resolve(name)]
        for call_id in ids:
            try:
                path = self._store.journal_path(str(call_id))
                self._add(Source(str(call_id), _origin_of(path), path))
            except InterviewerError as error:
                self._failed(str(call_id), error)

    def _add(self, source: Source) -> None:
        name, number = source.id, 1
        while name in self._ids:
            number += 1
            name = f"{source.id}~{number}"
        self._ids.add(name)
        self.good.append(replace(source, id=name))

    def _failed(self, name: str, error: InterviewerError) -> None:
        self.failures.append(Failed(name, type(error).__name__, str(error)))


def _paths(one: str | Path) -> Iterator[Path]:
    """The files that a name or pattern stands for; none if it can only be a call's."""
    if isinstance(one, str) and not one.strip():
        raise NotFound("the name of a recording is empty")
    path = Path(one)
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
        if not files:
            raise NotFound(f"there is no file in the folder {one}")
        yield from files
    elif path.is_file():
        yield path
    elif isinstance(one, Path) or path.suffix or "/" in one or any(mark in one for mark in "*?["):
        found = [Path(each) for each in sorted(glob.glob(str(one), recursive=True))]  # noqa: PTH207  of any root
        yield from (each for each in found if each.is_file())
        if not found:
            raise NotFound(f"there is no such file: {one}")


def digest_of(path: Path) -> str:
    """Of what a file holds; empty for one that cannot be read, which its replay says."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()
    except OSError:
        return ""


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(HEAD)) == HEAD
    except OSError as error:
        raise TranscriptError(f"cannot be read: {error.strerror}", path) from None


def _origin_of(path: Path) -> Origin:
    """Whether a kept call was held or imported, by the head alone."""
    with path.open("rb") as file:
        return "import" if f'"source":"{SOURCE}"'.encode() in file.readline(65_536) else "call"


def _origin(log: CallLog) -> Origin:
    return "import" if log.contents.head.get("source") == SOURCE else "call"


@functools.lru_cache(maxsize=2)
def _conversations(
    path: str, _changed_ns: int, _size: int, settings: ImportSettings, speakers: tuple[tuple[str, Speaker], ...]
) -> tuple[tuple[Recorded, ...], str]:
    """All of a file and its digest, kept while its conversations are replayed in turn. Raises TranscriptError."""
    digest = digest_of(Path(path))
    found = read_transcripts([Path(path)], speakers=dict(speakers), settings=settings)
    if not found.good:
        raise found.failures[0]
    return found.good, digest
