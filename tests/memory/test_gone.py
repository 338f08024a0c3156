"""What of a forgotten call still stands in later ones, told by its words."""

from interviewer.memory.gone import Gone
from interviewer.memory.merge import CallNotes, merged, without_gone
from interviewer.model.notes import Closed, Idea, Notes
from interviewer.model.turn import Said

GONE = (
    Said("c2.t1", "interviewer", "What did the boat cost you in the end?"),
    Said("c2.t2", "guest", "It cost me my marriage, and I never told anybody. We sold it in spring."),
)
LEFT = (Said("c1.t2", "guest", "We sold it in spring, to a neighbour of ours."),)


def test_the_guests_words_are_told_whole_in_quotes_or_in_a_row_of_five() -> None:
    gone = Gone(GONE, LEFT)
    assert gone.quotes("my marriage")
    assert gone.quotes("You said “never told anybody”. Why?")
    assert gone.quotes("Is it true that it cost me my marriage?")
    assert gone.in_any({"titles": ["a boat", "I never told anybody"]})


def test_what_was_said_in_another_call_too_or_by_the_interviewer_is_not_gone() -> None:
    gone = Gone(GONE, LEFT)
    assert not gone.quotes("You said “sold it in spring”.")
    assert not gone.quotes("What did the boat cost you in the end?")
    assert not gone.quotes("Did it cost you a marriage?")
    assert not gone.quotes("marriage")
    assert not Gone((), LEFT).quotes("my marriage")


def test_notes_of_a_call_that_knew_it_keep_only_what_others_said() -> None:
    ideas = tuple(Idea(id=f"i{n}", text="x", quote="x", turn=turn) for n, turn in enumerate(("c1.t2", "c2.t2"), 1))
    closed = (Closed(id="g1", wordings=("it cost me my marriage",)), Closed(id="g2", wordings=("a neighbour of ours",)))
    notes = without_gone(Notes(ideas=ideas, closed=closed), LEFT)
    assert [idea.id for idea in notes.ideas] == ["i1"]
    assert [each.id for each in notes.closed] == ["g2"]


def test_what_it_closed_is_not_merged_with_what_is_left() -> None:
    closed = (Closed(id="g1", wordings=("it cost me my marriage",)), Closed(id="g2", wordings=("a neighbour of ours",)))
    first = CallNotes(1, Notes(), (Said("t2", "guest", LEFT[0].text),), {})
    later = CallNotes(2, Notes(closed=closed), (), {1: 1}, whole=False)
    assert [each.wordings for each in merged([first, later]).closed] == [("a neighbour of ours",)]
