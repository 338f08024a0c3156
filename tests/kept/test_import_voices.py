"""Whose voice a guide is made of: two people whom files call alike are not taken for one."""

from pathlib import Path

import pytest

from interviewer.interview.returning import follow_up
from interviewer.kept.drafts import write_draft
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.kept.style import is_nobody, known_voice, style_input
from interviewer.llm.router import Router
from interviewer.model.plan import Plan, Question, Section
from interviewer.model.voice import VoiceGuide
from interviewer.settings import Settings, StyleSettings
from interviewer.store.store import Store

BEES = (
    "Honestly, the smoker was a swindle of my uncle's and I cursed it every single morning.",
    "You know, my bees forgave me sooner than my brother ever did, and that took nine years.",
    "You know, honestly, my uncle's barn burned twice and the swarm came back to the ashes.",
    "Honestly, I counted dead drones like other people count sheep, you know, on my fingers.",
    "You know, my uncle's hives were blue, honestly, because blue paint fell off a lorry.",
)
BOATS = (
    "Basically, a harbour pilot smells the tide before he ever sees it on any instrument.",
    "I mean, we hauled rope until our hands bled and the skipper called it good weather.",
    "Basically, the tide forgives nobody, I mean it took three anchors of ours in one night.",
    "I mean, my skipper prayed to the compass, basically, and never once to the weather.",
    "Basically, I sold the boat to a dentist, I mean a man who had never been seasick.",
)
PLAN = Plan(
    topic="A life",
    goal="",
    sections=(
        Section(id="s1", title="All", questions=(Question(id="q1", text="Who taught you the most?", priority=1),)),
    ),
)


def talk(folder: Path, file: str, name: str, answers: tuple[str, ...]) -> Path:
    path = folder / f"{file}.txt"
    asked = (
        "How did it begin for you?",
        "What happened after that?",
        "Who was there?",
        "What did it cost?",
        "And now?",
    )
    path.write_text("\n\n".join(f"Anna: {q}\n\n{name}: {a}" for q, a in zip(asked, answers, strict=False)))
    return path


def guide_words(store: Store, call: str) -> str:
    return follow_up(store, call, plan=PLAN).voice_guide.model_dump_json()


@pytest.mark.parametrize("name", ["Speaker 2", "Bo"])
def test_the_guide_of_a_guest_whom_only_a_file_names_is_of_that_interview_alone(
    fresh_home: Path, tmp_path: Path, name: str
) -> None:
    store = Store.open(fresh_home)
    bees, boats = import_files(
        store, [talk(tmp_path, "bees", name, BEES), talk(tmp_path, "boats", name, BOATS)], topic="A life"
    ).calls
    assert "uncle's" in guide_words(store, bees.call_id)
    assert "tide" not in guide_words(store, bees.call_id)
    assert "uncle's" not in guide_words(store, boats.call_id)
    assert known_voice(store, name) == VoiceGuide()
    agents = Router(Settings.load())
    write_draft(store, boats.call_id, agents)
    runs = CallLog.read(store.journal_path(boats.call_id)).records("essay")
    assert "uncle" not in str(runs)


def test_a_guest_whom_a_person_names_is_one_person_everywhere(fresh_home: Path, tmp_path: Path) -> None:
    store = Store.open(fresh_home)
    (bees,) = import_files(store, [talk(tmp_path, "bees", "Speaker 2", BEES)], guest="Bo Larsen").calls
    (boats,) = import_files(store, [talk(tmp_path, "boats", "Bo Larsen", BOATS)], speakers={"Bo Larsen": "guest"}).calls
    (other,) = import_files(store, [talk(tmp_path, "other", "Bo Larsen", (BOATS[1], BEES[1]))]).calls
    first = style_input(store, "Bo Larsen", StyleSettings(), "")
    assert [turn.text for turn in first.turns] == [*BEES, *BOATS]
    assert len(style_input(store, "Bo Larsen", StyleSettings()).turns) == 12  # asked for by name: all there are
    assert "tide" in guide_words(store, bees.call_id) + guide_words(store, boats.call_id)
    assert "tide" not in guide_words(store, other.call_id)


def test_a_voice_that_is_known_is_made_of_as_much_as_the_settings_say(fresh_home: Path, tmp_path: Path) -> None:
    store = Store.open(fresh_home)
    import_files(store, [talk(tmp_path, "bees", "Bo", BEES)], guest="Bo")
    assert known_voice(store, "Bo").bullets
    assert not known_voice(store, "Bo", settings=StyleSettings(drafts=0, quotes=0, turns=0)).bullets


@pytest.mark.parametrize(
    "name",
    ["", "guest", "The guest", "Speaker 1", "SPEAKER_00", "Unknown speaker", "Interviewee", "Participant 3", "B",
     "Speaker 2, Speaker 3"],
)  # fmt: skip
def test_what_programs_call_people_is_nobodys_name(name: str) -> None:
    assert is_nobody(name)


@pytest.mark.parametrize("name", ["Bo", "Ida Speaker", "Guesthouse", "Al", "Persona Grata", "Bo, Speaker 2"])
def test_a_name_is_somebodys(name: str) -> None:
    assert not is_nobody(name)
