"""Which words of the guest's the opening of a follow-up picks up."""

import pytest

from interviewer.memory.thread import thread
from interviewer.model.notes import Gap, Notes
from interviewer.model.outcome import FollowUpTopic
from interviewer.model.turn import Said

ASKED = Said("c1.t1", "interviewer", "How did it begin?")
TOPIC = FollowUpTopic(
    title="The proper way", why="Planned and not asked", questions=("Who else was there?", "And then?")
)


def told(*answers: str) -> tuple[Said, ...]:
    return (ASKED, *(Said(f"c1.t{number}", "guest", text) for number, text in enumerate(answers, 2)))


def test_words_that_the_topic_quotes_come_first() -> None:
    turns = told("We put the hives on the roof. Nobody at the bank was ever told.", "I never trusted the mayor.")
    topic = TOPIC.model_copy(update={"why": "Said in passing and left: “Nobody at the bank was ever told”"})
    found = thread(turns, Notes(), topic)
    assert found is not None
    assert (found.quote, found.turn) == ("Nobody at the bank was ever told", "c1.t2")


def test_else_a_gap_that_is_open_is_picked_up() -> None:
    turns = told("We put the hives on the roof, and what came then is another story.", "I sold honey for a while.")
    gap = Gap(id="g1", text="untold", quote="what came then is another story", turn="c1.t2", question="What came then?")
    found = thread(turns, Notes(gaps=(gap,)), TOPIC)
    assert found is not None
    assert (found.quote, found.turn) == ("what came then is another story", "c1.t2")


def test_a_plain_answer_has_something_to_pick_up_too() -> None:
    """Of one who hides behind short answers the latest whole sentence with something in it."""
    found = thread(
        told("The roof of the bank has forty hives in four rows.", "Yes.", "I'd rather not say."), Notes(), TOPIC
    )
    assert found is not None
    assert (found.quote, found.turn) == ("The roof of the bank has forty hives in four rows", "c1.t2")


@pytest.mark.parametrize("answers", [(), ("Yes.",), ("I'd rather not say.", "Let's skip that one."), ("Hm, that.",)])
def test_of_one_who_said_nothing_there_is_nothing_to_pick_up(answers: tuple[str, ...]) -> None:
    assert thread(told(*answers), Notes(), TOPIC) is None


def test_what_a_person_asked_for_is_not_begun_with_something_else() -> None:
    assert thread(told("The roof of the bank has forty hives in four rows."), Notes(), None, about="sailing") is None
