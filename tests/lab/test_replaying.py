"""Kept calls and transcripts are replayed in four named ways; what was not changed is not made again."""

import json
from dataclasses import replace as with_
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import ReplayError, SettingsError
from interviewer.interview.demo import Demo, run_demo
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.lab.configuration import Configuration
from interviewer.lab.replaying import replay, replays
from interviewer.lab.sources import find_sources
from interviewer.llm.backend import Ran, Task
from interviewer.llm.rules import Rules
from interviewer.replay.outcome import Failed, Replayed
from interviewer.settings import Settings
from interviewer.store.store import Store

INTERVIEWS = Path(__file__).parents[2] / "data" / "labels" / "interviews" / "anthropic.jsonl"
VTT = """WEBVTT

00:00.000 --> 00:04.000
<v Host>How did you get into keeping bees?

00:05.000 --> 00:15.000
<v Anna>My neighbour gave me a hive when he moved away, and I had no idea what to do with it.

00:16.000 --> 00:19.000
<v Host>What went wrong in the first winter?

00:20.000 --> 00:40.000
<v Anna>I lost two of three colonies because I fed them far too late in the year.
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Demo]:
    """A home with a simulated call of a minute and a half; for looking only."""
    home = tmp_path_factory.mktemp("replayed")
    demo = run_demo("On call", minutes=1.5, seed=7, home=home)
    return Store.open(home), demo


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "bees.vtt"
    path.write_text(VTT, encoding="utf-8")
    return path


class Counting:
    """Rules that remember which agents they ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self._rules = Rules(Settings().agents, 0)

    def run(self, task: Task, data: Any, job_id: str, /) -> Ran:
        self.ran.append(task.name)
        return self._rules.run(task, data, job_id)


def _one(run: Any) -> Replayed:
    assert not run.failures
    (result,) = run.results
    assert isinstance(result, Replayed)
    return result


def test_an_exact_replay_of_a_call_makes_the_same_ledger(kept: tuple[Store, Demo]) -> None:
    store, demo = kept
    result = _one(replay(["last"], kind="exact", store=store))
    assert result.differences == ()
    assert [event.to_dict() for event in result.events] == [event.to_dict() for event in demo.call.core.ledger.events]
    assert (result.source, result.origin) == (demo.call_id, "call")


def test_an_exact_replay_with_another_backend_keeps_the_rest_of_each_calls_own_settings(tmp_path: Path) -> None:
    ours = Settings().with_(match={"contains": 1.0, "judge": False})  # a judge would be asked anew
    run_demo("On call", minutes=0.5, seed=7, home=tmp_path, settings=ours)
    result = _one(replay(["last"], kind="exact", backend="openai", store=Store.open(tmp_path)))
    assert result.differences == ()
    assert (result.setup.settings.match.contains, result.setup.settings.agents.backend) == (1.0, "openai")


def test_under_another_threshold_an_exact_replay_names_the_events_that_differ_and_the_first_input(
    kept: tuple[Store, Demo],
) -> None:
    store, demo = kept
    settings = demo.call.core.setup.settings.with_(match={"contains": 1.0})
    result = _one(replay(["last"], settings, kind="exact", store=store))
    first = result.differences[0]
    # By shared words nothing is more than wholly alike: what was generated is not recognised any more. The input that
    # brought it was the end of a response.
    assert (first.input_type, first.stored and first.stored.kind) == ("frame", "generated")
    assert first.fresh is None
    steps = [line for line in demo.journal.read_text(encoding="utf-8").splitlines() if '"k":"in"' in line[:20]]
    assert json.loads(steps[first.input - 1])["d"]["frame"]["type"] == "response.done"
    assert all(each.input >= first.input for each in result.differences)


def test_a_teacher_forced_replay_says_of_each_decision_what_the_recording_asked_next(talk: Path) -> None:
    result = _one(replay([talk]))
    assert [turn.text for turn in result.turns] == [turn.text for turn in result.recorded]
    assert [question.text for question in result.setup.plan.questions] == [
        "How did you get into keeping bees?",
        "What went wrong in the first winter?",
    ]
    assert result.moments[0].agrees
    before = [each for each in result.decisions if each.t_ms < 16_000]
    assert {each.asked for each in before} <= {"What went wrong in the first winter?"}
    assert all(each.asked == "" for each in result.decisions if each.t_ms > 16_500)
    assert {run.agent for run in result.runs} == {"note_taker", "researcher", "orchestrator"}
    assert {event.world for event in result.events} == {"replayed"}
    again = _one(replay([talk]))
    assert (again.decisions, again.events, again.runs) == (result.decisions, result.events, result.runs)


def test_agents_meet_a_kept_call_at_the_moments_at_which_they_met_it_live(kept: tuple[Store, Demo]) -> None:
    """Of 20 calls of six minutes 423 of 433 cycles begin within half a second of where they began in the call.

    With words that come when a turn is over, and an interviewer's at its begin, it were 120.
    """
    store, demo = kept
    result = _one(replay(["last"], demo.call.core.setup.settings, seed=7, store=store))
    records = CallLog.read(demo.journal).records("job")
    live_ms = next(t_ms for t_ms, told in CallLog.read(demo.journal).records("status") if told["status"] == "live")
    live, again = {}, {}
    for job in (told for _, told in reversed(records) if told["cycle"]):
        live[job["cycle"]] = job["started_ms"] - live_ms
    for run in reversed(result.runs):
        again[run.cycle] = run.started_ms
    assert len(live) == len(again) == 4
    assert all(abs(again[cycle] - t_ms) <= 500 for cycle, t_ms in live.items())
    # The guest's words are the call's own, in whatever stretches they came.
    said = [turn.text for turn in result.turns if turn.speaker == "guest"]
    assert said == [turn.text for turn in result.recorded if turn.speaker == "guest"]


def test_a_simulated_replay_tells_in_the_guests_words_what_was_asked_for_and_what_was_volunteered() -> None:
    source = find_sources([INTERVIEWS]).good[0]
    result = _one(replay([source], Settings().with_(replay={"agrees": 0.5}), kind="simulated"))
    said = {turn.id: " ".join(turn.text.split()) for turn in result.recorded}
    assert len(result.disclosures) > 3
    assert all(told.text in said[told.turn] for told in result.disclosures)
    assert all(told.question for told in result.disclosures if told.asked)
    assert len({told.detail_id for told in result.disclosures}) <= result.details
    assert {event.world for event in result.events} == {"simulated"}


def test_a_transcript_cannot_be_replayed_exactly_and_the_others_go_on(kept: tuple[Store, Demo], talk: Path) -> None:
    store, _ = kept
    run = replay([talk, "last"], kind="exact", store=store)
    assert [(failed.source, failed.error) for failed in run.failures] == [("bees", "ReplayError")]
    assert "teacher-forced" in run.failures[0].problem
    assert len(run.results) == 1


def test_an_imported_call_is_replayed_like_its_file(talk: Path, fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    import_files(store, [talk])
    kept, file = _one(replay(["last"], store=store)), _one(replay([talk], store=store))
    assert kept.origin == "import"
    assert [(t.speaker, t.text, t.started_ms) for t in kept.turns] == [
        (t.speaker, t.text, t.started_ms) for t in file.turns
    ]
    assert [each.text for each in kept.decisions] == [each.text for each in file.decisions]


def test_sources_are_found_by_name_and_pattern_and_what_cannot_be_read_stands_apart(
    kept: tuple[Store, Demo], talk: Path
) -> None:
    store, demo = kept
    (talk.parent / "empty.vtt").write_text("WEBVTT\n", encoding="utf-8")
    other = talk.parent / "other"
    other.mkdir()
    (other / "bees.vtt").write_text(VTT, encoding="utf-8")
    found = find_sources([str(talk.parent / "*.vtt"), other, "all", demo.call_id[:12], "nobody", demo.journal], store)
    assert [(source.id, source.origin) for source in found.good] == [
        ("bees", "file"),
        ("bees~2", "file"),
        (demo.call_id, "call"),
        (f"{demo.call_id}~2", "call"),
        (f"{demo.call_id}~3", "call"),
    ]
    assert [(Path(failed.source).name, failed.error) for failed in found.failures] == [
        ("empty.vtt", "TranscriptError"),
        ("nobody", "NotFound"),
    ]


def test_a_file_that_goes_away_fails_alone(talk: Path) -> None:
    other = talk.with_name("other.vtt")
    other.write_text(VTT, encoding="utf-8")
    found = find_sources([talk, other])
    talk.unlink()
    gone, left = replays(found.good, Configuration.of())
    assert isinstance(gone, Failed)
    assert isinstance(left, Replayed)


def test_a_file_that_says_something_else_meanwhile_fails_alone(talk: Path) -> None:
    other = talk.with_name("other.vtt")
    other.write_text(VTT, encoding="utf-8")
    found = find_sources([talk, other])
    talk.write_text(VTT.replace("bees", "ants"), encoding="utf-8")
    changed, left = replays(found.good, Configuration.of())
    assert isinstance(changed, Failed)
    assert (changed.source, changed.error) == ("bees", "TranscriptError")
    assert "changed since it was found" in changed.problem
    assert isinstance(left, Replayed)


def test_one_name_is_one_recording_and_no_name_is_none(
    kept: tuple[Store, Demo], talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, demo = kept
    assert [source.id for source in find_sources("last", store).good] == [demo.call_id]
    assert [source.id for source in find_sources(str(talk), store).good] == ["bees"]
    monkeypatch.chdir(talk.parent)  # where an empty name would be the folder
    (talk.parent / "empty").mkdir()
    found = find_sources(["", "empty"], store)
    assert found.good == ()
    assert [failed.problem for failed in found.failures] == [
        "the name of a recording is empty",
        "there is no file in the folder empty",
    ]
    with pytest.raises(ReplayError, match="the name of a recording is empty"):
        found.some()


def test_a_second_run_makes_nothing_again_and_one_changed_agent_only_itself(talk: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    first = _one(replay([talk], backend=Counting(), tape=tape))
    again = Counting()
    second = replay([talk], backend=again, tape=tape)
    assert again.ran == []
    assert _one(second).decisions == first.decisions
    assert {agent: made for agent, (_, made) in second.reused.items()} == dict.fromkeys(second.reused, 0)
    # Another model for the Researcher: its runs are made again. It finds the same, so nothing that depends on it is.
    changed = Settings().with_(agents={"overrides": {"researcher": {"backend": "openai", "model": "another"}}})
    third = Counting()
    run = replay([talk], changed, backend=third, tape=tape)
    assert set(third.ran) == {"researcher"}
    back, made = run.reused["researcher"]
    assert back == 0
    assert made > 0
    assert run.reused["orchestrator"][0] > 0


def test_a_tape_says_which_call_a_run_was_made_for_and_a_run_where_its_tape_is(
    kept: tuple[Store, Demo], talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, demo = kept
    monkeypatch.chdir(talk.parent)
    run = replay([talk, demo.call_id], tape=Path("runs.tape"), store=store)
    tape = talk.parent / "runs.tape"
    assert run.tape == str(tape)
    calls = [json.loads(line).get("call") for line in tape.read_text(encoding="utf-8").splitlines()]
    assert set(calls) == {None, demo.call_id}


def test_a_stop_keeps_what_was_done(talk: Path) -> None:
    other = talk.with_name("other.vtt")
    other.write_text(VTT, encoding="utf-8")

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    run = replay([talk, other], watch=stop)
    assert run.stopped
    assert [result.source for result in run.results] == ["bees"]


def test_what_nobody_foresaw_ends_one_recording_and_not_the_run(talk: Path) -> None:
    other = talk.with_name("other.vtt")
    other.write_text(VTT, encoding="utf-8")

    class Odd(Counting):
        def run(self, task: Task, data: Any, job_id: str, /) -> Ran:
            if not self.ran:
                self.ran.append(task.name)
                raise ZeroDivisionError("of the backend's own")
            return super().run(task, data, job_id)

    run = replay([talk, other], backend=Odd())
    assert [(failed.source, failed.error) for failed in run.failures] == [("bees", "ZeroDivisionError")]
    assert [result.source for result in run.results] == ["other"]


@pytest.mark.parametrize("plan_from", ["topic", "conversation"])
def test_only_a_plan_of_the_topic_knows_nothing_of_what_is_said_later(talk: Path, plan_from: str) -> None:
    settings = Settings().with_(replay={"plan_from": plan_from}, cycle={"every_ms": 5_000})
    before = _one(replay([talk], settings))
    later = VTT.replace("What went wrong in the first winter?", "What do the elephants of Vienna eat?")
    talk.write_text(later, encoding="utf-8")
    after = _one(replay([talk], settings))
    seen = [
        (
            [with_(each, asked="", score=None) for each in run.decisions if each.t_ms < 16_000],
            [each for each in run.moments if each.t_ms < 16_000],
            run.setup.plan,
        )
        for run in (before, after)
    ]
    assert all(decisions for decisions, _, _ in seen)
    assert (seen[0] == seen[1]) == (plan_from == "topic")
    assert before.hindsight == (plan_from == "conversation")


def test_what_is_wrong_with_a_recording_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "told.csv"
    path.write_text("speaker,text\nHost,Well now.\nAnna,Indeed.\n", encoding="utf-8")
    (failed,) = replay([path]).failures
    assert failed.problem.startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"kind": "loose"}, "there is no kind 'loose'"),
        ({"backend": "nobody"}, "there is no backend 'nobody'"),
        ({"settings": Settings().with_(replay={"scorer": "none"})}, "there is no scorer 'none'"),
    ],
)
def test_what_cannot_be_is_named(talk: Path, options: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        replay([talk], **options)
