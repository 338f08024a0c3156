"""What the simulator says of a ledger: histories made by hand, held against what was voiced and played by hand."""

import pytest

from interviewer.realtime.engine import Voiced
from interviewer.realtime.engine.brain import Asked
from interviewer.settings import MatchSettings
from interviewer.simulate.guest import Disclosure
from interviewer.simulate.truth import Truth, judge
from tests.ledger.story import REAL, STAGES, Story

RIVER = "What about the river?"
ROPE = "What about the rope?"


def voiced(*keys: str, response: str = "r1", item: str = "i1", total_ms: int = 3_000) -> Voiced:
    """An item that is nothing but these questions, one after the other."""
    texts = [key.removeprefix("own: ") for key in keys]
    text = " ".join(texts)
    asks = tuple(
        Asked(key, text.index(said), text.index(said) + len(said)) for key, said in zip(keys, texts, strict=True)
    )
    return Voiced(response, item, text, asks, total_ms, 0)


def plan() -> Story:
    """Two planned questions: q1 about the river, q2 about the rope."""
    return Story(REAL).question("q1", text=RIVER).question("q2", text=ROPE)


def attempt(story: Story, question: str, wording: str, end: str, *, name: str = "a1", response: str = "r1") -> Story:
    """An attempt with this wording that was delivered, released or held."""
    story.stage("selected", question, name, text=wording)
    for stage in STAGES[1 : None if end == "delivered" else 3]:
        story.stage(stage, question, name, response)
    if end == "released":
        return story.release(question, name, "wandered")
    return story if end == "delivered" else story.add("held", question, name, reason="unconfirmed", heard_ms=1)


def verdict(story: Story, *items: Voiced, played: dict[str, int] | None = None, tolerance_ms: int = 250) -> Truth:
    """The verdict on a story; unless said otherwise all of every response was played."""
    whole = {item.response_id: 100_000 for item in items}
    match = MatchSettings(delivered_tolerance_ms=tolerance_ms)
    return judge(story.ledger(), items, whole if played is None else played, (), 0, match)


# -- deliveries ------------------------------------------------------------------------------------------------


def test_a_delivery_of_what_was_asked_and_heard_is_true() -> None:
    truth = verdict(attempt(plan(), "q1", RIVER, "delivered"), voiced(RIVER))
    assert truth.false_deliveries == ()
    assert truth.questions_heard == 1


@pytest.mark.parametrize(
    "item",
    [voiced("own: How was the weather?"), voiced(ROPE), voiced(RIVER, response="r2")],
    ids=["one of the voice's own", "another question", "in another response"],
)
def test_a_delivery_of_what_its_response_did_not_ask_is_false(item: Voiced) -> None:
    assert verdict(attempt(plan(), "q1", RIVER, "delivered"), item).false_deliveries == ("a1",)


@pytest.mark.parametrize("key", ["Why is ‹b› shorter than a?", "Why is <b> shorter  than a?"], ids=["cleaned", "raw"])
def test_a_topic_with_angle_brackets_is_compared_as_the_voice_was_given_it(key: str) -> None:
    text = "Why is <b> shorter  than a?"
    story = attempt(Story(REAL).question("q1", text=text), "q1", text, "delivered")
    assert verdict(story, voiced(key)).false_deliveries == ()


@pytest.mark.parametrize("wording", [ROPE, "what about THE rope"], ids=["its text", "its words"])
def test_credit_for_a_question_in_the_words_of_another_planned_one_is_false(wording: str) -> None:
    story = attempt(plan(), "q1", wording, "delivered")
    assert verdict(story, voiced(wording)).false_deliveries == ("a1",)


def test_a_release_of_an_attempt_that_asked_another_planned_question_is_true() -> None:
    assert verdict(attempt(plan(), "q1", ROPE, "released"), voiced(ROPE)).false_releases == ()


def test_the_words_of_a_question_the_voice_made_up_may_be_used_for_a_planned_one() -> None:
    story = plan().question("v1", text="And then?", planned=False)
    attempt(story, "q1", "And then?", "delivered")
    assert verdict(story, voiced("And then?")).false_deliveries == ()


def test_a_plan_that_holds_a_question_twice_gets_credit_for_either() -> None:
    story = plan().question("q3", text=RIVER)
    attempt(story, "q1", RIVER, "delivered")
    attempt(story, "q3", RIVER, "delivered", name="a2", response="r2")
    assert verdict(story, voiced(RIVER), voiced(RIVER, response="r2")).false_deliveries == ()


@pytest.mark.parametrize(("tolerance_ms", "played_ms", "heard"), [(250, 2_750, 1), (250, 2_749, 0), (100, 2_750, 0)])
def test_heard_means_played_to_its_end_within_the_tolerance_the_call_was_set_to(
    tolerance_ms: int, played_ms: int, heard: int
) -> None:
    story = attempt(plan(), "q1", RIVER, "delivered")
    truth = verdict(story, voiced(RIVER), played={"r1": played_ms}, tolerance_ms=tolerance_ms)
    assert truth.questions_heard == heard
    assert len(truth.false_deliveries) == 1 - heard


def test_without_settings_the_default_tolerance_counts() -> None:
    ledger = attempt(plan(), "q1", RIVER, "delivered").ledger()
    default = MatchSettings().delivered_tolerance_ms
    assert judge(ledger, [voiced(RIVER)], {"r1": 3_000 - default}, (), 0).questions_heard == 1
    assert judge(ledger, [voiced(RIVER)], {"r1": 2_999 - default}, (), 0).questions_heard == 0


def test_what_made_no_sound_was_not_heard() -> None:
    assert verdict(plan(), voiced(RIVER, total_ms=0), played={"r1": 0}).questions_heard == 0


def test_the_second_item_of_a_response_is_heard_after_the_first() -> None:
    first, second = voiced(total_ms=2_000), voiced(RIVER, item="i2")
    truth = verdict(plan(), first, second, played={"r1": 4_000})
    assert [(q.end_ms, q.heard) for q in truth.voiced] == [(5_000, False)]


# -- releases --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("end", "held"), [("released", 0), ("held", 1)])
def test_an_attempt_given_up_though_it_was_asked_and_heard_is_a_false_release(end: str, held: int) -> None:
    truth = verdict(attempt(plan(), "q1", RIVER, end), voiced(RIVER))
    assert (truth.false_releases, truth.false_releases_held, truth.false_deliveries) == (("a1",), held, ())


def test_an_attempt_given_up_that_was_not_heard_to_its_end_is_no_false_release() -> None:
    truth = verdict(attempt(plan(), "q1", RIVER, "released"), voiced(RIVER), played={"r1": 2_000})
    assert truth.false_releases == ()


def test_what_the_guest_cut_is_held_by_rule_and_no_false_release() -> None:
    story = plan().stage("selected", text=RIVER).stage("accepted").stage("started")
    story.add("held", "q1", "a1", reason="cut", heard_ms=3_000)
    truth = verdict(story, voiced(RIVER))
    assert (truth.questions_heard, truth.false_releases, truth.false_releases_held) == (1, (), 0)


# -- covers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "played_ms", "false"),
    [
        (voiced(RIVER), 3_000, ()),
        (voiced("own: What about the river?"), 3_000, ()),
        (voiced(RIVER), 1_000, ("q1",)),
        (voiced("own: How was the weather?"), 3_000, ("q1",)),
        (voiced(ROPE), 3_000, ("q1",)),
        (voiced(RIVER, response="r2"), 3_000, ("q1",)),
    ],
    ids=["asked", "made up in the same words", "not heard", "made up", "another", "another response"],
)
def test_a_cover_is_false_unless_its_response_asked_the_question_and_it_was_heard(
    item: Voiced, played_ms: int, false: tuple[str, ...]
) -> None:
    story = plan().add("covered", "q1", text=RIVER, response_id="r1")
    assert verdict(story, item, played={item.response_id: played_ms}).false_covers == false


def test_a_question_in_other_words_is_covered_by_the_wording_it_was_given() -> None:
    story = attempt(plan(), "q1", "And the water?", "released").add("covered", "q1", text="", response_id="r1")
    assert verdict(story, voiced("And the water?")).false_covers == ()


# -- repeats ---------------------------------------------------------------------------------------------------


def test_a_question_heard_twice_is_a_repeat_and_named() -> None:
    assert verdict(plan(), voiced(RIVER), voiced(RIVER, response="r2")).heard_repeats == (f"q1: {RIVER}",)


def test_a_question_heard_once_and_unheard_before_is_no_repeat() -> None:
    items = (voiced(RIVER), voiced(RIVER, response="r2"), voiced(ROPE, response="r3"))
    assert verdict(plan(), *items, played={"r1": 500, "r2": 3_000, "r3": 3_000}).heard_repeats == ()


def test_a_planned_question_asked_under_another_id_and_wording_is_a_repeat() -> None:
    story = attempt(plan(), "q1", RIVER, "delivered").question("u1", text="what about THE river", planned=False)
    attempt(story, "u1", "what about THE river", "delivered", name="a2", response="r2")
    truth = verdict(story, voiced(RIVER), voiced("what about THE river", response="r2"))
    assert truth.heard_repeats == ("q1: what about THE river",)
    assert truth.false_deliveries == ("a2",)


def test_a_planned_question_that_the_voice_makes_up_again_is_a_repeat() -> None:
    truth = verdict(plan(), voiced(RIVER), voiced(f"own: {RIVER}", response="r2"))
    assert truth.heard_repeats == (f"q1: {RIVER}",)


def test_a_question_in_another_attempt_s_words_is_the_same_question() -> None:
    story = attempt(plan(), "q1", "And the water?", "held")
    truth = verdict(story, voiced("And the water?"), voiced(RIVER, response="r2"))
    assert truth.heard_repeats == (f"q1: {RIVER}",)


# -- details ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked_first", [True, False])
def test_a_detail_counts_as_it_was_told_first(asked_first: bool) -> None:
    told = [Disclosure("d1", 1_000, asked_first, ""), Disclosure("d1", 2_000, not asked_first, "")]
    truth = judge(plan().ledger(), (), {}, told, 7)
    assert (truth.details_asked, truth.details_volunteered) == (asked_first, not asked_first)
    assert truth.details_total == 7


def test_the_summary_counts_and_keeps_no_texts() -> None:
    story = attempt(plan(), "q1", RIVER, "delivered")
    assert verdict(story, voiced(ROPE)).summary() == {
        "false_deliveries": 1,
        "false_releases": 0,
        "false_releases_held": 0,
        "false_covers": 0,
        "heard_repeats": 0,
        "questions_heard": 1,
        "details_asked": 0,
        "details_volunteered": 0,
        "details_total": 0,
    }
