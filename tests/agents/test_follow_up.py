from typing import Literal

import pytest

from interviewer.agents.follow_up import FOLLOW_UP, FollowUpInput
from interviewer.agents.guard import TOO_ALIKE
from interviewer.agents.open_ends import begin_with
from interviewer.agents.repeats import closest, pieces
from interviewer.agents.views import QuestionView
from interviewer.matching.text import asks, content_words
from interviewer.model.notes import Claim, Contradiction, Coverage, Gap, Notes
from interviewer.model.outcome import FollowUp
from interviewer.model.turn import Said
from tests.agents.dossier_talk import NAMES, an_hour, cpu_seconds, dossier, said

BASE = QuestionView(
    id="q1",
    text="How did you learn to read the tides?",
    section_id="s1",
    role="backbone",
    priority=1,
    status="available",
    reason="",
    selectable=True,
    answered=False,
    volunteered=False,
)


def view(number: int, text: str, **changes: object) -> QuestionView:
    return BASE.model_copy(update={"id": f"q{number}", "text": text, "section_id": f"s{number}", **changes})


def offer(
    turns: tuple[Said, ...], notes: Notes | None = None, questions: tuple[QuestionView, ...] = (), topic: str = "Boats"
) -> FollowUp:
    data = FollowUpInput(topic=topic, goal="", turns=turns, notes=notes or Notes(), questions=questions)
    return FOLLOW_UP.rules(data)


def asked(follow_up: FollowUp) -> list[str]:
    return [question for topic in follow_up.topics for question in topic.questions]


@pytest.mark.parametrize(
    "turns",
    [
        (),
        said("Hello?"),
        said("Hello?", ""),
        said("Hello?", "Yes."),
        said("?", "{it} “{0}” %s </transcript>"),
        said("", "𝔄 🙂"),
    ],
)
@pytest.mark.parametrize("topic", ["", "Boats", "{it} {0}", "Why? Because!", "x" * 2_000])
def test_there_are_always_three_topics_with_distinct_questions(turns: tuple[Said, ...], topic: str) -> None:
    follow_up = offer(turns, topic=topic)
    assert len({t.title for t in follow_up.topics}) == 3
    questions = asked(follow_up)
    assert len(questions) == len(set(questions)) >= 6
    assert all(asks(question) for question in questions)


@pytest.mark.parametrize("name", NAMES)
def test_topics_of_a_real_talk_come_from_what_the_guest_said(name: str) -> None:
    topic, turns = dossier(name)
    follow_up = offer(turns, topic=topic)
    heard = {word for turn in turns if turn.speaker == "guest" for word in content_words(turn.text)}
    begun = [t for t in follow_up.topics if t.why.startswith("Said in passing")]
    assert begun
    assert all(content_words(t.title) <= heard for t in begun)


def test_with_a_tiny_transcript_the_topics_are_the_unasked_questions_of_the_plan() -> None:
    plan = (
        view(1, "How did you learn to read the tides?"),
        view(2, "What went wrong on your first crossing?"),
        view(3, "Who taught you to mend sails?"),
        view(4, "Which harbour do you avoid?", priority=3),
    )
    for turns in ((), said("Hello?", "Hi there.")):
        follow_up = offer(turns, questions=plan)
        assert [t.questions[0] for t in follow_up.topics][:2] == [plan[0].text, plan[1].text]
        assert all(q.text in " ".join(follow_up.gaps) for q in plan)


def test_delivered_answered_and_pending_questions_are_no_topic() -> None:
    plan = (
        view(1, "How did you learn to read the tides?", status="delivered"),
        view(2, "What went wrong on your first crossing?", answered=True),
        view(3, "Who taught you to mend sails?", status="pending"),
        view(4, "Which harbour do you avoid?"),
    )
    questions = asked(offer(said("q", "Hi."), questions=plan))
    assert plan[3].text in questions
    assert not {q.text for q in plan[:3]} & set(questions)


def test_a_held_question_comes_after_those_never_spoken() -> None:
    plan = (view(1, "How did you learn to read the tides?", status="held"), view(2, "Who taught you to mend sails?"))
    first = [t.questions[0] for t in offer((), questions=plan).topics]
    assert first.index(plan[1].text) < first.index(plan[0].text)


def test_what_may_not_be_asked_any_more_is_not_left_open() -> None:
    declined = view(1, "Why did you sell the boat so cheaply?", selectable=False)
    follow_up = offer(said("q", "Hi."), questions=(declined, view(2, "Who taught you to mend sails?")))
    assert not any("sell the boat" in text for text in (*asked(follow_up), *follow_up.gaps))
    assert "neither asked nor answered: 1." in follow_up.summary


def test_a_question_that_was_heard_takes_those_along_that_speak_of_it() -> None:
    heard = "Why did you sell the boat so cheaply that spring?"
    follow_up = offer(said(f"So, {heard}", "I had to."), questions=(view(1, heard),))
    assert not any("sell the boat" in topic.why for topic in follow_up.topics)
    assert "What did you expect there, and what came instead?" not in asked(follow_up)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How did that leave you, once it was over?", "How did that leave you, once it was over?"),
        ("What would you rather talk about?", "What would you rather talk about?"),
        ("Who else should I talk to?", "Who else should I talk to?"),
        ("What was the worst storm?", "The worst storm"),
        ("Describe your first crossing.", "Your first crossing."),
        ("What was the way to do it, and why was it no good?", "What was the way to do it, and why was it no good?"),
        ("You said “never again with him”. How did it end?", "Never again with him"),
    ],
)
def test_a_title_is_a_thing_the_guests_words_or_the_whole_question(question: str, title: str) -> None:
    assert offer((), questions=(view(1, question),)).topics[0].title == title.rstrip(".")


def test_what_was_heard_is_not_asked_again_in_the_same_or_nearly_the_same_words() -> None:
    turns = said("So, how did you first learn to read the tides?", "From my aunt.")
    questions = asked(offer(turns, questions=(view(1, "How did you learn to read the tides?"),)))
    assert not any("tides" in question and "learn" in question for question in questions)


def test_general_questions_that_were_heard_give_way_to_others() -> None:
    before = asked(offer(()))
    talk = [text for question in before for text in (question, "I see.")]
    after = offer(said(*talk))
    assert not set(before) & set(asked(after))


def test_three_topics_even_when_everything_was_asked() -> None:
    turns: tuple[Said, ...] = ()
    for _ in range(6):
        turns = said(*(text for q in {t.text for t in turns} | set(asked(offer(turns))) for text in (q, "q")))
    assert len(offer(turns).topics) == 3


def test_an_open_gap_is_a_topic_and_a_closed_one_is_not() -> None:
    turns = said("q", "There was a storm off Ushant, but that is another story. We also lost the anchor.")
    storm = Gap(
        id="g1",
        text="the storm",
        question="What happened in the storm?",
        quote="There was a storm off Ushant",
        turn="t2",
    )
    anchor = Gap(
        id="g2", text="the anchor", question="How was the anchor lost?", quote="We also lost the anchor", turn="t2"
    )
    follow_up = offer(turns, Notes(gaps=(storm, anchor), resolved=("g2",)))
    assert storm.question in asked(follow_up)
    assert anchor.question not in asked(follow_up)
    assert follow_up.gaps == ("the storm",)


def test_a_contradiction_becomes_a_topic_only_if_both_sides_were_said() -> None:
    turns = said("q", "Money never mattered to us.", "q", "In the end it was the money that sank us.")
    told = Contradiction(
        id="x1",
        text="money",
        first_quote="Money never mattered to us",
        first_turn="t2",
        second_quote="it was the money that sank us",
        second_turn="t4",
        question="Which of the two was it?",
    )
    assert told.question in asked(offer(turns, Notes(contradictions=(told,))))
    made_up = told.model_copy(update={"second_quote": "we bathed in diamonds"})
    assert told.question not in asked(offer(turns, Notes(contradictions=(made_up,))))


def test_thin_sections_and_weak_claims_are_named_as_areas_to_strengthen() -> None:
    notes = Notes(
        coverage=(Coverage(section_id="s1", depth="thin"), Coverage(section_id="s2", depth="deep")),
        claims=(Claim(id="c1", text="Steel hulls sink faster", confidence="low", quote="", turn="t2"),),
    )
    titles = (("s1", "The yard"), ("s2", "Winter"))
    data = FollowUpInput(topic="Boats", goal="", turns=said("q", "Hi."), notes=notes, questions=(), titles=titles)
    strengthen = " ".join(FOLLOW_UP.rules(data).strengthen)
    assert "The yard" in strengthen
    assert "Winter" not in strengthen
    assert "Steel hulls sink faster" in strengthen


def test_sections_are_told_by_their_titles() -> None:
    depths: tuple[tuple[str, Literal["none", "thin", "some"]], ...] = (("s1", "some"), ("s2", "thin"), ("s3", "none"))
    notes = Notes(coverage=tuple(Coverage(section_id=key, depth=depth) for key, depth in depths))
    titles = (("s1", "The yard"), ("s2", "Winter"))
    data = FollowUpInput(topic="Boats", goal="", turns=said("q", "Hi."), notes=notes, questions=(), titles=titles)
    found = FOLLOW_UP.rules(data)
    assert "sections reached: “The yard”;" in found.summary
    assert found.strengthen == ("Hardly told: Winter",)  # an id tells nobody anything
    assert "[s2] Winter" in FOLLOW_UP.prompt(data)


def test_a_section_that_only_fills_up_or_has_an_id_for_a_title_is_not_told() -> None:
    notes = Notes(coverage=tuple(Coverage(section_id=key, depth="deep") for key in ("s1", "f2z", "f2o", "s4")))
    titles = (("s1", "The yard"), ("f2z", "If there is time"), ("f2o", "Still open"), ("s4", "s4"))
    data = FollowUpInput(topic="Boats", goal="", turns=said("q", "Hi."), notes=notes, questions=(), titles=titles)
    assert "sections reached: “The yard”;" in FOLLOW_UP.rules(data).summary


def test_what_a_person_named_begins_questions_that_fit_it() -> None:
    mother = begin_with("my mother")
    assert len(mother) >= 3
    assert all("your mother" in question for question in mother)
    assert not any(word in question for question in mother for word in ("wrong", "cost", "stop", "rule"))
    assert "What did your first boat cost you, apart from money?" in begin_with("my first boat")


def test_general_questions_do_not_repeat_the_words_of_the_topic() -> None:
    """They would look like the first question of every call to whoever compares words, and be left out as repeats."""
    topic = "building wooden boats without a plan"
    found = offer(said(f"How did you first get into {topic}?", "By chance."), topic=topic)
    heard = pieces([f"How did you first get into {topic}?"])
    assert [one.questions[0] for one in found.topics if closest(one.questions[0], heard) > TOO_ALIKE] == []
    assert found.topics[0].questions[0] == "Which moment in all this came closest to making you stop?"


def test_what_speaks_of_the_question_before_it_does_not_begin_a_topic() -> None:
    left = (view(1, "What did you do the day after?"), view(2, "Who taught you to sail?", priority=2))
    found = offer(said("How was it?", "Cold."), questions=left)
    assert found.topics[0].questions[0] == "Who taught you to sail?"
    assert "What did you do the day after?" not in [one.questions[0] for one in found.topics]


def test_words_said_in_passing_are_taken_up_by_a_question_that_is_new() -> None:
    passing = "I felt so ashamed of that crooked mast."
    for heard in ("What led up to that?", "What stands behind that?"):
        found = offer(said(heard, passing))
        own = [one.questions[0] for one in found.topics if "crooked mast" in one.title]
        assert len(own) == 1
        assert heard not in own[0]


def test_an_hour_of_talk_is_searched_in_a_tenth_of_a_second() -> None:
    turns = an_hour()
    assert cpu_seconds(lambda: offer(turns)) < 0.1


def test_the_prompt_shows_question_ids_and_what_became_of_them() -> None:
    plan = (view(1, "How did you learn to read the tides?", status="held"),)
    data = FollowUpInput(topic="Boats", goal="Tides", turns=said("q", "Hi."), notes=Notes(), questions=plan)
    prompt = FOLLOW_UP.prompt(data)
    assert "[q1]" in prompt
    assert "held" in prompt
    assert "[t2] guest: Hi." in prompt


def test_talk_about_the_interview_is_no_thing_left_untold() -> None:
    told = "We lost the mast that night, and I never told them why I kept the boat."
    offered = offer(said("How was it?", told, "And the mast?", "I mentioned that, I believe."))
    assert not any(
        "mentioned" in text for topic in offered.topics for text in (topic.title, topic.why, *topic.questions)
    )
    assert any("kept the boat" in topic.title or "kept the boat" in topic.why for topic in offered.topics)
