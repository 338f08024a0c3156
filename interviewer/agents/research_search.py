"""A search for the Researcher: any callable that returns sources, put beside whichever backend runs the agents."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

from pydantic import BaseModel

from interviewer.agents.researcher import RESEARCHER
from interviewer.agents.wording import one_line
from interviewer.errors import AgentError, SettingsError
from interviewer.llm.backend import Backend, OnText, Ran, Task, named, run_streamed
from interviewer.matching.text import content_words, sentences
from interviewer.model.decision import Research, ResearchItem, SearchResult

Search = Callable[[str], Sequence[SearchResult]]
"""From a query to what was found, the best first."""

MOST_SOURCES = 3
_LONGEST = 300  # characters of what a source adds to a summary
_ADDRESS = ("http://", "https://")


def named_search(name: str) -> Search | None:
    """The function that setting `agents.search` names, as module:function; None if it names none.

    Raises SettingsError if there is no such module or function, or it does not take one argument.
    """
    if not name:
        return None
    module, _, function = name.partition(":")
    try:
        search = getattr(import_module(module), function)
        inspect.signature(search).bind("a query")
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise SettingsError(
            f"agents.search: {name!r} is no function of one argument, given as module:function: {error}"
        ) from None
    found: Search = search
    return found


class Searching:
    """A backend that looks up what the Researcher brings; all other agents run as they would.

    Only what was really found counts as a source, whatever the model says. A search that fails leaves the item without
    any and says so in `Ran.error`. It runs within the agent's deadline.
    """

    def __init__(self, backend: Backend, search: Search) -> None:
        self.inner = backend
        self._search = search

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """Run an agent, then search for each item it brought."""
        ran = self.inner.run(task, data, job_id)
        if task.name != RESEARCHER.name or ran.output is None:
            return ran
        try:
            found = _unsourced(RESEARCHER.parse(ran.output))
        except AgentError:
            return ran
        ran = replace(ran, output=found.model_dump(mode="json"))
        try:
            return replace(ran, output=enriched(found, self._search).model_dump(mode="json"))
        except Exception as error:  # whatever a search of the user's raises must not cost the cycle
            return replace(ran, error=f"the search failed: {named(error)}")

    def stream(self, task: Task, data: BaseModel, job_id: str, on_text: OnText) -> Ran:
        """As `run`, telling of the text while it is written; nothing is searched for."""
        return run_streamed(self.inner, task, data, job_id, on_text)


def _unsourced(found: Research) -> Research:
    return found.model_copy(update={"items": tuple(item.model_copy(update={"sources": ()}) for item in found.items)})


def enriched(found: Research, search: Search) -> Research:
    """`found` with up to three sources an item, and what the best one says of its subject.

    The verdict on a claim stays as it was: finding a page is not checking a claim.
    """
    return found.model_copy(update={"items": tuple(_enriched(item, search) for item in found.items)})


def _enriched(item: ResearchItem, search: Search) -> ResearchItem:
    sources = [source for source in search(item.subject) if source.url.startswith(_ADDRESS)][:MOST_SOURCES]
    if not sources:
        return item
    listed = tuple(one_line(f"{source.title} {source.url}") for source in sources)
    told = next((text for source in sources if (text := _about(item.subject, source.text))), "")
    summary = f"A source says: {told}" if told else item.summary
    return item.model_copy(update={"sources": listed, "summary": summary})


def _about(subject: str, text: str) -> str:
    """The first sentence of a source that names the subject, or most of it."""
    wanted = content_words(subject)
    for span in sentences(text):
        if wanted and 2 * len(wanted & content_words(span.text)) > len(wanted):
            return one_line(span.text)[:_LONGEST]
    return ""
