from hypothesis import given
from hypothesis import strategies as st

from interviewer.agents.notes_merge import DEPTHS, MOST_GAPS, MOST_IDEAS, merge
from interviewer.model.notes import Answered, Claim, Contradiction, Coverage, Depth, Gap, Idea, Line, Notes, Story
from tests.agents.talk import a_plan, said

SPOKEN = (
    "We finished the gnarly migration in March.",
    "I never trusted the dashboard after that night.",
    "My boss pushed back on the whole budget.",
    "Three people left the team within a year.",
    "The vendor doubled our licence fee without warning.",
    "We kept paper slips under the counter as a workaround.",
    "Nobody believed the first report about lost orders.",
    "In 2019 the landlord cut our power at midnight.",
    "The trick was copying only the newest rows.",
    "I regret selling the old servers so early.",
    "Customers never noticed anything about the switch.",
    "Half of the scripts broke because of time zones.",
    "Marta found the bug while baking bread.",
    "It turned out the backups were empty files.",
    "The board asked for weekly numbers from me.",
    "We decided against the cloud for various reasons.",
)
TURNS = said(*SPOKEN)
DEPTH_VALUES: list[Depth] = ["none", "thin", "some", "deep"]


def gap(number: int, *, id_: str = "", text: str | None = None, question: str | None = None) -> Gap:
    quote = SPOKEN[number].rstrip(".")
    asked = f'You said "{quote}": how come?' if question is None else question
    return Gap(id=id_, text=text or f"open: {quote}", question=asked, quote=quote, turn=f"t{number + 1}")


def idea(number: int, *, id_: str = "", text: str | None = None) -> Idea:
    return Idea(id=id_, text=text or SPOKEN[number], quote=SPOKEN[number], turn=f"t{number + 1}")


def test_new_items_get_ids_that_count_on() -> None:
    first = merge(Notes(), Notes(ideas=(idea(0), idea(1)), gaps=(gap(2),)), TURNS)
    second = merge(first, Notes(ideas=(idea(3),), gaps=(gap(4),)), TURNS)
    assert [item.id for item in second.ideas] == ["i1", "i2", "i3"]
    assert [item.id for item in second.gaps] == ["g1", "g2"]


def test_each_kind_has_a_letter_of_its_own() -> None:
    update = Notes(
        ideas=(idea(0),),
        stories=(Story(id="", text="a night", quote=SPOKEN[1], turn="t2"),),
        claims=(Claim(id="", text="three left", confidence="high", quote=SPOKEN[3], turn="t4"),),
        gaps=(gap(4),),
        contradictions=(
            Contradiction(
                id="",
                text="trust",
                first_quote=SPOKEN[1],
                first_turn="t2",
                second_quote=SPOKEN[5],
                second_turn="t6",
                question="How do both fit?",
            ),
        ),
    )
    merged = merge(Notes(), update, TURNS)
    found = (merged.ideas, merged.stories, merged.claims, merged.gaps, merged.contradictions)
    assert [items[0].id for items in found] == ["i1", "s1", "c1", "g1", "x1"]


def test_the_same_thought_twice_in_one_batch_is_one_note() -> None:
    twice = (idea(0), idea(0, text="They finished the gnarly migration in March"))
    assert len(merge(Notes(), Notes(ideas=twice), TURNS).ideas) == 1


def test_a_known_id_refines_the_note_in_place() -> None:
    before = merge(Notes(), Notes(ideas=(idea(0), idea(1))), TURNS)
    after = merge(before, Notes(ideas=(idea(0, id_="i1", text="The migration was gnarly to the end."),)), TURNS)
    assert [(item.id, item.text) for item in after.ideas] == [
        ("i1", "The migration was gnarly to the end."),
        ("i2", SPOKEN[1]),
    ]


def test_a_wrong_id_does_not_overwrite_another_note() -> None:
    before = merge(Notes(), Notes(ideas=(idea(0),)), TURNS)
    after = merge(before, Notes(ideas=(idea(7, id_="i1"),)), TURNS)
    assert [item.quote for item in after.ideas] == [SPOKEN[0], SPOKEN[7]]


def test_a_resolved_gap_leaves_and_stays_away_in_other_words_too() -> None:
    before = merge(Notes(), Notes(gaps=(gap(0), gap(1))), TURNS)
    closed = merge(before, Notes(resolved=("g1",)), TURNS)
    assert [item.id for item in closed.gaps] == ["g2"]
    assert "g1" in closed.resolved
    reworded = Gap(
        id="", text="why it was gnarly", question="What was gnarly?", quote="the gnarly migration in March", turn="t1"
    )
    for update in (Notes(gaps=(gap(0),)), Notes(gaps=(gap(0, id_="g1"),)), Notes(gaps=(reworded,))):
        assert [item.id for item in merge(closed, update, TURNS).gaps] == ["g2"]


def test_a_gap_closed_in_the_update_that_brings_it_again_is_closed() -> None:
    before = merge(Notes(), Notes(gaps=(gap(0),)), TURNS)
    assert merge(before, Notes(gaps=(gap(0),), resolved=("g1",)), TURNS).gaps == ()


def test_the_id_of_a_resolved_gap_is_not_given_again() -> None:
    before = merge(Notes(), Notes(gaps=(gap(0),)), TURNS)
    after = merge(before, Notes(gaps=(gap(4),), resolved=("g1",)), TURNS)
    assert [item.id for item in after.gaps] == ["g2"]


def test_an_id_that_names_nothing_resolves_nothing() -> None:
    assert merge(Notes(), Notes(resolved=("g9", "x1")), TURNS).resolved == ()


def test_a_quote_is_put_back_into_the_guests_letters_and_turn() -> None:
    loose = Idea(id="", text="the migration", quote="we finished the GNARLY migration, in march", turn="t9")
    (kept,) = merge(Notes(), Notes(ideas=(loose,)), TURNS).ideas
    assert (kept.quote, kept.turn) == ("We finished the gnarly migration in March", "t1")


def test_an_invented_quote_is_never_kept() -> None:
    made_up = "We lost nine million in one afternoon."
    update = Notes(
        ideas=(
            Idea(id="", text="the loss", quote=made_up, turn="t2"),
            Idea(id="", text="x", quote=made_up, turn="t99"),
        ),
        lines=(Line(quote=made_up, turn="t2"),),
        contradictions=(
            Contradiction(
                id="",
                text="x",
                first_quote=SPOKEN[1],
                first_turn="t2",
                second_quote=made_up,
                second_turn="t6",
                question="How?",
            ),
        ),
    )
    merged = merge(Notes(), update, TURNS)
    assert [(item.text, item.quote) for item in merged.ideas] == [("the loss", "")]
    assert merged.lines == ()
    assert merged.contradictions == ()


def test_words_of_the_interviewer_are_no_quotes() -> None:
    turns = said("Q: So it was a gnarly migration?", "Yes, it was.")
    line = Line(quote="it was a gnarly migration", turn="t1")
    assert merge(Notes(), Notes(lines=(line,)), turns).lines == ()


def test_quotes_noted_earlier_survive_when_their_turn_has_left_the_window() -> None:
    before = merge(Notes(), Notes(ideas=(idea(0),), lines=(Line(quote=SPOKEN[1], turn="t2"),)), TURNS)
    assert merge(before, Notes(), TURNS[10:]) == before


def test_coverage_and_answers_only_count_for_what_the_plan_has() -> None:
    update = Notes(
        coverage=(Coverage(section_id="s1", depth="thin"), Coverage(section_id="s9", depth="deep")),
        answered=(
            Answered(question_id="q1", turn="t1", volunteered=False),
            Answered(question_id="q77", turn="t1", volunteered=True),
        ),
    )
    merged = merge(Notes(), update, TURNS, sections=a_plan().sections)
    assert [c.section_id for c in merged.coverage] == ["s1"]
    assert [a.question_id for a in merged.answered] == ["q1"]


def test_lists_are_bounded_and_keep_their_order() -> None:
    update = Notes(ideas=tuple(map(idea, range(16))), gaps=tuple(map(gap, range(16))))
    merged = merge(Notes(), update, TURNS)
    assert len(merged.ideas) == MOST_IDEAS
    assert len(merged.gaps) == MOST_GAPS
    numbers = [int(item.id[1:]) for item in merged.ideas]
    assert numbers == sorted(numbers)


numbers = st.integers(0, len(SPOKEN) - 1)
texts = st.sampled_from([None, "a thought about migration", "the migration in March and the team", "people left early"])
updates = st.builds(
    Notes,
    ideas=st.lists(
        st.builds(lambda n, t, i: idea(n, text=t, id_=i), numbers, texts, st.sampled_from(["", "i1", "i2"]))
    ).map(tuple),
    gaps=st.lists(st.builds(lambda n, t, i: gap(n, text=t, id_=i), numbers, texts, st.sampled_from(["", "g1"]))).map(
        tuple
    ),
    coverage=st.lists(
        st.builds(Coverage, section_id=st.sampled_from(["s1", "s2"]), depth=st.sampled_from(DEPTH_VALUES))
    ).map(tuple),
    lines=st.lists(st.builds(lambda n: Line(quote=SPOKEN[n], turn=f"t{n + 1}"), numbers)).map(tuple),
    resolved=st.lists(st.sampled_from(["g1", "g2", "g3"])).map(tuple),
)


@given(st.lists(updates, min_size=1, max_size=4))
def test_merging_is_idempotent_and_nothing_falls_or_returns(given_updates: list[Notes]) -> None:
    notes = Notes()
    closed: set[str] = set()
    depths: dict[str, int] = {}
    for update in given_updates:
        notes = merge(notes, update, TURNS)
        assert merge(notes, update, TURNS) == notes
        reached = {c.section_id: DEPTHS.index(c.depth) for c in notes.coverage}
        assert all(reached[section] >= depth for section, depth in depths.items())
        depths = reached
        closed |= {key for key in notes.resolved if ":" not in key}
        assert closed.isdisjoint(item.id for item in notes.gaps)
        assert len({item.id for item in notes.ideas}) == len(notes.ideas) <= MOST_IDEAS
        assert len({item.id for item in notes.gaps}) == len(notes.gaps) <= MOST_GAPS


@given(updates, updates)
def test_an_id_means_the_same_note_for_ever(first: Notes, second: Notes) -> None:
    before = merge(Notes(), first, TURNS)
    after = {item.id: item for item in merge(before, second, TURNS).ideas}
    named = {item.id for item in second.ideas}
    assert all(after[item.id] == item for item in before.ideas if item.id in after and item.id not in named)


def test_a_true_quote_never_comes_to_stand_for_words_that_nobody_said() -> None:
    notes = merge(Notes(), Notes(ideas=(idea(0),)), TURNS)
    for quote in ("I stole all the money", ""):
        slander = Idea(id="i1", text="the guest stole money in March", quote=quote, turn="t1")
        assert merge(notes, Notes(ideas=(slander,)), TURNS).ideas == notes.ideas
