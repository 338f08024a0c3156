"""An interrupted call made ready to go on where it stopped."""

from datetime import UTC, datetime
from importlib.metadata import version

from interviewer.errors import JournalBusy, JournalError
from interviewer.kept.folding import Folded, fold_again
from interviewer.kept.reading import CallLog
from interviewer.kept.records import CallRecord
from interviewer.llm.backend import Backend
from interviewer.llm.router import Router
from interviewer.store.ids import now
from interviewer.store.store import Store


def resumable(store: Store, call: str) -> Folded:
    """The call as it stood when its program died, for `hold_call(resume=...)`.

    Raises NotFound for the call, JournalBusy if it still runs, JournalError if it cannot go on: it is over, it was
    simulated, or its journal cannot be folded again.
    """
    call_id = store.resolve(call)
    log = CallLog.read(store.journal_path(call_id))
    if store.is_running(call_id):
        raise JournalBusy(f"call {call_id} is running; it cannot be resumed beside itself")
    if log.contents.head.get("source") == "demo":
        raise JournalError(f"call {call_id} is a simulated one, and its guest is gone; close it: {_close(call_id)}")
    folded = fold_again(log)
    if folded.core.said_goodbye:
        raise JournalError(f"call {call_id}: the conversation is over; bring it to its end: {_close(call_id)}")
    return folded


def mark_seam(folded: Folded, record: CallRecord, backend: Backend) -> None:
    """Write what the call's last step left unwritten and that it goes on here; what it has cost counts."""
    left = datetime.fromtimestamp(record.path.stat().st_mtime, UTC)
    seam = {"at": now().isoformat(timespec="seconds"), "left": left.isoformat(timespec="seconds")}
    seam["version"] = version("interviewer")
    for line in folded.missing:
        record.write(*line)
    record.write("rec", folded.now_ms, {"kind": "seam", "data": seam})
    if isinstance(backend, Router):
        backend.budget.spend(folded.spent_usd)


def _close(call_id: str) -> str:
    return f"interviewer recover {call_id} --close"
