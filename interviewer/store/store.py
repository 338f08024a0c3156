"""The way in for notebooks and commands: calls by name, and SQL."""

import atexit
import logging
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import duckdb

from interviewer.errors import DamagedDatabase, NotFound, StoreError, StoreReadOnly
from interviewer.store.database import WAIT_MS, Database
from interviewer.store.home import Home
from interviewer.store.home import home as find_home
from interviewer.store.ingest import Ingested, ingest, ingest_all
from interviewer.store.locks import is_held
from interviewer.store.mending import restore_draft
from interviewer.store.run_ingest import ingest_runs
from interviewer.store.runs import read_book
from interviewer.store.search import search
from interviewer.store.tombstones import forgotten_ids, forgotten_named, refuse

if TYPE_CHECKING:
    import pandas as pd

_log = logging.getLogger(__name__)

_CALLS = """
SELECT
    c.call_id, c.started_at, c.guest, c.topic, c.world, c.source, c.status, c.end_reason, c.elapsed_ms,
    c.duration_ms,
    (SELECT count(*) FROM turns AS t WHERE t.call_id = c.call_id) AS turns, v.planned, v.delivered, v.delivered_share,
    c.interview_id, c.follows,
    (SELECT sum(j.damaged)::INTEGER FROM journals AS j WHERE j.call_id = c.call_id) AS damaged
FROM calls AS c LEFT JOIN coverage AS v USING (call_id)
ORDER BY c.started_at NULLS FIRST, c.call_id
"""
_RUNS = """
SELECT
    r.run_id, r.started_at, r.kind, r.configuration, r.sweep, r.status, r.seconds,
    (SELECT count(*) FROM run_calls AS c WHERE c.run_id = r.run_id) AS recordings,
    (
        SELECT count(DISTINCT f.recording) FROM run_failures AS f WHERE f.run_id = r.run_id
        AND f.recording NOT IN (SELECT c.recording FROM run_calls AS c WHERE c.run_id = r.run_id)
    ) AS failures
FROM runs AS r
ORDER BY r.started_at NULLS FIRST, r.run_id
"""
_LATEST = "SELECT call_id FROM calls ORDER BY started_at DESC NULLS LAST, call_id DESC"
_INTERVIEWS = "SELECT interview_id FROM interviews ORDER BY started_at DESC NULLS LAST, interview_id DESC"
_SHOWN = 8

INTERRUPTED = "interrupted"


class Store:
    """The calls of one home. Nothing is held open between two methods."""

    def __init__(self, home: Home, database: Database) -> None:
        self.home = home
        self.database = database

    @classmethod
    def open(cls, home: Path | None = None, *, wait_ms: int = WAIT_MS, make: bool = True) -> Self:
        """The store of `home` (see `interviewer.store.home`), with every journal taken in that is not yet.

        A database that cannot be written is used as it is; a damaged one is set aside, and another made. With
        `make=False` the home must be there and need not be one that can be written: without a database that can be
        read, one is made of its journals for this process.

        Raises StoreLocked after `wait_ms` of waiting for another process, StoreReadOnly, ForeignDatabase,
        NewerDatabase, or NotFound for a home that is not there.
        """
        place = find_home(home, make=make)
        database = Database(place.database, wait_ms=wait_ms, refill=lambda fresh: cls(place, fresh).ingest_all())
        store = cls(place, database)
        try:
            store._take_in()
        except (StoreReadOnly, DamagedDatabase) as error:
            if isinstance(error, StoreReadOnly) and store._readable():
                _log.warning("new journals are not taken in: %s", error)
            elif make:
                raise
            else:
                store.database = Database(_passing_folder() / place.database.name)
                store.ingest_all()
        return store

    def _take_in(self) -> None:
        try:
            self.ingest_all()
        except DamagedDatabase:  # that came to light on the way; by now there is another
            self.ingest_all()

    def _readable(self) -> bool:
        try:
            with self.database.connect(writes=False):
                return True
        except (StoreReadOnly, DamagedDatabase):
            return False

    def ingest(self, path: Path) -> Ingested:
        """Take in one journal, wherever it is. Raises JournalError if it cannot be read."""
        return ingest(self.database, path)

    def ingest_all(self) -> list[Ingested]:
        """Take in the journals of this home that are new or have grown; files of drafts that lack are written."""
        done = ingest_all(self.home, self.database)
        ingest_runs(self.home, self.database)
        self._restore([each.call_id for each in done if each.call_id])
        return done

    def _restore(self, call_ids: list[str]) -> None:
        """Files of drafts that a killed process had still to write."""
        if not call_ids:
            return
        query = "SELECT call_id, version, markdown FROM drafts WHERE call_id IN (SELECT unnest(?)) AND markdown <> ''"
        with self.database.connect(writes=False) as connection:
            rows = connection.execute(query, [call_ids]).fetchall()
        for call_id, number, text in rows:
            restore_draft(self.home, str(call_id), int(number or 1), str(text))

    def sql(
        self,
        query: str,
        params: Sequence[Any] | Mapping[str, Any] = (),
        frames: "Mapping[str, pd.DataFrame] | None" = None,
    ) -> "pd.DataFrame":
        """The result of a query, with `?` or `$name` for values; `frames` are tables to it by their names.

        Raises StoreError with what DuckDB says of it.
        """
        values = dict(params) if isinstance(params, Mapping) else list(params)
        with self.database.connect(writes=False) as connection:
            try:
                with connection.cursor() as asking:  # what made the connection may have left an answer half read
                    for name, frame in (frames or {}).items():
                        asking.register(name, frame)
                    return asking.execute(query, values).df()
            except (duckdb.IOException, duckdb.InterruptException, duckdb.SerializationException):
                raise
            except duckdb.Error as error:
                raise StoreError(str(error)) from error

    def calls(self) -> "pd.DataFrame":
        """One row a call, oldest first, with turns, coverage and the damaged places of its journal.

        `elapsed_ms` is its length by its own clock, `duration_ms` that of its record: pauses and the time after it too.

        Calls of one interview have the same `interview_id`; `follows` is the call before as it was then, forgotten or
        not since, and the view `interview_calls` has it as it is now.

        `status` of a call that did not end and that no living process holds is "interrupted".
        """
        frame = self._without_forgotten(self.sql(_CALLS))
        for row in frame.index[frame["end_reason"].isna()]:
            if not self.is_running(str(frame.at[row, "call_id"])):
                frame.at[row, "status"] = INTERRUPTED
        return frame

    def half_forgotten(self) -> list[str]:
        """The ids of calls whose forgetting was interrupted: nothing shows them, and their rows are still there."""
        gone = sorted(forgotten_ids(self.home.root))
        query = "SELECT call_id FROM calls WHERE call_id IN (SELECT unnest(?::VARCHAR[])) ORDER BY call_id"
        return [str(each) for each in self.sql(query, [gone])["call_id"]] if gone else []

    def _without_forgotten(self, frame: "pd.DataFrame") -> "pd.DataFrame":
        gone = forgotten_ids(self.home.root)
        return frame[~frame["call_id"].isin(gone)].reset_index(drop=True) if gone else frame

    def runs(self) -> "pd.DataFrame":
        """One row a run of a replay, oldest first, with how many recordings it holds and how many failed.

        `status` of a run that did not end is "running" or "interrupted".
        """
        frame = self.sql(_RUNS)
        for row in frame.index[frame["status"].isna()]:
            frame.at[row, "status"] = read_book(self.home, str(frame.at[row, "run_id"])).state
        return frame

    def is_running(self, call_id: str) -> bool:
        """Whether a living process, this one included, is writing the call's journal."""
        return is_held(self.home.journal(call_id))

    def unreadable(self) -> list[tuple[Path, str]]:
        """Journals that are there and could not be taken in, each with the reason."""
        query = "SELECT file, problem FROM journals WHERE problem IS NOT NULL ORDER BY file"
        with self.database.connect(writes=False) as connection:
            found = [(self.home.root / str(file), str(why)) for file, why in connection.execute(query).fetchall()]
        return [(path, why) for path, why in found if path.exists()]

    def resolve(self, call: str) -> str:
        """The id of a call from its id, a prefix that only it has, or `last`.

        Raises NotFound listing the candidates if there is none, or more than one; Forgotten for one that is.
        """
        with self.database.connect(writes=False) as connection:
            found_ids = connection.execute(_LATEST).fetchall()
        hidden = forgotten_ids(self.home.root)
        ids = [call_id for (call_id,) in found_ids if call_id not in hidden]
        if call == "last" and ids:
            return str(ids[0])
        if call in ids:
            return call
        found = [call_id for call_id in ids if call and call_id.startswith(call)]
        if len(found) == 1:
            return str(found[0])
        if not found and (gone := forgotten_named(self.home.root, call)):
            refuse(self.home.root, gone)
        if found:
            raise NotFound(f"{len(found)} calls begin with {call!r}: {_some(found)}; give more of the id")
        raise NotFound(f"no call {call!r}; " + (f"there are: {_some(ids)}" if ids else "there is none yet"))

    def transcript(self, call: str) -> "pd.DataFrame":
        """Turns in order: number, speaker, times in ms, text, what was heard of it.

        `at_ms` is what the call's clock showed, `started_ms` the place in the record and in the sound that was kept.
        """
        return self.sql("SELECT * EXCLUDE (call_id) FROM transcript WHERE call_id = ? ORDER BY number", self._id(call))

    def ledger(self, call: str) -> "pd.DataFrame":
        """The events of the question ledger, in order."""
        return self.sql("SELECT * EXCLUDE (call_id) FROM ledger_events WHERE call_id = ? ORDER BY seq", self._id(call))

    def question_state(self, call: str) -> "pd.DataFrame":
        """What has become of each question, in order of registration."""
        query = "SELECT * EXCLUDE (call_id) FROM question_state WHERE call_id = ? ORDER BY registered_seq"
        return self.sql(query, self._id(call))

    def essay(self, call: str) -> str:
        """The latest draft as Markdown. Raises NotFound if there is none."""
        call_id = self.resolve(call)
        query = "SELECT markdown FROM drafts WHERE call_id = ? ORDER BY journal_line DESC LIMIT 1"
        with self.database.connect(writes=False) as connection:
            row = connection.execute(query, [call_id]).fetchone()
        if row is None:
            raise NotFound(f"call {call_id} has no essay")
        return str(row[0])

    def journal_path(self, call: str) -> Path:
        """The journal a call was taken in from. Raises NotFound if the file is gone, or is no journal."""
        call_id = self.resolve(call)
        with self.database.connect(writes=False) as connection:
            files = connection.execute(
                "SELECT file FROM journals WHERE call_id = ? ORDER BY file", [call_id]
            ).fetchall()
        there = self.home.journal(call_id)
        paths = sorted((self.home.root / str(file) for (file,) in files), key=lambda path: path != there)
        for path in paths:
            if path.exists():
                return path
        if there.exists():
            why = dict(self.unreadable()).get(there, "it was not taken in")
            raise NotFound(f"the journal of call {call_id} is there and cannot be used: {why}; put it back from a copy")
        raise NotFound(f"the journal of call {call_id} is gone; it was {_some([str(path) for path in paths])}")

    def search(
        self, words: str, *, interview: str | None = None, speaker: Literal["interviewer", "guest"] | None = None
    ) -> "pd.DataFrame":
        """Turns in which every word and "phrase" of `words` stands, latest call first, in a call in order.

        Case and accents do not count, words are whole unless they end with a star, names stand as they were put right,
        and of the interviewer only what was heard is looked at. `interview` keeps to one chain of calls; it is named
        as `resolve_interview` takes it. Raises NotFound if there is nothing to search for, or no such interview.
        """
        chain = None if interview is None else self.resolve_interview(interview)
        with self.database.connect(writes=False) as connection:
            found = search(connection, words, interview=chain, speaker=speaker)
        return self._without_forgotten(found)

    def resolve_interview(self, name: str) -> str:
        """The id of an interview from its id, a prefix only it has, or the name of one of its calls (see `resolve`).

        Raises NotFound, listing the candidates if there is more than one; Forgotten for a call that is.
        """
        with self.database.connect(writes=False) as connection:
            ids = [str(each) for (each,) in connection.execute(_INTERVIEWS).fetchall()]
        if name in ids:
            return name
        found = [each for each in ids if name and each.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"{len(found)} interviews begin with {name!r}: {_some(found)}; give more of the id")
        call_id = self.resolve(name)
        with self.database.connect(writes=False) as connection:
            row = connection.execute("SELECT interview_id FROM calls WHERE call_id = ?", [call_id]).fetchone()
        return str(row[0] if row and row[0] else call_id.replace("c-", "i-", 1))

    def _id(self, call: str) -> list[str]:
        return [self.resolve(call)]


def _passing_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="interviewer-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
