"""What a crash left behind, put right: journal, database and drafts; and the call closed, if that is wanted."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from interviewer.errors import InterviewerError, JournalBusy, JournalError, NotFound
from interviewer.kept.drafts import drafts, write_draft
from interviewer.kept.finish import finish
from interviewer.kept.folding import fold_again, spent_usd
from interviewer.kept.reading import CallLog
from interviewer.kept.records import CallRecord
from interviewer.kept.resume import resumable
from interviewer.llm.backend import Backend
from interviewer.llm.router import Router
from interviewer.settings import Settings
from interviewer.store.home import Home
from interviewer.store.journal import Journal, mend
from interviewer.store.locks import is_held
from interviewer.store.lost import lost_lines
from interviewer.store.mending import write_whole
from interviewer.store.plain import harmless
from interviewer.store.steady import rejoin, rests
from interviewer.store.store import Store


@dataclass(frozen=True)
class Recovered:
    """A call as it is now. `reached_ms`: what its clock showed at its last line; `turns`: how many were kept.

    `torn`: an unfinished last line was put aside; `rejoined`: lines that came back from the temp folder; `lost`:
    lines that no disk took; `restored`: files of drafts that were missing; `interrupted`: it has not come to its end,
    and `why_not` says if it cannot be resumed. `closed`: it was brought to its end just now, for the reason given.
    """

    call_id: str
    journal: Path
    reached_ms: int
    turns: int
    damaged: int
    torn: bool = False
    rejoined: int = 0
    lost: int = 0
    restored: tuple[Path, ...] = ()
    interrupted: bool = False
    why_not: str = ""
    closed: str = ""
    essay_path: Path | None = None


def unfinished(store: Store) -> list[str]:
    """The ids of calls that have not come to their end although no process holds them any more, oldest first."""
    frame = store.calls()
    return [str(call_id) for call_id in frame[frame["status"] == "interrupted"]["call_id"]]


def recover(store: Store, call: str, *, close: bool = False, backend: Backend | None = None) -> Recovered:
    """Put right what a crash left of a call, and take it in. Calling it again does no harm.

    `close` brings a call that was interrupted to its end: notes, analysis, essay from what was said. `backend` runs
    the agents for that; default: as the call's settings say. Raises NotFound for the call, JournalBusy if it still
    runs, JournalError if its journal cannot be read.
    """
    call_id = store.resolve(call)
    path = store.journal_path(call_id)
    if is_held(path):
        raise JournalBusy(f"call {call_id} is running; nothing of it is lost, and it can be ended where it runs")
    rejoined = sum(rejoin(path, rest) for rest in rests(call_id))
    mend(path)
    log = CallLog.read(path)
    closed = _close(store, log, backend) if close and log.end_reason is None else ""
    store.ingest_all()
    log = CallLog.read(path)
    restored = tuple(_restore(log, store.home))
    found = drafts(log, store.home)
    return Recovered(
        call_id,
        path,
        log.clock.at(log.contents.lines[-1].t_ms) if log.contents.lines else 0,
        len({str(data.get("id")) for _, data in log.records("turn")}),
        len(log.contents.damaged),
        path.with_name(f"{path.name}.torn").exists(),
        rejoined,
        lost_lines(path),
        restored,
        log.end_reason is None,
        "" if log.end_reason is not None else _why_not(store, log),
        closed,
        found[-1].path if found else None,
    )


def _why_not(store: Store, log: CallLog) -> str:
    try:
        resumable(store, log.call_id)
    except InterviewerError as error:
        return str(error)
    return ""


def _restore(log: CallLog, place: Home) -> list[Path]:
    """Drafts that are in the journal and whose file is not there."""
    restored = []
    for draft in drafts(log, place):
        if not draft.path.exists():
            try:
                write_whole(draft.path, harmless(draft.essay.markdown))
            except OSError as error:
                raise JournalError(f"cannot write the draft {draft.path}: {error.strerror}") from None
            restored.append(draft.path)
    return restored


def _close(store: Store, log: CallLog, backend: Backend | None) -> str:
    if backend is None:
        setup = log.begun_with
        with contextlib.closing(Router(setup.settings if setup else Settings())) as own:
            return _close(store, log, own)
    if isinstance(backend, Router):
        backend.budget.spend(spent_usd(log))
    try:
        folded = fold_again(log)
    except JournalError:
        return _close_apart(store, log, backend)
    with CallRecord.again(store.home, log.call_id) as record:
        return finish(folded, record, backend) or "interrupted"


def _close_apart(store: Store, log: CallLog, backend: Backend) -> str:
    """A call that cannot be folded again ends where it stands; its draft is made of what can be read of it."""
    reason = "interrupted"
    t_ms = log.contents.lines[-1].t_ms if log.contents.lines else 0
    with Journal.reopen(log.path) as journal:
        note = "its journal cannot be folded again"
        journal.write("rec", t_ms, {"kind": "status", "data": {"status": "done", "reason": reason, "note": note}})
        journal.write("end", t_ms, {"reason": reason})
    store.ingest_all()
    try:
        write_draft(store, log.call_id, backend)
    except NotFound:
        return f"{reason}; the guest said nothing"
    except JournalError:  # not even what it was begun with can be read
        return f"{reason}; there is not enough of it for an essay"
    return reason
