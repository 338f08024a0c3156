"""`metrics`: figures with their reasons, two groups, and what cannot be compared."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from interviewer.agents.leading import LeadingInput
from interviewer.llm.backend import Ran, Task
from interviewer.llm.budget import Budget
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from tests.cli.conftest import Terminal
from tests.store import journals


@pytest.fixture
def two_worlds(tmp_path: Path) -> Terminal:
    """A call with a person and a simulated one."""
    home = tmp_path / "own"
    (home / "journals").mkdir(parents=True)
    for call_id, world in (("c-20260101-000000-aaaaaaaa", "real"), ("c-20260102-000000-bbbbbbbb", "simulated")):
        journals.write(home / "journals" / f"{call_id}.jsonl", journals.small_call(), world=world)
    return Terminal(home)


def test_every_figure_has_n_and_a_reason_where_there_is_none(looking: Terminal) -> None:
    found = looking.json("metrics", "last")
    metrics = found["metrics"]
    assert len(found["calls"]) == 1
    assert metrics["talk_share"]["unit"] == "share"
    assert 0 < metrics["talk_share"]["value"] < 1
    for figures in metrics.values():
        assert (figures["value"] is None) == (not figures["enough"])
        assert figures["why"]  # one call: no interval, if nothing else
    assert metrics["open_share"]["why"].startswith("only ")
    shown = looking("metrics", "last")
    assert shown.exit_code == 0
    assert "not enough" in shown.stdout
    assert shown.stdout.count("one call: no interval") == 1


def test_one_metric_may_be_asked_for_and_a_scorer_chosen(looking: Terminal) -> None:
    found = looking.json("metrics", "all", "--only", "talk_share", "--scorer", "tfidf", "--threshold", "0.5")
    assert list(found["metrics"]) == ["talk_share"]
    assert found["settings"]["threshold"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "kind", "why"),
    [
        (("last", "--threshold", "inf"), "SettingsError", "a score is a finite number"),
        (("last", "--threshold", "1e999"), "SettingsError", "a score is a finite number"),
        (("last", "--threshold", "nan"), "SettingsError", "a score is a finite number"),
        (("last", "--scorer", "tfidf"), "SettingsError", "chosen for the scorer jaccard2/1, not for tfidf/1"),
        (("last", "--only", "nonsense"), "MetricError", "no metric 'nonsense'; there are: re_ask_rate"),
        (("c-nothing",), "NotFound", "no call 'c-nothing'"),
        (("last", "--against", "last"), "MetricError", "is in both groups"),
        (("last", "--world", "real"), "NotFound", "of these calls none is real: 1 simulated"),
    ],
)
def test_what_cannot_be_is_named(looking: Terminal, arguments: tuple[str, ...], kind: str, why: str) -> None:
    failed = looking("metrics", *arguments, "--json")
    assert failed.exit_code == 1
    assert why in failed.stderr
    assert f'"type": "{kind}"' in failed.stdout


def test_worlds_are_not_put_together(two_worlds: Terminal) -> None:
    mixed = two_worlds("metrics", "all")
    assert mixed.exit_code == 1
    assert "1 real, 1 simulated" in mixed.stderr
    assert two_worlds.json("metrics", "all", "--world", "real")["calls"] == ["c-20260101-000000-aaaaaaaa"]


def test_groups_too_small_give_no_number(two_worlds: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    found = two_worlds.json("metrics", "c-20260101", "--against", "c-20260102")
    gap = found["metrics"]["talk_share"]["difference"]
    assert (gap["value"], gap["p"], gap["enough"]) == (None, None, False)
    assert gap["why"].startswith("1 against 1 call: ")
    assert found["metrics"]["talk_share"]["holm"] is None
    shown = two_worlds("metrics", "c-20260101", "--against", "c-20260102", "--only", "talk_share")
    assert "not enough" in shown.stdout


def test_of_a_pair_that_is_not_whole_neither_call_is_measured(tmp_path: Path) -> None:
    journal = tmp_path / "own" / "journals"
    journal.mkdir(parents=True)
    calls = [f"c-2026010{day}-000000-aaaaaaaa" for day in range(1, 5)]
    for call, world in zip(calls, ("simulated", "real", "real", "real"), strict=True):
        journals.write(journal / f"{call}.jsonl", journals.small_call(), world=world)
    own = Terminal(tmp_path / "own")
    given = ("metrics", *calls[:2], "--against", calls[2], "--against", calls[3], "--pairs", "--world", "real")
    done = own(*given, "--json")
    assert done.exit_code == 0, done.stderr
    assert f"the pair {calls[0]} and {calls[2]}" in done.stderr
    found = json.loads(done.stdout)
    assert (found["calls"], found["against"]) == ([calls[1]], [calls[3]])
    uneven = own("metrics", *calls[1:3], "--against", calls[3], "--pairs")
    assert "calls in pairs: there are 2 against 1" in uneven.stderr


def test_which_call_is_in_which_group_is_said(two_worlds: Terminal) -> None:
    shown = two_worlds("metrics", "c-20260101", "--against", "c-20260102", "--only", "talk_share").stdout
    assert "first: c-20260101-000000-aaaaaaaa" in shown
    assert "second: c-20260102-000000-bbbbbbbb" in shown


def test_a_call_that_cannot_be_used_is_named_and_the_others_are_measured(two_worlds: Terminal) -> None:
    odd = journals.event(1, 0, "unheard_of", "q1")
    journals.write(two_worlds.home / "journals" / "c-20260103-000000-cccccccc.jsonl", iter([journals.setup(), odd]))
    done = two_worlds("metrics", "c-20260101", "c-20260103", "--only", "talk_share", "--json")
    assert done.exit_code == 0, done.stderr
    assert "left out: call c-20260103-000000-cccccccc" in done.stderr


def test_no_call_at_all_is_said(terminal: Terminal) -> None:
    (terminal.home / "journals").mkdir(parents=True)
    assert "there is no call yet" in terminal("metrics", "all").stderr


class Scripted(Rules):
    """A judge that finds every question leading, or none if it asks how."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.agents, 0)
        self.budget = Budget(settings.agents)

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        assert isinstance(data, LeadingInput)
        return Ran({"rating": 1 if data.question.startswith("How") else 4})

    def close(self) -> None:
        pass


def test_how_leading_questions_are_is_asked_of_a_model_only_if_told(looking: Terminal) -> None:
    assert "leading" not in looking.json("metrics", "last")["metrics"]
    done = looking("metrics", "last", "--only", "talk_share", "--leading", "--json")
    assert done.exit_code == 0, done.stderr
    assert "0 of " in done.stderr  # agents follow rules, and these cannot tell
    assert "there is no model behind the judge" in json.loads(done.stdout)["metrics"]["leading"]["why"]


def test_ratings_are_marked_unless_people_s_put_them_right(
    looking: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.llm.router.Router", Scripted)
    monkeypatch.setenv("INTERVIEWER_METRICS__LEAST", "1")
    given = ("metrics", "last", "--only", "talk_share", "--leading")
    told = looking.json(*given)["metrics"]["leading"]
    assert told["unit"] == "score"
    assert "uncalibrated" in told["label"]
    assert 1 <= told["value"] <= 4
    people = tmp_path / "people.csv"
    people.write_text("judge,people\n" + "1,1.5\n" * 15 + "4,2.5\n" * 15, encoding="utf-8")
    right = looking.json(*given, "--calibration", str(people))["metrics"]["leading"]
    # What was 1 is 1.5 and what was 4 is 2.5: a third of the way.
    assert right["value"] == pytest.approx(1.5 + (told["value"] - 1) / 3)
    assert "uncalibrated" not in right["label"]
    for text, why in (("judge\n1\n", "line 1: no column people"), ("judge,people\n1,x\n", "line 2: judge is a whole")):
        people.write_text(text, encoding="utf-8")
        assert why in looking(*given, "--calibration", str(people)).stderr
    assert looking("metrics", "last", "--calibration", str(people)).exit_code == 2
