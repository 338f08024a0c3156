"""An interview as a chain of calls in order of time: live ones, simulated ones, transcripts."""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from interviewer.call.setup import CallSetup
from interviewer.errors import InterviewerError, JournalBusy, JournalError, LedgerError, NotFound
from interviewer.kept.imported import SOURCE
from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.ledger.events import World
from interviewer.ledger.fold import Ledger
from interviewer.memory.earlier import Earlier, PastCall
from interviewer.memory.gone import Gone
from interviewer.model.turn import Said, call_of
from interviewer.store.store import Store
from interviewer.store.tombstones import forgotten_at

_CALLS = """
SELECT
    call_id, coalesce(strftime(started_at, '%Y-%m-%dT%H:%M:%S.%g'), '') AS began, coalesce(source, '') AS source,
    coalesce(world, '') AS world,
    (SELECT string_agg(j.file, chr(10) ORDER BY j.file) FROM journals AS j WHERE j.call_id = calls.call_id) AS files
FROM calls
WHERE interview_id = $1 OR call_id = $2 ORDER BY started_at NULLS FIRST, call_id
"""
_TOLD = ("correction", "notes", "research", "turn")  # records; the others are made of a call after it


@dataclass(frozen=True)
class Link:
    """A call of a chain, by its number from 1. `log` is None if it cannot be read; `problem` says so, in words.

    `remembered`: what a later call has kept of one that is gone, or of one whose ledger is.
    """

    number: int
    past: PastCall
    log: CallLog | None
    problem: str = ""
    running: bool = False
    remembered: Earlier | None = None

    @property
    def call_id(self) -> str:
        """The call's id."""
        return self.past.call_id

    @cached_property
    def setup(self) -> CallSetup | None:
        """What it was begun with; None if that is lost."""
        return self.log.begun_with if self.log else None

    @cached_property
    def ledger(self) -> Ledger | None:
        """Its ledger; None of a transcript, or if it cannot be folded."""
        if self.log is None or self.past.transcript_only:
            return None
        return self.log.ledger

    @cached_property
    def turns(self) -> tuple[Said, ...]:
        """What was said in it, with its own turn ids."""
        if self.log is not None:
            return said(self.log)
        if self.remembered is None:
            return ()
        number = next(n for n, past in enumerate(self.remembered.calls, 1) if past.call_id == self.call_id)
        mine = (turn for turn in self.remembered.turns if call_of(turn.id) == number)
        return tuple(Said(turn.id.partition(".")[2], turn.speaker, turn.text) for turn in mine)


@dataclass(frozen=True)
class Chain:
    """The calls of one interview, oldest first."""

    interview_id: str
    links: tuple[Link, ...]

    @property
    def readable(self) -> tuple[Link, ...]:
        """The calls of which something can be read."""
        return tuple(link for link in self.links if link.log is not None)

    @property
    def last(self) -> Link:
        """The latest call that can be read. Raises JournalError if none can."""
        if not self.readable:
            told = "; ".join(link.problem for link in self.links) or "it has no call"
            raise JournalError(f"interview {self.interview_id}: none of its calls can be read: {told}")
        return self.readable[-1]

    @cached_property
    def gone(self) -> Gone:
        """The words of forgotten calls that later ones still hold."""
        return Gone(self._forgotten(), (turn for link in self.links for turn in link.turns))

    def _forgotten(self) -> Iterator[Said]:
        here = {link.call_id for link in self.links}
        for link in self.links:
            earlier = link.setup.earlier if link.setup else None
            if earlier:
                lost = {number for number, past in enumerate(earlier.calls, 1) if past.call_id not in here}
                yield from (turn for turn in earlier.turns if call_of(turn.id) in lost)

    def check_over(self) -> None:
        """Raises JournalBusy if one of its calls still runs."""
        for link in self.links:
            if link.running:
                raise JournalBusy(f"call {link.call_id} still runs; a follow-up can begin once it is over")

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def __len__(self) -> int:
        return len(self.links)


def chain_of(store: Store, interview: str) -> Chain:
    """The chain of an interview, named by its id, a prefix of it, or a call as `Store.resolve` takes it.

    A call that is missing or damaged stays in the chain, with its problem; of one that is gone what a later call
    remembers is used. Forgotten calls are no part of it. Raises NotFound if there is no such interview.
    """
    interview_id = store.resolve_interview(interview)
    rows = store.sql(_CALLS, [interview_id, interview_id.replace("i-", "c-", 1)]).to_dict("records")
    found = [_read(store, {str(name): value for name, value in row.items()}) for row in rows]
    known = {past.call_id for past, _, _ in found}
    for past, _ in list(_remembered(found)):
        if past.call_id not in known and not _is_forgotten(store, past.call_id):
            known.add(past.call_id)
            found.append((past, None, "its journal is gone; what a later call remembers of it is used"))
    if not found:
        raise NotFound(f"interview {interview_id} has no call")
    found.sort(key=lambda each: (each[0].began, each[0].call_id))
    keepers = {past.call_id: keeper for past, keeper in _remembered(found)}
    return Chain(
        interview_id,
        tuple(
            Link(
                number,
                past,
                log,
                problem,
                running=store.is_running(past.call_id),
                remembered=None if _has_ledger(past, log) else keepers.get(past.call_id),
            )
            for number, (past, log, problem) in enumerate(found, 1)
        ),
    )


def _has_ledger(past: PastCall, log: CallLog | None) -> bool:
    """Whether a call has all it ever had: of a transcript, its words."""
    return log is not None and (past.source == SOURCE or not past.transcript_only)


Found = tuple[PastCall, CallLog | None, str]


def _read(store: Store, row: dict[str, Any]) -> Found:
    call_id, source = str(row["call_id"]), str(row["source"])
    world: World = row["world"] if row["world"] in ("real", "simulated", "replayed") else "real"
    about: dict[str, Any] = {"call_id": call_id, "began": str(row["began"]), "source": source, "world": world}
    try:
        log = CallLog.read(_journal(store, call_id, row["files"]))
    except InterviewerError as error:
        told = str(error).replace(f"{store.home.root}{os.sep}", "")  # what a journal keeps names no folder of a machine
        return PastCall(**about), None, f"it cannot be read: {told}"
    problems = []
    if log.contents.damaged:
        where = f"line {log.contents.damaged[0].line_number}"
        problems.append(f"its journal is damaged ({where}); what is whole is used")
    transcript_only = source == SOURCE or log.begun_with is None
    if log.begun_with is None and source != SOURCE:
        problems.append("what it was begun with is lost, so it is taken as a transcript")
    try:
        _ = log.ledger
    except (LedgerError, JournalError) as error:
        transcript_only = True
        problems.append(f"its ledger cannot be used, so it is taken as a transcript: {error}")
    if log.end_reason is None and not store.is_running(call_id):
        problems.append("it was interrupted; what it reached is used")
    try:
        if not said(log):
            problems.append("nothing was said in it")
    except (KeyError, TypeError, ValueError) as error:
        return PastCall(**about), None, f"its turns do not fit this version: {error!r}"
    past = PastCall(**about, transcript_only=transcript_only, digest=_digest(log))
    return past, log, "; ".join(problems)


def _digest(log: CallLog) -> str:
    """SHA-256 of all in a call's record that is remembered of it, in 16 hexadecimal digits."""
    found = hashlib.sha256()
    for line in log.contents.lines:
        if line.kind in ("setup", "ev", "end") or (line.kind == "rec" and line.data.get("kind") in _TOLD):
            found.update(json.dumps([line.kind, line.data], sort_keys=True).encode())
    return found.hexdigest()[:16]


def _journal(store: Store, call_id: str, files: object) -> Path:
    """The journal a call was taken in from. Raises NotFound if it is gone."""
    paths = [store.home.root / file for file in files.splitlines()] if isinstance(files, str) else []
    for path in (*paths, store.home.journal(call_id)):
        if path.exists():
            return path
    raise NotFound("its journal is gone")


def _remembered(found: list[Found]) -> Iterator[tuple[PastCall, Earlier]]:
    """Every call that a later one knows of, with what that one remembers; the latest comes last."""
    for _, log, _ in sorted(found, key=lambda each: (each[0].began, each[0].call_id)):
        setup = log.begun_with if log else None
        if setup and setup.earlier:
            yield from ((past, setup.earlier) for past in setup.earlier.calls)


def _is_forgotten(store: Store, call_id: str) -> bool:
    try:
        return forgotten_at(store.home.root, call_id) is not None
    except JournalError:  # no id that a call of this package could have
        return True
