import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.notes_merge import merge
from interviewer.agents.signals import signals
from interviewer.model.notes import Answered, Gap, Notes
from interviewer.model.turn import Said
from tests.agents.talk import a_plan, said

DOSSIERS = sorted((Path(__file__).parents[2] / "data" / "dossiers").rglob("*.yaml"))


def take(turns: tuple[Said, ...], notes: Notes | None = None, *, last: bool = False) -> Notes:
    plan = a_plan()
    return NOTE_TAKER.rules(
        NoteTakerInput(
            topic=plan.topic, goal=plan.goal, sections=plan.sections, notes=notes or Notes(), turns=turns, last=last
        )
    )


def quotes(notes: Notes) -> Iterator[tuple[str, str]]:
    yield from ((item.quote, item.turn) for item in notes.ideas)
    yield from ((item.quote, item.turn) for item in notes.stories)
    yield from ((item.quote, item.turn) for item in notes.claims)
    yield from ((item.quote, item.turn) for item in notes.gaps)
    yield from ((item.quote, item.turn) for item in notes.lines)
    for clash in notes.contradictions:
        yield clash.first_quote, clash.first_turn
        yield clash.second_quote, clash.second_turn


def depth(notes: Notes, section: str) -> str:
    return next(c.depth for c in notes.coverage if c.section_id == section)


@pytest.mark.parametrize("path", DOSSIERS, ids=lambda path: path.stem)
def test_every_quote_of_a_real_guest_stands_in_its_turn_letter_for_letter(path: Path) -> None:
    details = [detail["text"] for detail in yaml.safe_load(path.read_text(encoding="utf-8"))["details"]]
    turns = said(*(text for detail in details[:20] for text in ("Q: And then?", detail)))
    spoken = {turn.id: turn.text for turn in turns}
    found = list(quotes(take(turns, last=True)))
    assert found
    assert all(quote and quote in spoken[turn] for quote, turn in found)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We got it live, but how we paid for it is another story.", "unfinished"),
        ("For various reasons we never told the board.", "withheld"),
        ("The gnarly migration took all summer.", "loaded"),
        ("I don’t trust dashboards anymore.", "distrust"),
        ("And then we realised the index was stale.", "turning_point"),
        ("We decided to keep the old cluster running.", "decision"),
        ("There were some issues with the import.", "vague"),
        ("We worked around the lock by copying files by hand.", "workaround"),
        ("My boss pushed back on the whole idea.", "objection"),
        ("I was terrified of that weekend.", "feeling"),
        ("It cost us 40 percent of the budget.", "figure"),
        ("It sort of held together.", "hedge"),
    ],
)
def test_telling_words_are_noticed(text: str, kind: str) -> None:
    assert kind in {signal.kind for signal in signals(text)}


def test_a_gap_asks_about_the_guests_own_loaded_words() -> None:
    (gap,) = take(said("Q: What happened?", "We finished the gnarly migration in March.")).gaps
    assert gap.quote == "the gnarly migration"
    assert gap.turn == "t2"
    assert '"the gnarly migration"' in gap.question
    assert gap.question.endswith("?")


def test_the_kind_of_gap_decides_what_is_asked() -> None:
    asked = [
        take(said(text)).gaps[0].question
        for text in (
            "We kept the old cluster for various reasons.",
            "The way we paid for all that hardware is another story.",
            "We decided to keep the old cluster running.",
        )
    ]
    assert "reason" in asked[0] or "going on behind" in asked[0]
    assert any(word in asked[1] for word in ("story go", "left out", "about to say"))
    assert any(word in asked[2] for word in ("on the table", "spoke against", "balance"))


def test_a_decision_that_comes_with_its_reason_leaves_no_gap() -> None:
    assert not take(said("We decided to keep the old cluster because the import was never finished.")).gaps


def test_what_the_guest_tells_later_in_the_window_is_no_gap() -> None:
    begun = ("Q: What happened?", "The gnarly migration took all summer.")
    told = (
        "Q: What made the migration so gnarly?",
        "Every table had triggers that wrote to other tables, all by hand.",
    )
    assert [gap.quote for gap in take(said(*begun)).gaps] == ["The gnarly migration"]
    assert "The gnarly migration" not in [gap.quote for gap in take(said(*begun, *told)).gaps]


def test_a_known_gap_is_resolved_once_the_guest_has_answered_it() -> None:
    gap = Gap(
        id="g4",
        text="loaded words: gnarly migration",
        question='You mentioned "gnarly migration": what made it so gnarly?',
        quote="gnarly migration",
        turn="t2",
    )
    turns = said(
        "Q: What happened?",
        "We finished the gnarly migration in March.",
        "Q: What made the migration so gnarly?",
        "Every table had triggers that wrote to other tables, and nobody had a list.",
    )
    assert take(turns[:2], Notes(gaps=(gap,))).resolved == ()
    assert take(turns, Notes(gaps=(gap,))).resolved == ("g4",)


def test_a_refusal_does_not_resolve_a_gap() -> None:
    gap = Gap(
        id="g1", text="loaded: gnarly migration", question="What made it gnarly?", quote="gnarly migration", turn="t1"
    )
    turns = said("The gnarly migration.", "Q: What made the migration gnarly?", "I'd rather not talk about that.")
    assert take(turns, Notes(gaps=(gap,))).resolved == ()


def test_a_planned_question_asked_in_other_words_and_answered_counts_as_answered() -> None:
    turns = said(
        "Q: So what convinced your team to replace that old database?",
        "The nightly backup stopped fitting into the night, and the vendor doubled the licence.",
    )
    assert take(turns).answered == (Answered(question_id="q1", turn="t2", volunteered=False),)


@pytest.mark.parametrize("answer", ["Yes.", "I don't know.", "Skip that please.", "Hm, let me think."])
def test_an_empty_answer_does_not_count(answer: str) -> None:
    turns = said("Q: What convinced the team to replace the old database?", answer)
    assert take(turns).answered == ()


def test_an_answer_nobody_asked_for_is_marked_as_volunteered() -> None:
    turns = said(
        "Q: And then?",
        "What beginners nearly always get wrong is the order: they copy the data before they freeze the writes.",
    )
    assert Answered(question_id="q4", turn="t2", volunteered=True) in take(turns).answered


def test_talk_that_only_touches_a_question_is_not_taken_for_an_answer() -> None:
    turns = said("Q: And then?", "The beginners sat in another room and the customers had gone home by that hour.")
    assert take(turns).answered == ()


def test_coverage_grows_with_what_is_said_after_a_sections_questions() -> None:
    question = "Q: Where did you need a workaround to keep customers buying?"
    short = "A second till wrote orders to paper slips."
    long = (
        "A second till wrote orders to paper slips, and every evening Marta typed them into the new system while Jon "
        "compared totals against card receipts from three terminals. Friday nights needed four people, pizza, printed "
        "checklists and somebody guarding the router, because the landlord switched off power around midnight without "
        "warning anybody, so batteries came from a camping store."
    )
    assert depth(take(said(question, "Sure.")), "s2") == "none"
    assert depth(take(said(question, short)), "s2") == "thin"
    assert depth(take(said(question, long)), "s2") == "some"
    assert depth(take(said(question, long)), "s1") == "none"


def test_opposite_statements_about_the_same_thing_are_a_contradiction() -> None:
    turns = said(
        "Q: How safe was it?",
        "We always tested every backup before a release.",
        "Q: And later?",
        "Honestly, we never tested every backup before a release.",
    )
    (clash,) = take(turns).contradictions
    assert (clash.first_turn, clash.second_turn) == ("t2", "t4")
    assert clash.first_quote in clash.question or clash.first_quote.rstrip(".") in clash.question


@pytest.mark.parametrize(
    "second",
    [
        "We always tested every backup before a release.",
        "At first we never tested every backup before a release.",
        "We never told the customers about the outage.",
    ],
)
def test_agreement_a_changed_mind_and_another_subject_are_none(second: str) -> None:
    turns = said("We always tested every backup before a release.", "Q: And?", second)
    assert take(turns).contradictions == ()


def test_figures_are_claims_and_a_hedge_lowers_their_confidence() -> None:
    turns = said("The import took 14 hours on a good day. It maybe saved us 30 percent of the licence bill.")
    confidence = {claim.quote: claim.confidence for claim in take(turns).claims}
    assert confidence["The import took 14 hours on a good day."] == "high"
    assert confidence["It maybe saved us 30 percent of the licence bill."] == "low"


def test_what_is_noted_already_is_not_noted_again() -> None:
    turns = said("The import took 14 hours on a good day. I remember we decided to wait, for various reasons.")
    notes = merge(Notes(), take(turns), turns)
    again = take(turns, notes)
    assert (again.ideas, again.stories, again.claims, again.gaps, again.lines) == ((), (), (), (), ())


def test_the_interviewers_words_are_never_noted() -> None:
    turns = said("Q: I remember we decided on 14 hours for various reasons, and it was a gnarly migration.", "Yes.")
    assert list(quotes(take(turns))) == []


def test_a_window_takes_less_than_ten_milliseconds_once_its_turns_are_known() -> None:
    details = yaml.safe_load(DOSSIERS[4].read_text(encoding="utf-8"))["details"]
    turns = said(*(text for detail in details[:10] for text in ("Q: And what happened then?", detail["text"])))
    take(turns[:-1])
    spent = []
    for _ in range(5):
        start = time.perf_counter()
        take(turns)
        spent.append(time.perf_counter() - start)
    assert min(spent) < 0.010


@pytest.mark.parametrize(
    "text",
    [
        "And I kind of took a look and like, yeah, you're 100% right.",
        "Let me do that again and cheat by looking me up.",
        "It is not a lot, but maybe it is a little bit.",
        'I read them all, but most of the time I\'ll do a thing called "skimming".',
        "I moved to Lyon two months later.",
        "It was one of those.",
        "We started in 1999.",
        "That was a scary thing.",
    ],
)
def test_a_scrap_of_a_sentence_is_no_gap(text: str) -> None:
    assert not take(said(text)).gaps


def test_a_gap_quotes_a_whole_clause() -> None:
    (gap,) = take(said("So, again, we decided to keep the old cluster running, which was brave.")).gaps
    assert gap.quote == "we decided to keep the old cluster running"
