"""A call as it is kept: its journal while it runs, the database and the essay's file once it is over."""

import logging
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from interviewer.call.setup import CallSetup
from interviewer.errors import JournalError, StoreError, StoreLocked, StoreReadOnly
from interviewer.matching.scorer import scorer
from interviewer.store.database import Database
from interviewer.store.home import Home
from interviewer.store.ids import new_call_id, now
from interviewer.store.journal import Journal
from interviewer.store.mending import write_whole
from interviewer.store.plain import harmless
from interviewer.store.steady import SteadyJournal
from interviewer.store.store import Store
from interviewer.store.syncing import Syncing

_log = logging.getLogger(__name__)
_GLANCE_MS = 1_000


class CallRecord:
    """Writes a call's journal; leaving the context closes it, writes the essay and takes both into the database.

    `problem`: why that failed, and where the call is kept all the same; None if it did not. `database_problem`: why
    the database could not be used as the call began.
    """

    def __init__(self, place: Home, call_id: str, journal: Journal, sync_ms: int = 0) -> None:
        self._place = place
        self.call_id = call_id
        self.path = journal.path
        self.essay_path: Path | None = None
        self.problem: StoreError | None = None
        self.database_problem: StoreError | None = None
        self._journal = SteadyJournal(journal)
        self._syncing = Syncing(journal.sync, sync_ms / 1_000) if sync_ms else None
        self._essay = ""
        self._nothing = False
        if self._syncing:
            self._syncing.start()

    @property
    def journal_problem(self) -> JournalError | None:
        """Why lines wait to be written, and where they are kept meanwhile; None while all is in the journal."""
        return self._journal.problem

    @classmethod
    def begin(
        cls, place: Home, setup: CallSetup, *, source: str, seed: int | None = None, dossier: str | None = None
    ) -> Self:
        """Begin the journal of a new call.

        What would fail in the end is looked at first. A database that is in use or cannot be written is no reason not
        to begin: the journal holds the call. Raises SettingsError for an unknown scorer, StoreError if the
        database is another's, JournalError if the journal cannot be written.
        """
        scorer(setup.settings.match.scorer)
        database_problem = _glance(place)
        call_id = new_call_id()
        earlier = setup.earlier if setup.earlier and setup.earlier.interview_id and setup.earlier.calls else None
        head = {
            "call_id": call_id,
            "interview_id": earlier.interview_id if earlier else call_id.replace("c-", "i-", 1),
            "follows": earlier.calls[-1].call_id if earlier else None,
            "started_at": now().isoformat(timespec="milliseconds"),  # so that calls keep their order
            "version": version("interviewer"),
            "world": setup.world,
            "guest": setup.guest,
            "seed": seed,
            "dossier": dossier,
            "source": source,
        }
        sync_ms = setup.settings.keep.sync_ms if source == "call" else 0
        record = cls(place, call_id, Journal.create(place.journal(call_id), head), sync_ms)
        record.database_problem = database_problem
        record.write("setup", 0, setup.model_dump(mode="json"))
        return record

    @classmethod
    def again(cls, place: Home, call_id: str, sync_ms: int = 0) -> Self:
        """Go on with the journal of a call that was interrupted. Raises JournalError, JournalBusy if it still runs."""
        return cls(place, call_id, Journal.reopen(place.journal(call_id)), sync_ms)

    def write(self, kind: str, t_ms: int, data: Mapping[str, Any]) -> None:
        """Append one record to the journal."""
        self._journal.write(kind, t_ms, data)
        if kind == "rec" and data.get("kind") == "essay":
            self._essay = str(data["data"]["markdown"])

    def truth(self, t_ms: int, records: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Append what really happened in a simulated call."""
        for kind, data in records:
            self.write("truth", t_ms, {"kind": kind, "data": data})

    def discard(self) -> None:
        """Nothing came about, so nothing is kept: the journal goes on leaving the context."""
        self._nothing = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._syncing:
            self._syncing.stop()
        self._journal.close()
        if self._nothing:
            self.path.unlink(missing_ok=True)
            return
        try:
            self._write_essay()
            # Opening a store takes in what is new under its home.
            Store.open(self._place.root)
        except StoreError as failed:
            self.problem = type(failed)(f"{self._kept()}; not taken into the database because {failed}")
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"stopped; {self._kept()}") from None

    def _write_essay(self) -> None:
        if not self._essay:
            return
        path = self._place.drafts / f"{self.call_id}.md"
        try:
            write_whole(path, harmless(self._essay))
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from None
        self.essay_path = path

    def _kept(self) -> str:
        essay = f", its essay in {self.essay_path}" if self.essay_path else ""
        return f"the call is kept in {self.path}{essay}"


def _glance(place: Home) -> StoreError | None:
    """Why the database cannot be used just now. Raises StoreError if it never can."""
    try:
        with Database(place.database, wait_ms=_GLANCE_MS).connect():
            return None
    except (StoreLocked, StoreReadOnly) as error:
        _log.warning("the call goes on without its database, from its journal: %s", error)
        return error
