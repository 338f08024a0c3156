"""The StyleExtractor: on demand, from what a guest wrote and said to how the Writer should sound."""

from collections.abc import Sequence

from interviewer.agents import style_rules
from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.prompts import Piece
from interviewer.agents.wording import DATA_RULE, bullets, person, transcript
from interviewer.matching.text import words
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceBullet, VoiceGuide


class StyleInput(AgentInput):
    """Past drafts (Markdown), quotes and own turns of one guest, the newest last."""

    guest: str = ""
    drafts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    turns: tuple[Said, ...] = ()


_INSTRUCTIONS = f"""
You describe how one person speaks, so that a writer can keep their voice. Look only at how things are said, never at
what they are about.

- Four to six bullets, each about one habit and each of another trait: sentences (length and rhythm), person (I, we or
  you, contractions), words (favourite words and phrases), openers (how sentences begin), figures (comparisons and
  pictures), stance (humour, doubt, certainty). A bullet can be followed: it says what to do, not that it is nice.
- quotes: one or two sentences that show the habit, copied letter for letter from the turns, quotes or drafts.
- expressions: up to twenty words and phrases that are this person's own, copied letter for letter.
- sentence_words: the usual number of words in a sentence.
- With too little to go by return no bullets and no expressions. Write in the language of the talk.
{DATA_RULE}
"""


def _data(data: StyleInput) -> Sequence[Piece]:
    return (
        *person(data),
        bullets("drafts", data.drafts, weight=3.0),
        bullets("quotes", data.quotes),
        transcript(data.turns, "turns"),
    )


def _rules(data: StyleInput) -> VoiceGuide:
    return style_rules.guide([turn.text for turn in data.turns], data.drafts, data.quotes)


def _fallback(_: StyleInput) -> VoiceGuide:
    return VoiceGuide()


def check_guide(guide: VoiceGuide, data: StyleInput) -> VoiceGuide:
    """`guide` with only what the guest really said or wrote; a bullet that no quote shows is left out."""
    given = f" {' '.join(words(' '.join((*data.drafts, *data.quotes, *(turn.text for turn in data.turns)))))} "

    def stands(text: str) -> bool:
        return bool(words(text)) and f" {' '.join(words(text))} " in given

    bullets = (b.model_copy(update={"quotes": tuple(q for q in b.quotes if stands(q))}) for b in guide.bullets)
    shown: tuple[VoiceBullet, ...] = tuple(bullet for bullet in bullets if bullet.quotes)
    expressions = tuple(expression for expression in guide.expressions if stands(expression))
    return guide.model_copy(update={"bullets": shown, "expressions": expressions})


STYLE_EXTRACTOR: Agent[StyleInput, VoiceGuide] = Agent(
    name="style_extractor",
    input=StyleInput,
    output=VoiceGuide,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=_rules,
    fallback=_fallback,
    budget=12_000,
)
