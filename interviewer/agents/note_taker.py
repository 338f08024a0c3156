"""The Note-Taker: every live cycle, from the last turns to an update of the notes."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from interviewer.agents import note_finds, wording
from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.note_clashes import clashes
from interviewer.agents.note_gaps import gaps
from interviewer.agents.note_progress import closed, progress
from interviewer.agents.offered import NEW, Offered, note_ids, question_ids, section_ids, turn_ids, turns_of
from interviewer.agents.prompts import Piece
from interviewer.model.notes import Notes
from interviewer.model.plan import Section
from interviewer.model.turn import Said


class NoteTakerInput(AgentInput):
    """The plan's sections, the notes so far and the window of turns; `last`: the call is over."""

    goal: str
    sections: tuple[Section, ...]
    notes: Notes
    turns: tuple[Said, ...] = Field(description="oldest first")
    last: bool = False


_INSTRUCTIONS = f"""
You take notes during a live voice interview, for the one who chooses the next question. Work from the turns below;
return an update of the notes, not the notes again.

- ideas, stories, claims (with how sure the guest is), gaps, contradictions: a new one has the id "" (empty). To
  refine a note that is there, return it with its id. Do not return what has not changed.
- Every quote is copied letter for letter from one turn of the guest, with that turn's id. No quote, no note.
- A gap is something the guest began, hinted at or named and did not tell: a story left out, reasons kept back, a
  loaded word, a vague "it". Its question starts from the guest's own words and asks one thing.
- A contradiction needs two quotes of the guest that cannot both hold. They are rare. A changed mind is none.
- coverage: none, thin, some or deep for each section id, as these turns show it.
- answered: ids of planned questions the guest has answered here, with the turn; volunteered is true if nobody asked.
  Only ids from the list of sections. Be strict: touching on it is not answering.
- resolved: ids of gaps now told and of contradictions now explained.
- lines: what is worth quoting as it was said. titles: a few words of the guest's that could head the piece.
- Write in the language of the call.
{wording.DATA_RULE}
"""


def _data(data: NoteTakerInput) -> Sequence[Piece]:
    parts: list[Piece] = [
        *wording.person(data),
        wording.line("goal", data.goal),
        wording.sections(data.sections),
        wording.notes(data.notes),
        wording.transcript(data.turns),
    ]
    if data.last:
        parts.append("The call is over and this is the last pass: see to lines, titles and what was answered.")
    return parts


def _offers(data: NoteTakerInput) -> Offered:
    turns, known = (*turns_of(data.notes), *turn_ids(data.turns)), note_ids(data.notes)
    return {
        **dict.fromkeys(("turn", "first_turn", "second_turn"), turns),
        "id": (NEW, *known),
        "resolved": known,
        "section_id": section_ids(data.sections),
        "question_id": question_ids(data.sections),
    }


def _rules(data: NoteTakerInput) -> Notes:
    noted = data.notes
    said = [turn for turn in data.turns if turn.text.strip()]
    known = frozenset(_quotes(noted))
    answered, coverage = progress(said, data.sections, noted, data.topic)
    most = note_finds.MOST_LAST_LINES if data.last else note_finds.MOST_LINES
    lines = note_finds.lines(said, known, most)
    offer_titles = data.last or not noted.titles
    return Notes(
        ideas=note_finds.ideas(said, known),
        stories=note_finds.stories(said, known),
        claims=note_finds.claims(said, known),
        gaps=tuple(gaps(said, list(_known_gaps(noted)))),
        contradictions=tuple(clashes(said)) if not noted.contradictions else (),
        coverage=tuple(coverage),
        lines=lines,
        titles=note_finds.titles((*noted.lines, *lines)) if offer_titles else (),
        answered=tuple(answered),
        resolved=tuple(closed(said, noted)),
    )


def _quotes(notes: Notes) -> Iterator[str]:
    yield from (idea.quote for idea in notes.ideas)
    yield from (story.quote for story in notes.stories)
    yield from (claim.quote for claim in notes.claims)
    yield from (line.quote for line in notes.lines)


def _known_gaps(notes: Notes) -> Iterator[str]:
    """Quotes of open gaps and the wordings of closed ones."""
    yield from (gap.quote for gap in notes.gaps if gap.quote)
    for closed_note in notes.closed:
        yield from closed_note.wordings


def _fallback(_: NoteTakerInput) -> Notes:
    return Notes()


NOTE_TAKER: Agent[NoteTakerInput, Notes] = Agent(
    name="note_taker",
    input=NoteTakerInput,
    output=Notes,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=_rules,
    fallback=_fallback,
    offers=_offers,
)
