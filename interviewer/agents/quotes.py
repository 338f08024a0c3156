"""Where the guest said it: a quote is a quote only if it stands in one of their turns."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from interviewer.matching.text import plain, words
from interviewer.model.outcome import Analysis, Essay, EssaySentence, Quote
from interviewer.model.turn import Said

NEAR = 0.25
"""Most word edits, as a share of the quote's words, that still count as the same saying."""
_SHORTEST_NEAR = 4
_SPOKEN = re.compile(r"[^\W_]+(?:['’‘][^\W_]+)*")


class Place(NamedTuple):
    """The turn a quote is from; `distance` counts the words to change, add or leave out: 0 where it is exact."""

    turn: str
    kind: Literal["exact", "near"]
    distance: int


def locate(quote: str, turns: Sequence[Said]) -> Place | None:
    """The guest turn that `quote` stands in, or None.

    Exact is word for word; capitals, punctuation and the form of apostrophes do not count. Near is a stretch
    within `NEAR` word edits of it, for quotes of four words or more; the nearest turn wins, then the earliest.
    """
    wanted = words(quote)
    guest = [(turn.id, words(turn.text)) for turn in turns if turn.speaker == "guest"]
    if not wanted:
        return None
    text = _joined(wanted)
    for turn_id, said in guest:
        if text in _joined(said):
            return Place(turn_id, "exact", 0)
    return _nearest(wanted, guest)


def as_said(quote: str, place: Place, turns: Sequence[Said]) -> str:
    """The guest's own words at a place that `locate` gave for a near `quote`; an exact one is returned as it is."""
    if place.kind == "exact":
        return quote
    text = next(turn.text for turn in turns if turn.id == place.turn and turn.speaker == "guest")
    found = list(_SPOKEN.finditer(text))
    _, start, end = _edits(words(quote), [plain(match.group()) for match in found])
    return quote if start == end else text[found[start].start() : found[end - 1].end()]


def check_analysis(analysis: Analysis, turns: Sequence[Said]) -> Analysis:
    """`analysis` with every quote looked up and its turn put right; themes keep only turns there are.

    One that stands nearly so in a turn gets the guest's own words, and keeps its distance from them; one that stands
    in none is marked as not found.
    """

    def checked(quote: Quote) -> Quote:
        place = locate(quote.text, turns)
        if place is None:
            return Quote(text=quote.text, turn=quote.turn, found=False)
        return Quote(text=as_said(quote.text, place, turns), turn=place.turn, distance=place.distance)

    known = {turn.id for turn in turns}
    claims = tuple(
        claim.model_copy(update={"evidence": tuple(checked(quote) for quote in claim.evidence)})
        for claim in analysis.claims
    )
    themes = tuple(
        theme.model_copy(update={"turns": tuple(turn for turn in theme.turns if turn in known)})
        for theme in analysis.themes
    )
    quotes = tuple(checked(quote) for quote in analysis.quotes)
    return analysis.model_copy(update={"claims": claims, "themes": themes, "quotes": quotes})


def check_essay(essay: Essay, turns: Sequence[Said]) -> Essay:
    """`essay` with the turn of every sentence looked up; None for one that stands in no turn word for word."""

    def checked(sentence: EssaySentence) -> EssaySentence:
        place = locate(sentence.text, turns)
        return EssaySentence(text=sentence.text, turn=place.turn if place and place.kind == "exact" else None)

    return essay.model_copy(update={"sentences": tuple(checked(sentence) for sentence in essay.sentences)})


def _joined(said: Sequence[str]) -> str:
    return f" {' '.join(said)} "


def _nearest(wanted: Sequence[str], guest: Sequence[tuple[str, tuple[str, ...]]]) -> Place | None:
    if len(wanted) < _SHORTEST_NEAR:
        return None
    best: Place | None = None
    most = int(NEAR * len(wanted))
    counts = Counter(wanted)
    for turn_id, said in guest:
        if _missing(counts, said) > most:
            continue
        distance, _, _ = _edits(wanted, said)
        if distance <= most and (best is None or distance < best.distance):
            best = Place(turn_id, "near", distance)
    return best


def _missing(counts: Counter[str], said: Sequence[str]) -> int:
    """Words of the quote that the turn lacks: a lower bound of the edits."""
    return (counts - Counter(said)).total()


def _edits(wanted: Sequence[str], said: Sequence[str]) -> tuple[int, int, int]:
    """Fewest word edits between `wanted` and a stretch of `said`, and where it starts and ends.

    Sellers' approximate search; of equally near stretches the shortest of those that end first.
    """
    # Cost and start in one number, `cost * edit - start`: of equal costs the shorter stretch is the smaller one.
    edit = len(said) + 1
    column = [cost * edit for cost in range(len(wanted) + 1)]
    best, end = column[-1], 0
    for place, word in enumerate(said, 1):
        diagonal, column[0] = column[0], -place
        for i, mine in enumerate(wanted, 1):
            change = diagonal if mine == word else diagonal + edit
            diagonal = column[i]
            column[i] = min(change, diagonal + edit, column[i - 1] + edit)
        if column[-1] < best:
            best, end = column[-1], place
    cost = -(-best // edit)
    return cost, cost * edit - best, end
