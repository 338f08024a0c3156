"""Notes of several calls as one."""

from interviewer.memory.merge import CallNotes, merged, renumbered
from interviewer.model.notes import Answered, Closed, Contradiction, Coverage, Gap, Idea, Line, Notes
from interviewer.model.outcome import Analysis, Quote, Theme
from interviewer.model.turn import Said

FIRST = (
    Said("t1", "interviewer", "Why boats?"),
    Said("t2", "guest", "A boat is a promise. I lost one, never mind how."),
)
SECOND = (
    Said("t1", "interviewer", "How was it lost?"),
    Said("t2", "guest", "It sank off Cape Clear. A boat is a debt."),
)
PROMISE = Idea(id="i1", text="a boat is a promise", quote="A boat is a promise", turn="t2")
LOST = Gap(id="g1", text="the lost boat", question="How was it lost?", quote="I lost one", turn="t2")


def one(notes: Notes, turns: tuple[Said, ...] = FIRST, call: int = 1, **more: object) -> CallNotes:
    return CallNotes(call, notes, turns, **{"numbers": {}, **more})  # type: ignore[arg-type]


def test_every_note_bears_its_call_and_turn() -> None:
    debt = Idea(id="i1", text="a boat is a debt", quote="A boat is a debt", turn="t2")
    found = merged([one(Notes(ideas=(PROMISE,))), one(Notes(ideas=(debt,)), SECOND, 2)])
    assert [(idea.id, idea.turn, idea.quote) for idea in found.ideas] == [
        ("i1", "c1.t2", "A boat is a promise"),
        ("i2", "c2.t2", "A boat is a debt"),
    ]


def test_a_call_that_started_from_the_notes_before_says_nothing_twice() -> None:
    kept = PROMISE.model_copy(update={"turn": "c1.t2"})
    debt = Idea(id="i2", text="a boat is a debt", quote="A boat is a debt", turn="t2")
    second = one(Notes(ideas=(kept, debt)), SECOND, 2, numbers={1: 1})
    found = merged([one(Notes(ideas=(PROMISE,))), second])
    assert [(idea.id, idea.turn) for idea in found.ideas] == [("i1", "c1.t2"), ("i2", "c2.t2")]


def test_what_a_later_call_closed_stays_closed() -> None:
    closed = Closed(id="g1", wordings=("I lost one", "the lost boat"))
    second = one(Notes(resolved=("g1",), closed=(closed,)), SECOND, 2, numbers={1: 1})
    found = merged([one(Notes(gaps=(LOST,))), second])
    assert found.gaps == ()
    assert [wording for each in found.closed for wording in each.wordings][:1] == ["I lost one"]
    # Nor does a third call, which knew of neither, bring it back in the same words.
    third = one(Notes(gaps=(LOST,)), FIRST, 3)
    assert merged([one(Notes(gaps=(LOST,))), second, third]).gaps == ()


def test_what_the_second_call_closed_is_not_mistaken_for_a_gap_of_the_same_number() -> None:
    cape = Gap(id="g1", text="Cape Clear", question="Why there?", quote="It sank off Cape Clear", turn="t2")
    done = Closed(id="g1", wordings=("the colour of the sail",))
    found = merged([one(Notes(gaps=(LOST,))), one(Notes(gaps=(cape,), closed=(done,)), SECOND, 2)])
    assert [gap.quote for gap in found.gaps] == ["I lost one", "It sank off Cape Clear"]


def test_notes_on_a_call_that_was_forgotten_go_with_it() -> None:
    old = PROMISE.model_copy(update={"turn": "c1.t2"})
    own = Idea(id="i2", text="a boat is a debt", quote="A boat is a debt", turn="t2")
    clash = Contradiction(
        id="x1", text="", first_quote="a", first_turn="c1.t2", second_quote="b", second_turn="t2", question="?"
    )
    lines = (Line(quote="A boat is a promise", turn="c1.t2"), Line(quote="A boat is a debt", turn="t2"))
    notes = Notes(ideas=(old, own), contradictions=(clash,), lines=lines)
    # The call was the second of the chain; now it is the first, and what it numbered 1 is no more.
    found = renumbered(notes, call=1, numbers={})
    assert [idea.turn for idea in found.ideas] == ["c1.t2"]
    assert found.ideas[0].text == "a boat is a debt"
    assert found.contradictions == ()
    assert [line.quote for line in found.lines] == ["A boat is a debt"]


def test_a_transcripts_notes_say_nothing_of_the_plans_sections_and_questions() -> None:
    notes = Notes(
        ideas=(PROMISE,),
        coverage=(Coverage(section_id="s1", depth="deep"),),
        answered=(Answered(question_id="q1", turn="t2", volunteered=False),),
    )
    found = merged([one(notes, follows_plan=False)])
    assert (found.coverage, found.answered, len(found.ideas)) == ((), (), 1)
    assert len(merged([one(notes)]).answered) == 1


def test_an_analysis_is_renumbered_likewise() -> None:
    analysis = Analysis(
        goal_met="partly",
        assessment="",
        claims=(),
        themes=(Theme(name="rope", summary="", turns=("c1.t2", "t2", "c2.t9")),),
        tensions=("t2",),
        quotes=(Quote(text="A boat is a debt", turn="t2"), Quote(text="gone", turn="c2.t9")),
        title="",
        subtitle="",
    )
    found = renumbered(analysis, call=2, numbers={1: 1})
    assert found.themes[0].turns == ("c1.t2", "c2.t2")
    assert [quote.turn for quote in found.quotes] == ["c2.t2"]
    assert found.tensions == ("t2",)
