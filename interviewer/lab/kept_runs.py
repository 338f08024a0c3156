"""Runs kept in a home: written part by part while they go on, read back whole."""

import json
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from interviewer.lab.run_rows import joined, replayed, rows_of, rows_of_failure
from interviewer.replay.outcome import Failed, Replayed, Run, reuse
from interviewer.replay.recording import Origin
from interviewer.settings import Settings
from interviewer.store.home import Home
from interviewer.store.runs import (
    RUN_TABLES,
    STOPPED,
    Book,
    RunWriter,
    Tables,
    read_book,
    resolve_run,
    rows_of_run,
    run_shapes,
)
from interviewer.store.store import Store

_PER_PART: Final = 32
"""Recordings that go into one part: enough for files that are read fast."""
_PART_S: Final = 10.0
"""But what was done is not kept in memory for longer than this, for a program may be killed."""


class RunKeeper:
    """Keeps a run while it goes on: what was added is safe once a part is full, or with `flush`.

    A context manager; leaving it writes what is there, so that an interrupted run loses nothing that was done. `done`:
    the recordings that are in it already.
    """

    def __init__(self, writer: RunWriter, done: frozenset[str] = frozenset(), per_part: int = _PER_PART) -> None:
        self.run_id = writer.run_id
        self.done = done
        self._writer, self._per_part = writer, per_part
        self._waiting: list[Tables] = []
        self._flushed = time.monotonic()

    @classmethod
    def begin(cls, place: Home, run: Run, *, configuration: str = "", sweep: str = "") -> Self:
        """A new run, of which only the head counts: id, kind, settings, agents, version and when it was begun.

        Raises JournalError if there is one of this id or it cannot be written.
        """
        head = {
            "started_at": run.started_at,
            "kind": run.kind,
            "configuration": configuration,
            "sweep": sweep,
            "version": run.version,
            "settings": run.settings.model_dump(mode="json"),
            "agents": dict(run.agents),
            "seed": run.seed,
            "plan": run.plan,
            "tape": run.tape,
        }
        return cls(RunWriter.begin(place, run.run_id, head))

    @classmethod
    def again(cls, place: Home, run_id: str) -> Self:
        """Go on with a run that was interrupted. Raises NotFound, JournalBusy if it still runs."""
        book = read_book(place, run_id)
        done = frozenset(str(row["recording"]) for row in rows_of_run(book, "run_calls"))
        return cls(RunWriter.again(place, run_id), done)

    def add(self, result: Replayed | Failed, origin: Origin | None = None) -> None:
        """Keep a result; `origin` of the recording, where it failed."""
        self._waiting.append(rows_of(result) if isinstance(result, Replayed) else rows_of_failure(result, origin))
        if len(self._waiting) >= self._per_part or time.monotonic() - self._flushed >= _PART_S:
            self.flush()

    def flush(self) -> None:
        """Write what waits. Raises StoreError."""
        if self._waiting:
            self._writer.add(joined(self._waiting))
            self._waiting = []
        self._flushed = time.monotonic()

    def finish(self, seconds: float, *, stopped: bool = False) -> None:
        """It is over, to its end or because a person stopped it."""
        self.flush()
        self._writer.finish(seconds, stopped=stopped)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self.flush()
        finally:
            self._writer.__exit__(kind, error, at)


def keep_run(store: Store, run: Run, *, configuration: str = "") -> None:
    """Keep a run that is over, and take it into the database. Raises JournalError, StoreError."""
    with RunKeeper.begin(store.home, run, configuration=configuration) as keeper:
        for result in run.results:
            keeper.add(result)
        for failed in run.failures:
            keeper.add(failed)
        keeper.finish(run.seconds, stopped=run.stopped)
    store.ingest_all()


def read_run(place: Home, run: str) -> Run:
    """A kept run, by its id, a prefix or `last`; in the JSON of `records` tuples come back as lists.

    Raises NotFound, StoreError naming a file that cannot be read.
    """
    book = read_book(place, resolve_run(place, run))
    kept = {table: [_read(table, row) for row in rows_of_run(book, table)] for table in RUN_TABLES}
    apart: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for table, rows in kept.items():
        for row in rows:
            own = apart.setdefault(row["recording"], {name: [] for name in RUN_TABLES})
            own[table].append(row)
    results = tuple(
        replayed(book.head["kind"], call, apart[call["recording"]]) for call in _last(kept["run_calls"]).values()
    )
    done = {result.source for result in results}  # what failed once may have come out the next time
    failures = [(name, row) for name, row in _last(kept["run_failures"]).items() if name not in done]
    return _run(book, results, tuple(Failed(name, row["error"], row["problem"]) for name, row in failures))


def _run(book: Book, results: tuple[Replayed, ...], failures: tuple[Failed, ...]) -> Run:
    head: Mapping[str, Any] = book.head
    return Run(
        run_id=book.folder.name,
        kind=head["kind"],
        settings=Settings.model_validate(head["settings"]),
        agents=head["agents"],
        version=head["version"],
        started_at=head["started_at"],
        results=results,
        failures=failures,
        stopped=book.status == STOPPED,
        seconds=book.seconds or 0.0,
        reused=reuse(results),
        seed=head.get("seed", 0),  # earlier versions kept none of the three
        plan=head.get("plan", ""),
        tape=head.get("tape", ""),
    )


def _last(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["recording"]: row for row in rows}


def _read(table: str, row: dict[str, Any]) -> dict[str, Any]:
    kinds = run_shapes()[table].types
    return {
        name: json.loads(value) if kinds[name] == "JSON" and value is not None else value for name, value in row.items()
    }
