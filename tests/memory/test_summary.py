"""What the voice is told of earlier calls: how much, and what goes first when space is short."""

import pytest

from interviewer.agents.prompts import tokens
from interviewer.memory.earlier import Asked, Earlier
from interviewer.memory.summary import summary
from interviewer.model.notes import Claim, Idea, Notes, Story
from interviewer.settings import MemorySettings

EARLIER = Earlier(
    notes=Notes(
        ideas=tuple(Idea(id=f"i{n}", text=f"idea {n}", quote="", turn="c1.t1") for n in range(1, 8)),
        stories=tuple(Story(id=f"s{n}", text=f"story {n}", quote="", turn="c1.t1") for n in range(1, 6)),
        claims=tuple(Claim(id=f"c{n}", text=f"claim {n}", confidence="low", quote="", turn="c1.t1") for n in range(7)),
    ),
    heard=tuple(Asked(text=f"Question number {n}?") for n in range(1, 15)),
    covered=("Childhood", "Craft"),
    themes=("rope and water",),
    expressions=("gnarly knot", "dead wood"),
)
ORDER = ("expression", "idea", "story", "claim", "covered", "asked", "theme")


def counts(memory: MemorySettings) -> dict[str, int]:
    found = summary(EARLIER, memory)
    kinds = [line.partition(":")[0] for line in found.lines]
    asked = {"asked": len(found.heard), "expression": len(found.expressions)}
    return {kind: kinds.count(kind) for kind in ORDER} | asked


def test_it_holds_five_ideas_three_stories_four_claims_ten_questions_the_sections_and_the_themes() -> None:
    assert counts(MemorySettings()) == {
        "expression": 2,
        "idea": 5,
        "story": 3,
        "claim": 4,
        "covered": 2,
        "asked": 10,
        "theme": 1,
    }
    found = summary(EARLIER, MemorySettings())
    assert found.lines[0] == "idea: idea 3"
    assert found.heard == tuple(f"Question number {n}?" for n in range(5, 15))
    assert found.cut == 0


def test_when_space_is_short_they_go_in_this_order_the_oldest_of_a_kind_first() -> None:
    gone = []
    before = counts(MemorySettings())
    for room in range(120, 49, -1):
        now = counts(MemorySettings(summary_tokens=room))
        gone += [kind for kind in ORDER if now[kind] < before[kind]]
        before = now
    assert gone == sorted(gone, key=ORDER.index)
    assert {"expression", "idea", "story", "claim"} <= set(gone)
    short = summary(EARLIER, MemorySettings(summary_tokens=80))
    assert "idea: idea 3" not in short.lines
    assert short.heard[-1] == "Question number 14?"


@pytest.mark.parametrize("room", [50, 70, 100, 900])
def test_it_keeps_to_its_room(room: int) -> None:
    found = summary(EARLIER, MemorySettings(summary_tokens=room))
    kept = [line.partition(": ")[2] for line in found.lines] + [*found.heard, *found.expressions]
    assert sum(map(tokens, kept)) <= room


def test_nothing_before_is_nothing_to_say() -> None:
    found = summary(None, MemorySettings())
    assert (found.lines, found.heard, found.expressions) == ((), (), ())


def test_what_is_noted_as_two_kinds_is_told_once() -> None:
    told = "the night the boat went down"
    notes = Notes(
        ideas=(Idea(id="i1", text="a boat is a promise", quote="", turn="c1.t1"),),
        stories=(Story(id="s1", text=told.capitalize(), quote="", turn="c1.t1"),),
        claims=(
            Claim(id="c1", text=f"{told}.", confidence="low", quote="", turn="c1.t1"),
            Claim(id="c2", text="steel sinks faster", confidence="low", quote="", turn="c1.t1"),
        ),
    )
    assert summary(Earlier(notes=notes, form=2), MemorySettings()).lines == (
        "idea: a boat is a promise",
        "story: The night the boat went down",
        "claim: steel sinks faster",
    )
