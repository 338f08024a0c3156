"""Brings an update of the Note-Taker into the notes: nothing twice, nothing lost, nothing closed opened again."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from interviewer.agents.exchanges import matched
from interviewer.agents.grounding import ground
from interviewer.agents.note_rank import rank, texts, turn
from interviewer.agents.repeats import overlap, pieces
from interviewer.agents.signals import strength
from interviewer.matching.text import words
from interviewer.model.notes import Answered, Claim, Closed, Contradiction, Coverage, Gap, Idea, Line, Notes, Story
from interviewer.model.notes import Quoted as QuotedNote
from interviewer.model.plan import Section
from interviewer.model.turn import Said

Quoted = TypeVar("Quoted", Idea, Story, Claim, Gap)
Item = TypeVar("Item", Idea, Story, Claim, Gap, Contradiction)

DEPTHS: Final = ("none", "thin", "some", "deep")
ALIKE = 0.5  # word-set Jaccard from which two notes are one; chosen here
MOST_IDEAS, MOST_STORIES, MOST_CLAIMS, MOST_GAPS, MOST_CONTRADICTIONS = 12, 8, 10, 8, 4
MOST_LINES, MOST_TITLES = 12, 6
_ROUNDS = 16  # an update settles in two or three; the bound is there because models write updates


def merge(
    previous: Notes,
    update: Notes,
    turns: Sequence[Said],
    *,
    sections: Sequence[Section] | None = None,
    asked: Sequence[str] = (),
) -> Notes:
    """`previous` with what `update` adds, refines and closes.

    New items get the next free id (i1, s1, c1, g1, x1, ...); one that says what another says is not added. An item with
    a known id refines it, unless the one has a true quote and the other none. Coverage never falls. What
    `update.resolved` names leaves the lists, and neither it nor the same thing in other words comes back: `resolved`
    keeps its id and `closed` its wordings. A contradiction is used, and closed, once its question is among those
    `asked` or stands in an interviewer's turn. Quotes are set as they stand in a guest's turn of `turns`, with their
    distance where they were near; one that stands in none is emptied, and the item with it dropped unless it names a
    guest's turn. Lines and contradictions need their quotes, answers a turn of the guest's. With `sections`, coverage
    and answers count only for their ids. Merging the same update twice changes nothing. The most recent and most
    telling are kept when there are too many.
    """
    put = tuple(pieces([*asked, *(said.text for said in turns if said.speaker == "interviewer")]))
    merged = _once(previous, update := _one_each(update), turns, sections, put)
    # What was left out beside a note that then had to go gets its place at once, not at the next merge.
    for _ in range(_ROUNDS):
        again = _once(merged, update, turns, sections, put)
        if again == merged:
            break
        merged = again
    return merged


def _one_each(update: Notes) -> Notes:
    """`update` with one item an id: two that claim the same note would take turns in it for ever."""
    return update.model_copy(
        update={
            kind: tuple({item.id or number: item for number, item in enumerate(getattr(update, kind))}.values())
            for kind in ("ideas", "stories", "claims", "gaps", "contradictions")
        }
    )


def _once(
    previous: Notes, update: Notes, turns: Sequence[Said], sections: Sequence[Section] | None, put: tuple[str, ...]
) -> Notes:
    used = [clash.id for clash in previous.contradictions if matched(clash.question, put)]
    closed = _close(previous, (*update.resolved, *used))
    resolved = tuple(note.id for note in closed)
    shut = [wording for note in closed for wording in note.wordings]
    section_ids = None if sections is None else {section.id for section in sections}
    question_ids = None if sections is None else {q.id for section in sections for q in section.questions}
    gaps = _grounded(update.gaps, turns)
    clashes = _grounded_contradictions(update.contradictions, turns)
    return Notes(
        ideas=_join("i", previous.ideas, _grounded(update.ideas, turns), MOST_IDEAS),
        stories=_join("s", previous.stories, _grounded(update.stories, turns), MOST_STORIES),
        claims=_join("c", previous.claims, _grounded(update.claims, turns), MOST_CLAIMS),
        gaps=_join("g", previous.gaps, gaps, MOST_GAPS, resolved, shut),
        contradictions=_join("x", previous.contradictions, clashes, MOST_CONTRADICTIONS, resolved, shut),
        coverage=_deepest(previous.coverage, update.coverage, section_ids),
        lines=_lines(previous.lines, update.lines, turns),
        titles=tuple(dict.fromkeys((*previous.titles, *update.titles)))[:MOST_TITLES],
        answered=_answers(previous.answered, _spoken(update.answered, turns), question_ids),
        resolved=resolved,
        closed=closed,
    )


def _close(previous: Notes, named: Iterable[str]) -> tuple[Closed, ...]:
    """What was closed before, and each newly closed id with the texts it must not come back in."""
    open_items: dict[str, Gap | Contradiction] = {g.id: g for g in previous.gaps}
    open_items |= {x.id: x for x in previous.contradictions}
    closed = {note.id: note for note in previous.closed}
    for name in named:
        if name in open_items and name not in closed:
            closed[name] = Closed(id=name, wordings=texts(open_items[name]))
    return tuple(closed.values())


def _same(known: Sequence[str], others: Sequence[str]) -> bool:
    return not set(known).isdisjoint(others) or any(max(overlap(text, others), default=0) >= ALIKE for text in known)


def _join(
    prefix: str,
    previous: Sequence[Item],
    new: Iterable[Item],
    most: int,
    resolved: Sequence[str] = (),
    shut: Sequence[str] = (),
) -> tuple[Item, ...]:
    kept = {item.id: item for item in previous if item.id not in resolved}
    known = frozenset(kept)
    number = max((_number(prefix, key) for key in (*(item.id for item in previous), *resolved)), default=0)
    for item in new:
        if item.id in resolved or _same(texts(item), shut):
            continue
        if item.id in known and _related(kept[item.id], item):
            kept[item.id] = _refined(kept[item.id], item)
        elif not _same(texts(item), [text for other in kept.values() for text in texts(other)]):
            number += 1
            kept[f"{prefix}{number}"] = item.model_copy(update={"id": f"{prefix}{number}"})
    return _fewer(tuple(kept.values()), most)


def _number(prefix: str, key: str) -> int:
    number = key.removeprefix(prefix)
    return int(number) if number != key and number.isdecimal() else 0


def _related(old: Item, new: Item) -> bool:
    """Whether `new` can be a refinement of `old`: an id alone proves nothing, models mix them up."""
    return turn(old) == turn(new) or any(score > 0 for text in texts(new) for score in overlap(text, texts(old)))


def _refined(old: Item, new: Item) -> Item:
    """`old` with every field that `new` fills; as it was if its quote would then stand for words that nobody said."""
    if isinstance(old, QuotedNote) and isinstance(new, QuotedNote) and old.quote and not new.quote:
        return old
    filled = {name: value for name in type(new).model_fields if name != "id" and (value := getattr(new, name))}
    return old.model_copy(update=filled)


def _fewer(items: tuple[Item, ...], most: int) -> tuple[Item, ...]:
    """The `most` most telling and most recent, in their old order. The rank is an item's own, whatever came first."""
    if len(items) <= most:
        return items
    ranked = sorted(items, key=lambda item: (rank(item), texts(item)), reverse=True)
    best = {item.id for item in ranked[:most]}
    return tuple(item for item in items if item.id in best)


def _grounded(items: Iterable[Quoted], turns: Sequence[Said]) -> list[Quoted]:
    spoken = {said.id for said in turns if said.speaker == "guest"}
    found: list[Quoted] = []
    for item in items:
        if place := ground(item.quote, item.turn, turns):
            found.append(item.model_copy(update=place._asdict()))
        elif item.turn in spoken and words(item.text):
            found.append(item.model_copy(update={"quote": ""}))
    return found


def _grounded_contradictions(items: Iterable[Contradiction], turns: Sequence[Said]) -> list[Contradiction]:
    found: list[Contradiction] = []
    for item in items:
        first = ground(item.first_quote, item.first_turn, turns)
        second = ground(item.second_quote, item.second_turn, turns)
        if first and second and first[:2] != second[:2]:
            places = {"first_quote": first.quote, "first_turn": first.turn}
            places |= {"second_quote": second.quote, "second_turn": second.turn}
            found.append(item.model_copy(update={**places, "distance": first.distance + second.distance}))
    return found


def _deepest(
    previous: Iterable[Coverage], update: Iterable[Coverage], allowed: set[str] | None
) -> tuple[Coverage, ...]:
    deepest: dict[str, Coverage] = {c.section_id: c for c in previous}
    for new in update:
        old = deepest.get(new.section_id)
        if (allowed is None or new.section_id in allowed) and (old is None or _deeper(new, old)):
            deepest[new.section_id] = new
    return tuple(deepest.values())


def _deeper(new: Coverage, old: Coverage) -> bool:
    return DEPTHS.index(new.depth) > DEPTHS.index(old.depth)


def _lines(previous: Iterable[Line], update: Iterable[Line], turns: Sequence[Said]) -> tuple[Line, ...]:
    kept = {line.quote: line for line in previous}
    for line in update:
        place = ground(line.quote, line.turn, turns)
        if place and not _same([place.quote], list(kept)):
            kept[place.quote] = Line(**place._asdict())
    ranked = sorted(kept.values(), key=lambda line: (-strength(line.quote), line.quote))[:MOST_LINES]
    return tuple(line for line in kept.values() if line in ranked)


def _spoken(update: Iterable[Answered], turns: Sequence[Said]) -> list[Answered]:
    """Those answers that name a turn of the guest's."""
    guest = {said.id for said in turns if said.speaker == "guest"}
    return [answer for answer in update if answer.turn in guest]


def _answers(
    previous: Iterable[Answered], update: Iterable[Answered], allowed: set[str] | None
) -> tuple[Answered, ...]:
    found = {answer.question_id: answer for answer in previous}
    for answer in update:
        if allowed is None or answer.question_id in allowed:
            found.setdefault(answer.question_id, answer)
    return tuple(found.values())
