"""Which question a proposal means: by its id, else by its words."""

from dataclasses import dataclass

import numpy as np

from interviewer.call.hub import Hub
from interviewer.ledger.views import selectable
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import words
from interviewer.model.decision import Proposal


@dataclass(frozen=True, slots=True)
class Identity:
    """The question a proposal means; `score` is None if its id said so. `new`: it was registered just now."""

    question_id: str
    score: float | None = None
    new: bool = False


def identify(hub: Hub, scorer: Scorer, proposal: Proposal) -> Identity:
    """The identity of a proposal, whatever its source and whether its id is valid, missing or made up.

    A proposal without a valid id is the unasked plan question that matches it best above the threshold; else it is
    a question of its own. A plan proposal that cannot be recovered is counted: coverage may be incomplete.
    """
    questions = hub.ledger.questions
    wording = words(proposal.text)
    known = next((q.id for q in questions.values() if words(hub.names.text(q.text)) == wording), None)
    if known:
        return Identity(known)
    given = questions.get(proposal.question_id or "")
    match = _best(hub, scorer, proposal.text)
    # The voice is given the words: where they are another question's, that is the one that will be asked.
    if given and not (match and match[0] != given.id and match[1] > _score(hub, scorer, proposal.text, given.text)):
        return Identity(given.id)
    if match:
        question_id, score = match
        hub.log(
            "recovered",
            question_id,
            known="matched",
            basis="inferred",
            text=proposal.text,
            given=proposal.question_id,
            score=score,
            threshold=hub.settings.match.recovery,
            scorer=f"{scorer.name}/{scorer.version}",
        )
        return Identity(question_id, score)
    if proposal.question_id is not None or proposal.source == "plan":
        hub.log("unrecovered", None, basis="inferred", text=proposal.text, given=proposal.question_id)
    question_id = hub.new_question_id("u")
    hub.log("question", question_id, text=proposal.text, priority=3, planned=False, source=proposal.source)
    return Identity(question_id, new=True)


def _score(hub: Hub, scorer: Scorer, text: str, other: str) -> float:
    return float(np.nan_to_num(scorer.matrix([text], [hub.names.text(other)]), nan=-1.0)[0, 0])


def _best(hub: Hub, scorer: Scorer, text: str) -> tuple[str, float] | None:
    returns = hub.settings.call.held_returns
    unasked = [q for q in hub.ledger.questions.values() if q.planned and selectable(q, returns)]
    if not unasked:
        return None
    scores = np.nan_to_num(scorer.matrix([text], [hub.names.text(q.text) for q in unasked])[0], nan=-1.0)
    place = int(scores.argmax())
    score = float(scores[place])
    return (unasked[place].id, round(score, 6)) if score > hub.settings.match.recovery else None
