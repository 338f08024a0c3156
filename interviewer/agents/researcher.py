"""The Researcher: every live cycle, at most a few things the guest has just named."""

import re
from collections.abc import Iterator, Sequence

from pydantic import Field

from interviewer.agents import wording
from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.grounding import ground
from interviewer.agents.offered import turn_ids
from interviewer.agents.prompts import Piece
from interviewer.agents.signals import names, signals
from interviewer.matching.text import content_words, plain, words
from interviewer.model.decision import Research, ResearchItem
from interviewer.model.turn import Said


class ResearcherInput(AgentInput):
    """The window of turns, what must not be looked up (the main topic, what was tried), and how many items.

    `web_search`: the model has a search of its own.
    """

    turns: tuple[Said, ...] = Field(description="oldest first")
    banned: tuple[str, ...]
    max_items: int = Field(ge=0)
    web_search: bool = False


_INSTRUCTIONS = f"""
You stand by during a live interview and say what you know of things the guest has just named, to sharpen the next
question. Where you do not know, say so: "not known" is a good summary. Never invent.

- A subject is a specific thing from a turn of the guest: a company, a person, a term of the trade, a claim that can be
  checked. It is written as the guest said it. Nothing in <banned>, and nothing that is the same in other words.
- said: the guest's words, letter for letter, with that turn's id. summary: two sentences at most. use: how it could
  sharpen a question.
- verification: for a claim supported, contradicted or unverified; for anything else not_a_claim.
- tried: every subject you considered. No more items than the number given; none is a good answer.
- Write in the language of the call.
{wording.DATA_RULE}
"""
_SEARCHES = "You can search the web: do, and give the title and address of each source you used."
_KNOWS = "You cannot look anything up: sources stay empty."
_LEAST_CLAIM = 4  # words
_MOST_TRIED = 20
_CHECKABLE = re.compile(r"%|percent|per cent|million|billion|most \w+|(?:nine|eight|seven) out of ten", re.IGNORECASE)


def _data(data: ResearcherInput) -> Sequence[Piece]:
    return (
        *wording.person(data),
        wording.bullets("banned", data.banned),
        f"Most items: {data.max_items}. {_SEARCHES if data.web_search else _KNOWS}",
        wording.transcript(data.turns),
    )


def _rules(data: ResearcherInput) -> Research:
    found: dict[str, ResearchItem] = {}
    for item in _candidates(data):
        if len(found) < data.max_items and not _is_banned(item.subject, (data.topic, *data.banned, *found)):
            found[item.subject] = item
    return Research(items=tuple(found.values()), tried=tuple(found))


def _candidates(data: ResearcherInput) -> Iterator[ResearchItem]:
    """Claims and names of the guest, newest turn first, claims before names."""
    for turn in reversed(data.turns):
        if turn.speaker == "guest":
            yield from _claims(turn)
            yield from _names(turn)


def _claims(turn: Said) -> Iterator[ResearchItem]:
    for signal in signals(turn.text):
        if signal.kind in {"figure", "comparison"} and _CHECKABLE.search(signal.sentence.text):
            said = signal.clause.text
            if _CHECKABLE.search(said):
                yield ResearchItem(
                    subject=said,
                    said=said,
                    turn=turn.id,
                    summary="A claim with a figure in it. Nothing is known about it offline.",
                    use="Ask what it rests on.",
                    verification="unverified",
                )


def _names(turn: Said) -> Iterator[ResearchItem]:
    for name in names(turn.text):
        yield ResearchItem(
            subject=name.text,
            said=name.text,
            turn=turn.id,
            summary="A name or an abbreviation. Nothing is known about it offline.",
            use="Ask what it is to the guest, or what part it played.",
            verification="not_a_claim",
        )


def _is_banned(subject: str, banned: tuple[str, ...]) -> bool:
    """Whether the subject is part of something banned, or the other way round."""
    if subject in banned:
        return True  # what was tried comes up again in every window it is in
    own, held = plain(subject), content_words(subject)
    if not held:
        return True
    return any(
        held <= (its := content_words(other)) or _within(its, held) or own == plain(other)  # the dear one last
        for other in banned
    )


def _within(small: frozenset[str], large: frozenset[str]) -> bool:
    return bool(small) and small <= large


def held(found: Research, data: ResearcherInput, *, sourced: bool = True) -> Research:
    """`found` as far as the leash goes, whoever brought it.

    An item stays if its words and its subject occur in a turn of the guest's and it is nothing banned and nothing
    brought before; a thing that is no claim gets no verdict; there are no more than asked for. Unless it is `sourced`,
    nobody has searched, and whatever it gives as sources is left out.
    """
    said = {turn.id: turn for turn in data.turns if turn.speaker == "guest"}
    kept: dict[str, ResearchItem] = {}
    for item in found.items:
        place = ground(item.said, item.turn, data.turns)
        if place is None or len(kept) >= data.max_items or not _named_in(item.subject, said[place.turn].text):
            continue
        if not _is_banned(item.subject, (data.topic, *data.banned, *kept)):
            verdict = item.verification if _is_claim(place.quote) else "not_a_claim"
            where = {"said": place.quote, "turn": place.turn, "verification": verdict}
            kept[item.subject] = item.model_copy(update=where if sourced else {**where, "sources": ()})
    return Research(items=tuple(kept.values()), tried=tuple(dict.fromkeys((*kept, *found.tried)))[:_MOST_TRIED])


def _named_in(subject: str, text: str) -> bool:
    wanted = content_words(subject)
    return bool(wanted) and wanted <= content_words(text)


def _is_claim(said: str) -> bool:
    """Whether words can be true or false: more than a name, or a figure."""
    return len(words(said)) >= _LEAST_CLAIM or bool(_CHECKABLE.search(said))


def _fallback(_: ResearcherInput) -> Research:
    return Research()


RESEARCHER: Agent[ResearcherInput, Research] = Agent(
    name="researcher",
    input=ResearcherInput,
    output=Research,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=_rules,
    fallback=_fallback,
    offers=lambda data: {"turn": turn_ids(data.turns)},
    budget=6_000,
)
