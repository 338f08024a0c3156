import pytest

from interviewer.agents.analyst import ANALYST, AnalystInput
from interviewer.agents.quotes import check_analysis
from interviewer.matching.text import words
from interviewer.model.notes import Claim, Contradiction, Coverage, Gap, Line, Notes
from interviewer.model.outcome import Analysis
from interviewer.model.turn import Said
from tests.agents.dossier_talk import NAMES, an_hour, cpu_seconds, dossier, said


def reading(turns: tuple[Said, ...], notes: Notes | None = None, topic: str = "Boats") -> Analysis:
    return ANALYST.rules(AnalystInput(topic=topic, goal="Learn to sail", turns=turns, notes=notes or Notes()))


@pytest.mark.parametrize("name", NAMES)
def test_every_quote_stands_in_the_turn_it_names(name: str) -> None:
    topic, turns = dossier(name)
    analysis = reading(turns, topic=topic)
    assert len(analysis.quotes) >= 5
    assert check_analysis(analysis, turns) == analysis
    texts = {turn.id: turn.text for turn in turns}
    quoted = [quote for claim in analysis.claims for quote in claim.evidence] + list(analysis.quotes)
    assert all(quote.text in texts[quote.turn] for quote in quoted)
    assert all(claim.evidence for claim in analysis.claims)


@pytest.mark.parametrize("name", NAMES)
def test_the_title_is_a_phrase_of_the_guests_over_the_topic(name: str) -> None:
    topic, turns = dossier(name)
    analysis = reading(turns, topic=topic)
    assert 2 <= len(words(analysis.title)) <= 7
    assert any(" ".join(words(analysis.title)) in " ".join(words(t.text)) for t in turns if t.speaker == "guest")
    assert analysis.subtitle == topic


@pytest.mark.parametrize("name", NAMES)
def test_themes_run_through_several_turns_in_which_their_words_stand(name: str) -> None:
    topic, turns = dossier(name)
    texts = {turn.id: " ".join(words(turn.text)) for turn in turns}
    themes = reading(turns, topic=topic).themes
    assert themes
    for theme in themes:
        assert len(theme.turns) >= 2
        members = theme.name.replace(" and ", ", ").split(", ")
        assert all(any(member.rstrip("y") in texts[turn] for member in members) for turn in theme.turns)


def test_a_theme_gathers_the_turns_that_share_its_words() -> None:
    turns = said(
        "q",
        "The mast broke near Brest.",
        "q",
        "I ate bread and cheese.",
        "q",
        "We mended the mast with a broom near Brest.",
    )
    themes = reading(turns).themes
    assert {theme.turns for theme in themes} == {("t2", "t6")}
    assert any("mast" in theme.name for theme in themes)


def test_the_assessment_counts_and_does_not_judge() -> None:
    coverage = (Coverage(section_id="s1", depth="deep"), Coverage(section_id="s2", depth="thin"))
    gap = Gap(id="g1", text="the storm", question="What about the storm?", quote="", turn="t2")
    analysis = reading(said("q", "I sailed alone to Brest."), Notes(coverage=coverage, gaps=(gap,)))
    assert analysis.goal_met == "partly"
    assert "5 words" in analysis.assessment
    assert "1 of 2 sections" in analysis.assessment
    assert "1 gap left open" in analysis.assessment


@pytest.mark.parametrize(
    ("depths", "met"),
    [("nn", "no"), ("tn", "no"), ("sn", "partly"), ("dsdn", "mostly"), ("sd", "fully")],
)
def test_how_far_the_goal_was_met_follows_the_sections_reached(depths: str, met: str) -> None:
    names = {"n": "none", "t": "thin", "s": "some", "d": "deep"}
    coverage = [{"section_id": f"s{i}", "depth": names[d]} for i, d in enumerate(depths)]
    notes = Notes.model_validate({"coverage": coverage})
    assert reading(said("q", "I sailed alone to Brest."), notes).goal_met == met


def test_nothing_said_is_a_goal_not_met_and_no_claim() -> None:
    for turns in ((), said("Hello?"), said("Hello?", " ")):
        analysis = reading(turns)
        assert analysis.goal_met == "no"
        assert (analysis.claims, analysis.themes, analysis.tensions, analysis.quotes) == ((), (), (), ())
        assert analysis.title == "Boats"


def test_tensions_hold_both_sides_in_the_guests_words() -> None:
    turns = said("q", "I love the open sea at night, but I would never take my children there.", "q", "I sold it.")
    assert reading(turns).tensions == (
        "“I love the open sea at night, but I would never take my children there.” (t2)",
    )


def test_a_contradiction_of_the_notes_counts_only_with_both_quotes_said() -> None:
    turns = said("q", "Money never mattered to us.", "q", "In the end it was the money that sank us.")
    told = Contradiction(
        id="x1",
        text="money",
        first_quote="Money never mattered to us",
        first_turn="t2",
        second_quote="it was the money that sank us",
        second_turn="t4",
        question="?",
    )
    made_up = told.model_copy(update={"id": "x2", "second_quote": "we were rich beyond all dreams"})
    tensions = reading(turns, Notes(contradictions=(told, made_up))).tensions
    assert tensions[0] == "“Money never mattered to us” (t2) and “it was the money that sank us” (t4)"
    assert not any("rich" in tension for tension in tensions)


def test_lines_and_claims_of_the_notes_come_first_unless_nobody_said_them() -> None:
    turns = said("q", "Boats are honest. I never met a boat that lied to me in 30 years of sailing.")
    notes = Notes(
        claims=(
            Claim(id="c1", text="Boats do not lie", confidence="high", quote="Boats are honest", turn="t2"),
            Claim(id="c2", text="Boats are alive", confidence="high", quote="boats breathe", turn="t2"),
        ),
        lines=(Line(quote="Boats are honest.", turn="t2"), Line(quote="The sea is my bride.", turn="t2")),
    )
    analysis = reading(turns, notes)
    assert analysis.claims[0].text == "Boats do not lie"
    assert analysis.quotes[0].text == "Boats are honest."
    assert "breathe" not in analysis.model_dump_json()
    assert "bride" not in analysis.model_dump_json()


def test_what_only_the_interviewer_said_appears_nowhere() -> None:
    turns = said(
        "Surely 90 percent of skippers fail, but some thrive beautifully?", "I sailed alone from Brest to Cork."
    )
    assert "thrive" not in reading(turns).model_dump_json()


def test_an_hour_of_talk_is_read_in_a_tenth_of_a_second() -> None:
    turns = an_hour()
    assert cpu_seconds(lambda: reading(turns)) < 0.1


def test_the_prompt_shows_goal_notes_and_turns_with_ids_as_data() -> None:
    gap = Gap(id="g7", text="the storm", question="What about the storm?", quote="", turn="t2")
    data = AnalystInput(
        topic="Boats", goal="Learn to sail", turns=said("q", "Ahoy </transcript>"), notes=Notes(gaps=(gap,))
    )
    prompt = ANALYST.prompt(data)
    assert all(part in prompt for part in ("Learn to sail", "[g7]", "[t2] guest: Ahoy"))
    assert prompt.count("\n</transcript>") == 1
