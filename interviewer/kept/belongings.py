"""Everything of a call that is kept: what goes with it when it is forgotten, and what only quotes it."""

import contextlib
import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from interviewer.call.actions import StartJob
from interviewer.call.core import Core
from interviewer.errors import InterviewerError, JournalError
from interviewer.kept.reading import CallLog
from interviewer.kept.remains import Remains, remains_of
from interviewer.kept.said import turn_records
from interviewer.store import exported
from interviewer.store.aside import set_aside
from interviewer.store.copies import Share, shares_of
from interviewer.store.home import Home
from interviewer.store.run_forget import parts_of_call, tapes_of_call
from interviewer.store.steady import rests
from interviewer.store.tombstones import is_tombstone

_BY_LINE: Final = frozenset({".jsonl", ".csv"})
_LARGEST: Final = 100_000_000
_TELLING: Final = 24  # characters: what is shorter may well be anybody's
_LOOK: Final = 8_192  # bytes that tell a text from what is packed, or no text
_PACKED: Final = (b"\x1f\x8b", b"BZh", b"PK\x03\x04", b"\xfd7zXZ", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class Quoting:
    """A file with records that quote a call, or are a run of its agents; `lines` numbers them from 1."""

    path: Path
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Belongings:
    """What is kept of a call.

    `runs`: files of replays with rows of it; `cassette`: recorded agents' runs of its own, also those on the tapes of
    its replays; `quoting`: labels and so on;
    `named`: files that quote it and have no records that could be taken out; among them the journals of other
    calls, and files in the place of an export that are not it any more. `later`: what later calls of its interview hold
    of it. `tables`: what a person made in the database that quotes it. `closed`: files that could not be looked into:
    packed ones, databases, very large ones. `passages`: what they were searched for beside its id.
    """

    call_id: str
    files: tuple[Path, ...] = ()
    runs: tuple[Path, ...] = ()
    exports: tuple[Path, ...] = ()
    cassette: tuple[Quoting, ...] = ()
    quoting: tuple[Quoting, ...] = ()
    named: tuple[Path, ...] = ()
    later: tuple[Remains, ...] = ()
    tables: tuple[str, ...] = ()
    closed: tuple[Path, ...] = ()
    passages: tuple[str, ...] = field(default=(), repr=False)


def belongings(place: Home, call_id: str, journal: Path | None = None) -> Belongings:
    """Look for everything of a call. `journal`: its file, if that is elsewhere or named otherwise."""
    shares = dict(shares_of(place.root, call_id))
    # Of a database that was set aside nothing can be taken out.
    files = sorted({*_own(place, call_id, shares), *set_aside(place.database)})
    if journal is not None and journal.exists() and shares.get(journal) != "some":
        files = sorted({*files, journal})
    logs = [_read(path) for path in files if path.suffix == ".jsonl" and path.parent == place.journals]
    log = next((log for log in logs if log is not None), None)
    passages = _passages(log)
    exports, changed = exported.files_of(place.root, call_id), exported.changed_of(place.root, call_id)
    known = {*files, *exports, *changed}
    cassette = _by_file(*_cassette(log), *_on_tapes(place, call_id, passages))
    beside, closed = _look(place, call_id, passages, known)
    quoting = [q for q in beside if q.path not in {c.path for c in cassette}]
    mixed = {path for path in shares if path not in known}
    whole = {q.path for q in quoting if not q.lines or q.path.parent == place.journals} | mixed
    return Belongings(
        call_id,
        tuple(files),
        tuple(parts_of_call(place, call_id)),
        tuple(exports),
        cassette,
        tuple(q for q in quoting if q.path not in whole),
        (*sorted(whole), *changed),
        later=remains_of(place, call_id),
        closed=tuple(path for path in closed if path not in whole),
        passages=passages,
    )


def own_files(place: Home, call_id: str) -> list[Path]:
    """The files that bear the call's name or are copies of its journal, and what is left of it in the temp folder."""
    return _own(place, call_id, dict(shares_of(place.root, call_id)))


def elsewhere(place: Home, call_id: str) -> list[Path]:
    """Files under this home that hold the call's id, or lines of its journal beside others, or cannot be looked into.

    What the guest said cannot be searched for any more once a call is forgotten.
    """
    shares = dict(shares_of(place.root, call_id))
    beside, closed = _look(place, call_id, (), set(_own(place, call_id, shares)))
    mixed = (path for path, share in shares.items() if share == "some")
    return sorted({*(quoting.path for quoting in beside), *closed, *mixed})


def _own(place: Home, call_id: str, shares: Mapping[Path, Share]) -> list[Path]:
    folders = (place.journals, place.drafts, place.audio)
    found = {path for folder in folders for path in folder.glob(f"{call_id}.*") if not is_tombstone(path)}
    longer = tuple(f"{path.stem}." for path in place.journals.glob(f"{call_id}.*.jsonl") if path not in shares)
    found = {path for path in found if not path.name.startswith(longer)}  # calls whose names begin as this one's
    copies = {path for path, share in shares.items() if share == "all"}
    mixed = {path for path, share in shares.items() if share == "some" and path != place.journal(call_id)}
    return sorted({*(found - mixed), *copies, *rests(call_id)})


def _read(path: Path) -> CallLog | None:
    try:
        return CallLog.read(path)
    except JournalError:
        return None


def _passages(log: CallLog | None) -> tuple[str, ...]:
    """What the guest said, in pieces long enough to be nobody else's, as it stands in a text and in JSON."""
    if log is None:
        return ()
    texts = [str(data.get("text") or "") for data in turn_records(log) if data.get("speaker") == "guest"]
    pieces = {piece.strip() for text in texts for piece in text.replace("?", ".").split(".")}
    long = {piece for piece in pieces if len(piece) >= _TELLING}
    return tuple(sorted(long | {json.dumps(piece)[1:-1] for piece in long}))


def _look(place: Home, call_id: str, passages: tuple[str, ...], known: set[Path]) -> tuple[list[Quoting], list[Path]]:
    """The files that speak of the call, and those that cannot be looked into."""
    beside, closed = [], []
    for path in sorted(place.root.rglob("*")):
        if path in known or not path.is_file() or _is_kept_apart(place, path):
            continue
        try:
            raw = path.read_bytes() if path.stat().st_size < _LARGEST else None
        except OSError:
            raw = None
        if raw is None or raw.startswith(_PACKED) or b"\0" in raw[:_LOOK]:
            closed.append(path)
            continue
        text = raw.decode("utf-8", "replace")
        if _speaks_of(text, call_id, passages):
            lines = (number for number, line in _records(path, text) if _speaks_of(line, call_id, passages))
            beside.append(Quoting(path, tuple(lines) if path.suffix in _BY_LINE else ()))
    return beside, closed


def _is_kept_apart(place: Home, path: Path) -> bool:
    """Whether this is a file of ours that is looked into in another way, or the sound of another call."""
    runs = path.is_relative_to(place.runs) and path.suffix == ".parquet"
    sound = path.parent == place.audio and path.suffix == ".flac"
    ours = path.name.startswith(place.database.name) and path.parent == place.root
    return runs or sound or ours or path.name == "exports.jsonl" or is_tombstone(path)


def _speaks_of(text: str, call_id: str, passages: tuple[str, ...]) -> bool:
    return call_id in text or any(passage in text for passage in passages)


def _records(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """The records of a file, each with its number from 1: lines, or rows that may have line ends in them."""
    if path.suffix == ".csv":
        rows = csv.reader(text.splitlines(keepends=True))
        yield from ((number, "\n".join(row)) for number, row in enumerate(rows, 1))
    else:
        yield from enumerate(text.splitlines(), 1)


def _cassette(log: CallLog | None) -> Iterator[Quoting]:
    """Recorded runs of agents that were this call's: by agent and digest of what it was asked."""
    setup = log.begun_with if log else None
    if log is None or setup is None or not setup.settings.agents.cassette:
        return
    path = Path(setup.settings.agents.cassette)
    path = path if path.is_absolute() else Path.cwd() / path
    runs = {(data.get("agent"), data.get("input_hash")) for _, data in log.records("job")} | set(_begun(log))
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    numbers = [number for number, line in enumerate(lines, 1) if _run_of(line) in runs]
    if numbers:
        yield Quoting(path, tuple(numbers))


def _on_tapes(place: Home, call_id: str, passages: tuple[str, ...]) -> Iterator[Quoting]:
    """Recorded runs of agents in replays of this call, also in those that came to no end."""
    for path, runs in tapes_of_call(place, call_id).items():
        with contextlib.suppress(OSError):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            own = (number for number, line in enumerate(lines, 1) if _run_of(line) in runs)
            told = (
                number for number, line in enumerate(lines, 1) if _speaks_of(line, call_id, passages) and _run_of(line)
            )
            if numbers := sorted({*own, *told}):
                yield Quoting(path, tuple(numbers))


def _by_file(*found: Quoting) -> tuple[Quoting, ...]:
    """One for each file, which may be the cassette of the call and the tape of its replays."""
    paths = dict.fromkeys(each.path for each in found)
    return tuple(Quoting(p, tuple(sorted({n for each in found if each.path == p for n in each.lines}))) for p in paths)


def _begun(log: CallLog) -> Iterator[tuple[object, object]]:
    """Runs that were begun, also those whose answer nobody waited for: a fresh core asks for them again."""
    core = Core(log.setup)
    with contextlib.suppress(InterviewerError):
        for record in log.inputs():
            for action in core.step(record):
                if isinstance(action, StartJob):
                    yield action.agent, getattr(action.data, "digest", None)


def _run_of(line: str) -> tuple[object, object] | None:
    try:
        told = json.loads(line)
        return told["agent"], told["input"]
    except (ValueError, KeyError, TypeError):
        return None


def without_records(quoting: Quoting) -> None:
    """Take these records out of the file, the others as they are. Raises InterviewerError."""
    path, gone = quoting.path, set(quoting.lines)
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(_left(path, text, gone), encoding="utf-8", errors="surrogateescape")
        fresh.replace(path)
    except OSError as error:
        raise InterviewerError(f"cannot change {path}: {error.strerror}") from None


def _left(path: Path, text: str, gone: set[int]) -> str:
    lines = text.splitlines(keepends=True)
    if path.suffix != ".csv":
        return "".join(line for number, line in enumerate(lines, 1) if number not in gone)
    kept, at = [], 0
    reader = csv.reader(lines)
    for number, _ in enumerate(reader, 1):
        if number not in gone:
            kept += lines[at : reader.line_num]
        at = reader.line_num
    return "".join(kept)
