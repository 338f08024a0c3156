import io
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from interviewer.call.actions import Action, Record
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.cli.screen import screen
from interviewer.cli.text import clean
from interviewer.cli.watch import LiveView, PlainLines
from interviewer.interview.demo import run_demo
from interviewer.interview.snapshot import Activity, Heading, Snapshot, snapshot
from interviewer.model.turn import Turn
from tests.live.service import PLAN

HEADING = Heading("On call", "Robert", 0.85)


class Keeper:
    """Keeps a moment of every step."""

    def __init__(self) -> None:
        self.activity = Activity()
        self.moments: list[Snapshot] = []

    def saw(self, core: Core, actions: list[Action]) -> None:
        self.activity.take(actions)
        self.moments.append(snapshot(HEADING, core, self.activity))


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[Snapshot]:
    keeper = Keeper()
    run_demo("On call", minutes=2, seed=4, home=tmp_path_factory.mktemp("watched"), watcher=keeper)
    return keeper.moments


def drawn(moment: Snapshot, width: int, height: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, legacy_windows=False)
    with console.capture() as capture:
        console.print(screen(moment, width, height), height=height)
    return capture.get().rstrip("\n").split("\n")


@pytest.mark.parametrize(("width", "height"), [(200, 60), (120, 30), (100, 24), (60, 16), (30, 8)])
def test_the_view_has_the_size_of_the_terminal_at_every_moment(
    moments: list[Snapshot], width: int, height: int
) -> None:
    for moment in moments[:: max(1, len(moments) // 8)]:
        lines = drawn(moment, width, height)
        assert len(lines) == height
        assert all(len(line) == width for line in lines)


def test_the_newest_turn_and_the_mark_at_85_percent_are_in_sight(moments: list[Snapshot]) -> None:
    over = moments[-1]
    text = "\n".join(drawn(over, 140, 30))
    assert over.turns[-1].text.split()[-1] in text
    bar = next(line for line in text.split("\n") if "┃" in line)
    before, after = bar.split("┃")
    assert before.count("━") / (before + "━" + after).count("━") == pytest.approx(0.85, abs=0.02)


def test_agents_are_at_work_and_then_done(moments: list[Snapshot]) -> None:
    assert any(agent.running for moment in moments for agent in moment.agents.values())
    assert not any(agent.running for agent in moments[-1].agents.values())
    assert {"note_taker", "orchestrator", "analyst", "writer"} <= set(moments[-1].agents)
    assert moments[-1].status == "done"


def test_a_guest_cannot_draw_on_the_screen(moments: list[Snapshot]) -> None:
    hostile = Turn("t9", "i9", "guest", "\x1b[31mred\x1b[0m [bold]b[/bold] \x9b2Jx\nline", "final", 0, 1)
    last = moments[-1]
    moment = Snapshot(**{name: getattr(last, name) for name in last.__slots__} | {"turns": (hostile,)})
    lines = drawn(moment, 140, 30)
    assert any("Guest  red [bold]b[/bold] x line" in line for line in lines)


def test_the_live_view_draws_seldom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at = [0]
    monkeypatch.setattr("interviewer.cli.watch._now_ms", lambda: at[0])
    console = Console(file=io.StringIO(), width=120, height=30, force_terminal=True)

    class Passing(LiveView):
        def saw(self, core: Core, actions: list[Action]) -> None:
            at[0] += 30
            super().saw(core, actions)

    draws: list[int] = []
    with Passing(console, HEADING, paced=False) as view:
        monkeypatch.setattr(view._live, "update", lambda *_, **__: draws.append(at[0]))
        run_demo("On call", minutes=0.5, seed=4, home=tmp_path, watcher=view)
    assert len(draws) > 3
    assert all(later - earlier >= 100 for earlier, later in itertools.pairwise(draws[:-1]))


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPpayload\x1b\\rest", "rest"),
        ("a\x1b]never closed", "anever closed"),
        ("one\r\ntwo\tthree\rfour\x00\x7f\x85", "one\ntwo\tthreefour"),
        ("\u202eevil\u2066", "evil"),
        ("Zürich – “naïve” 日本", "Zürich – “naïve” 日本"),
    ],
)
def test_what_could_act_on_a_terminal_is_taken_out(text: str, harmless: str) -> None:
    assert clean(text) == harmless


def test_a_call_that_never_came_about_is_not_told_to_hang_up() -> None:
    told: list[str] = []
    core, lines = Core(CallSetup(plan=PLAN)), PlainLines(told.append)
    ends: list[Action] = [Record(0, "status", {"status": status}) for status in ("connecting", "closing", "after")]
    lines.saw(core, ends)
    assert told == ["  0:00  connecting"]
    lines.saw(core, [Record(0, "status", {"status": "live"}), *ends[1:]])
    assert told[1:] == ["  0:00  hanging up", "  0:00  analysing and writing the essay"]


def test_what_keeps_a_call_from_being_kept_is_on_the_screen_while_it_lasts(moments: list[Snapshot]) -> None:
    last = moments[-1]
    problem = "call.jsonl cannot be written: No space left; the rest of it is kept in /tmp/rest-1.jsonl."
    for width, height in ((140, 30), (60, 16), (30, 8)):
        lines = drawn(replace(last, keep_problem=problem), width, height)
        assert len(lines) == height
        assert "No space left; the rest of it is kept in" in " ".join("".join(lines).split()) or width == 30
        assert "No space left" not in "\n".join(drawn(last, width, height))
    told: list[str] = []
    core = Core(CallSetup(plan=PLAN))
    problems = iter(["", problem, problem, ""])
    lines_of = PlainLines(told.append, lambda: next(problems))
    for _ in range(4):
        lines_of.saw(core, [])
    assert [line.strip() for line in told] == [f"0:00  {problem}", "0:00  the call is kept as usual again"]
