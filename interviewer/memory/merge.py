"""The notes of any number of calls as one, in order of time, each with its call and turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from interviewer.agents.notes_merge import merge
from interviewer.agents.quotes import locate
from interviewer.agents.repeats import overlap
from interviewer.model.notes import Closed, Notes
from interviewer.model.turn import Said, call_of, marked

Model = TypeVar("Model", bound=BaseModel)

_TURNS = frozenset({"turn", "first_turn", "second_turn"})
_SAME = 0.5  # word-set Jaccard from which a closed wording is that of a note, as in `agents.notes_merge`


@dataclass(frozen=True, slots=True)
class CallNotes:
    """The last notes of call number `call`; `turns` are its own, as it numbered them.

    `numbers`: what the call numbered the calls before it, by the number they have now; a call that is no more part of
    the chain is missing, and its notes are left out. `follows_plan`: whether sections and question ids are the chain's.
    `whole`: all the calls it knew of are part of the chain; if not, it may hold words of one that was forgotten.
    """

    call: int
    notes: Notes
    turns: tuple[Said, ...]
    numbers: Mapping[int, int]
    follows_plan: bool = True
    whole: bool = True


def merged(calls: Sequence[CallNotes]) -> Notes:
    """The notes of all calls, oldest first, as one: nothing twice, what a later call closed stays closed.

    Turn ids are marked with their call, `c2.t5`. As many are kept as a call keeps, the most telling of all calls.
    """
    notes = Notes()
    turns: list[Said] = []
    for each in calls:
        turns += [Said(marked(each.call, turn.id), turn.speaker, turn.text) for turn in each.turns]
        own = renumbered(each.notes, each.call, each.numbers)
        if not each.follows_plan:
            own = own.model_copy(update={"coverage": (), "answered": ()})
        if set(each.numbers.values()) != set(range(1, each.call)):
            own = _without_ids(own)
        if not each.whole:
            own = own.model_copy(update={"closed": tuple(_as_said(own.closed, turns)), "titles": ()})
        closing = _closed_by(notes, own.closed)
        notes = merge(notes, own.model_copy(update={"resolved": closing, "closed": ()}), turns)
        notes = _with_closed(notes, own.closed)
    return notes


def without_gone(notes: Notes, turns: Sequence[Said]) -> Notes:
    """Notes of a call, less what stands on other turns than `turns` or is worded by none of them."""
    there = {turn.id for turn in turns}
    kinds = ("ideas", "stories", "claims", "gaps", "contradictions", "lines", "answered")
    left = {
        kind: tuple(note for note in getattr(notes, kind) if {v for k, v in note if k in _TURNS and v} <= there)
        for kind in kinds
    }
    return notes.model_copy(update={**left, "closed": tuple(_as_said(notes.closed, turns)), "titles": ()})


def _as_said(closed: Iterable[Closed], turns: Sequence[Said]) -> Iterator[Closed]:
    """What was closed, by those of its wordings that are the guest's in `turns`."""
    for each in closed:
        wordings = tuple(text for text in each.wordings if (at := locate(text, turns)) and at.kind == "exact")
        if wordings:
            yield each.model_copy(update={"wordings": wordings})


def renumbered(model: Model, call: int, numbers: Mapping[int, int]) -> Model:
    """Notes, an analysis or the like of a call, with turn ids as they are in the chain it is now part of.

    Notes that name a turn of a call which is no more part of it are left out.
    """
    return model.model_copy(update={name: _value(name, getattr(model, name), call, numbers) for name in _names(model)})


def _without_ids(notes: Notes) -> Notes:
    """Notes of a call that did not know all before it: its ids are its own, and mean nothing in the chain."""
    kinds = ("ideas", "stories", "claims", "gaps", "contradictions")
    blank = {kind: tuple(note.model_copy(update={"id": ""}) for note in getattr(notes, kind)) for kind in kinds}
    return notes.model_copy(update=blank)


def _names(model: BaseModel) -> Sequence[str]:
    return tuple(type(model).model_fields)


def _value(name: str, value: Any, call: int, numbers: Mapping[int, int]) -> Any:
    if name in _TURNS and isinstance(value, str):
        return _turn(value, call, numbers)
    if name == "turns" and isinstance(value, tuple):
        return tuple(turn for each in value if (turn := _turn(each, call, numbers)) or not each)
    if isinstance(value, BaseModel):
        return renumbered(value, call, numbers)
    if isinstance(value, tuple):
        found = (_value("", each, call, numbers) for each in value)
        return tuple(new for new, old in zip(found, value, strict=True) if not _is_lost(new, old))
    return value


def _turn(turn: str, call: int, numbers: Mapping[int, int]) -> str:
    """The turn's id in the chain; empty if its call is no part of it."""
    if not turn:
        return turn
    before = call_of(turn)
    if before is None:
        return marked(call, turn)
    return marked(numbers[before], turn.partition(".")[2]) if before in numbers else ""


def _is_lost(new: Any, old: Any) -> bool:
    """Whether a note lost the turn it stood on."""
    if not isinstance(new, BaseModel):
        return False
    return any(getattr(old, name) and not getattr(new, name) for name in _TURNS & set(type(new).model_fields))


def _closed_by(notes: Notes, closed: Sequence[Closed]) -> tuple[str, ...]:
    """Ids of open gaps and contradictions that a later call closed, told by their words."""
    wordings = [wording for each in closed for wording in each.wordings]
    texts = [(gap.id, gap.quote or gap.text) for gap in notes.gaps]
    texts += [(clash.id, clash.text) for clash in notes.contradictions]
    return tuple(key for key, text in texts if wordings and max(overlap(text, wordings)) >= _SAME)


def _with_closed(notes: Notes, closed: Sequence[Closed]) -> Notes:
    """What was closed in a call stays closed by its wordings, whatever its id was there."""
    known = {wording for each in notes.closed for wording in each.wordings}
    numbers = {done.id for done in notes.closed} | {gap.id for gap in notes.gaps}
    numbers |= {clash.id for clash in notes.contradictions}
    added: list[Closed] = []
    for each in closed:
        if known.issuperset(each.wordings):
            continue
        key = each.id if each.id not in numbers else _free(each.id, numbers)
        numbers.add(key)
        added.append(Closed(id=key, wordings=each.wordings))
    resolved = (*notes.resolved, *(each.id for each in added))
    return notes.model_copy(update={"closed": (*notes.closed, *added), "resolved": resolved})


def _free(key: str, taken: set[str]) -> str:
    """An id of the same kind that nothing has."""
    number = 1
    while f"{key[0]}{number}" in taken:
        number += 1
    return f"{key[0]}{number}"
