"""What earlier calls of the chain left, told to the ledger of this one as it begins."""

from interviewer.call.hub import Hub
from interviewer.ledger.events import CARRIED
from interviewer.ledger.state import QuestionState
from interviewer.ledger.views import available
from interviewer.memory.earlier import Earlier, Standing


def carry(hub: Hub) -> None:
    """Log where each question stood, what an old transcript touched on, and all that was heard.

    Questions that are not in this call's plan are registered as unplanned, with the id they have always had. So a fold
    of this call's events needs no other journal.
    """
    earlier = hub.setup.earlier
    if earlier is None:
        return
    for standing in earlier.standings:
        _carry(hub, earlier, standing)
    for touched in earlier.touched:
        if touched.question_id in hub.ledger.questions:
            hub.log(
                "reconstructed",
                touched.question_id,
                known="reconstructed",
                basis="inferred",
                world=earlier.world(touched.call),
                score=touched.score,
                threshold=touched.threshold,
                scorer=touched.scorer,
                call=earlier.call_id(touched.call),
                turn=touched.turn,
                text=touched.text,
                clue=touched.clue,
            )
    for asked in earlier.heard:
        hub.log(
            "remembered",
            asked.question_id,
            known=asked.known,
            basis="inferred",
            world=earlier.world(asked.call),
            text=asked.text,
            call=earlier.call_id(asked.call),
            turn=asked.turn,
        )


def opening_question(hub: Hub) -> QuestionState:
    """The question a call opens with: the first of its plan that earlier calls neither asked nor touched on.

    Where there is none such, the first that may still be asked; else the plan's first, as a return.
    """
    first = hub.setup.plan.questions[0].id
    may = {question.id for question in available(hub.ledger, hub.settings.call.held_returns)}
    planned = [hub.ledger.questions[q.id] for q in hub.setup.plan.questions if q.id in may]
    fresh = [question for question in planned if question.status == "available" and not question.reconstructed]
    return next(iter([*fresh, *planned]), hub.ledger.questions[first])


def _carry(hub: Hub, earlier: Earlier, standing: Standing) -> None:
    world, call_id = earlier.world(standing.call), earlier.call_id(standing.call)
    if standing.id not in hub.ledger.questions:
        hub.log(
            "question",
            standing.id,
            world=world,
            text=standing.text,
            priority=standing.priority,
            planned=False,
            source=standing.source,
            role=standing.role,
        )
    if standing.status in CARRIED:
        hub.log(
            "carried",
            standing.id,
            basis="inferred",
            world=world,
            status=standing.status,
            reason=standing.reason,
            holds=standing.holds,
            call=call_id,
        )
    for mark in standing.marks:
        hub.log(
            mark.kind,
            standing.id,
            known="matched",
            basis="inferred",
            world=earlier.world(mark.call),
            call=earlier.call_id(mark.call),
            turn=mark.turn,
            volunteered=mark.volunteered,
        )
