"""What keeps a live call from being kept as usual, said while it lasts."""

import threading
from types import TracebackType
from typing import Final, Self

from interviewer.audio.recording import Recording
from interviewer.errors import StoreError
from interviewer.kept.records import CallRecord
from interviewer.store.database import Database
from interviewer.store.home import Home

_AGAIN_S: Final = 2.0  # between looks at a database that could not be used, as a journal that waits is tried again
_LOOK_S: Final = 15.0  # between looks at one that could: each takes some 20 ms
_WAIT_MS: Final = 1_000  # for another process that uses it for a moment, as every command does


class Keeping:
    """Looks after what is kept of a call: its journal, its sound, the database that takes it in at the end.

    A context manager; a thread looks now and then whether the database could be used.
    """

    def __init__(self, place: Home, record: CallRecord, recording: Recording | None) -> None:
        self._database = Database(place.database, wait_ms=_WAIT_MS)
        self._record, self._recording = record, recording
        self._store_error = record.database_problem
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeping", daemon=True)

    @property
    def problem(self) -> str:
        """What happened and where the call is kept meanwhile, in sentences; empty while all is well."""
        said = []
        if self._record.journal_problem is not None:
            said.append(f"{self._record.journal_problem}.")
        if self._recording is not None and self._recording.error is not None:
            said.append(f"{self._recording.error}. What is said is kept in words.")
        if self._store_error is not None:
            said.append(f"{self._store_error}. The call is kept in {self._record.path} until the database takes it.")
        return " ".join(said)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(_LOOK_S if self._store_error is None else _AGAIN_S):
            try:
                with self._database.connect():
                    self._store_error = None
            except StoreError as error:
                self._store_error = error
