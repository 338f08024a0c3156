"""The interview that a conversation from elsewhere is put into: what it has that the file may lack."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from interviewer.errors import JournalBusy, JournalError, NotFound
from interviewer.kept.reading import CallLog
from interviewer.kept.said import corrections
from interviewer.kept.style import is_nobody
from interviewer.model.corrections import Corrections
from interviewer.store.store import Store

_CALLS = """
SELECT c.call_id, c.started_at, c.guest, c.topic, p.language, c.source IS NOT DISTINCT FROM 'import' AS imported,
    coalesce(i.guest_said, false) AS guest_said
FROM calls AS c LEFT JOIN imports AS i USING (call_id) LEFT JOIN plans AS p USING (call_id)
WHERE c.interview_id = ? ORDER BY c.started_at NULLS FIRST, c.call_id
"""


@dataclass(frozen=True, slots=True)
class Joined:
    """An interview with the calls it has. `guest_said`: a person has named its guest; `names`: those put right."""

    interview_id: str
    topic: str
    guest: str
    guest_said: bool
    language: str
    names: Corrections
    calls: tuple[tuple[str, datetime | None], ...]

    def before(self, at: datetime) -> str | None:
        """The last of its calls that began before this time."""
        return next((call for call, began in reversed(self.calls) if began is None or began <= at), None)


def joined(store: Store, interview: str) -> Joined:
    """The interview of this name, as `Store.resolve_interview` takes it.

    Raises NotFound if there is none, JournalBusy while one of its calls runs.
    """
    interview_id = store.resolve_interview(interview)
    rows = store.sql(_CALLS, [interview_id]).astype(object).to_dict("records")
    if not rows:
        raise NotFound(f"interview {interview_id} has no call that a conversation could be put beside")
    for row in rows:
        if store.is_running(row["call_id"]):
            raise JournalBusy(f"call {row['call_id']} still runs; a conversation can be put beside it once it is over")
    named = [row for row in rows if isinstance(row["guest"], str) and not is_nobody(row["guest"])]
    return Joined(
        interview_id,
        topic=_first(row["topic"] for row in rows),
        guest=named[-1]["guest"] if named else "",
        guest_said=bool(named) and (bool(named[-1]["guest_said"]) or not named[-1]["imported"]),
        language=_first(row["language"] for row in rows),
        names=_names(store, [row["call_id"] for row in rows]),
        calls=tuple((row["call_id"], _time(row["started_at"])) for row in rows),
    )


def _names(store: Store, calls: Iterable[str]) -> Corrections:
    names = Corrections()
    for call in calls:
        with contextlib.suppress(JournalError):  # what cannot be read is said when the interview is returned to
            own = corrections(CallLog.read(store.journal_path(call), frozenset({"rec/correction"})))
            for wrong, right in reversed(own.pairs):
                names = names if (wrong, right) in names.pairs else names.adding(wrong, right)
    return names


def _first(values: Iterable[Any]) -> str:
    return next((value for value in values if isinstance(value, str) and value), "")


def _time(value: Any) -> datetime | None:
    """Times stand in the database in UTC without saying so."""
    return value.to_pydatetime().replace(tzinfo=UTC) if value == value and value is not None else None
