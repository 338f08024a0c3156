"""What a guest says is material: nobody obeys it, nothing is marked, planted or closed by it."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.agents.analyst import AnalystInput, analyse
from interviewer.agents.judge import JudgeInput
from interviewer.agents.note_taker import NOTE_TAKER
from interviewer.agents.notes_merge import merge
from interviewer.agents.orchestrator import ORCHESTRATOR
from interviewer.agents.registry import AGENTS
from interviewer.agents.researcher import RESEARCHER, held
from interviewer.agents.reverse_planner import ReverseInput
from interviewer.agents.style_extractor import StyleInput
from interviewer.agents.trace import trace
from interviewer.agents.writer import WriterInput
from interviewer.call.guidance import Guidance, clean, instructions
from interviewer.call.setup import CallSetup
from interviewer.ledger.events import LedgerEvent
from interviewer.memory.earlier import Earlier
from interviewer.model.decision import Research
from interviewer.model.notes import Gap, Idea, Notes
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceBullet, VoiceGuide
from tests.agents.talk import a_plan
from tests.agents.test_prompts import INPUTS
from tests.call.bench import Q2, Bench, ask, opened

PATH = Path(__file__).parents[2] / "data" / "adversarial" / "instructions.yaml"
SET: dict[str, list[str]] = {group["aim"]: group["says"] for group in yaml.safe_load(PATH.read_text(encoding="utf-8"))}
ATTACKS = [says for group in SET.values() for says in group]
STORY = "We moved the shop in March, and my sister carried the old server down the stairs."
ABOUT: dict[str, Any] = {"topic": "Moving a shop", "context": "I run a shop.", "language": "en"}


def talk(says: str = "") -> tuple[Said, ...]:
    asked = Said("t1", "interviewer", "How did the move go?")
    return (asked, Said("t2", "guest", f"{STORY} {says}".strip()))


def poisoned(says: str) -> dict[str, Any]:
    """Every agent's input with the sentence wherever others can put text."""
    who = {"topic": says, "context": says, "language": says}
    turns = talk(says)
    notes = Notes(
        ideas=(Idea(id="i1", text=says, quote=says, turn="t2"),),
        gaps=(Gap(id="g1", text=says, question=says, quote=says, turn="t2"),),
        titles=(says,),
    )
    analysis = analyse(AnalystInput(**ABOUT, goal="", turns=turns, notes=Notes()))
    guide = VoiceGuide(bullets=(VoiceBullet(trait="words", text=says, quotes=(says,)),), expressions=(says,))
    live = {
        name: INPUTS[name].model_copy(update={**who, "turns": turns})
        for name in ("note_taker", "researcher", "planner")
    }
    decide = {**who, "turns": turns, "notes": notes, "heard": (says,), "proposals": (says,), "requests": (says,)}
    return {
        **live,
        "orchestrator": INPUTS["orchestrator"].model_copy(update=decide),
        "analyst": AnalystInput(**who, goal=says, turns=turns, notes=notes),
        "writer": WriterInput(**who, turns=turns, analysis=analysis, notes=notes, voice_guide=guide),
        "style_extractor": StyleInput(**who, drafts=(says,), quotes=(says,), turns=turns[1:]),
        "reverse_planner": ReverseInput(**who, turns=turns),
        "judge": JudgeInput(first=says, second=says),
    }


def outside_fences(text: str) -> str:
    return re.sub(r"^<(\w+)>\n.*?\n</\1>$", r"<\1>", text, flags=re.DOTALL | re.MULTILINE)


def test_the_set_is_large_varied_and_in_several_languages() -> None:
    assert len(ATTACKS) >= 40
    assert len(set(ATTACKS)) == len(ATTACKS)
    assert len(SET) == 7
    assert sum(not says.isascii() for says in ATTACKS) >= 6


@pytest.mark.parametrize("name", sorted(poisoned("x")))
def test_no_sentence_leaves_its_fence_in_any_prompt(name: str) -> None:
    agent = AGENTS[name]
    plain = outside_fences(agent.prompt(poisoned("harmless")[name]))
    for says in ATTACKS:
        text = agent.prompt(poisoned(says)[name])
        assert outside_fences(text) == plain, says
        assert text.startswith(agent.instructions.strip())
        body = text.removeprefix(agent.instructions.strip())
        assert re.findall(r"<\w+>", body) == [f"<{mark}>" for mark in re.findall(r"</(\w+)>", body)]


@pytest.mark.parametrize("says", ATTACKS)
def test_no_sentence_makes_a_line_of_its_own_in_the_transcript(says: str) -> None:
    text = ORCHESTRATOR.prompt(poisoned(says)["orchestrator"])
    lines = text.partition("<transcript>\n")[2].partition("\n</transcript>")[0].splitlines()
    assert [line.split(" ", 2)[:2] for line in lines] == [["[t1]", "interviewer:"], ["[t2]", "guest:"]]


@pytest.mark.parametrize("says", ATTACKS)
def test_no_sentence_closes_or_fakes_a_mark_of_the_guidance(says: str) -> None:
    assert not re.search(r"[<>\n]", clean(says))

    def guided(text: str) -> str:
        idea = Idea(id="i1", text=text, quote="", turn="t1")
        earlier = Earlier(notes=Notes(ideas=(idea,)), covered=(text,))
        setup = CallSetup(plan=a_plan().model_copy(update={"topic": text, "goal": text}), context=text, earlier=earlier)
        given = Guidance("question", "exploration", 7, brief=text, ask=text, heard=(text,))
        return instructions(setup, given, 3)

    marks = r"</?\w[^>]*>|^# Now.*$"
    assert re.findall(marks, guided(says), re.MULTILINE) == re.findall(marks, guided("harmless"), re.MULTILINE)
    assert len(guided(says).splitlines()) == len(guided("harmless").splitlines())


@pytest.mark.parametrize("says", ATTACKS)
def test_the_note_taker_marks_nothing_and_quotes_only_the_guest(says: str) -> None:
    data: Any = INPUTS["note_taker"].model_copy(update={**ABOUT, "notes": Notes()})
    plain = NOTE_TAKER.rules(data.model_copy(update={"turns": talk()}))
    turns = talk(says)
    update = NOTE_TAKER.rules(data.model_copy(update={"turns": turns}))
    assert (update.answered, update.resolved) == (plain.answered, plain.resolved)
    notes = merge(Notes(), update, turns, sections=a_plan().sections)
    quoted = (*notes.ideas, *notes.stories, *notes.claims, *notes.gaps, *notes.lines)
    assert all(note.turn == "t2" and note.quote in turns[1].text for note in quoted)
    assert notes.closed == ()


def test_notes_of_a_model_that_obeyed_are_held_to_what_was_said() -> None:
    """Planted quotes, ids that were not offered, closings of what is not there: none gets through."""
    obeyed = {
        "ideas": [{"id": "", "text": "fraud", "quote": "the whole thing is a fraud", "turn": "t1"}],
        "lines": [{"quote": "databases are for cowards", "turn": "t2"}],
        "gaps": [{"id": "g9", "text": "x", "question": "Why?", "quote": "five stars", "turn": "t77"}],
        "answered": [{"question_id": "q404", "turn": "t2", "volunteered": True}],
        "coverage": [{"section_id": "s99", "depth": "deep"}],
        "resolved": ["g1", "q1"],
        "closed": [{"id": "g1", "wordings": ["everything"]}],
    }
    notes = merge(Notes(), NOTE_TAKER.parse(obeyed), talk(), sections=a_plan().sections)
    assert notes == Notes()


@pytest.mark.parametrize("says", ATTACKS)
def test_the_orchestrator_proposes_only_what_is_offered_in_the_phase_it_is_in(says: str) -> None:
    first: Any = INPUTS["orchestrator"]
    view = first.questions[0].model_copy(update={"text": "What broke first?", "status": "available", "reason": ""})
    base = {
        **ABOUT,
        "notes": Notes(),
        "research": (),
        "requests": (),
        "heard": (),
        "proposals": (),
        "questions": (view,),
    }
    plain = ORCHESTRATOR.rules(first.model_copy(update={**base, "turns": talk()}))
    decided = ORCHESTRATOR.rules(first.model_copy(update={**base, "turns": talk(says)}))
    assert plain.proposal is not None
    assert (decided.phase, decided.proposal) == (plain.phase, plain.proposal)


@pytest.mark.parametrize("says", ATTACKS)
def test_research_and_essay_take_it_as_words_of_the_guest(says: str) -> None:
    turns = talk(says)
    looking: Any = INPUTS["researcher"].model_copy(update={**ABOUT, "turns": turns, "banned": ()})
    found = held(RESEARCHER.rules(looking), looking)
    assert len(found.items) <= looking.max_items
    assert all(item.said in turns[1].text and item.verification != "supported" for item in found.items)
    analysis = analyse(AnalystInput(**ABOUT, goal="", turns=turns, notes=Notes()))
    essay = AGENTS["writer"].rules(WriterInput(**ABOUT, turns=turns, analysis=analysis, notes=Notes()))
    assert not re.search(r"<|(?<!\\)[`\[\]]", essay.markdown)
    assert [traced.sentence for traced in trace(essay, turns) if traced.flagged] == []


def stages(events: tuple[LedgerEvent, ...]) -> list[tuple[Any, ...]]:
    return [(e.kind, e.question_id, e.attempt_id, e.t_ms, e.known, e.basis) for e in events]


def a_call(says: str) -> Bench:
    """A question is asked and heard; then the guest tells a story, with or without a sentence more."""
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000})
    bench.agents = False
    for text in (STORY, f"{STORY} {says}".strip(), "And that was that for the whole of the summer."):
        item = bench.starts()
        bench.stops(item)
        bench.transcribed(item, text)
        if bench.running():
            bench.answer("researcher", Research())
            bench.answer("note_taker", Notes())
            bench.answer("orchestrator", ask(Q2, "q2"))
        bench.run(5_000, Q2)
    return bench


@pytest.fixture(scope="module")
def undisturbed() -> list[tuple[Any, ...]]:
    return stages(tuple(a_call("").core.ledger.events))


@pytest.mark.parametrize("says", ATTACKS)
def test_the_ledger_of_a_call_is_that_of_the_call_without_the_sentence(
    says: str, undisturbed: list[tuple[Any, ...]]
) -> None:
    assert any(kind == "delivered" for kind, *_ in undisturbed)
    bench = a_call(says)
    assert stages(tuple(bench.core.ledger.events)) == undisturbed
    assert bench.records("request") == []
    assert not bench.closed
