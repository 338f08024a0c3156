"""Two runs compared: by figures a recording each, and turn by turn where they choose otherwise."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.errors import ReplayError
from interviewer.kept.forget import forget
from interviewer.lab.comparing import Comparison, compare
from interviewer.lab.comparison_report import html_page, markdown_page, number, write_report
from interviewer.lab.judging import Judging
from interviewer.lab.kept_runs import keep_run
from interviewer.replay.outcome import HINDSIGHT, Replayed
from interviewer.settings import Settings
from interviewer.store.home import Home
from interviewer.store.store import Store
from interviewer.widgets.judging import Judge
from tests.cli.conftest import Terminal
from tests.lab.runs import FULL, PLAN, agent_run, decided, moment, result, run
from tests.store.journals import write

HOSTILE = "<script>alert(1)</script> | **x** \x1b[2J [y](javascript:z)"


def talk(name: str, *offered: str, agree: int = 0) -> Replayed:
    """A recording with one turn of the interviewer's for each wording; the first `agree` of them were asked."""
    asked = [text if place < agree else "And the storm?" for place, text in enumerate(offered)]
    moments = tuple(
        moment(f"t{2 * place + 1}", text, asked[place], 0.9 if place < agree else 0.1, question_id=None)
        for place, text in enumerate(offered)
    )
    return result(name, moments=moments, decisions=(decided(1, offered[0]),))


def two(*, a: tuple[Replayed, ...], b: tuple[Replayed, ...]) -> Comparison:
    baseline = Settings().with_(match={"contains": 0.35})
    return compare(replace(run("r-a", *a), settings=baseline), run("r-b", *b))


def test_figures_are_compared_recording_by_recording() -> None:
    names = [f"talk{number}" for number in range(6)]
    a = tuple(talk(name, "Why?", "How?", "Who?", "When?", agree=1) for name in names)
    b = tuple(talk(name, "Why?", "How?", "Who?", "When?", agree=2) for name in reversed(names))
    found = two(a=a, b=(*b, talk("other", "Why?")))
    assert (found.shared, found.only_a, found.only_b) == (tuple(names), (), ("other",))
    agreement = next(each for each in found.measures if each.measure.name == "agreement")
    assert (agreement.a.value, agreement.b.value, agreement.difference.value) == (0.25, 0.5, -0.25)
    # All six differ by the same: of 2 ** 6 patterns of signs only the two extreme ones reach that far.
    assert agreement.difference.p == pytest.approx(2 / 64)
    tested = [each for each in found.measures if each.p_holm is not None]
    assert agreement.p_holm == pytest.approx(min(1, len(tested) * 2 / 64))
    assert ("match.contains", 0.35, "contains") in found.settings


def test_agreement_with_a_plan_that_knows_what_comes_is_marked() -> None:
    knows = replace(talk("one", "Why?"), notes=(HINDSIGHT,))
    found = two(a=(knows, talk("two", "Why?")), b=(talk("one", "Why?"), talk("two", "Why?")))
    assert found.hindsight == 1
    assert found.caution.startswith("Of 1 of 2 recordings")
    assert "partly circular" in markdown_page(found, text=False)
    assert "partly circular" not in html_page(two(a=(talk("two", "Why?"),), b=(talk("two", "Why?"),)))


def test_runs_of_two_seeds_say_so() -> None:
    found = compare(run("r-a", talk("one", "Why?")), replace(run("r-b", talk("one", "Why?")), seed=4, tape="x.tape"))
    assert found.settings == (("seed", 0, 4), ("tape", "", "x.tape"))


def test_few_recordings_give_no_figure_but_a_reason() -> None:
    found = two(a=(talk("one", "Why?"),), b=(talk("one", "Why?"),))
    agreement = next(each for each in found.measures if each.measure.name == "agreement")
    assert (agreement.difference.value, agreement.p_holm) == (None, None)
    assert "6 pairs" in agreement.difference.why


def test_they_diverge_where_another_question_or_none_was_at_hand() -> None:
    a, b = talk("one", "Why so late?", "How?", "Who?"), talk("one", "why so LATE", "How many?", "")
    found = two(a=(a,), b=(b,))
    assert [(each.turn, each.a.text, each.b.text) for each in found.divergences] == [
        ("t3", "How?", "How many?"),
        ("t5", "Who?", ""),
    ]
    assert [turn.id for turn in found.divergences[0].before] == ["t1", "t2"]
    assert found.divergences[0].asked == "And the storm?"
    assert found.moments == 3
    same = moment("t1", "How so?", "", None), moment("t1", "In what way?", "", None)  # one question of the plan
    assert not two(a=(result("x", moments=same[:1]),), b=(result("x", moments=same[1:]),)).divergences


def test_of_a_conversation_that_follows_the_choices_only_the_first_counts() -> None:
    ways = [
        (decided(1, "Why?"), decided(2, x, question_id=None), decided(3, x, question_id=None)) for x in ("How?", "Who?")
    ]
    one, other = (result("one", kind="simulated", decisions=way, **FULL) for way in ways)
    found = compare(run("r-a", one), run("r-b", other))
    assert [(each.a.text, each.b.text) for each in found.divergences] == [("How?", "Who?")]


def test_kinds_are_never_mixed() -> None:
    with pytest.raises(ReplayError, match=r"r-a is teacher-forced and r-b exact"):
        compare(run("r-a", result()), run("r-b", result(kind="exact")))
    with pytest.raises(ReplayError, match="share no recording"):
        compare(run("r-a", result("one")), run("r-b", result("two")))


@pytest.mark.parametrize("page", [html_page, markdown_page])
def test_the_page_shows_every_text_and_runs_none(page: Callable[..., str]) -> None:
    one = talk("one", "Why?")
    spoken = tuple(replace(turn, text=HOSTILE) for turn in one.recorded)
    hostile = replace(one, recorded=spoken, moments=(moment("t3", HOSTILE, HOSTILE, 0.1),))
    found = two(a=(hostile,), b=(replace(talk("one", "Who?", "When?"), recorded=spoken),))
    text = page(found)
    assert "alert(1)" in text
    assert "<script" not in text
    assert "\x1b" not in text
    if page is markdown_page:
        assert "\\[y\\](javascript" in text
    bare = page(found, text=False)
    assert "alert" not in bare
    assert "match" in bare
    for said in ("storm", "Who?", "hive", "one,"):
        assert said not in bare


def test_markdown_links_no_address_and_no_name() -> None:
    text = "See https://evil.example, www.evil.example or a@evil.example, says @octocat"
    page = markdown_page(two(a=(talk("one", text),), b=(talk("one", "Who?"),)))
    assert "evil.example" in page
    for linked in ("https://", "www.evil", "a@evil", "@octocat"):
        assert linked not in page


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("maker/model:8b", "maker/model:8b"),
        ("/srv/ann/models/m.gguf", "(text)"),
        ("~/m.gguf", "(text)"),
        ("C:\\m.gguf", "(text)"),
    ],
)
def test_without_text_a_model_is_named_and_no_place_of_it(model: str, told: str) -> None:
    b = replace(run("r-b", result()), settings=Settings().with_(agents={"model": model}))
    (setting,) = (one for one in compare(run("r-a", result()), b).told_settings(text=False) if "model" in one[0])
    assert setting[2] == told


def test_judges_see_neither_run_nor_the_same_side_and_the_sum_comes_at_the_end(fresh_home: Path) -> None:
    place = Store.open(fresh_home).home
    names = [f"talk{number}" for number in range(8)]
    found = two(a=tuple(talk(name, "Of A?") for name in names), b=tuple(talk(name, "Of B?") for name in names))
    ann = Judging(found, " Ann ", place)
    assert {ann.sides(each)[0].text for each in found.divergences} == {"Of A?", "Of B?"}
    assert ann.unblinded() is None
    while ann.done < 7 and (current := ann.current) is not None:
        left, _ = ann.sides(current)
        ann.judge_it(current, "left" if left.text == "Of A?" else "right", "nearer to what she said")
    again = Judging(compare(found.b, found.a), "Ann", place)  # A and B in other places
    assert (again.done, again.total) == (7, 8)
    assert again.current is not None
    again.judge_it(again.current, "alike")
    total = again.unblinded()
    assert total is not None
    assert (total.a, total.b, total.alike) == (0, 7, 1)
    assert total.share_a.value == 0
    assert {each.reason for each in again.judgements()} == {"nearer to what she said", ""}
    for late in (again, Judging(found, "Ann", place)):  # who knows the sum judges blindly no more
        with pytest.raises(ReplayError, match="all are judged"):
            late.undo()
        with pytest.raises(ReplayError, match="all are judged"):
            late.judge_it(found.divergences[0], "left")
    assert again.unblinded() == total


def test_before_the_sum_is_told_a_judgement_can_be_taken_back(fresh_home: Path) -> None:
    place = Store.open(fresh_home).home
    found = two(a=(talk("x", "Of A?"), talk("y", "Of A?")), b=(talk("x", "Of B?"), talk("y", "Of B?")))
    ann = Judging(found, "Ann", place)
    first = ann.current
    assert first is not None
    ann.judge_it(first, "left")
    ann.undo()
    assert (ann.done, ann.current) == (0, first)


def test_a_judgement_belongs_to_the_texts_it_was_made_of(fresh_home: Path) -> None:
    place = Home(fresh_home)
    fresh_home.mkdir(exist_ok=True)
    found = two(a=(talk("one", "Of A?"),), b=(talk("one", "Of B?"),))
    ann = Judging(found, "Ann", place)
    ann.judge_it(found.divergences[0], "skip")
    with place.workspace.open("ab") as file:
        file.write(b'{"kind": "judgement", "torn')
    changed = two(a=(talk("one", "Of A, now?"),), b=(talk("one", "Of B?"),))
    later = Judging(changed, "Ann", place)
    assert (later.done, later.damaged) == (0, [2])
    later.judge_it(changed.divergences[0], "left")
    assert Judging(changed, "Ann", place).done == Judging(found, "Ann", place).done == 1
    with pytest.raises(ReplayError, match="a name"):
        Judging(found, " ", place)


@pytest.mark.parametrize("changed", [{"judge": ["x"]}, {"better": 5}, {"texts": None}, {"runs": None}])
def test_a_line_of_the_workspace_that_is_no_judgement_is_named_and_the_others_stand(
    fresh_home: Path, changed: dict[str, object]
) -> None:
    place = Store.open(fresh_home).home
    found = two(a=(talk("x", "Of A?"), talk("y", "Of A?")), b=(talk("x", "Of B?"), talk("y", "Of B?")))
    ann = Judging(found, "Ann", place)
    ann.judge_it(found.divergences[0], "left")
    line = json.loads(place.workspace.read_bytes())
    with place.workspace.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, **changed}) + "\n" + json.dumps({"kind": "label"}) + "\n")
    again = Judging(found, "Ann", place)
    assert (again.done, again.damaged) == (1, [2])


def test_half_characters_of_a_browser_are_kept_as_a_mark(fresh_home: Path) -> None:
    place = Store.open(fresh_home).home
    found = two(a=(talk("x", "Of A?"),), b=(talk("x", "Of B?"),))
    ann = Judging(found, "Ann\ud800", place)
    ann.judge_it(found.divergences[0], "left", "odd \udc00 one")
    (kept,) = Judging(found, "Ann\ud800", place).judgements()
    assert (kept.judge, kept.reason) == ("Ann\ufffd", "odd \ufffd one")


def test_a_workspace_that_cannot_be_read_is_named(fresh_home: Path) -> None:
    place = Store.open(fresh_home).home
    found = two(a=(talk("x", "Of A?"),), b=(talk("x", "Of B?"),))
    widget = Judge(found, judge="Ann", store=Store.open(fresh_home))
    widget.judging.judge_it(found.divergences[0], "left")
    place.workspace.unlink()
    place.workspace.mkdir()
    with pytest.raises(ReplayError, match=r"cannot read .*workspace\.jsonl: Is a directory"):
        Judging(found, "Ann", place)
    widget._arrived(widget, {"act": "undo"}, [])
    assert "Is a directory" in widget._view["sum"]


def test_the_commands_list_compare_and_report_and_a_forgotten_call_leaves_the_page(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "own")
    for name in ("c-1", "c-2"):
        write(terminal.home / "journals" / f"{name}.jsonl")
    store = Store.open(terminal.home)
    others = replace(talk("c-2", "Who?"), origin="call")
    keep_run(store, run("r-a", result("c-1", origin="call"), others), configuration="mine")
    keep_run(store, run("r-b", replace(talk("c-1", "Who?", "Why?"), origin="call"), others))
    assert [(each["run_id"], each["configuration"]) for each in terminal.json("runs")["runs"]] == [
        ("r-a", "mine"),
        ("r-b", ""),
    ]
    told = terminal.json("compare", "r-a", "last")
    assert (told["diverging"], told["shared"]) == (2, ["c-1", "c-2"])
    assert "divergences" not in terminal.json("compare", "r-a", "r-b", "--no-text")
    shown = terminal("compare", "r-a", "r-b")
    assert "A: Which hive is lost first?" in shown.stdout
    page = tmp_path / "page.md"
    assert terminal("compare", "r-a", "r-b", "--report", str(page)).exit_code == 0
    assert "storm" in page.read_text(encoding="utf-8")
    assert terminal("compare", "r-a", "r-b", "--report", str(tmp_path / "page.pdf")).exit_code == 1
    assert "r-x" in terminal("compare", "r-a", "r-x").stderr
    forget(store, "c-1")
    assert not page.exists()
    assert write_report(two(a=(talk("x", "Why?"),), b=(talk("x", "Who?"),)), page, store.home) == page


def test_conversations_that_only_share_a_name_are_left_out_by_name() -> None:
    other = tuple(replace(turn, text=f"{turn.text} Of the ants?") for turn in result().recorded)
    same = replace(talk("one", "Why?"), recorded=tuple(replace(turn, ended_ms=None) for turn in result().recorded))
    found = two(a=(talk("one", "Why?"), talk("two", "Why?")), b=(same, replace(talk("two", "How?"), recorded=other)))
    assert (found.shared, found.differing, found.divergences) == (("one",), ("two",), ())
    assert found.to_dict()["differing"] == ["two"]
    assert "1 left out" in markdown_page(found)
    with pytest.raises(ReplayError, match="two does not say the same in both"):
        two(a=(talk("two", "Why?"),), b=(replace(talk("two", "Why?"), recorded=other),))


def test_time_of_the_machine_and_what_is_nothing_in_both_are_not_tested() -> None:
    names = [f"talk{number}" for number in range(6)]
    free = agent_run("j", "orchestrator", 12, cost_usd=0.0)
    a, b = (
        tuple(replace(talk(name, "Why?"), seconds=seconds, runs=(free,)) for name in names) for seconds in (1.0, 2.0)
    )
    found = {each.measure.name: each for each in two(a=a, b=b).measures}
    assert found["seconds"].difference.value == -1
    assert (found["seconds"].p_holm, found["cost"].p_holm) == (None, None)
    assert found["latency"].p_holm is not None


def test_without_text_settings_show_figures_and_names_alone() -> None:
    one = talk("one", "Why?")
    ours = Settings().with_(
        call={"closing_phrases": {"en": ["so long, Maria"]}, "overrun_ms": 1_000},
        agents={"cassette": "maria.jsonl", "backend": "compatible", "base_url": "http://maria.example/v1"},
    )
    found = compare(run("r-a", one), replace(run("r-b", one), settings=ours))
    assert "maria" in html_page(found).lower()
    bare = f"{html_page(found, text=False)}{found.to_dict(text=False)}"
    assert "maria" not in bare.lower()
    assert "compatible" in bare


def test_why_there_is_no_figure_is_said_once() -> None:
    page = markdown_page(two(a=(talk("one", "Why?"),), b=(talk("one", "Why?"),)))
    assert page.count("1 pair of calls") == page.count("0 pairs of calls") == 1


def test_figures_are_read_without_powers_of_ten() -> None:
    assert [number(value) for value in (2363.4, 0.12345, -1500.2)] == ["2363", "0.123", "-1500"]


def test_differences_that_are_not_kept_count_as_well() -> None:
    counted = replace(result("one", **FULL), kind="exact", notes=("7 further differences", "line 3: torn"))
    assert counted.differences_total == 9
    measured = compare(run("r-a", counted), run("r-b", counted)).measures
    assert next(each for each in measured if each.measure.name == "differences").pairs == (("one", 9, 9),)


def test_questions_of_two_plans_are_not_one_for_bearing_one_id() -> None:
    a, b = (result("x", moments=(moment("t1", text, "", None),)) for text in ("How so?", "Who was it?"))
    other = b.setup.model_copy(update={"plan": PLAN.model_copy(update={"goal": "another"})})
    assert not two(a=(a,), b=(b,)).divergences
    assert len(two(a=(a,), b=(replace(b, setup=other),)).divergences) == 1
