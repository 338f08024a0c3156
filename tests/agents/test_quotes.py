from interviewer.agents.quotes import check_analysis, check_essay, locate
from interviewer.model.outcome import AnalysedClaim, Analysis, Essay, EssaySentence, Quote
from tests.agents.dossier_talk import said

TURNS = said(
    "What happened to the ship?",
    "It’s a gnarly problem, honestly. We sold the boat in March and never told my father.",
    "And then?",
    "Then we bought it back.",
)


def test_a_quote_is_found_in_its_turn_whatever_its_capitals_and_apostrophes() -> None:
    assert locate("it's a GNARLY problem", TURNS) == ("t2", "exact", 0)


def test_a_quote_that_runs_into_the_middle_of_a_word_is_not_exact() -> None:
    assert locate("gnarly prob", TURNS) is None


def test_words_of_the_interviewer_are_nobodys_quote() -> None:
    assert locate("What happened to the ship?", TURNS) is None


def test_a_quote_with_one_word_changed_is_near_and_counts_one_edit() -> None:
    assert locate("we sold the ship in March and never told my father", TURNS) == ("t2", "near", 1)


def test_a_quote_with_a_word_left_out_is_near() -> None:
    assert locate("sold the boat in March and told my father", TURNS) == ("t2", "near", 1)


def test_the_nearest_turn_wins_over_the_earlier_one() -> None:
    turns = said("q", "we left the old house in the rain", "q", "we left the old house in the snow and ice")
    assert locate("left the old house in the snow or ice", turns) == ("t4", "near", 1)


def test_what_was_never_said_is_found_nowhere() -> None:
    assert locate("complex challenges require synergy across the board", TURNS) is None
    assert locate("", TURNS) is None
    assert locate("...", TURNS) is None
    assert locate("we sold", ()) is None


def test_a_quote_does_not_stretch_over_two_turns() -> None:
    assert locate("never told my father then we bought it back", TURNS) is None


def test_checking_an_analysis_puts_turns_right_and_marks_what_was_not_said() -> None:
    true, false = Quote(text="gnarly problem", turn="t9"), Quote(text="complex challenge", turn="t2")
    analysis = Analysis(
        goal_met="fully",
        assessment="",
        claims=(AnalysedClaim(text="c", evidence=(false,)),),
        themes=(),
        tensions=(),
        quotes=(true,),
        title="t",
        subtitle="",
    )
    checked = check_analysis(analysis, TURNS)
    assert checked.quotes == (Quote(text="gnarly problem", turn="t2", found=True),)
    assert checked.claims[0].evidence == (Quote(text="complex challenge", turn="t2", found=False),)


def test_checking_an_essay_takes_the_turn_from_a_sentence_the_guest_never_said() -> None:
    kept, made_up = "Then we bought it back.", "It was a profound journey for all of us."
    essay = Essay(
        title="t",
        markdown="",
        sentences=(EssaySentence(text=kept, turn="t2"), EssaySentence(text=made_up, turn="t4")),
    )
    assert [s.turn for s in check_essay(essay, TURNS).sentences] == ["t4", None]
