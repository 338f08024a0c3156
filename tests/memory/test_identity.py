"""A question of a plan is that of an earlier call by its id and its words together."""

from interviewer.memory.earlier import Earlier, PastCall, Standing
from interviewer.memory.identity import told_apart
from interviewer.model.plan import Plan, Question, Section

LONG = "q" * 40


def plan(**texts: str) -> Plan:
    asked = tuple(Question(id=key, text=text) for key, text in texts.items())
    return Plan(topic="Bees", goal="", sections=(Section(id="q1.2", title="All", questions=asked),))


def earlier(**texts: str) -> Earlier:
    stood = tuple(Standing(id=key, text=text, status="delivered") for key, text in texts.items())
    return Earlier(calls=(PastCall(call_id="c-1"),), standings=stood, names=(("Marten", "Maarten"),))


def test_another_question_of_the_same_id_gets_one_that_nothing_has_and_it_is_said() -> None:
    found, problems = told_apart(plan(q1="What is a hive?", q2="Who sold it?"), earlier(q1="How did you begin?"))
    assert [(q.id, q.text) for q in found.questions] == [("q1.3", "What is a hive?"), ("q2", "Who sold it?")]
    assert problems == (
        "ids of the plan stand for other questions in earlier calls, so these are new ones: q1 is q1.3",
    )


def test_the_same_words_are_the_same_question_names_put_right_or_not() -> None:
    given = plan(q1="who built it, marten?", q2="Did Maarten pay?")
    assert told_apart(given, earlier(q1="Who built it, Maarten?", q2="Did Maarten pay?")) == (given, ())


def test_a_long_id_has_room_for_a_number() -> None:
    found, _ = told_apart(plan(**{LONG: "What is a hive?"}), earlier(**{LONG: "How did you begin?"}))
    assert found.questions[0].id == f"{'q' * 34}.2"
