"""The plan of a follow-up, and the thread its opening picks up."""

import pytest

from interviewer.memory.earlier import Asked, Earlier, Mark, PastCall, Standing
from interviewer.memory.plan import follow_up_plan
from interviewer.memory.thread import thread
from interviewer.model.notes import Gap, Notes
from interviewer.model.outcome import FollowUpTopic
from interviewer.model.plan import Plan, Question, Section
from interviewer.model.turn import Said

FIRST = Plan(
    topic="Boats",
    goal="Learn boats",
    sections=(
        Section(id="s1", title="Beginnings", questions=(Question(id="q1", text="How did you begin?", priority=1),)),
        Section(
            id="s2",
            title="Craft",
            questions=(
                Question(id="q2", text="Which knot do you trust?", priority=2, notes="ask for the name"),
                Question(id="q3", text="Who taught you to steer?", priority=3),
            ),
        ),
    ),
)
TOPIC = FollowUpTopic(
    title="The lost boat",
    why="Begun and not told: “I lost one”",
    questions=("How was that boat lost?", "Who stood beside you then?", "Which rope broke?"),
)
OTHER = FollowUpTopic(title="Money", why="", questions=("What does a boat cost?", "Who pays the harbour?"))


def standing(question: Question, status: str = "available", **more: object) -> Standing:
    section = FIRST.section_of(question.id)
    about = {"id": question.id, "text": question.text, "priority": question.priority, "status": status, **more}
    return Standing.model_validate({**about, "section_id": section.id if section else None})


def earlier(*standings: Standing, calls: int = 1, heard: tuple[str, ...] = ()) -> Earlier:
    past = tuple(PastCall(call_id=f"c-{n}") for n in range(calls))
    return Earlier(calls=past, standings=standings, heard=tuple(Asked(text=text) for text in heard))


Q1, Q2, Q3 = FIRST.questions


def test_a_question_that_was_planned_and_not_asked_keeps_its_id_as_a_topic() -> None:
    left = earlier(standing(Q1, "delivered"), standing(Q2), standing(Q3))
    topic = TOPIC.model_copy(update={"questions": (Q3.text, "Which rope broke?")})
    plan = follow_up_plan(left, [FIRST], topic, target_ms=360_000)
    assert [(q.id, q.text, q.priority) for q in plan.sections[0].questions] == [
        ("q3", "Who taught you to steer?", 1),
        ("f2q2", "Which rope broke?", 1),
    ]
    assert [q.id for q in plan.questions].count("q3") == 1
    assert "q2" in {q.id for q in plan.questions}


def test_the_topics_questions_come_first_and_what_is_open_keeps_its_id_section_and_notes() -> None:
    left = earlier(standing(Q1, "delivered"), standing(Q2), standing(Q3, "held", holds=1))
    plan = follow_up_plan(left, [FIRST], TOPIC, target_ms=360_000)
    assert [q.id for q in plan.questions] == ["f2q1", "f2q2", "f2q3", "q2", "q3"]
    assert plan.section_of("q2") == FIRST.sections[1].model_copy(update={"seconds": plan.sections[1].seconds})
    assert plan.question("q2") == Q2
    assert {q.priority for q in plan.sections[0].questions} == {1}
    assert (plan.topic, plan.language) == ("Boats", "en")
    # Six minutes less opening and closing: .85 - .15 of 360 s.
    assert sum(section.seconds for section in plan.sections) == pytest.approx(252, abs=2)


def test_closed_questions_are_not_planned_again() -> None:
    closed = (
        standing(Q1, marks=(Mark(kind="declined", call=1),)),
        standing(Q2, marks=(Mark(kind="answered", call=1, volunteered=False),)),
        standing(Q3, "held", holds=3),
    )
    plan = follow_up_plan(earlier(*closed), [FIRST], TOPIC, target_ms=60_000)
    assert [q.id for q in plan.questions] == ["f2q1", "f2q2", "f2q3"]


def test_ids_clash_with_nothing_in_the_chain_however_it_came_about() -> None:
    # A call in the middle was forgotten: this is the third again, and its ids are taken.
    old = Plan(
        topic="Boats", goal="", sections=(Section(id="f3", title="x", questions=(Question(id="f3q1", text="So?"),)),)
    )
    left = earlier(standing(Question(id="f3q1", text="So?")), calls=2)
    plan = follow_up_plan(left, [FIRST, old], TOPIC, target_ms=60_000)
    assert [q.id for q in plan.questions] == ["f4q1", "f4q2", "f4q3", "f3q1"]


def test_what_was_heard_is_not_planned_again_in_the_same_words_unless_nothing_else_is_left() -> None:
    plan = follow_up_plan(earlier(heard=("Which rope broke?",)), [FIRST], TOPIC, target_ms=60_000)
    assert [q.text for q in plan.sections[0].questions] == list(TOPIC.questions[:2])
    everything = follow_up_plan(earlier(heard=TOPIC.questions), [FIRST], TOPIC, target_ms=60_000)
    assert [q.text for q in everything.questions] == list(TOPIC.questions)


def test_the_other_topics_fill_up_what_time_is_left_and_no_more() -> None:
    # Six minutes are for 8 questions, two for 3: the topic's own.
    plan = follow_up_plan(earlier(), [FIRST], TOPIC, [OTHER], target_ms=360_000)
    assert [(q.id, q.text, q.priority) for q in plan.questions][3:] == [
        ("f2q4", "What does a boat cost?", 3),
        ("f2q5", "Who pays the harbour?", 3),
    ]
    assert len(follow_up_plan(earlier(), [FIRST], TOPIC, [OTHER], target_ms=120_000).questions) == 3


def test_without_any_plan_before_the_topic_makes_one() -> None:
    plan = follow_up_plan(earlier(), [], TOPIC, target_ms=60_000)
    assert (plan.topic, len(plan.sections)) == ("The lost boat", 1)


# -- the thread ---------------------------------------------------------------------------------------------------

TURNS = (
    Said("c1.t1", "interviewer", "Why boats? I lost one once."),
    Said(
        "c1.t2",
        "guest",
        "A boat is a promise. I lost one, never mind how. The harbour was cheap back then, about 90 pounds.",
    ),
    Said("c1.t4", "guest", "We had a terrible winter that year."),
)


def test_the_picked_topics_quote_is_the_thread_with_its_turn() -> None:
    found = thread(TURNS, Notes(), TOPIC)
    assert found is not None
    assert (found.quote, found.turn) == ("I lost one", "c1.t2")


def test_words_that_nobody_said_are_no_thread() -> None:
    invented = FollowUpTopic(title="Sharks", why="You said “the shark ate it”", questions=("Why?", "How?"))
    found = thread(TURNS, Notes(), invented)
    assert found is not None
    assert found.quote in " ".join(turn.text for turn in TURNS if turn.speaker == "guest")


def test_ones_own_words_find_the_guests_that_are_nearest() -> None:
    found = thread(TURNS, Notes(), None, "what the harbour cost")
    assert found is not None
    assert "harbour" in found.quote


def test_else_it_is_the_latest_gap_that_is_open() -> None:
    gaps = (
        Gap(id="g1", text="", question="?", quote="A boat is a promise", turn="c1.t2"),
        Gap(id="g2", text="", question="?", quote="I lost one", turn="c1.t2"),
    )
    found = thread(TURNS, Notes(gaps=gaps, resolved=("g2",)))
    assert found is not None
    assert found.quote == "A boat is a promise"


def test_words_that_only_point_back_are_no_thread() -> None:
    turns = (*TURNS, Said("c1.t5", "interviewer", "And then?"), Said("c1.t6", "guest", "I mentioned that, I believe."))
    topic = FollowUpTopic(title="Boats", why="Left: “I mentioned that, I believe”", questions=("Why?", "How?"))
    found = thread(turns, Notes(), topic)
    assert found is None or "mentioned" not in found.quote


def test_where_the_guest_said_nothing_there_is_no_thread() -> None:
    assert thread(TURNS[:1], Notes(), TOPIC, "boats") is None


def test_what_was_held_is_not_planned_anew_under_another_id() -> None:
    answered = standing(Q1, "held", holds=1, marks=(Mark(kind="answered", call=1),)).model_copy(
        update={"text": OTHER.questions[0]}
    )
    plan = follow_up_plan(
        earlier(answered, heard=("And the price of one?",)), [FIRST], TOPIC, [OTHER], target_ms=600_000
    )
    assert [q.text for q in plan.questions] == [*TOPIC.questions, OTHER.questions[1]]


def test_a_short_plan_is_filled_up_with_what_begins_a_topic_then_with_first_questions_then_with_the_rest() -> None:
    third = FollowUpTopic(title="Wind", why="", questions=("Which wind was worst?", "And then?"))
    more = ("What do newcomers get wrong?", "How was that boat lost?", "What surprised you?")
    plan = follow_up_plan(earlier(), [FIRST], TOPIC, [OTHER, third], more, target_ms=360_000)
    # Eight questions for six minutes: three of the topic's own, five more; one of them asks what the topic asks.
    # What goes on from another stands after it.
    assert [q.text for q in plan.questions[3:]] == [
        *OTHER.questions, third.questions[0], more[0], more[2],
    ]  # fmt: skip


def test_a_question_that_a_topic_holds_twice_is_planned_once() -> None:
    topic = TOPIC.model_copy(update={"questions": (Q3.text, f"{Q3.text.upper()}", "Which rope broke?")})
    plan = follow_up_plan(earlier(standing(Q3)), [FIRST], topic, target_ms=360_000)
    assert [question.id for question in plan.sections[0].questions] == ["q3", "f2q2"]
