"""Someone who looks on while a call runs: the live view, plain lines, and the pace."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.live import Live

from interviewer.call.actions import Action, Record
from interviewer.call.core import Core
from interviewer.cli.screen import screen
from interviewer.cli.text import clock, one_line
from interviewer.interview.snapshot import Activity, Heading, Snapshot, snapshot

REFRESH_MS = 100
_TALLEST = 44
_PHASES = {"opening": "opening", "exploration": "exploration", "wrap_up": "wrap-up; the phase is locked"}


class Onlooker(Protocol):
    """Shows a call while it runs."""

    def saw(self, core: Core, actions: list[Action]) -> None:
        """A step of the core did something."""

    def idle(self, elapsed_ms: int) -> None:
        """Nothing happens, and time passes."""


class LiveView:
    """The live view in a terminal, drawn anew at most ten times a second. A context manager.

    `paced`: every moment is remembered, for the clock will move on under it before the core's next step is shown.
    """

    def __init__(
        self, console: Console, heading: Heading, *, paced: bool, keeps: Callable[[], str] = lambda: ""
    ) -> None:
        """`keeps` says what keeps the call from being kept as usual."""
        self._console = console
        self._heading = heading
        self._keeps = keeps
        self._paced = paced
        self._activity = Activity()
        self._moment: Snapshot | None = None
        self._core: Core | None = None
        self._drawn_ms = 0
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Follow, and draw if it is time to."""
        self._core = core
        self._activity.take(actions)
        due = self._due()
        if due or self._paced:
            self._moment = self._look(core)
        if due and self._moment:
            self._draw(self._moment)

    def idle(self, elapsed_ms: int) -> None:
        """Move the clock."""
        if self._moment and self._due():
            self._draw(self._moment.at(elapsed_ms))

    def _look(self, core: Core) -> Snapshot:
        return snapshot(self._heading, core, self._activity, keep_problem=self._keeps())

    def _due(self) -> bool:
        return _now_ms() - self._drawn_ms >= REFRESH_MS

    def _draw(self, moment: Snapshot) -> None:
        self._drawn_ms = _now_ms()
        width, height = self._console.size
        self._live.update(screen(moment, width, min(height - 1, _TALLEST)), refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._core is not None:
            self._draw(self._look(self._core))
        self._live.stop()


class PlainLines:
    """A line for every change of phase or status, and of what keeps the call from being kept as usual."""

    def __init__(self, tell: Callable[[str], None], keeps: Callable[[], str] = lambda: "") -> None:
        self._tell, self._keeps = tell, keeps
        self._problem = ""
        self._lived = False

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Say what changed."""
        problem = self._keeps()
        if bool(problem) != bool(self._problem):
            self._tell(f"{clock(core.elapsed_ms):>6}  {one_line(problem) or 'the call is kept as usual again'}")
        self._problem = problem
        for action in actions:
            if not isinstance(action, Record):
                continue
            status = action.data["status"] if action.kind == "status" else ""
            self._lived = self._lived or status == "live" or bool(core.turns)
            if status in ("closing", "after") and not self._lived:
                continue  # it never came about, and its error says why
            if words := _words(action):
                self._tell(f"{clock(core.elapsed_ms):>6}  {words}")

    def idle(self, elapsed_ms: int) -> None:
        """Nothing to say."""


class Paced:
    """Holds a call on a virtual clock back, so that it runs at `speed` times real time."""

    def __init__(self, onlooker: Onlooker, speed: float) -> None:
        self._onlooker = onlooker
        self._speed = speed
        self._shown_ms = 0
        self._began_ms: float | None = None

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Wait until it is time, then look."""
        if self._began_ms is None:
            self._began_ms = _now_ms()
        while (ahead := core.elapsed_ms - self._reached_ms()) > 0:
            time.sleep(min(ahead / self._speed, REFRESH_MS) / 1000)
            self._onlooker.idle(min(core.elapsed_ms, int(self._reached_ms())))
        self._onlooker.saw(core, actions)

    def _reached_ms(self) -> float:
        assert self._began_ms is not None
        return (_now_ms() - self._began_ms) * self._speed


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _words(record: Record) -> str:
    data = record.data
    if record.kind == "phase":
        return _PHASES[data["phase"]]
    if record.kind == "request":
        return f"the guest asks: {data['kind']}"
    if record.kind == "budget":
        end = "; it comes to its close, and rules stand in for the models" if data["state"] == "used_up" else ""
        return f"budget: {data['note']}{end}"
    if record.kind == "correction":
        return f"{one_line(data['wrong'])} is {one_line(data['right'])}"
    if record.kind == "goodbye":
        return "the goodbye is heard out"
    if record.kind == "status" and data["status"] in ("connecting", "closing", "after"):
        return {"connecting": "connecting", "closing": "hanging up"}.get(
            data["status"], "analysing and writing the essay"
        )
    return ""
