"""Holding a call against its own journal: the ledger folded again, and the inputs fed to a fresh core."""

from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from interviewer.call.core import Core
from interviewer.kept.belongings import elsewhere
from interviewer.kept.drafts import drafts
from interviewer.kept.forget import forgotten, what_is_left
from interviewer.kept.reading import CallLog
from interviewer.kept.recordings import steps
from interviewer.kept.remains import Remains, remains_of
from interviewer.model.characters import whole
from interviewer.replay.exact import fold_steps
from interviewer.replay.gather import Gathered
from interviewer.store.ingest import LOST_END
from interviewer.store.lost import lost_lines
from interviewer.store.plain import harmless
from interviewer.store.steady import rests
from interviewer.store.store import Store

_SHOWN = 3


@dataclass(slots=True)
class Verified:
    """What was compared. `problems` is empty if everything agrees; each says where, and what to do.

    `forgotten_at`: the call was forgotten then; `problems` names what is still there of it, and `beside` other files
    under the home that speak of it or cannot be looked into; `later`: what later calls of its interview hold of it.
    """

    call_id: str
    inputs: int = 0
    events: int = 0
    questions: int = 0
    problems: list[str] = field(default_factory=list)
    forgotten_at: datetime | None = None
    beside: list[Path] = field(default_factory=list)
    later: tuple[Remains, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything agrees."""
        return not self.problems


def verify(store: Store, call: str) -> Verified:
    """Compare a call's journal with the database and with what the core makes of the same inputs.

    Raises NotFound for the call, JournalError or LedgerError if its journal cannot be read at all.
    """
    if gone := forgotten(store, call):
        left, beside = what_is_left(store, gone[0]), elsewhere(store.home, gone[0])
        later = remains_of(store.home, gone[0])
        return Verified(gone[0], problems=left, forgotten_at=gone[1], beside=beside, later=later)
    log = CallLog.read(store.journal_path(call))
    found = Verified(log.call_id, events=len(log.events))
    _damage(log, store, found)
    _drafts(log, store, found)
    _database(log, store, found)
    _core(log, found)
    return found


def _damage(log: CallLog, store: Store, found: Verified) -> None:
    damaged = log.contents.damaged
    found.problems += [f"{log.path}, line {damage.line_number}: {damage.reason}" for damage in damaged[:_SHOWN]]
    if len(damaged) > _SHOWN:
        found.problems.append(f"{log.path}: {len(damaged) - _SHOWN} more damaged places")
    if damaged:
        found.problems.append(
            f"put {log.path.name} back from a copy, if there is one; whole lines are used as they are"
        )
    if lost := lost_lines(log.path):
        words = "1 line is" if lost == 1 else f"{lost} lines are"
        found.problems.append(f"{log.path}: {words} lost, for no disk took them; what is there is used")
    found.problems += _lost_end(log, store)
    found.problems += _left_out(log, store)
    if log.contents.torn:
        found.problems.append(f"{log.path} ends inside a line: it is being written, or its writer was killed")
    if log.end_reason is None and store.is_running(log.call_id):
        found.problems.append(f"call {log.call_id} is running")
    elif log.end_reason is None:
        todo = f"close it (interviewer recover {log.call_id} --close)"
        if log.contents.head.get("source") != "demo":
            todo += " or resume it (interviewer call --resume)"
        found.problems.append(f"{log.path}: the call has not come to its end; {todo}")
    for rest in rests(log.call_id):
        found.problems.append(f"{rest} holds lines that the journal lacks: interviewer recover {log.call_id}")


def _lost_end(log: CallLog, store: Store) -> list[str]:
    """A journal that was cut off between two lines looks whole; the database knew more of it."""
    query = "SELECT reason FROM quarantine WHERE call_id = ? AND contains(reason, ?)"
    with store.database.connect(writes=False) as connection:
        rows = connection.execute(query, [log.call_id, LOST_END]).fetchall()
    return [f"{log.path}: {reason}; put it back from a copy" for (reason,) in rows]


def _left_out(log: CallLog, store: Store) -> list[str]:
    """Whole lines that the database could not take in: what they tell is in no table."""
    query = "SELECT line_number, reason FROM quarantine WHERE call_id = ? ORDER BY line_number, place"
    with store.database.connect(writes=False) as connection:
        rows = connection.execute(query, [log.call_id]).fetchall()
    known = {(damage.line_number, whole(damage.reason)) for damage in log.contents.damaged}
    rows = [row for row in rows if row not in known and LOST_END not in row[1]]
    told = [f"{log.path}, line {number}: not in the database: {reason}" for number, reason in rows[:_SHOWN]]
    if rows:
        more = f"{len(rows) - _SHOWN} more lines are not in the database; " if len(rows) > _SHOWN else ""
        told.append(f"{more}the table quarantine holds them whole")
    return told


def _drafts(log: CallLog, store: Store, found: Verified) -> None:
    """The files of the drafts must be what was written."""
    for draft in drafts(log, store.home):
        try:
            same = draft.path.read_text(encoding="utf-8") == harmless(draft.essay.markdown)
        except (OSError, UnicodeDecodeError) as error:
            todo = f"interviewer recover {log.call_id} writes it again, if it is gone"
            found.problems.append(f"{draft.path} cannot be read ({type(error).__name__}); {todo}")
            continue
        if not same:
            todo = f"the draft itself: interviewer show {log.call_id} --essay --draft {draft.version}"
            found.problems.append(f"{draft.path} was changed since it was written; {todo}")


def _database(log: CallLog, store: Store, found: Verified) -> None:
    """The fold in SQL must say of every question what the package's own fold says."""
    frame = store.question_state(log.call_id)
    columns = (frame[name].tolist() for name in ("question_id", "status", "attempts", "covered", "answered", "refused"))
    kept = {str(question_id): facts for question_id, *facts in zip(*columns, strict=True)}
    folded = {
        q.id: [q.status, len(q.attempts), q.covered is not None, q.answered is not None, q.refused is not None]
        for q in log.ledger.questions.values()
    }
    found.questions = len(folded)
    differing = [each for each in sorted(kept.keys() | folded.keys()) if kept.get(each) != folded.get(each)]
    for question_id in differing:
        found.problems.append(
            f"question {question_id}: the database says {kept.get(question_id)}, the journal {folded.get(question_id)}"
        )
    if differing:
        found.problems.append(f"delete {store.database.path}: it is made again from the journals")


def _core(log: CallLog, found: Verified) -> None:
    if log.begun_with is None:
        if next(log.inputs(), None):
            found.problems.append(f"{log.path}: what the call was begun with is lost; put it back from a copy")
        return
    core, again = Core(log.setup, measures=False), Gathered()
    inputs = list(steps(log))
    found.inputs = len(inputs)
    differences = list(fold_steps(core, inputs, again))
    changed = next((each for each in differences if each.stored and each.fresh), None)
    if changed and changed.stored:
        told = "; ".join(f"{name} {before!r} before, {now!r} now" for name, before, now in changed.fields)
        found.problems.append(f"ledger event {changed.stored.seq}: {changed.stored.kind} in the journal, {told}")
    if len(log.events) != len(again.events):
        found.problems.append(
            f"{len(log.events)} ledger events in the journal, {len(again.events)} from the same inputs"
        )
    if list(log.events) != again.events and not log.contents.damaged:
        wrote, here = log.contents.head.get("version"), version("interviewer")
        todo = "put the journal back from a copy" if wrote == here else f"version {wrote} wrote it, this is {here}"
        found.problems.append(f"either a line was changed, or the core decides otherwise now; {todo}")
