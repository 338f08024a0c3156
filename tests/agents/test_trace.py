"""From the page back to the talk, and how much of the guest's own language a draft keeps."""

import pytest

from interviewer.agents.analyst import AnalystInput, analyse
from interviewer.agents.expressions import distinctive, kept
from interviewer.agents.selection import Style
from interviewer.agents.style_extractor import STYLE_EXTRACTOR, StyleInput
from interviewer.agents.trace import trace
from interviewer.agents.writer import WRITER, WriterInput
from interviewer.model.notes import Notes
from interviewer.model.outcome import Essay, EssaySentence
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceGuide
from tests.agents.dossier_talk import NAMES, dossier
from tests.agents.talk import said

NO_GUIDE = VoiceGuide()
TURNS = said(
    "Q: Did you lose nine million in Paris?",
    "We lost four hundred euros in Lyon that winter. Honestly, I still like the boat.",
    "My sister Odile painted it red before anyone asked.",
)


def page(markdown: str) -> Essay:
    return Essay(title="Boats", markdown=f"# Boats\n\n{markdown}\n", sentences=())


def draft(turns: tuple[Said, ...], topic: str, style: Style = "standard", guide: VoiceGuide = NO_GUIDE) -> Essay:
    analysis = analyse(AnalystInput(topic=topic, goal="", turns=turns, notes=Notes()))
    data = WriterInput(topic=topic, turns=turns, analysis=analysis, notes=Notes(), style=style, voice_guide=guide)
    return WRITER.rules(data)


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_of_a_draft_by_rules_is_traced_to_its_turn(name: str) -> None:
    topic, turns = dossier(name)
    essay = draft(turns, topic)
    found = trace(essay, turns)
    assert len(found) > 10
    assert [t.sentence for t in found if t.flagged] == []
    assert {t.turn for t in found if t.turn} >= {s.turn for s in essay.sentences if s.turn}


def test_exact_near_and_invented_are_told_apart() -> None:
    found = trace(
        page("We lost four hundred euros in Lyon that winter. I still like that boat. It was a cold year for us."),
        TURNS,
    )
    assert [(t.turn, t.kind, t.distance, t.flagged) for t in found] == [
        ("t2", "exact", 0, False),
        ("t2", "near", 1, False),
        (None, "none", 0, True),
    ]


def test_a_near_sentence_with_another_figure_or_name_is_flagged() -> None:
    found = trace(page("We lost nine hundred euros in Lyon that winter. My sister Odette painted it red."), TURNS)
    assert [(t.kind, t.flagged) for t in found] == [("near", True), ("near", True)]


def test_what_only_the_interviewer_said_is_flagged() -> None:
    (found,) = trace(page("We did lose nine million in Paris."), TURNS)
    assert (found.turn, found.flagged) == (None, True)


def test_connecting_words_are_neither_traced_nor_flagged() -> None:
    found = trace(page("But first things first: why boats?"), TURNS)
    assert [(t.kind, t.factual, t.flagged) for t in found] == [("none", False, False)]


def test_it_goes_by_the_page_and_not_by_what_the_writer_claims() -> None:
    essay = page("## We sank in 1987\n\nWe lost four hundred euros in Lyon that winter.")
    lying = essay.model_copy(
        update={"sentences": (EssaySentence(text="We lost four hundred euros in Lyon that winter.", turn="t2"),)}
    )
    assert [(t.sentence, t.flagged) for t in trace(lying, TURNS)] == [
        ("We sank in 1987", True),
        ("We lost four hundred euros in Lyon that winter.", False),
    ]


def test_markup_and_escapes_hide_nothing() -> None:
    turns = said("I paid $5 for *one* and #2 of [these] at 1. Dock Street & Co.")
    essay = page("I paid \\$5 for \\*one\\* and \\#2 of \\[these\\] at 1. Dock Street &amp; Co.")
    assert {t.kind for t in trace(essay, turns)} == {"exact"}
    assert [t.kind for t in trace(page("- **I paid** [\\$5](https://x.example) for one"), turns)] == ["exact"]


def test_expressions_are_said_twice_or_loaded_and_survive_word_for_word() -> None:
    talk = (
        "That was a gnarly problem. The bilge pump broke, and the bilge pump broke again in the morning.",
        "I think the weather was a reason.",
    )
    found = distinctive(talk)
    assert "gnarly problem" in found
    assert any("bilge pump" in expression for expression in found)
    assert not any("weather" in expression for expression in found)
    one = kept(("gnarly problem", "bilge pump"), "A complex challenge: the Bilge Pump.")
    assert (one.share, one.kept, one.lost) == (0.5, ("bilge pump",), ("gnarly problem",))
    assert kept((), "anything").share is None


def test_drafts_keep_most_of_the_guests_expressions() -> None:
    """Over the dossiers: three quarters in standard drafts; never under half."""
    shares = {}
    for name in NAMES:
        topic, turns = dossier(name)
        expressions = distinctive(turn.text for turn in turns if turn.speaker == "guest")
        shares[name] = kept(expressions, draft(turns, topic).markdown).share or 0.0
    assert min(shares.values()) >= 0.5
    assert sum(shares.values()) / len(shares) >= 0.7


@pytest.mark.parametrize("style", ["standard", "punchy"])
def test_a_voice_guide_keeps_more_of_them(style: Style) -> None:
    """The guide is really used: summed over the dossiers more expressions survive with it than without."""
    with_guide = without = 0
    for name in NAMES:
        topic, turns = dossier(name)
        guide = STYLE_EXTRACTOR.rules(StyleInput(topic=topic, turns=turns[1::2]))
        without += len(kept(guide.expressions, draft(turns, topic, style).markdown).kept)
        with_guide += len(kept(guide.expressions, draft(turns, topic, style, guide).markdown).kept)
    assert with_guide > without * 1.05


def test_who_speaks_in_short_sentences_gets_short_paragraphs() -> None:
    topic, turns = dossier("changelog/incidents-and-on-call")

    def longest(sentence_words: int) -> int:
        essay = draft(turns, topic, guide=VoiceGuide(sentence_words=sentence_words))
        return max(len(paragraph.split()) for paragraph in essay.markdown.split("\n\n"))

    assert longest(8) < longest(16) < longest(30)
