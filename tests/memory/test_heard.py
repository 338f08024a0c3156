"""What a transcript shows to have been asked."""

from interviewer.memory.heard import heard_in
from interviewer.model.turn import Said


def texts(*turns: tuple[str, str]) -> list[tuple[str, str]]:
    said = [Said(f"c1.t{n}", "interviewer" if who == "I" else "guest", text) for n, (who, text) in enumerate(turns, 1)]
    return [(asked.turn, asked.text) for asked in heard_in(said)]


def test_the_interviewers_sentences_that_ask_are_heard_and_nobody_elses() -> None:
    found = texts(
        ("I", "Welcome. How did you begin? I am curious about the first boat."),
        ("G", "Do you know what a dory is?"),
        ("I", "I do. Tell me about yours."),
    )
    assert found == [
        ("c1.t1", "How did you begin?"),
        ("c1.t1", "I am curious about the first boat."),
        ("c1.t3", "Tell me about yours."),
    ]


def test_what_is_heard_so_is_known_as_reconstructed() -> None:
    (asked,) = heard_in([Said("c3.t1", "interviewer", "Why?")], call=3)
    assert (asked.call, asked.known, asked.question_id) == (3, "reconstructed", None)


def test_without_any_question_mark_sentences_count_that_begin_as_questions_do() -> None:
    found = texts(
        ("I", "so how did you come to boats. I like boats"),
        ("G", "well my father"),
        ("I", "okay. did you build it yourself. that is a lot of work. what"),
    )
    assert found == [("c1.t1", "so how did you come to boats."), ("c1.t3", "did you build it yourself.")]


def test_one_question_mark_shows_that_they_are_written_so_the_others_ask_nothing() -> None:
    assert texts(("I", "What a day that was. Was it cold?")) == [("c1.t1", "Was it cold?")]


def test_question_marks_of_other_scripts_count() -> None:
    assert [text for _, text in texts(("I", "どうやって始めましたか？そうですか。"))] == ["どうやって始めましたか?"]
    assert len(texts(("I", "كيف بدأت؟"))) == 1


def test_of_one_person_alone_nothing_was_asked() -> None:
    assert texts(("G", "What is there to ask?")) == []
