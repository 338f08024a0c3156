"""Run: python -m evals.performance.metrics [--calls N] [--times N]. Writes evals/performance/metrics.json.

Every metric of many calls of fourteen minutes, from the database to the figures with their intervals, on one core and
in the processor's time. A few calls are simulated; the others are copies of them in which every sentence ends with the
number of the copy, so that no text comes again and nothing remembered of one call serves another.
"""

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy loads

import argparse
import gc
import json
import tempfile
from collections.abc import Callable
from functools import _lru_cache_wrapper
from pathlib import Path
from time import process_time

from evals.performance.measure import figure, machine, timed
from interviewer.interview.demo import run_demo
from interviewer.lab.measured_store import of_store
from interviewer.metrics.measuring import measure
from interviewer.store.store import Store

_SIMULATED = 10
_LIMIT_S = 10.0
_NUMBERED = "regexp_replace({}::VARCHAR, '([a-z])([.?!])', '\\1 ' || n || '\\2', 'g')"
# What is another in a copy, beside the call's id.
_TABLES: dict[str, tuple[str, ...]] = {
    "turns": ("text", "heard"),
    "ledger_events": ("evidence",),
    **dict.fromkeys(("calls", "plans", "replies", "decisions", "agent_runs", "moments"), ()),
}


def main() -> int:
    """Measure, print and write down; exit 1 if the limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, ids = _many(Path(folder), given.calls)
        seconds = timed(_work(store, ids), given.times, process_time)
    limit = _LIMIT_S * given.calls / 1_000
    found = figure(f"all metrics of {given.calls:,} calls of 14 minutes, one core", "s", seconds, limit, at_most=True)
    report = {"machine": machine(), "figures": [found._asdict()]}
    text = json.dumps(report, indent=2)
    (Path(__file__).parent / "metrics.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if found.kept else 1


def _many(home: Path, count: int) -> tuple[Store, list[str]]:
    """A store with so many calls: rows of simulated ones, copied in the database."""
    for seed in range(_SIMULATED):
        run_demo(seed=seed, home=home)
    store = Store.open(home)
    with store.database.connect() as connection:
        for table, texts in _TABLES.items():
            others = "".join(f", {_NUMBERED.format(f't.{text}')} AS {text}" for text in texts)
            connection.execute(
                f"INSERT INTO {table} BY NAME SELECT t.* REPLACE (t.call_id || '-' || n AS call_id{others}) "
                f"FROM {table} AS t, range(1, {-(-count // _SIMULATED)}) AS copies(n)"
            )
        connection.commit()
    ids = [str(call) for call in store.sql("SELECT call_id FROM calls ORDER BY call_id LIMIT ?", [count])["call_id"]]
    return store, ids


def _work(store: Store, ids: list[str]) -> Callable[[], object]:
    def work() -> object:
        _forget()
        return measure(of_store(store, ids))

    return work


def _forget() -> None:
    """Empty what functions of this package remember, as a fresh process would find it."""
    for thing in gc.get_objects():
        if isinstance(thing, _lru_cache_wrapper) and str(getattr(thing, "__module__", "")).startswith("interviewer."):
            thing.cache_clear()


if __name__ == "__main__":
    raise SystemExit(main())
