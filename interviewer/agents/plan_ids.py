"""Ids of a plan that a model has drawn up: numbered anew where it used one twice, or none."""

from collections.abc import Iterator
from typing import Any


def renumbered(plan: dict[str, Any]) -> dict[str, Any]:
    """`plan`, as plain values, with sections s1, s2, ... and questions q1, q2, ... unless its ids can be told apart.

    What has not the shape of a plan comes back as it is, for whoever validates it.
    """
    ids = [part.get("id") for part in _parts(plan)]
    if not ids or (len(set(map(str, ids))) == len(ids) and all(map(str.strip, map(str, ids)))):
        return plan
    count = 0
    sections = []
    for number, section in enumerate(plan["sections"], 1):
        questions = []
        for question in section["questions"]:
            count += 1
            questions.append({**question, "id": f"q{count}"})
        sections.append({**section, "id": f"s{number}", "questions": questions})
    return {**plan, "sections": sections}


def renumbered_reverse(found: dict[str, Any]) -> dict[str, Any]:
    """A reverse plan likewise; its places go by the order of the questions, if there are as many."""
    plan, asked = found.get("plan"), found.get("asked")
    if not isinstance(plan, dict) or (better := renumbered(plan)) is plan:
        return found
    ids = [question["id"] for section in better["sections"] for question in section["questions"]]
    if not isinstance(asked, list) or len(asked) != len(ids) or not all(isinstance(place, dict) for place in asked):
        return {**found, "plan": better}
    places = [{**place, "question_id": question_id} for place, question_id in zip(asked, ids, strict=True)]
    return {**found, "plan": better, "asked": places}


def _parts(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All sections and questions; none if one of them is no mapping, or has no list of questions."""
    sections = plan.get("sections")
    if not isinstance(sections, list) or not all(isinstance(s, dict) for s in sections):
        return
    if not all(isinstance(s.get("questions"), list) for s in sections):
        return
    questions = [question for section in sections for question in section["questions"]]
    if all(isinstance(question, dict) for question in questions):
        yield from (*sections, *questions)
