"""Ids that an agent may name: those it was shown, and no others."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from pydantic import BaseModel

from interviewer.errors import AgentError
from interviewer.model.notes import Notes, Quoted
from interviewer.model.plan import Section
from interviewer.model.turn import Said

Offered = Mapping[str, Collection[str]]
"""For each field of an output, by name and wherever it stands, the values that were offered for it."""

NEW = ""  # the id of a note that is not there yet
_LISTED = 30


def check_offered(output: BaseModel, offered: Offered) -> None:
    """Raises AgentError naming every field that holds what was not offered; null and empty lists are no choice."""
    wrong = dict.fromkeys(_unoffered(output, offered))
    if wrong:
        names = dict.fromkeys(name for name, _ in wrong)
        said = ", ".join(f"{name} {value!r}" for name, value in wrong)
        there = "; ".join(f"{name}: {_list(offered[name])}" for name in names)
        raise AgentError(f"not offered: {said}. Offered were {there}")


def _unoffered(value: object, offered: Offered) -> Iterator[tuple[str, str]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            inner = getattr(value, name)
            if name in offered and not isinstance(inner, BaseModel):
                yield from ((name, given) for given in _ids(inner) if given not in offered[name])
            else:
                yield from _unoffered(inner, offered)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _unoffered(inner, offered)


def _ids(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return [each for each in value if isinstance(each, str)] if isinstance(value, tuple) else ()


def _list(values: Collection[str]) -> str:
    shown = [value or '"" (empty)' for value in list(values)[-_LISTED:]]
    return ", ".join(shown) if shown else "none"


def turn_ids(turns: Iterable[Said]) -> tuple[str, ...]:
    """The ids of some turns, in their order."""
    return tuple(dict.fromkeys(turn.id for turn in turns))


def section_ids(sections: Iterable[Section]) -> tuple[str, ...]:
    """The ids of some sections."""
    return tuple(section.id for section in sections)


def question_ids(sections: Iterable[Section]) -> tuple[str, ...]:
    """The ids of all questions of some sections."""
    return tuple(question.id for section in sections for question in section.questions)


def note_ids(notes: Notes) -> tuple[str, ...]:
    """The ids of all notes that can be refined or closed, those closed before too."""
    kinds = (notes.ideas, notes.stories, notes.claims, notes.gaps, notes.contradictions, notes.closed)
    return tuple(dict.fromkeys((*(note.id for kind in kinds for note in kind), *notes.resolved)))


def turns_of(notes: Notes) -> tuple[str, ...]:
    """The turns that notes are from."""
    quoted: tuple[Quoted, ...] = (*notes.ideas, *notes.stories, *notes.claims, *notes.gaps, *notes.lines)
    clashes = (turn for clash in notes.contradictions for turn in (clash.first_turn, clash.second_turn))
    answers = (answer.turn for answer in notes.answered)
    return tuple(dict.fromkeys((*(note.turn for note in quoted), *answers, *clashes)))
