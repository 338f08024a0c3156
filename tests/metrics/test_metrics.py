"""Every metric on calls whose figures can be worked out by hand."""

from dataclasses import replace
from typing import Any

import pytest

from interviewer.errors import MetricError, SettingsError
from interviewer.metrics.every import METRICS
from interviewer.metrics.form import question_form, turn_form
from interviewer.metrics.measuring import compare, measure
from interviewer.metrics.metric import Metric
from interviewer.metrics.record import CallFacts, HeardQuestion, HeardTurn, ProposalFact, ReplyFact
from interviewer.metrics.uptake import uptake
from interviewer.settings import MetricSettings
from tests.metrics.talk import ANY, Story, call

BEES = call(
    "How did you come to keep bees?",
    "My uncle kept three hives behind the barn.",
    "What did the hives behind the barn teach you? And did you like it?",
    "Patience, mostly patience.",
    "How did you come to keep the bees?",
    "As I said, my uncle.",
)


def value(name: str, *calls: CallFacts, settings: MetricSettings = ANY) -> float:
    found = METRICS[name](calls, settings).value
    assert found is not None
    return found


def test_a_question_in_the_same_words_is_asked_again() -> None:
    # Four questions, of which "did you like it" only points; the last shares all its content with the first.
    assert value("re_ask_rate", BEES) == pytest.approx(1 / 3)
    assert value("max_similarity", BEES) > 1 / 3
    other = call("How did you come to keep bees?", "By chance.", "What does a winter cost you?", "Nerves.")
    assert value("re_ask_rate", other) == 0


def test_questions_of_one_turn_and_such_as_only_point_are_no_repeats() -> None:
    assert value("re_ask_rate", call("Why bees? Why bees?", "Honey.")) == 0
    pointing = call("Why is that?", "Because.", "Why is that?", "Because.", "What of the winter?", "Cold.")
    assert METRICS["re_ask_rate"](pointing, ANY).n == 1


def test_the_form_of_questions() -> None:
    assert [question_form(text) for text in ("How was it?", "Tell me about the hives.", "Why did you stop?")] == [
        "open"
    ] * 3
    closed = ("Did you like it?", "How many hives are there?", "When did it begin?", "Do you know what it cost?")
    assert [question_form(text) for text in closed] == ["closed"] * 4
    assert question_form("Could you tell me what it cost?") == "open"
    assert question_form("Right?") == "none"
    assert [turn_form(text) for text in ("I see.", "Was it? And how?", "Was it?")] == ["none", "open", "closed"]
    # Of the four questions of BEES one is closed; one turn of three asks twice; 7 + 9 + 5 + 8 words.
    assert value("open_share", BEES) == pytest.approx(3 / 4)
    assert value("multi_part", BEES) == pytest.approx(1 / 3)
    assert value("question_words", BEES) == pytest.approx(29 / 4)


def test_uptake_rises_with_the_words_that_are_taken_up() -> None:
    answer = "My uncle kept three hives behind the barn"
    scores = [
        uptake(answer, text) for text in ("Lovely weather today.", "Which barn?", "What were hives behind a barn?")
    ]
    assert all(score is not None for score in scores)
    assert scores == sorted(scores, key=lambda score: score or 0)
    assert scores[0] == pytest.approx(0.11, abs=0.02)  # 23 of 100 rated exchanges share nothing either: half of that
    assert uptake("Yes, mostly that.", "Which barn?") is None
    # All of either answer comes again, but there is more of the first.
    whole = [uptake(text, text) for text in ("Propolis varroa smoker brood comb wax honey", "it was in the and of")]
    assert whole[0] is not None
    assert whole[1] is not None
    assert whole[0] > whole[1]
    assert METRICS["uptake"](BEES, ANY).n == 1  # the answer before the last question has three words


def test_of_all_words_the_guest_has_a_share() -> None:
    # 7 + 14 + 8 words of the interviewer's, 8 + 3 + 5 of the guest's.
    assert value("talk_share", BEES) == pytest.approx(16 / 45)


def test_gaps_and_overlaps_are_those_between_the_sides() -> None:
    assert value("gap_median", BEES) == 500
    assert value("overlaps", BEES) == 0
    cut_in = call("So?", "Well.", "And?", "Hm.", gap_ms=-200)
    assert value("gap_median", cut_in) == -200
    assert value("overlaps", cut_in) == 1
    apart = (HeardTurn("t9", "guest", "And one more.", 60_000, 61_000),)  # nobody waits for one who goes on
    assert value("gap_p95", replace(BEES, turns=BEES.turns + apart)) == 500
    # The mean of the two calls' medians.
    assert value("gap_median", BEES, cut_in) == 150


def test_variety_is_against_what_chance_would_give() -> None:
    # Of 4 words 2 are distinct; of 4 random ones among V = 4 there are 4 (1 - (3/4) ** 4) = 2.734375.
    asked = call("Hives? Bees? Hives? Bees?", "Yes.")
    assert value("diversity", asked, settings=MetricSettings(least=1, vocabulary=4)) == pytest.approx(2 / 2.734375)
    # Of V = 2 there would be 1.875 and both are there: no word is left to be missing.
    assert value("diversity", asked, settings=MetricSettings(least=1, vocabulary=2)) == 1


def test_rare_words_tell_more() -> None:
    plain, rare = call("And?", "and then it was the one"), call("And?", "propolis varroa smoker brood comb wax")
    assert value("bits_per_word", rare) > 2 * value("bits_per_word", plain)
    assert value("answer_bits", rare) == pytest.approx(6 * value("bits_per_word", rare))


def story() -> CallFacts:
    told = Story()
    for question, priority in (("q1", 1), ("q2", 2), ("q3", 3)):
        told.plan(question, priority)
    told.attempt("q1", "a1", 5)
    told.add("answered", "q1")
    told.attempt("q2", "a2", 3)
    told.attempt("q2", "a3", 1)
    told.add("answered", "q3", volunteered=True)
    told.add("heard", "q1", None, text="q1 again?", response_id="r9", item_id="r9", start=0)
    turns = tuple(
        HeardTurn(f"t{at}", "guest" if at % 2 else "interviewer", text)
        for at, text in enumerate(("How?", "one two three four", "And what of it?", "one two"))
    )
    return CallFacts(
        "c",
        turns,
        (HeardQuestion("How?", 0, "q1", True), HeardQuestion("And what of it?", 2, "u1", False)),
        ledger=told.ledger,
        replies=(ReplyFact("opening", 0), ReplyFact("question", 900), ReplyFact("free", None)),
        proposals=(
            ProposalFact("plan", "q1", "q1", "selected"),
            ProposalFact("plan", "q2", "q2", "selected"),
            ProposalFact("plan", "q2", "q2", "kept"),
            ProposalFact("gap", "u7", "u7", "refused"),
        ),
        target_ms=100_000,
        elapsed_ms=104_000,
        early_goodbyes=1,
        generated_words=10,
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coverage_selected", 5 / 6),  # q1 and q2 of the weights 3, 2, 1
        ("coverage_delivered", 3 / 6),
        ("coverage_answered", 4 / 6),  # q1, and q3 unasked
        ("targeting", 1 / 2),  # the second q1 was asked and answered
        ("adoption_planner", 1 / 2),  # q1 of q1 and q2
        ("adoption_note_taker", 0),
        ("funnel_accepted", 2 / 3),  # three attempts; the third was only chosen
        ("funnel_started", 2 / 2),
        ("funnel_generated", 1 / 2),
        ("funnel_delivered", 1 / 1),
        ("words_heard", 5 / 10),
        ("stale_guidance", 1 / 2),
        ("probing_depth", 2 / 4),
        ("length_error", 0.04),
        ("early_goodbyes", 1),
    ],
)
def test_what_the_ledger_tells(name: str, expected: float) -> None:
    assert value(name, story()) == pytest.approx(expected)


def test_a_turn_that_asks_planned_and_other_questions_tells_nothing_of_probing() -> None:
    facts = story()
    both = HeardQuestion("And why?", 0, "u2", False)
    assert METRICS["probing_depth"](replace(facts, questions=(*facts.questions, both)), ANY).value is None


def test_a_follow_up_was_not_planned_and_takes_up_the_answer() -> None:
    turns = (
        HeardTurn("t1", "interviewer", "How did it begin?"),
        HeardTurn("t2", "guest", "My uncle kept three hives behind the barn."),
        HeardTurn("t3", "interviewer", "What hives were behind the barn?"),
        HeardTurn("t4", "guest", "Dadant hives, which he had built by himself."),
        HeardTurn("t5", "interviewer", "What does winter cost you?"),
    )
    asked = (HeardQuestion(turns[2].text, 2, "u1", False), HeardQuestion(turns[4].text, 4, "u2", False))
    facts = replace(story(), turns=turns, questions=asked)
    assert value("follow_up_rate", facts) == pytest.approx(1 / 2)
    planned = replace(facts, questions=tuple(replace(each, planned=True) for each in asked))
    assert value("follow_up_rate", planned) == 0


GERMAN = call(
    *("Wie sind Sie denn damals eigentlich zu Ihren Bienen gekommen?", "Durch meinen Onkel, ganz zufällig.") * 6
)


@pytest.mark.parametrize(
    ("name", "facts", "why"),
    [
        ("re_ask_rate", call("Welcome.", "Hello."), "no question was heard"),
        ("talk_share", call("Hello? Anybody?"), "the guest said nothing"),
        ("gap_median", call("Hello? Anybody?"), "only one side speaks"),
        ("gap_median", replace(BEES, timed=False), "the times were not recorded"),
        ("gap_p95", replace(BEES, turns=tuple(replace(t, started_ms=None) for t in BEES.turns)), "not recorded"),
        ("coverage_delivered", BEES, "no ledger"),
        ("adoption_researcher", story(), "nothing of the Researcher's was proposed"),
        ("open_share", GERMAN, "the rules read English"),
        ("open_share", replace(GERMAN, turns=GERMAN.turns[:2]), "the rules read English"),
        ("uptake", replace(BEES, language="fr"), "the rules read English"),
        ("length_error", BEES, "no length was aimed at"),
        ("follow_up_rate", BEES, "nobody knows which questions were planned"),
    ],
)
def test_what_cannot_be_told_is_named_and_no_number(name: str, facts: CallFacts, why: str) -> None:
    found = METRICS[name](facts)
    assert (found.value, found.enough) == (None, False)
    assert why in found.why


def test_too_few_questions_are_not_enough() -> None:
    found = METRICS["open_share"](BEES, MetricSettings(least=5))
    assert (found.value, found.why) == (None, "only 4 of at least 5 questions")


def test_calls_without_it_are_named_beside_the_figure() -> None:
    short = call("How many?", "Three hives.")
    found = METRICS["talk_share"]([BEES, short, call("Hello?")], ANY)
    assert found.value == pytest.approx(18 / 49)
    assert found.calls == 2
    assert found.why == "the guest said nothing (1 of 3 calls)"


def test_no_call_at_all_and_an_empty_one_have_no_figure() -> None:
    empty = CallFacts("c", (), ())
    for found in (*measure([]).values(), *measure([empty]).values()):
        assert (found.value, found.enough) == (None, False)
        assert found.why


def test_a_threshold_of_another_scorer_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match=r"repeat-jaccard2-3.*jaccard2/1, not for tfidf/1"):
        METRICS["re_ask_rate"](BEES, MetricSettings(scorer="tfidf"))
    with pytest.raises(SettingsError, match="no scorer 'nonsense'"):
        METRICS["max_similarity"](BEES, MetricSettings(scorer="nonsense"))


def test_every_metric_says_what_it_is() -> None:
    for metric in METRICS.values():
        assert len(metric.doc) > 40, metric.name
        assert metric.label


def test_two_groups_are_compared_and_p_is_put_right() -> None:
    long = [call("Why do bees swarm?", "word " * (20 + k), name=f"l{k}") for k in range(6)]
    short = [call("Why do bees swarm?", "word " * (2 + k), name=f"s{k}") for k in range(6)]
    long, short = ([replace(each, language="en") for each in group] for group in (long, short))
    found = compare(long, short, ANY, names=("talk_share", "open_share"))
    talk = found["talk_share"]
    assert talk.difference.value is not None
    assert talk.difference.value > 0.2
    assert talk.difference.p == pytest.approx(2 / 924)  # as far apart as can be: it and its mirror, of C(12, 6)
    assert talk.holm == pytest.approx(4 / 924)
    assert found["open_share"].difference.p == 1
    pairs = compare(long, short, ANY, pairs=True, names=("talk_share",))["talk_share"]
    assert pairs.difference.p == pytest.approx(2 / 64)
    few = compare(long[:3], short[:3], ANY, names=("talk_share",))["talk_share"]
    assert (few.difference.value, few.difference.enough, few.holm) == (None, False, None)
    with pytest.raises(MetricError, match="6 against 5"):
        compare(long, short[:5], ANY, pairs=True)
    with pytest.raises(MetricError, match="no metric 'nonsense'"):
        measure(long, ANY, ["nonsense"])


def test_groups_that_have_too_few_questions_are_not_compared() -> None:
    many, few = (
        [call("What was it like?", "Long.", *("Was it?", "Yes.") * more, name=f"{more}{k}") for k in range(4)]
        for more in (1, 0)
    )
    found = compare(many, few, names=("open_share",))["open_share"]
    assert (found.first.enough, found.second.why) == (True, "only 4 of at least 5 questions")
    assert (found.difference.enough, found.difference.p, found.holm) == (False, None, None)
    assert found.difference.why == "only 4 of at least 5 questions"
    assert METRICS["open_share"].compare(many, few).why == "only 4 of at least 5 questions"


def test_in_pairs_each_side_is_the_mean_of_its_calls_and_so_is_the_difference() -> None:
    # Pooled, the long call would weigh more than the five others together.
    first = [call("Why?", "word " * (9 if k else 900), name=f"a{k}") for k in range(6)]
    second = [call("Why? " * (9 if k else 100), "word", name=f"b{k}") for k in range(6)]
    found = compare(first, second, ANY, pairs=True, names=("talk_share",))["talk_share"]
    assert found.first.value == pytest.approx((5 * 9 / 10 + 900 / 901) / 6)
    assert found.second.value == pytest.approx((5 * 1 / 10 + 1 / 101) / 6)
    assert found.difference.value == pytest.approx((found.first.value or 0) - (found.second.value or 0))
    silent = [*first[:5], call("Hello? Anybody?", name="a5")]
    left = compare(silent, second, ANY, pairs=True, names=("talk_share",))["talk_share"]
    assert (left.first.calls, left.second.calls) == (5, 5)  # the other half of that pair is left out too


def test_an_unwanted_repeat_is_not_aimed_at_what_is_missing() -> None:
    told = Story()
    told.plan("q1", 1)
    for number in (1, 2):
        told.add("heard", "q1", None, text="q1?", response_id=f"r{number}", item_id=f"r{number}", start=0)
    facts = replace(story(), ledger=told.ledger)
    assert value("targeting", facts) == pytest.approx(1 / 2)


def test_a_metric_serves_one_call_as_well_as_many() -> None:
    metric: Metric = METRICS["talk_share"]
    assert metric(BEES, ANY) == metric([BEES], ANY)
    figures: dict[str, Any] = metric(BEES, ANY).to_dict()
    assert figures["why"] == "one call: no interval"
