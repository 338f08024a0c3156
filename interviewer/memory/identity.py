"""What of a plan is what earlier calls know by the same id: a question's id is worth something only with its words."""

from interviewer.matching.text import words
from interviewer.memory.earlier import Earlier
from interviewer.model.corrections import Corrections
from interviewer.model.plan import Plan, Question

_LONGEST = 34  # characters of an id of a plan, so that a number has room in its 40


def told_apart(plan: Plan, earlier: Earlier) -> tuple[Plan, tuple[str, ...]]:
    """`plan` with a new id for every question whose id is another question's in the chain, and what was changed.

    The same words, names put right or not, are the same question; so it keeps its standing. Capitals and marks do not
    count.
    """
    names = Corrections(pairs=earlier.names)
    known = {each.id: words(names.text(each.text)) for each in earlier.standings}
    taken = {*known, *(question.id for question in plan.questions), *(section.id for section in plan.sections)}
    others: dict[str, str] = {}
    for question in plan.questions:
        if question.id in known and words(names.text(question.text)) != known[question.id]:
            others[question.id] = _free(question.id, len(earlier.calls) + 1, taken)
            taken.add(others[question.id])
    if not others:
        return plan, ()
    sections = tuple(
        section.model_copy(update={"questions": tuple(_named(question, others) for question in section.questions)})
        for section in plan.sections
    )
    told = ", ".join(f"{old} is {new}" for old, new in others.items())
    problem = f"ids of the plan stand for other questions in earlier calls, so these are new ones: {told}"
    return plan.model_copy(update={"sections": sections}), (problem,)


def _named(question: Question, others: dict[str, str]) -> Question:
    return question.model_copy(update={"id": others[question.id]}) if question.id in others else question


def _free(key: str, number: int, taken: set[str]) -> str:
    stem = key[:_LONGEST]
    while f"{stem}.{number}" in taken:
        number += 1
    return f"{stem}.{number}"
