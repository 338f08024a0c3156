"""A call taken out of the runs that were made of it: its rows leave the parts, the rest of the run stays."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from interviewer.errors import StoreError
from interviewer.store.home import Home
from interviewer.store.runs import RUN_TABLES, books, read_parquet, write_parquet


def parts_of_call(place: Home, call_id: str) -> list[Path]:
    """The files of runs that hold rows of this call."""
    return [path for path in _files(place) if _holds(path, call_id)]


def without_call(path: Path, call_id: str) -> None:
    """Write a part's file anew without the rows of this call. Raises StoreError.

    It stays without any rows left, for a part that is missing is a part that was lost.
    """
    table = read_parquet(path)
    write_parquet(table.filter(pc.invert(_theirs(table, call_id))), path, pq.write_table)


def tapes_of_call(place: Home, call_id: str) -> dict[Path, set[tuple[object, object]]]:
    """The tapes that runs name, each with what it may hold of this call: (agent, digest of its input)."""
    found: dict[Path, set[tuple[object, object]]] = {}
    for book in books(place):
        if not book.head.get("tape"):
            continue
        runs = found.setdefault(Path(str(book.head["tape"])), set())
        for path in book.files("run_agent_runs"):
            if _holds(path, call_id):
                table = read_parquet(path, ["call_id", "agent", "input_hash"])
                rows = table.filter(_theirs(table, call_id)).to_pylist()
                runs.update((row["agent"], row["input_hash"]) for row in rows)
    return found


def _theirs(table: pa.Table, call_id: str) -> pa.BooleanArray:
    """For each row whether it is of this call."""
    return pc.is_in(table["call_id"], value_set=pa.array([call_id]))


def _files(place: Home) -> Iterator[Path]:
    for book in books(place):
        for table in RUN_TABLES:
            yield from book.files(table)


def _holds(path: Path, call_id: str) -> bool:
    try:
        return bool(pc.any(_theirs(read_parquet(path, ["call_id"]), call_id)).as_py())
    except StoreError:
        return False  # damaged: nothing of it can be read, and nothing told
