"""The process that is killed: it holds a whole call, and says line by line what it has been told is written."""

import mmap
import os
import signal
import struct
import zlib
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

from evals.crashes.going_on import go_on
from evals.crashes.point import Point
from interviewer.interview.demo import run_demo
from interviewer.interview.socket_demo import speak_call
from interviewer.kept import records
from interviewer.kept.folding import fold_again
from interviewer.kept.reading import CallLog
from interviewer.kept.recover import recover
from interviewer.simulate import dossier as dossiers
from interviewer.store import ingest, journal
from interviewer.store.store import Store

MINUTES: Final = 0.5
LINES: Final = 480
"""About as many lines as such a call has."""

LIVE_SPEED: Final = 15.0
_MOST: Final = 60_000


class Told:
    """What the victim knew to be written: memory it shares with whoever kills it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 4 * (_MOST + 1))

    def add(self, line: bytes) -> None:
        """One more line."""
        count = self.count
        struct.pack_into("<I", self._memory, 4 * (count + 1), zlib.crc32(line))
        struct.pack_into("<I", self._memory, 0, count + 1)

    @property
    def count(self) -> int:
        """How many lines."""
        return int(struct.unpack_from("<I", self._memory)[0])

    @property
    def lines(self) -> list[int]:
        """The checksum of each."""
        return list(struct.unpack_from(f"<{self.count}I", self._memory, 4))

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()


def hold(point: Point, home: Path, told: Told) -> None:
    """Hold the call of this point, and die where it says; returns if its call ends before."""
    _Writing(point, told).install()
    _at_other_places(point)
    dossier = dossiers.load_all()[point.dossier % len(dossiers.load_all())]
    way = partial(speak_call, speed=LIVE_SPEED) if point.mode == "live" else None
    run_demo(dossier=dossier.id, minutes=MINUTES, seed=point.seed, home=home, simulate=way)


def close(point: Point, home: Path, told: Told) -> None:
    """Close the call that was killed, and die at a line of that."""
    _Writing(point, told, count=told.count, at=told.count + 1 + int(point.part * 30)).install()
    recover(Store.open(home), "last", close=True)


def resume(point: Point, home: Path, told: Told) -> None:
    """Go on with the call that was killed, and die at a line of that."""
    _Writing(point, told, count=told.count, at=told.count + 1 + int(point.part * LINES / 2)).install()
    store = Store.open(home)
    folded = fold_again(CallLog.read(store.journal_path("last")))
    if folded.core.said_goodbye:
        recover(store, "last", close=True)
    else:
        go_on(point, store, folded)


class _Writing:
    """Stands where the journal hands its lines to the operating system."""

    def __init__(self, point: Point, told: Told, count: int = 0, at: int | None = None) -> None:
        self._point, self._told, self._count = point, told, count
        self._at = 1 + int(point.at * LINES) if at is None else at
        self._write = journal.Journal._append

    def install(self) -> None:
        """From now on lines are counted."""
        journal.Journal._append = lambda *given: self._append(*given)  # type: ignore[method-assign]

    def _append(self, writer: journal.Journal, descriptor: int, line: bytes) -> None:
        self._count += 1
        here, mode = self._count == self._at, self._point.mode
        if here and mode in ("before", "closing", "resuming"):
            die()
        if here and mode == "within":
            os.write(descriptor, line[: int(self._point.part * len(line))])
            die()
        self._write(writer, descriptor, line)
        if here and mode == "after":
            die()
        self._told.add(line)


def _at_other_places(point: Point) -> None:
    if point.mode == "taking_in":
        insert, count = ingest._insert, [int(point.at * 16)]

        def dying(*given: object) -> None:
            if count[0] == 0:
                die()
            count[0] -= 1
            insert(*given)  # type: ignore[arg-type]

        ingest._insert = dying  # type: ignore[assignment]
    elif point.mode == "essay":
        records.CallRecord._write_essay = lambda _: die()  # type: ignore[assignment, method-assign]


def die() -> NoReturn:
    """Kill this process as the system would, with nothing tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")
