"""What may be proposed: nothing heard, nothing proposed lately, nothing the guest has declined."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from interviewer.agents.repeats import closest, overlap, pieces
from interviewer.agents.views import OrchestratorInput, QuestionView
from interviewer.settings import GuardSettings

TOO_ALIKE = GuardSettings().words
"""Share of words. What is worded anew is for the call's own guard to find, by a better scorer."""


class Guard:
    """Answers, for one decision, whether a question or a text may be proposed."""

    def __init__(self, data: OrchestratorInput) -> None:
        self._data = data
        self._declined = [text for kind, text in requests(data.requests) if kind in {"skip", "decline", "answered"}]

    def allows(self, text: str) -> bool:
        """Whether no sentence of `text` is more than 0.35 alike to one heard, proposed lately or declined."""
        return closest(text, self._told) <= TOO_ALIKE

    def allows_question(self, view: QuestionView) -> bool:
        """Whether this question may be proposed.

        A question the ledger gives back is not barred by its own earlier attempts: an available one with a reason by
        its own text among the proposals, a held one by any text that is nearer to it than to another question; one that
        an old transcript may have touched on likewise by what was heard.
        """
        if not view.selectable or view.id in self._declined:
            return False
        return closest(view.text, self._told_besides(view)) <= TOO_ALIKE

    @cached_property
    def _told(self) -> list[str]:
        return pieces((*self._data.heard, *self._data.proposals, *self._declined))

    def _told_besides(self, view: QuestionView) -> list[str]:
        heard = pieces(self._data.heard)
        own: set[str] = set()
        if view.status == "held":
            own = self._own(view, self._told)
        elif view.reason and view.text in self._data.proposals:
            own = set(pieces([view.text])) - set(heard)
        if view.clue:
            own |= self._own(view, heard)
        return [text for text in self._told if text not in own]

    def _own(self, view: QuestionView, texts: Iterable[str]) -> set[str]:
        """Those of `texts` that are nearer to this question than to any other."""
        others = [other.text for other in self._data.questions if other.id != view.id]
        return {text for text in texts if _nearer(text, view.text, others)}


def _nearer(text: str, own: str, others: Sequence[str]) -> bool:
    score = closest(own, [text])
    return score > TOO_ALIKE and score >= max(overlap(text, others), default=0.0)


def requests(given: Iterable[str]) -> list[tuple[str, str]]:
    """The guest's requests as (kind, about what): "skip: q3" is ("skip", "q3")."""
    split = (request.partition(":") for request in given)
    return [(kind.strip().casefold(), about.strip()) for kind, _, about in split]
