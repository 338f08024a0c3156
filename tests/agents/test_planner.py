from itertools import combinations
from pathlib import Path

import pytest
import yaml

from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.agents.topics import topic
from interviewer.errors import PlanError
from interviewer.matching.jaccard import Jaccard
from interviewer.model.plan import Plan

TOPICS = (
    "AI",
    "Sourdough baking",
    "Running a bakery",
    "The Postgres outage",
    "Why rewrites fail",
    "how we moved from Postgres to DuckDB",
    "How do you hire engineers?",
    "Is remote work dead",
    "AI is overhyped",
    "Build a company",
    "how to raise goats",
    "I was a monk for nine years",
    "mistakes, workarounds, decisions, beginners and failures",
    "Our migration from a self-hosted Postgres server to a managed analytics platform in nine months with three of us",
    "Warum Projekte scheitern",
    "人工智能",
    '"Quotes" and {braces} & <tags>',
)
DOSSIERS = sorted((Path(__file__).parents[2] / "data" / "dossiers").rglob("*.yaml"))


def plan(given: str, *, minutes: float = 14, context: str = "", language: str = "en") -> Plan:
    data = PlannerInput(topic=given, context=context, language=language, target_ms=round(minutes * 60_000))
    return PLANNER.rules(data)


def worst_pair(made: Plan) -> float:
    texts = [question.text for question in made.questions]
    scores = Jaccard().matrix(texts, texts)
    return max(float(scores[i, j]) for i, j in combinations(range(len(texts)), 2))


@pytest.mark.parametrize("minutes", [0.5, 1, 6, 14, 60])
@pytest.mark.parametrize("given", TOPICS)
def test_no_two_questions_of_a_plan_look_alike(given: str, minutes: float) -> None:
    assert worst_pair(plan(given, minutes=minutes)) < 0.35


@pytest.mark.parametrize("path", DOSSIERS, ids=lambda path: path.stem)
def test_a_real_context_gives_questions_of_its_own_that_do_not_look_alike(path: Path) -> None:
    guest = yaml.safe_load(path.read_text(encoding="utf-8"))
    made = plan(guest["topic"], context=guest["context"])
    own = [section for section in made.sections if section.title == "Where you come from"]
    assert own
    assert own[0].questions
    assert worst_pair(made) < 0.35


@pytest.mark.parametrize(
    ("minutes", "fewest", "most"),
    [(0.5, 3, 3), (1, 3, 3), (5, 6, 8), (6, 8, 9), (10, 13, 15), (14, 18, 20), (60, 75, 90)],
)
def test_a_longer_call_gets_more_questions(minutes: float, fewest: int, most: int) -> None:
    assert fewest <= len(plan("Running a bakery", minutes=minutes).questions) <= most


@pytest.mark.parametrize("minutes", [0.5, 1, 6, 14, 60])
def test_three_to_six_sections_share_the_time_between_opening_and_closing(minutes: float) -> None:
    made = plan("Running a bakery", minutes=minutes)
    assert 3 <= len(made.sections) <= 6
    # The phases leave 70 % of the target: from 15 % to 85 %.
    assert sum(section.seconds for section in made.sections) == round(minutes * 60 * 0.7)
    assert all(section.seconds > 0 for section in made.sections)


def test_about_a_third_of_the_questions_has_each_priority() -> None:
    priorities = [question.priority for question in plan("Running a bakery").questions]
    assert [priorities.count(p) for p in (1, 2, 3)] == [7, 7, 6]


def test_a_ten_minute_call_has_at_least_four_questions_of_the_first_priority() -> None:
    assert sum(question.priority == 1 for question in plan("Running a bakery", minutes=10).questions) >= 4


def test_ids_count_through_sections_and_questions() -> None:
    made = plan("Running a bakery", minutes=6)
    assert [section.id for section in made.sections] == [f"s{i + 1}" for i in range(len(made.sections))]
    assert [question.id for question in made.questions] == [f"q{i + 1}" for i in range(len(made.questions))]


@pytest.mark.parametrize("given", ["", "   ", "\n\t", "?!", "..."])
def test_a_blank_topic_is_an_error_that_names_the_field(given: str) -> None:
    with pytest.raises(PlanError, match=r"^topic"):
        plan(given)


@pytest.mark.parametrize(
    ("given", "spoken", "form"),
    [
        ("Sourdough baking.", "Sourdough baking", "name"),
        ("The Postgres outage", "the Postgres outage", "name"),
        ("Running my own bakery", "running your own bakery", "activity"),
        ("How we moved off AWS", "how you moved off AWS", "clause"),
        ("how I was fired", "how you were fired", "clause"),
        ("how we fixed IT for US hospitals", "how you fixed IT for US hospitals", "clause"),
        ("How do you hire engineers?", "how do you hire engineers", "question"),
        ("AI is overhyped", "AI is overhyped", "quoted"),
        ("  too \n many   spaces ", "too many spaces", "name"),
    ],
)
def test_a_topic_is_made_fit_to_be_spoken_to_the_guest(given: str, spoken: str, form: str) -> None:
    assert topic(given).text == spoken
    assert topic(given).form == form


def test_the_first_question_asks_where_it_began_in_the_topics_own_words() -> None:
    assert "running a bakery" in plan("Running a bakery").questions[0].text


def test_a_topic_too_long_for_one_breath_is_not_recited() -> None:
    long = "our migration from a self-hosted cluster to a managed platform in nine months with only three people"
    assert all("self-hosted" not in question.text for question in plan(long).questions)


def test_names_and_words_of_the_context_turn_up_as_they_stand() -> None:
    made = plan("Being on call", context="I founded FireHydrant and still carry the pager for various reasons.")
    asked = " ".join(question.text for question in made.questions)
    assert "FireHydrant" in asked
    assert '"I founded FireHydrant and still carry the pager for various reasons"' in asked


def test_the_same_words_give_the_same_plan() -> None:
    assert plan("Running a bakery", context="In Lyon.") == plan("Running a bakery", context="In Lyon.")


def test_a_plan_for_another_language_says_that_its_questions_are_in_english() -> None:
    made = plan("Brot backen", language="de")
    assert made.language == "de"
    assert "English" in made.notes
    assert "de" in made.notes.split()[-1]
