"""One point after the other: a process holds a call, is killed, and another looks at what it left."""

import contextlib
import functools
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evals.crashes import victim, witness
from evals.crashes.point import Mode, Point, point
from evals.crashes.victim import LINES, Told
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate import dossier as dossiers
from interviewer.simulate.run import simulate_call
from interviewer.store.store import Store

_PATIENCE_S = 120.0
_AGAIN: Final[dict[Mode, Callable[[Point, Path, Told], None]]] = {
    "closing": victim.close,
    "resuming": victim.resume,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a point. `told`: lines known to be written when it died; `killed`: it did not end before."""

    point: Point
    told: int
    killed: bool
    broken: tuple[str, ...]


def campaign(
    count: int, seed: int, *, first: int = 0, mode: Mode | None = None, done: Collection[tuple[int, str]] = ()
) -> Iterator[Outcome]:
    """Points `first` to `first + count` of this seed, one after the other. Only where there is fork and SIGKILL.

    Those of `done`, by number and kind, are left out.
    """
    points = [at for number in range(first, first + count) if (at := point(number, seed, mode)).key not in done]
    if not points:
        return
    _warm_up()
    with tempfile.TemporaryDirectory(prefix="crashes-") as folder:
        template = Path(folder) / "template"
        # What one child had to load is loaded once here, for all others.
        for name in _in_child(lambda: _rehearsal(template, Path(folder) / "rehearsal")):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        for at in points:
            home = Path(folder) / str(at.number)
            shutil.copytree(template, home)
            yield _one(at, home)
            shutil.rmtree(home, ignore_errors=True)


def _one(at: Point, home: Path) -> Outcome:
    told = Told()
    try:
        killed = _hold(at, home, told)
        if at.mode in _AGAIN and killed and told.count:  # killed before its first line there is nothing to go on with
            _wait(_fork(lambda: _AGAIN[at.mode](at, home, told)))
        lines = told.lines
        answer = _in_child(lambda: list(witness.violations(at, home, lines)))
        return Outcome(at, len(lines), killed, tuple(answer))
    except RuntimeError as error:
        return Outcome(at, told.count, False, (str(error),))
    finally:
        told.close()


def _hold(at: Point, home: Path, told: Told) -> bool:
    """Run the victim until it dies, by its own hand or ours; whether it was killed."""
    child = _fork(lambda: victim.hold(at, home, told))
    if at.mode in ("outside", "live"):
        wanted = int(at.at * LINES)
        while told.count < wanted and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.000_2)
        time.sleep(at.late_s)
        os.kill(child, signal.SIGKILL)
    return _wait(child)


def _fork(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _wait(child: int) -> bool:
    """Wait for the end of a process; whether it was killed. Raises RuntimeError if it failed in another way."""
    deadline = time.monotonic() + _PATIENCE_S
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise RuntimeError(f"a process of the campaign did not end within {_PATIENCE_S:g} s")
        time.sleep(0.001)
    if os.WIFEXITED(ended[1]) and os.WEXITSTATUS(ended[1]):
        raise RuntimeError("a process failed, and said why on standard error")
    return os.WIFSIGNALED(ended[1])


def _in_child(work: Callable[[], list[str]]) -> list[str]:
    """What `work` gives, done in a process of its own: the database must never be open where we fork."""
    reader, writer = os.pipe()

    def answer() -> None:
        with os.fdopen(writer, "w", encoding="utf-8") as out:
            json.dump(work(), out)

    child = _fork(answer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as given:
        text = given.read()
    _wait(child)
    found: list[str] = json.loads(text)
    return found


def _rehearsal(template: Path, home: Path) -> list[str]:
    """Make an empty home, and go through one point; gives the modules that this took."""
    Store.open(template)
    shutil.copytree(template, home)
    at = point(0, 0, "after")
    told = Told()
    _wait(_fork(lambda: victim.hold(at, home, told)))
    list(witness.violations(at, home, told.lines))
    return sorted(name for name in sys.modules if "." not in name or name.startswith(("pandas", "pyarrow", "interv")))


def _warm_up() -> None:
    """Load what every child would load, and no more: no thread and no database."""
    # Eight files that every child would read again.
    dossiers.load_all = functools.cache(dossiers.load_all)
    dossier = dossiers.load_all()[0]
    settings = Settings.load(env={}, call={"target_ms": 30_000})
    backend = Rules(settings.agents, 0)
    plan = plan_call(dossier.topic, dossier.context, 30_000, dossier.language, backend).plan
    simulate_call(CallSetup(plan=plan, world="simulated", settings=settings), dossier, backend, seed=0)
