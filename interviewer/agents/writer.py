"""The Writer: the conversation as an essay in the guest's own words."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interviewer.agents.base import WHOLE, Agent, AgentInput
from interviewer.agents.essay import Part, lay_out, markdown
from interviewer.agents.offered import turn_ids
from interviewer.agents.passages import printable
from interviewer.agents.prompts import Piece
from interviewer.agents.selection import Scale, Style, blocks, choose
from interviewer.agents.wording import DATA_RULE, bullets, notes, person, transcript
from interviewer.matching.text import words
from interviewer.model.notes import Notes
from interviewer.model.outcome import Analysis, Essay, EssaySentence
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceGuide

INSTRUCTIONS = f"""
You turn a spoken interview into a draft essay that the guest could publish under their own name.

Write with the guest's own sentences. Choose them, put them in an order that reads well, cut fillers and false
starts, and leave their words alone: whoever said "gnarly problem" does not read "complex challenge". First person
throughout. Nothing is added that was not said; nothing of the interviewer's is printed. Questions, thanks and asides
to the interviewer stay out, and so does whatever cannot be understood without the question.

Open with the line or moment that makes a reader go on. Sections get headings made of the guest's phrases. Keep
connecting words few and neutral. Aim for 500 to 1,100 words, fewer if the material is thin.

Style: standard is a magazine essay; punchy has short paragraphs and the sharpest lines; reflective gives room to
doubts, feelings and changes of mind. The voice guide tells how the guest speaks: follow its bullets in what you choose
and how long sentences and paragraphs run, and keep every one of its expressions that finds a place.

Return title, markdown, and sentences: each sentence of the text in order with the id of the turn it is from, or null
for connecting words of yours. Write in the language of the conversation.

{DATA_RULE}
"""


class WriterInput(AgentInput):
    """The whole conversation, of all calls in their order, and what the Analyst made of it."""

    turns: tuple[Said, ...]
    analysis: Analysis
    notes: Notes
    style: Style = "standard"
    voice_guide: VoiceGuide = VoiceGuide()


class _Measure(NamedTuple):
    share: float
    least: int
    most: int
    paragraph: int


# Share of the guest's words, bounds of the essay's length in words, longest paragraph in words.
_MEASURES: dict[Style, _Measure] = {
    "standard": _Measure(0.65, 500, 1_000, 95),
    "punchy": _Measure(0.45, 500, 700, 45),
    "reflective": _Measure(0.8, 500, 1_050, 140),
}


_USUAL_SENTENCE = 16  # words, the middle of the guests of the dossiers
_MOST_STRETCH = 1.5


def write(data: WriterInput) -> Essay:
    """An essay of the guest's own sentences, chosen and ordered by rule; empty of sentences if nothing was said."""
    found = printable(data.turns)
    marked = [quote.text for quote in data.analysis.quotes] + [line.quote for line in data.notes.lines]
    scale = Scale(found, marked, data.style, data.voice_guide.expressions)
    measure = _MEASURES[data.style]
    said = sum(len(words(sentence.text)) for sentence in found)
    budget = round(max(measure.least, min(measure.most, measure.share * said)))
    offered = blocks(found, scale)
    chosen = choose(offered, budget)
    parts = lay_out(chosen, offered, scale, data.topic, data.analysis.title, _paragraph(measure, data.voice_guide))
    return Essay(
        title=data.analysis.title,
        markdown=markdown(data.analysis.title, data.analysis.subtitle, parts),
        sentences=_traced(data.analysis.subtitle, parts),
    )


def _paragraph(measure: _Measure, guide: VoiceGuide) -> int:
    """Longest paragraph in words: the style's, shorter for one who speaks in short sentences, longer for the other."""
    ratio = guide.sentence_words / _USUAL_SENTENCE if guide.sentence_words else 1.0
    return round(measure.paragraph * min(_MOST_STRETCH, max(1 / _MOST_STRETCH, ratio)))


def _traced(subtitle: str, parts: Sequence[Part]) -> tuple[EssaySentence, ...]:
    written = [EssaySentence(text=subtitle, turn=None)] if subtitle else []
    printed = (sentence for part in parts for paragraph in part.paragraphs for sentence in paragraph)
    return (*written, *(EssaySentence(text=sentence.text, turn=sentence.turn) for sentence in printed))


def _data(data: WriterInput) -> Sequence[Piece]:
    analysis = data.analysis
    return (
        f"Style: {data.style}",
        *person(data),
        bullets("title", [analysis.title, analysis.subtitle]),
        bullets("themes", [f"{theme.name}: {theme.summary}" for theme in analysis.themes]),
        bullets("quotes", [f"[{quote.turn}] {quote.text}" for quote in analysis.quotes]),
        bullets("voice_guide", _guide(data.voice_guide)),
        notes(data.notes),
        transcript(data.turns),
    )


def _guide(guide: VoiceGuide) -> Iterator[str]:
    """The guide line by line; the expressions come last, so they stay longest."""
    for bullet in guide.bullets:
        yield " | ".join([f"{bullet.trait}: {bullet.text}", *bullet.quotes])
    if guide.sentence_words:
        yield f"a sentence has about {guide.sentence_words} words"
    if guide.expressions:
        yield f"expressions to keep: {'; '.join(guide.expressions)}"


WRITER = Agent(
    name="writer",
    input=WriterInput,
    output=Essay,
    instructions=INSTRUCTIONS,
    data=_data,
    rules=write,
    offers=lambda data: {"turn": turn_ids(data.turns)},
    budget=WHOLE,
)
