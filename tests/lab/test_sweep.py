"""Sweeps: a run for every configuration, gone on with after they were stopped, failures named and tried again."""

import asyncio
import contextlib
import json
import pickle
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import JournalBusy, ReplayError, SettingsError, Stopped
from interviewer.lab import configuration, sweep_work
from interviewer.lab import sweep as module
from interviewer.lab.configuration import Configuration
from interviewer.lab.executors import ClusterLost, Outcomes, Work
from interviewer.lab.grid import Grid
from interviewer.lab.kept_runs import RunKeeper, read_run
from interviewer.lab.replaying import replay_one
from interviewer.lab.sources import Source, find_sources
from interviewer.lab.sweep import sweep
from interviewer.lab.sweep_work import Task
from interviewer.llm import loop
from interviewer.llm.backend import Ran
from interviewer.llm.limit import Limited, Limiter
from interviewer.llm.rules import Rules
from interviewer.replay.outcome import Failed, Replayed
from interviewer.settings import Settings
from interviewer.store.runs import books
from interviewer.store.store import Store
from tests.cli.conftest import Terminal
from tests.lab.runs import run
from tests.patience import PATIENCE_S
from tests.project.checkout import ROOT

TALKS = ROOT / "data" / "labels" / "interviews" / "anthropic.jsonl"


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three short interviews: the first turns of real ones."""
    path = tmp_path / "three.jsonl"
    told = [json.loads(line) for line in TALKS.read_text(encoding="utf-8").splitlines()[:3]]
    path.write_text("".join(f"{json.dumps({**each, 'turns': each['turns'][:6]})}\n" for each in told), encoding="utf-8")
    return path


def grid(**more: Any) -> Grid:
    return Grid.of({"essays": {"match": {"contains": 0.35}}, "ours": None}, base=Settings(), **more)


def sent(work: Work[Task, Replayed | Failed], items: Iterable[Task], jobs: int) -> Outcomes[Task, Replayed | Failed]:
    """As processes do it: work, tasks and outcomes go there and back as bytes."""
    assert jobs == 2
    for item in items:
        there, task = pickle.loads(pickle.dumps((work, item)))
        yield item, pickle.loads(pickle.dumps(there(task)))


class ByRules(Rules):
    """Rules for whatever the settings name."""

    def __init__(self, settings: Settings, *, seed: int, backends: object) -> None:
        del backends
        super().__init__(settings.agents, seed)

    def close(self) -> None:
        """There is nothing to close."""


def test_every_recording_goes_through_every_configuration_in_processes_as_here(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_work, "in_processes", sent)  # processes themselves: test_executors
    store = Store.open(fresh_home)
    here = sweep([three], grid(), store=store, progress=False)
    apart = sweep([three], grid(), store=store, progress=False, jobs=2, executor="processes", again=True)
    assert (here.done, here.before, here.failures) == (6, 0, ())
    assert here.runs.keys() == apart.runs.keys() == {"essays", "ours"}
    for name in here.runs:
        one, other = (read_run(store.home, each.runs[name]) for each in (here, apart))
        assert {each.source: each.decisions for each in one.results} == {
            each.source: each.decisions for each in other.results
        }
    assert read_run(store.home, here.runs["essays"]).settings.match.contains == 0.35
    counts = store.sql("SELECT sweep, count(*) AS n FROM runs JOIN run_calls USING (run_id) GROUP BY sweep")
    assert counts["n"].tolist() == [6, 6]


def test_a_second_start_does_what_is_left_and_what_failed(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(fresh_home)
    real = replay_one
    seen: list[str] = []

    def stop_at_fourth(source: Source, configuration: Configuration) -> Replayed | Failed:
        seen.append(source.id)
        if len(seen) == 2:
            raise RuntimeError("a bug")
        if len(seen) == 4:
            raise KeyboardInterrupt
        return real(source, configuration)

    monkeypatch.setattr(sweep_work, "replay_one", stop_at_fourth)
    first = sweep([three], grid(), store=store, progress=False)
    assert (first.stopped, first.done) == (True, 2)
    assert [(name, failed.error) for name, failed in first.failures] == [("essays", "RuntimeError")]
    assert set(store.runs()["status"]) == {"interrupted"}
    monkeypatch.setattr(sweep_work, "replay_one", real)
    second = sweep([three], grid(), store=store, progress=False)
    assert (second.sweep_id, second.runs) == (first.sweep_id, first.runs)
    assert (second.before, second.done, second.failures) == (2, 4, ())
    assert store.runs()[["status", "recordings", "failures"]].to_numpy().tolist() == [["finished", 3, 0]] * 2
    assert read_run(store.home, second.runs["essays"]).failures == ()
    third = sweep([three], grid(), store=store, progress=False)
    assert (third.before, third.done) == (6, 0)


def test_what_was_done_before_a_cluster_went_away_is_kept(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(
        work: Work[Task, Replayed | Failed], items: Sequence[Task], *_: object
    ) -> Outcomes[Task, Replayed | Failed]:
        yield items[0], work(items[0])
        raise ClusterLost("the Dask scheduler is gone")

    monkeypatch.setattr(sweep_work, "on_dask", dies)
    monkeypatch.setattr(sweep_work, "check_dask", lambda: None)
    store = Store.open(fresh_home)
    with pytest.raises(ClusterLost, match=r"is gone; 1 of 6 replays were done and are kept; the same sweep again"):
        sweep([three], grid(), store=store, progress=False, executor="dask")
    rest = sweep([three], grid(), store=store, progress=False)
    assert (rest.before, rest.done) == (1, 5)


def test_with_a_tape_a_second_sweep_makes_nothing_again_and_one_changed_agent_only_itself(
    fresh_home: Path, three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_work, "in_processes", sent)
    store, tape = Store.open(fresh_home), tmp_path / "sweep.tape"
    first = sweep([three], grid(), store=store, tape=tape, jobs=2, executor="processes", progress=False)
    second = sweep([three], grid(), store=store, tape=tape, again=True, progress=False)
    assert (first.done, second.done, first.damaged) == (6, 6, ())
    assert {made for agents in second.reused.values() for _, made in agents.values()} == {0}
    for name in first.runs:
        one, other = (read_run(store.home, each.runs[name]) for each in (first, second))
        assert one.decisions == other.decisions
        assert (one.tape, other.tape) == (str(tape), str(tape))
        assert first.reused[name].keys() == second.reused[name].keys() == one.reused.keys()
    # Another model for the Researcher, which finds the same: nothing that depends on it is made again.
    monkeypatch.setattr(configuration, "Router", ByRules)
    other_model = {"agents": {"overrides": {"researcher": {"backend": "openai", "model": "another"}}}}
    third = sweep([three], Grid.of({"ours": other_model}, base=Settings()), store=store, tape=tape, executor="here")
    made = {agent: made for agent, (_, made) in third.reused["ours"].items()}
    assert made == {"note_taker": 0, "orchestrator": 0, "researcher": made["researcher"]}
    assert made["researcher"] > 0


def test_files_that_changed_or_thresholds_that_mean_something_else_are_another_sweep(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(fresh_home)
    found, asked = find_sources([three]).good, Grid.of({"ours": None}, base=Settings())
    first = module._sweep_id(store, found, asked, again=False)
    assert module._sweep_id(store, found, asked, again=False) == first
    with monkeypatch.context() as patched:
        patched.setattr(module, "version", lambda _: "9.9.9")
        other_version = module._sweep_id(store, found, asked, again=False)
    with monkeypatch.context() as patched:
        band = Settings().match.model_copy(update={"grey_band": (0.1, 0.2)})
        patched.setattr(module, "all_in_force", lambda settings, _: settings.model_copy(update={"match": band}))
        other_band = module._sweep_id(store, found, asked, again=False)
    three.write_text(three.read_text(encoding="utf-8").replace("the", "The"), encoding="utf-8")
    other_words = module._sweep_id(store, find_sources([three]).good, asked, again=False)
    assert len({first, other_version, other_band, other_words}) == 4


def test_a_sweep_that_is_under_way_is_not_begun_again(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(fresh_home)
    refused: list[str] = []

    def begin_another(source: Source, configuration: Configuration) -> Replayed | Failed:
        with pytest.raises(JournalBusy) as busy:
            sweep([three], grid(), store=store, progress=False)
        refused.append(str(busy.value))
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep_work, "replay_one", begin_another)
    # Also in the moment before its runs are there, which are locked themselves.
    monkeypatch.setattr(module, "_keepers", lambda *_: [RunKeeper.begin(store.home, run("r-1"))] * 2)
    first = sweep([three], grid(), store=store, progress=False)
    assert (first.stopped, [first.sweep_id in each for each in refused]) == (True, [True])


def test_a_grid_names_what_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text("vary: {match.contains: [0.3, 0.35], cycle.every_ms: [10000]}\nkind: prefix\n")
    found = Grid.load(path, Settings())
    assert [name for name, _ in found.configurations] == [
        "match.contains=0.3, cycle.every_ms=10000",
        "match.contains=0.35, cycle.every_ms=10000",
    ]
    assert (found.configurations[1][1].match.contains, found.kind) == (0.35, "prefix")
    for text, told in (
        ("vary: {contains: [1]}", r"grid\.yaml: vary: contains"),
        ("vary: {match.contains: 1}", "a list of values"),
        ("configurations: {mine: {match: {nothing: 1}}}", r"grid\.yaml: mine: .*match\.nothing"),
        ("[1]", "a grid has configurations or vary"),
        ("vary: [", "not valid YAML"),
        ("vary: {cycle.every_ms: [12000, 12000]}", r"grid\.yaml: there are two configurations 'cycle\.every_ms=12000'"),
        ("configurations: {1: {}}", r"grid\.yaml: configurations\.1.*: Input should be a valid string"),
        ("configurations: [a]", r"grid\.yaml: configurations: Input should be a valid dictionary"),
        ("configurations: {a: {match: 5}}", r"grid\.yaml: configurations\.a\.match: Input should be a valid dict"),
        ("{configurations: {a: }, settings: 5}", r"grid\.yaml: settings: Input should be a valid dictionary"),
        ("{configurations: {a: }, seed: x}", r"grid\.yaml: seed: Input should be a valid integer"),
        ("{configurations: {a: }, backend: 5}", r"grid\.yaml: backend: Input should be '"),
        ("{configurations: {a: }, kind: live}", r"grid\.yaml: kind: Input should be 'exact'"),
    ):
        path.write_text(text)
        with pytest.raises(SettingsError, match=told):
            Grid.load(path, Settings())


def test_what_cannot_be_done_is_said_before_anything_is_kept(
    fresh_home: Path, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(fresh_home)
    with pytest.raises(ReplayError, match="no recording to replay"):
        sweep(["nothing.vtt"], grid(), store=store, progress=False)
    with pytest.raises(ReplayError, match="executor: 'ray' is none"):
        sweep([three], grid(), store=store, progress=False, executor="ray")
    monkeypatch.setattr("interviewer.lab.executors._ANSWERS_S", 0.1)
    with pytest.raises(ReplayError, match="no Dask scheduler answers at"):
        sweep([three], grid(), store=store, progress=False, executor="tcp://127.0.0.1:9")
    with pytest.raises(SettingsError, match="no kind 'live'"):
        sweep([three], grid(kind="live"), store=store, progress=False)
    other = Grid.of({"ours": None, "other": {"match": {"contains": "no-such"}}}, base=Settings())
    with pytest.raises(SettingsError, match="no-such"):
        sweep([three], other, store=store, progress=False)
    assert list(books(store.home)) == []


def test_models_are_asked_no_faster_than_allowed() -> None:
    now = [100.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    class Model:
        def run(self, *_: object) -> Ran:
            now[0] += 0.5  # it takes half a second to answer
            return Ran({})

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    limited = Limited(Model(), Limiter(30, lambda: now[0], sleep), lambda name: name == "rules")  # one in two seconds
    for name in ("a", "rules", "b", "c"):
        limited.run(Named(name), Settings(), "j")  # type: ignore[arg-type]
    # a at 0; rules need not wait and end at 1; b waits until 2, ends at 2.5; c waits until 4.
    assert waits == pytest.approx([1.0, 1.5])


def test_who_waits_for_a_model_is_let_go_when_the_sweep_is_stopped() -> None:
    limiter = Limiter(1)
    limiter.wait()
    let_go = threading.Event()

    def ask() -> None:
        with contextlib.suppress(Stopped):
            limiter.wait()  # for a minute
            return
        let_go.set()

    waiting = threading.Thread(target=ask, daemon=True)
    waiting.start()
    limiter.stop()
    assert let_go.wait(PATIENCE_S)


def test_what_a_model_is_being_asked_is_given_up_when_the_sweep_is_stopped() -> None:
    limiter, asked, let_go = Limiter(0), threading.Event(), threading.Event()

    async def never() -> None:
        asked.set()
        await asyncio.Event().wait()

    def ask() -> None:
        with contextlib.suppress(Stopped), limiter.turn():
            loop.run(never())
        let_go.set()

    threading.Thread(target=ask, daemon=True).start()
    assert asked.wait(PATIENCE_S)
    limiter.stop()
    assert let_go.wait(PATIENCE_S)


def test_the_command_sweeps_and_tells_the_runs(tmp_path: Path, three: Path) -> None:
    terminal = Terminal(tmp_path / "own")
    path = tmp_path / "grid.yaml"
    path.write_text("configurations:\n  essays: {match: {contains: 0.35}}\n  ours: {}\n")
    told = terminal.json("sweep", str(path), str(three))
    assert (told["done"], told["failures"]) == (6, [])
    runs = {each["configuration"]: each["run_id"] for each in terminal.json("runs")["runs"]}
    assert told["runs"] == runs
    again = terminal("sweep", str(path), str(three), "gone.vtt")
    assert again.exit_code == 1
    assert f"interviewer compare {' '.join(told['runs'].values())}" in " ".join(again.stderr.split())
