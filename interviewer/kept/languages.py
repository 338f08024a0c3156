"""In what languages the calls of a chain are, and what that costs a follow-up."""

from collections.abc import Sequence

from interviewer.importing.language import language_of
from interviewer.kept.chain import Chain, Link
from interviewer.model.language import is_english, same_language
from interviewer.model.plan import Plan, Question
from interviewer.settings import Settings


def language_of_chain(plans: Sequence[Plan]) -> str:
    """The language of an interview with these plans, oldest first: that of the latest."""
    return plans[-1].language if plans else "en"


def language_of_call(link: Link, plans: Sequence[Plan]) -> str:
    """What a call is in: as it was begun or imported, else as its words tell, else that of the interview."""
    if link.setup is not None:
        return link.setup.plan.language
    return language_of(" ".join(turn.text for turn in link.turns)).code or language_of_chain(plans)


def language_of_questions(questions: Sequence[Question], plans: Sequence[Plan]) -> str:
    """What questions are in, by their words, else that of the interview: rules draw up English ones for any."""
    return language_of(" ".join(question.text for question in questions)).code or language_of_chain(plans)


def costs(chain: Chain, plans: Sequence[Plan], settings: Settings) -> tuple[str, ...]:
    """What is worse for another language than English, or for calls in several, in words for a person."""
    spoken = language_of_chain(plans)
    there = ((link, language_of_call(link, plans)) for link in chain if link.turns)
    others = (
        f"call {link.number} ({link.call_id}): it is in “{language}”, the interview in “{spoken}”: what was asked or "
        "told in it is hardly recognised, and rules take poor notes of it"
        for link, language in there
        if not same_language(language, spoken)
    )
    return (*others, *_foreign(spoken, settings))


def _foreign(language: str, settings: Settings) -> tuple[str, ...]:
    """Rules know English only, and which words are common is a rule."""
    if is_english(language):
        return ()
    own = (
        "themes and the guest's own words for things can be told in English only, so in "
        f"“{language}” the voice is given none"
    )
    if settings.agents.backend != "rules":
        return (own,)
    rules = (
        f"it is in “{language}” and agents that follow rules know English only: notes and topics are poor, and "
        f"questions are drawn up in English, for the voice to ask in “{language}”; a model mends that (setting "
        "agents.backend)"
    )
    return rules, own
