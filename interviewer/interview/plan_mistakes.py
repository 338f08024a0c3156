"""What is wrong with a plan that a person wrote, in the words that the person sees."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

from pydantic import ValidationError

from interviewer.model.plan import Plan

LONGEST_S: Final = 3_600
"""Seconds that can be meant for a section: as long as the longest call."""

_SAID: Final = {
    "missing": "is missing",
    "extra_forbidden": "is no field of a plan",
    "string_type": "must be text",
    "string_too_short": "is empty",
    "string_too_long": "is longer than {max_length} characters",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "literal_error": "must be {expected}",
    "tuple_type": "must be a list",
    "too_short": "must hold at least one",
    "model_type": "must be fields with values",
    "value_error": "{error}",
}
_ITEMS: Final = {"sections": "section", "questions": "question"}


def told_mistakes(error: ValidationError) -> str:
    """Each field that does not fit, by the place that a person would look at."""
    return "; ".join(_told(problem) for problem in error.errors(include_url=False, include_input=False))


def unfit(plan: Plan) -> str:
    """What keeps a plan from being asked though each field fits its kind; "" if nothing does.

    Apart from the model, for a call that was held with such a plan must still be read.
    """
    return "; ".join(_unfit(plan))


def _unfit(plan: Plan) -> Iterator[str]:
    if _is_blank(plan.topic):
        yield "topic is empty"
    for s, section in enumerate(plan.sections):
        if _is_blank(section.title):
            yield f"{_place(('sections', s))}: title is empty"
        if section.seconds > LONGEST_S:
            yield f"{_place(('sections', s))}: seconds must be at most {LONGEST_S}, the longest call"
        for q, question in enumerate(section.questions):
            if _is_blank(question.text):
                yield f"{_place(('sections', s, 'questions', q))}: text is empty"


def _is_blank(text: str) -> bool:
    """Whether there is nothing to see, as also of spaces without width."""
    return not any(letter.isprintable() and not letter.isspace() for letter in text)


def _told(problem: Any) -> str:
    *around, field = problem["loc"] or ("the plan",)
    if isinstance(field, int):
        around, field = [*around, field], "it"
    form = _SAID.get(problem["type"])
    said = form.format(**problem.get("ctx", {})) if form else problem["msg"]
    said = said if problem["type"] == "value_error" else f"{field} {said}"
    place = _place(tuple(around))
    return f"{place}: {said}" if place else said


def _place(loc: tuple[str | int, ...]) -> str:
    """Such as "section 1, question 2": counted as a person counts."""
    parts = []
    for name, following in zip_longest(loc, loc[1:]):
        if isinstance(name, str):
            parts.append(f"{_ITEMS.get(name, name)} {following + 1}" if isinstance(following, int) else name)
    return ", ".join(parts)
