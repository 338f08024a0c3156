import json
from collections import Counter
from pathlib import Path

import pytest

from interviewer.errors import MatchError
from interviewer.interview.demo import run_demo
from interviewer.lab.sampling import from_files, from_store, write
from interviewer.matching.interview_file import Interview
from interviewer.matching.jaccard import Jaccard
from interviewer.matching.pair_file import read
from interviewer.matching.sampling import asked, draw
from interviewer.store.store import Store

LONG = "We took the old cable down in March and hung a new one from the northern tower before the flood came."


def interview(name: str, words: str) -> Interview:
    """A question, a full answer and a short one in turn."""
    turns = []
    for at, word in enumerate(words.split()):
        turns += [("interviewer", f"Good. Who built the {word}?"), ("interviewee", LONG if at % 2 else "My uncle.")]
    return Interview(name, "study", turns)


TALKS = [interview("i1", "bridge tower road dam bridge"), interview("i2", "team house garden")]


def test_questions_of_three_words_or_more_are_drawn_from() -> None:
    talk = Interview(
        "i", "s", [("interviewer", "Right? Who built the bridge? Fine."), ("interviewee", "Who knows why?")]
    )
    assert [(one.turn, one.text) for one in asked(talk)] == [(0, "Who built the bridge?")]


def test_all_pairs_of_an_interview_and_none_across() -> None:
    found = draw(TALKS, 1_000, Jaccard())
    assert len(found) == 5 * 4 / 2 + 3
    assert all(one.weight == 1 for one in found)
    assert all(one.first.turn < one.second.turn for one in found)
    assert len({(one.interview.name, one.first, one.second) for one in found}) == len(found)


def test_weights_stand_for_all_pairs_of_a_stratum() -> None:
    sizes = Counter(one.stratum for one in draw(TALKS, 1_000, Jaccard()))
    found = draw(TALKS, 9, Jaccard(), seed=3)
    taken = Counter(one.stratum for one in found)
    assert len(found) == 9
    assert all(one.weight == pytest.approx(sizes[one.stratum] / taken[one.stratum], abs=1e-4) for one in found)
    # No stratum gives two before every other has given what it has.
    assert min(taken[name] for name in sizes if sizes[name] > 1) >= max(taken.values()) - 1
    assert found == draw(TALKS, 9, Jaccard(), seed=3)
    assert found != draw(TALKS, 9, Jaccard(), seed=4)


def test_strata_say_how_alike_how_far_and_whether_answered() -> None:
    found = {(one.first.text, one.first.turn, one.second.turn): one for one in draw(TALKS, 1_000, Jaccard())}
    repeat = found["Who built the bridge?", 0, 8]
    assert repeat.stratum == "top, near, not answered"
    assert (repeat.answer, repeat.lead) == ("My uncle.", "Good.")
    assert found["Who built the tower?", 2, 4].stratum.endswith("next, answered")


def test_nothing_to_draw_from_is_said() -> None:
    with pytest.raises(MatchError, match="nothing to draw"):
        draw([Interview("i", "s", [("interviewer", "Who built the bridge?")])], 5, Jaccard())
    with pytest.raises(MatchError, match="1 or more"):
        draw(TALKS, 0, Jaccard())


def test_pairs_of_one_s_own_calls_can_be_scored_where_they_stand(tmp_path: Path) -> None:
    demo = run_demo("On call", minutes=2, seed=4, home=tmp_path)
    found = draw(from_store(Store.open(tmp_path), [demo.call_id]), 50, Jaccard())
    study = write(found, tmp_path / "mine.csv")
    placed = read(tmp_path / "mine.csv", study)
    assert placed.problems == []
    assert all(pair.context is not None for pair in placed.pairs)
    assert set(placed.labels) == {None}
    with pytest.raises(MatchError, match=r"mine\.csv is there already"):
        write(found, tmp_path / "mine.csv")


def test_transcripts_of_other_kinds_are_drawn_from_too(tmp_path: Path) -> None:
    lines = [{"role": role, "text": text} for role, text in TALKS[0].turns]
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "i1", "turns": lines}) + "\n", encoding="utf-8")
    told = "\n\n".join(f"{'Ann' if role == 'interviewer' else 'Ben'}: {text}" for role, text in TALKS[0].turns)
    (tmp_path / "b.txt").write_text(told, encoding="utf-8")
    found = from_files([tmp_path / "a.jsonl", tmp_path / "b.txt"])
    assert [one.study for one in found] == ["a", "b"]
    assert len(draw(found, 1_000, Jaccard())) == 20
