import pytest

from interviewer.ledger.fold import fold
from interviewer.ledger.views import why
from tests.ledger.story import REAL, Story


def story() -> Story:
    return Story(REAL)


def told(history: Story, question: str = "q1") -> str:
    return why(fold(history.events), question)


def test_why_of_a_question_the_ledger_does_not_know_is_empty() -> None:
    assert told(story(), "q9") == ""


def test_why_a_question_was_never_chosen() -> None:
    assert told(story().question(priority=3)) == "q1 is available: never chosen. It was planned, priority 3."


def test_why_tells_where_an_unplanned_question_came_from() -> None:
    history = story().question("u1", planned=False, source="gap")
    assert "It was not planned (from: gap), priority 2." in told(history, "u1")


def test_why_a_delivered_question_counts() -> None:
    text = told(story().question().reach("q1", "a1"))
    assert text.startswith("q1 is delivered: asked and heard.")
    # One event a second, so the stages are at 2 to 6 s.
    assert "Attempt 1 (a1): selected 0:02, accepted 0:03, started 0:04, generated 0:05, delivered 0:06." in text


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("selected", "chosen, not yet acknowledged"),
        ("accepted", "acknowledged, waiting for its moment"),
        ("started", "being said"),
        ("generated", "said, still playing"),
    ],
)
def test_why_a_question_is_pending(stage: str, words: str) -> None:
    assert told(story().question().reach("q1", "a1", stage)).startswith(f"q1 is pending: {words}.")


ENDINGS = {
    "failed": "failed",
    "refused": "refused the instructions",
    "superseded": "another question took its place",
    "timed_out": "in time",
    "disconnected": "connection was lost",
    "cancelled": "cancelled before the question was heard",
    "incomplete": "incomplete",
    "not_played": "not played to its end",
    "declined": "did not want it",
    "wandered": "did not ask it",
}


def test_every_release_has_its_words() -> None:
    assert set(ENDINGS) == set(REAL.events.RELEASE_REASONS)


@pytest.mark.parametrize("reason", ENDINGS)
def test_why_an_attempt_was_released(reason: str) -> None:
    text = told(story().question().reach("q1", "a1", "started").release(reason=reason, heard_ms=1_500))
    assert text.startswith("q1 is available: ")
    first, attempt = text.splitlines()
    assert ENDINGS[reason] in first
    assert ENDINGS[reason] in attempt
    assert attempt.endswith("(1.5 s of the reply were heard).")


@pytest.mark.parametrize(("reason", "words"), [("cut", "cut short"), ("unconfirmed", "nothing shows that it was this")])
def test_why_a_question_is_held(reason: str, words: str) -> None:
    text = told(story().question().hold("q1", "a1", reason))
    assert text.startswith("q1 is held: ")
    assert text.count(words) == 2


def test_why_names_every_attempt() -> None:
    history = story().question().reach("q1", "a1", "accepted").release(reason="timed_out").reach("q1", "a2")
    assert [line.split(":")[0] for line in told(history).splitlines()] == [
        "q1 is delivered",
        "Attempt 1 (a1)",
        "Attempt 2 (a2)",
    ]


@pytest.mark.parametrize(
    ("kind", "reason", "fact"),
    [
        ("declined", "the guest did not want it", "At 0:02 the guest declined it."),
        ("claimed", "the guest said it was answered already", "At 0:02 the guest said it was answered already."),
        ("covered", "asked in other words", "At 0:02 it was heard in other words (known by match)."),
    ],
)
def test_why_a_mark_keeps_a_question_from_being_asked(kind: str, reason: str, fact: str) -> None:
    text = told(story().question().add(kind, "q1", turn="t2"))
    assert reason in text.splitlines()[0]
    assert fact in text.splitlines()


def test_a_mark_does_not_hide_that_a_question_was_delivered() -> None:
    text = told(story().question().reach("q1", "a1").add("covered", "q1"))
    assert text.startswith("q1 is delivered: asked and heard.")


def test_why_tells_answers_asked_for_and_volunteered() -> None:
    volunteered = told(story().question().add("answered", "q1", turn="t2", volunteered=True))
    assert "never chosen; the guest answered it unasked" in volunteered
    assert "At 0:02 the guest answered it without being asked." in volunteered
    asked = told(story().question().reach("q1", "a1").add("answered", "q1", turn="t2", volunteered=False))
    assert "At 0:07 the guest answered it when asked." in asked


def test_why_names_a_reconstruction_as_approximate() -> None:
    text = told(story().question().add("reconstructed", "q1", score=0.52))
    assert "An earlier transcript probably touched on it (score 0.52, reconstructed)." in text
