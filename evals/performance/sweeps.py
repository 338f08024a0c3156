"""How sweeps scale, and how fast their results enter the database. Run: python -m evals.performance.sweeps [--part P].

    processes   two processes against one, on real interviews replayed teacher-forced: at least 1.8 times as fast
    dask        a Dask cluster of two workers against two processes, 200 calls of 100 ms: at most 1.2 times the time
    database    a million decisions taken into DuckDB against its own COPY of the same Parquet files: at most twice

Both sides of a ratio run in turn, in the same process; starting up the workers is not in it and stands beside it.
"""

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import LocalCluster

from evals.performance.measure import ROOT
from interviewer.lab.executors import in_processes, on_dask
from interviewer.lab.grid import Grid
from interviewer.lab.sources import find_sources
from interviewer.lab.sweep import sweep
from interviewer.settings import Settings
from interviewer.store.columns import Shape
from interviewer.store.database import Database
from interviewer.store.home import home
from interviewer.store.ids import new_call_id
from interviewer.store.run_ingest import ingest_runs
from interviewer.store.runs import RunWriter, part_file, run_shapes
from interviewer.store.store import Store

INTERVIEWS = ROOT / "data" / "labels" / "interviews" / "anthropic.jsonl"
OUT = Path(__file__).with_suffix(".json")
JOBS, ROUNDS = 2, 3
CALLS, CALL_S = 200, 0.1
ROWS, PER_PART = 1_000_000, 100_000

Report = dict[str, Any]


def main() -> int:
    """Measure the parts asked for, keep what stands in the file of the others; exit code 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=list(PARTS), action="append")
    parser.add_argument("--json", type=Path, default=OUT)
    options = parser.parse_args()
    report: Report = json.loads(options.json.read_text(encoding="utf-8")) if options.json.exists() else {}
    for name in options.part or list(PARTS):
        with tempfile.TemporaryDirectory() as folder:
            report[name] = {**PARTS[name](Path(folder)), "machine": _machine()}
        print(json.dumps({name: report[name]}, indent=2), flush=True)
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0 if all(part["kept"] for part in report.values()) else 1


def processes(folder: Path) -> Report:
    """The same hundred interviews by one process and by two."""
    store = Store.open(home(folder / "home").root)
    sources = find_sources([INTERVIEWS], store).good
    grid = Grid.of({"ours": None}, base=Settings())

    def go(jobs: int) -> float:
        done = sweep(sources, grid, store=store, jobs=jobs, executor="processes", again=True, progress=False)
        assert (done.done, done.failures) == (len(sources), ())
        return done.seconds

    began = time.perf_counter()
    go(JOBS)  # starts the processes
    first_s = time.perf_counter() - began
    go(1)
    pairs = [(go(1), go(JOBS)) for _ in range(ROUNDS)]
    report = _ratio([one / two for one, two in pairs], 1.8, at_most=False)
    return {**report, "recordings": len(sources), "first_sweep_s": round(first_s, 2), **_seconds("one", "two", pairs)}


def dask(_: Path) -> Report:
    """Calls that take a tenth of a second of a processor, by two processes and by two workers of Dask."""
    began = time.perf_counter()
    _through(lambda: in_processes(burn, range(JOBS), JOBS))
    start_s = time.perf_counter() - began
    began = time.perf_counter()
    with LocalCluster(n_workers=JOBS, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:  # type: ignore[no-untyped-call]
        address = str(cluster.scheduler_address)
        _through(lambda: on_dask(burn, list(range(JOBS)), JOBS, address))
        dask_start_s = time.perf_counter() - began
        items = list(range(CALLS))
        pairs = [
            (
                _through(lambda: on_dask(burn, items, JOBS, address)),
                _through(lambda: in_processes(burn, items, JOBS)),
            )
            for _ in range(ROUNDS)
        ]
    report = _ratio([ours / peer for ours, peer in pairs], 1.2, at_most=True)
    starts = {"processes_start_s": round(start_s, 2), "dask_start_s": round(dask_start_s, 2)}
    return {**report, "calls": CALLS, "call_s": CALL_S, **starts, **_seconds("dask", "processes", pairs)}


def database(folder: Path) -> Report:
    """A million rows: by this package, and by DuckDB's COPY into a table of the same columns."""
    place = home(folder / "home")
    files = _parts(folder / "home")
    pairs = []
    for number in range(ROUNDS + 1):
        for path in folder.glob("*.duckdb*"):
            path.unlink()
        ours = Database(folder / f"ours{number}.duckdb")
        peer = Database(folder / f"peer{number}.duckdb")
        for each in (ours, peer):
            with each.connect():
                pass
        own_s = _timed(lambda database=ours: ingest_runs(place, database))  # type: ignore[misc]
        with duckdb.connect(peer.path) as connection:
            copy_s = _timed(lambda: _copy(connection, files))
            counted = connection.execute("SELECT count(*) FROM run_decisions").fetchone()
        with ours.connect(writes=False) as connection:
            assert connection.execute("SELECT count(*) FROM run_decisions").fetchone() == counted == (ROWS,)
        if number:  # the first round reads the files from the disk
            pairs.append((own_s, copy_s))
    report = _ratio([own / copy for own, copy in pairs], 2.0, at_most=True)
    return {**report, "rows": ROWS, "files": len(files), **_seconds("ours", "copy", pairs)}


PARTS: dict[str, Callable[[Path], Report]] = {"processes": processes, "dask": dask, "database": database}


def burn(number: int) -> int:
    """A tenth of a second of work."""
    until = time.process_time() + CALL_S
    while time.process_time() < until:
        sum(range(1_000))
    return number


def _through(go: Callable[[], Any]) -> float:
    """Seconds until all outcomes are there."""
    began = time.perf_counter()
    outcomes = list(go())
    assert all(item == outcome for item, outcome in outcomes)
    return time.perf_counter() - began


def _parts(root: Path) -> list[Path]:
    """A run of a million decisions, in parts as a sweep writes them."""
    shape = run_shapes()["run_decisions"]
    run_id = new_call_id().replace("c-", "r-", 1)
    files: list[Path] = []
    rows = _rows(shape, run_id)
    head = {"kind": "teacher-forced", "started_at": "2026-11-30T12:00:00+00:00"}
    with RunWriter.begin(home(root), run_id, head) as run:
        for _ in range(ROWS // PER_PART):
            path = part_file(run.folder, "run_decisions", run.add({}))
            pq.write_table(rows, path, compression="zstd")
            files.append(path)
        run.finish(1.0)
    return files


def _rows(shape: Shape, run_id: str) -> pa.Table:
    """The rows of a part, such as a replay gives: texts of the length they have, no two alike."""
    numbers = range(PER_PART)
    made: dict[str, Callable[[int], Any]] = {
        "VARCHAR": lambda n: f"What did number {n} do before the storm, and what would it do now?",
        "VARCHAR[]": lambda n: ["winter", f"theme {n % 97}"],
        "INTEGER": lambda n: n % 1_000,
        "BIGINT": lambda n: n * 7,
        "DOUBLE": lambda n: (n % 1_000) / 1_000,
        "BOOLEAN": lambda n: n % 2 == 0,
    }
    rows = [{name: made[kind](n) for name, kind in shape.types.items()} | {"run_id": run_id} for n in numbers]
    return shape.arrow(rows)


def _copy(connection: duckdb.DuckDBPyConnection, files: list[Path]) -> None:
    connection.begin()
    for path in files:
        connection.execute(f"COPY run_decisions FROM '{path}' (FORMAT parquet)")
    connection.commit()


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ratio(ratios: list[float], limit: float, *, at_most: bool) -> Report:
    median = statistics.median(ratios)
    spread = {"low": round(min(ratios), 3), "high": round(max(ratios), 3)}
    kept = median <= limit if at_most else median >= limit
    return {"ratio": round(median, 3), **spread, "n": len(ratios), "limit": limit, "at_most": at_most, "kept": kept}


def _seconds(one: str, other: str, pairs: list[tuple[float, float]]) -> Report:
    sides = zip((one, other), zip(*pairs, strict=True), strict=True)
    return {f"{name}_s": round(statistics.median(values), 3) for name, values in sides}


def _machine() -> Report:
    return {
        "cpu": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "duckdb": duckdb.__version__,
    }


if __name__ == "__main__":
    raise SystemExit(main())
