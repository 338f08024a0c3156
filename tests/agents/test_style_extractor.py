"""How a guest speaks, told from their own words."""

import pytest

from interviewer.agents.style_extractor import STYLE_EXTRACTOR, StyleInput, check_guide
from interviewer.model.voice import Trait, VoiceBullet, VoiceGuide
from tests.agents.dossier_talk import NAMES, dossier
from tests.agents.talk import said

TERSE = said(
    "And I don't ask. And I don't wait. I'm quick. It's like a knife in butter. And I never look back.",
    "I never liked the gnarly knife. And I've said so. Maybe I'm wrong. And I don't care. I never do.",
)
LONG = said(
    "We did not, at the time, have any idea whatsoever of what the committee in the capital would make of our request. "
    "We did not receive an answer before the autumn, when the roads are closed and nobody travels to the island. "
    "We have always held that a bridge is a promise which one generation makes to the one that comes after it. "
    "We do not build anything in winter, because the concrete would not set and the men would not come to work. "
    "We were not asked again until the old minister retired and his successor wanted to see the river for himself."
)


def guide(turns: tuple, **more: tuple[str, ...]) -> VoiceGuide:  # type: ignore[type-arg]
    return STYLE_EXTRACTOR.rules(StyleInput(topic="", turns=turns, **more))


def bullet(found: VoiceGuide, trait: Trait) -> str:
    return next(b.text for b in found.bullets if b.trait == trait)


@pytest.mark.parametrize("name", NAMES)
def test_four_to_six_bullets_each_of_another_trait_with_words_that_were_said(name: str) -> None:
    _, turns = dossier(name)
    own = turns[1::2]
    found = guide(own)
    assert 4 <= len(found.bullets) <= 6
    assert len({b.trait for b in found.bullets}) == len(found.bullets)
    assert all(1 <= len(b.quotes) <= 2 and all(any(q in t.text for t in own) for q in b.quotes) for b in found.bullets)
    assert all(any(e in t.text for t in own) for e in found.expressions)


def test_length_of_sentences_is_their_median() -> None:
    # 4, 4, 2, 6, 5 and 6, 4, 3, 4, 3 words: the middle two are 4 and 4.
    assert guide(TERSE).sentence_words == 4
    assert bullet(guide(TERSE), "sentences").startswith("Short sentences")
    assert bullet(guide(LONG), "sentences").startswith("Long sentences")


def test_person_and_contractions() -> None:
    assert "100 % I; contracts 100 %" in bullet(guide(TERSE), "person")
    assert "we" in bullet(guide(LONG), "person").split(";")[0]
    assert "contracts 0 %" in bullet(guide(LONG), "person")


def test_openers_pictures_and_doubt() -> None:
    found = guide(TERSE)
    assert '"And ..."' in bullet(found, "openers")
    assert bullet(found, "figures").startswith("Explains by pictures: once")
    assert "hedges in" in bullet(found, "stance")
    assert "gnarly knife" in found.expressions


def test_too_little_to_go_by_gives_an_empty_guide() -> None:
    assert guide(said("Yes.", "No.", "I like boats a lot.")) == VoiceGuide()
    assert guide(()) == VoiceGuide()


def test_drafts_and_quotes_count_too() -> None:
    page = "I keep bees. I do not keep dogs. I sell honey. I hate wasps. I like rain. I walk home."
    assert guide((), drafts=(page,)).sentence_words == 3


def test_what_a_model_makes_up_is_left_out_of_the_guide() -> None:
    true = VoiceBullet(trait="words", text="blunt", quotes=("And I don't ask.", "As Goethe said"))
    false = VoiceBullet(trait="stance", text="quotes poets", quotes=("As Goethe said",))
    made = VoiceGuide(bullets=(true, false), expressions=("gnarly knife", "synergy"), sentence_words=4)
    checked = check_guide(made, StyleInput(topic="", turns=TERSE))
    assert [(b.trait, b.quotes) for b in checked.bullets] == [("words", ("And I don't ask.",))]
    assert checked.expressions == ("gnarly knife",)


def test_the_prompt_shows_drafts_quotes_and_turns_within_its_budget() -> None:
    data = StyleInput(topic="", drafts=("A draft of mine. " * 5_000,), quotes=("A line.",), turns=TERSE)
    prompt = STYLE_EXTRACTOR.ask(data)
    assert prompt.tokens <= STYLE_EXTRACTOR.budget
    assert all(part in prompt.text for part in ("A draft of mine.", "- A line.", "[t2] guest: I never liked"))
    assert prompt.cut == {"drafts": 1}
