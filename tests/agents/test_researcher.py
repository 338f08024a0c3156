from interviewer.agents.researcher import RESEARCHER, ResearcherInput
from interviewer.model.decision import Research
from interviewer.model.turn import Said
from tests.agents.talk import said

TURNS = said(
    "Q: What did you use? Airflow perhaps?",
    "We moved the jobs to Dagster, and Marta Lindqvist wrote the glue. People say 90% of startups fail.",
)


def look(turns: tuple[Said, ...] = TURNS, *, banned: tuple[str, ...] = (), most: int = 2) -> Research:
    return RESEARCHER.rules(ResearcherInput(topic="Moving off Postgres", turns=turns, banned=banned, max_items=most))


def test_names_and_claims_of_the_guest_are_found_where_they_were_said() -> None:
    found = look(most=5)
    assert {"Dagster", "Marta Lindqvist"} <= {item.subject for item in found.items}
    assert any("90% of startups fail" in item.subject for item in found.items)
    assert all(item.said in TURNS[1].text and item.turn == "t2" for item in found.items)


def test_what_only_the_interviewer_named_is_left_alone() -> None:
    assert all("Airflow" not in item.subject for item in look(most=9).items)


def test_the_main_topic_and_tried_subjects_are_banned_in_any_case() -> None:
    turns = said("We had Postgres, then POSTGRES again, then Dagster.")
    assert [item.subject for item in look(turns, most=5).items] == ["Dagster"]
    assert look(turns, banned=("dagster",), most=5) == Research()


def test_no_more_items_than_allowed() -> None:
    assert len(look(most=2).items) == 2
    assert look(most=0) == Research()


def test_it_says_what_it_tried() -> None:
    found = look(most=2)
    assert found.tried == tuple(item.subject for item in found.items)


def test_a_claim_is_unverified_and_a_name_is_no_claim() -> None:
    kinds = {item.subject: item.verification for item in look(most=5).items}
    assert kinds["Dagster"] == "not_a_claim"
    assert [kind for subject, kind in kinds.items() if "90%" in subject] == ["unverified"]


def test_it_claims_to_know_nothing() -> None:
    for item in look(most=5).items:
        assert "Nothing is known about it offline" in item.summary
        assert item.sources == ()


def test_the_word_a_sentence_begins_with_is_no_name() -> None:
    assert look(said("Nobody noticed. Customers kept buying. I did too."), most=5) == Research()


def test_the_fallback_brings_nothing() -> None:
    assert RESEARCHER.fallback is not None
    assert RESEARCHER.fallback(ResearcherInput(topic="x", turns=TURNS, banned=(), max_items=2)) == Research()
