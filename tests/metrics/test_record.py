"""What metrics are told of a call."""

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import fold
from interviewer.metrics.record import CallFacts, HeardTurn, asked, heard

TURNS = (
    HeardTurn("t1", "interviewer", "Welcome. How did you begin? And why?", 0, 4_000),
    HeardTurn("t2", "guest", "By chance.", 4_500, 5_000),
    HeardTurn("t3", "guest", "My uncle had bees.", 5_200, 7_000),
    HeardTurn("t4", "interviewer", "Ah, bees.", 7_500, 8_000),
    HeardTurn("t5", "guest", "Yes.", 8_500, 9_000),
    HeardTurn("t6", "interviewer", "And why?", 9_500, 10_000),
)


def test_without_a_ledger_every_sentence_that_asks_was_asked() -> None:
    assert [(q.text, q.turn) for q in asked(TURNS)] == [("How did you begin?", 0), ("And why?", 0), ("And why?", 5)]


def test_a_question_has_what_the_guest_said_around_it() -> None:
    facts = CallFacts("c", TURNS, asked(TURNS))
    assert facts.after(0) == "By chance. My uncle had bees."
    assert facts.before(3) == "By chance. My uncle had bees."
    assert facts.before(0) == ""
    assert facts.after(5) == ""
    assert facts.spoken("guest") == 7


def test_the_ledger_says_what_was_heard_and_items_say_where() -> None:
    def event(seq: int, t_ms: int, text: str, item: str) -> LedgerEvent:
        evidence: dict[str, str | int] = {"text": text, "item_id": item, "response_id": f"r{seq}", "start": 0}
        return LedgerEvent(seq, t_ms, "heard", "q1", evidence=evidence)

    named = LedgerEvent(1, 0, "question", "q1", evidence={"text": "How?", "planned": True})
    ledger = fold(
        [named, event(2, 900, "And why?", "i1"), event(3, 9_900, "And why?", "i6"), event(4, 9_950, "So?", "")]
    )
    by_item = heard(ledger, TURNS, ["i1", None, None, None, None, "i6"])
    assert [(q.text, q.turn, q.planned) for q in by_item] == [
        ("And why?", 0, True),
        ("And why?", 5, True),
        ("So?", 5, True),
    ]
    # Without items: the first turn that holds the words, from the one before on; else the last that had begun.
    assert [q.turn for q in heard(ledger, TURNS)] == [0, 0, 5]
    later = fold([named, event(2, 9_900, "So?", ""), event(3, 9_950, "How did you begin?", "")])
    assert [q.turn for q in heard(later, TURNS)] == [5, 5]


def test_a_plan_in_another_language_or_words_of_one_are_not_english() -> None:
    german = "Ich habe damals im Keller meines Onkels mit drei Völkern angefangen und nichts gewusst. " * 6
    assert not CallFacts("c", (HeardTurn("t", "guest", german),), ()).is_english
    assert not CallFacts("c", TURNS, (), language="de").is_english
    assert CallFacts("c", TURNS, (), language="en").is_english
    english = "I began in the cellar of my uncle with three hives and knew nothing about any of it. " * 6
    assert CallFacts("c", (HeardTurn("t", "guest", english),), ()).is_english
