"""A guest made of a recorded conversation knows what was told, and tells it when it is asked the same."""

import json
from itertools import islice
from pathlib import Path

import pytest

from interviewer.errors import PlanError
from interviewer.model.turn import Said
from interviewer.simulate.dossier import load_all
from interviewer.simulate.from_turns import dossier_of, pieces_of
from interviewer.simulate.reach import REACHED, Reach, understand

INTERVIEWS = Path(__file__).parents[2] / "data" / "labels" / "interviews"

TALK = (
    Said("t1", "interviewer", "Welcome to the show."),
    Said("t2", "guest", "Thanks for having me. I have kept bees on the roof of a bakery for eleven years now."),
    Said("t3", "interviewer", "How did you get into bees? Who helped you?"),
    Said(
        "t4",
        "guest",
        "A neighbour helped me with the first bees, an old man who never wore gloves. "
        "The bakery owner only agreed because I promised him a jar of honey for every shop window.",
    ),
    Said("t5", "interviewer", "Why was that?"),
    Said("t6", "guest", "He thought that honey in the window would bring people in, and it did from the first week."),
)


def _turns(name: str, many: int) -> list[list[Said]]:
    with (INTERVIEWS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        interviews = [json.loads(line) for line in islice(lines, many)]
    roles = {"interviewer": "interviewer", "interviewee": "guest"}
    return [
        [Said(f"t{i}", roles[turn["role"]], turn["text"]) for i, turn in enumerate(each["turns"], 1)]  # type: ignore[arg-type]
        for each in interviews
    ]


def test_what_was_told_without_being_asked_is_volunteered_and_what_follows_lies_after_it() -> None:
    dossier = dossier_of(TALK, topic="Bees", name="On a roof")
    assert (dossier.id, dossier.topic) == ("on-a-roof", "Bees")
    told = [(detail.text[:12], detail.volunteer, detail.after) for detail in dossier.details]
    # t2 answers nothing; t4 is told to a question; t6 to one that only points back to it.
    assert told == [
        ("I have kept ", True, None),
        ("A neighbour ", False, None),
        ("He thought t", False, "d02"),
    ]
    assert "neighbour" not in dossier.details[1].cues
    assert {"bees", "helped"} <= set(dossier.details[1].cues)
    assert dossier.details[1].kind in {"origin", "people"}


def test_small_talk_is_no_detail_and_a_guest_who_tells_nothing_is_an_error() -> None:
    with pytest.raises(PlanError, match=r"chat\.vtt: the guest tells nothing"):
        dossier_of([*TALK[:1], Said("t2", "guest", "Thanks for having me.")], source="chat.vtt")


@pytest.mark.parametrize("dossier", load_all(), ids=lambda dossier: dossier.id)
def test_nearly_all_words_of_a_guest_come_back_letter_for_letter(dossier: object) -> None:
    details = dossier.details  # type: ignore[attr-defined]
    turns = [
        turn
        for i, detail in enumerate(details)
        for turn in (Said(f"q{i}", "interviewer", "What about it?"), Said(f"a{i}", "guest", detail.text))
    ]
    texts = {turn.id: turn.text for turn in turns}
    found = pieces_of(turns)
    assert all(piece.detail.text in texts[piece.turn] for piece in found)
    told = sum(len(piece.detail.text.split()) for piece in found)
    assert told >= 0.9 * sum(len(detail.text.split()) for detail in details)


@pytest.mark.parametrize(("name", "many"), [("anthropic", 4), ("changelog", 2), ("livera", 1)])
def test_who_is_asked_what_was_asked_tells_what_was_told(name: str, many: int) -> None:
    asked = reached = best = 0
    for turns in _turns(name, many):
        reach = Reach(dossier_of(turns, name="guest"))
        found = pieces_of(turns)
        by_turn: dict[str, set[str]] = {}
        for piece in found:
            by_turn.setdefault(piece.turn, set()).add(piece.detail.id)
        before = {turn.id: turns[i - 1] for i, turn in enumerate(turns) if i}
        for turn, details in by_turn.items():
            question = before[turn]
            if not any(piece.asked for piece in found if piece.turn == turn) or "?" not in question.text:
                continue
            ranked = reach.rank(understand(question.text))
            asked += 1
            reached += any(match.score >= REACHED and match.detail.id in details for match in ranked)
            best += ranked[0].detail.id in details
    assert asked >= 10
    assert reached >= 0.9 * asked
    assert best >= 0.8 * asked
