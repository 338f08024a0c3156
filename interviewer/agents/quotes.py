"""Where the guest said it: a quote is a quote only if it stands in one of their turns."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from interviewer.matching.text import words
from interviewer.model.outcome import Analysis, Essay, EssaySentence, Quote
from interviewer.model.turn import Said

NEAR = 0.25
"""Most word edits, as a share of the quote's words, that still count as the same saying."""
_SHORTEST_NEAR = 4


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


def check_analysis(analysis: Analysis, turns: Sequence[Said]) -> Analysis:
    """`analysis` with every quote looked up: its turn put right, and `found` true only where it stands exactly."""

    def checked(quote: Quote) -> Quote:
        place = locate(quote.text, turns)
        turn = place.turn if place else quote.turn
        return Quote(text=quote.text, turn=turn, found=place is not None and place.kind == "exact")

    claims = tuple(
        claim.model_copy(update={"evidence": tuple(checked(quote) for quote in claim.evidence)})
        for claim in analysis.claims
    )
    return analysis.model_copy(update={"claims": claims, "quotes": tuple(checked(q) for q in analysis.quotes)})


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
        distance = _edits(wanted, said)
        if distance <= most and (best is None or distance < best.distance):
            best = Place(turn_id, "near", distance)
    return best


def _missing(counts: Counter[str], said: Sequence[str]) -> int:
    """Words of the quote that the turn lacks: a lower bound of the edits."""
    return (counts - Counter(said)).total()


def _edits(wanted: Sequence[str], said: Sequence[str]) -> int:
    """Fewest word edits between `wanted` and any stretch of `said` (Sellers' approximate search)."""
    column = list(range(len(wanted) + 1))
    best = column[-1]
    for word in said:
        diagonal, column[0] = column[0], 0
        for i, mine in enumerate(wanted, 1):
            change = diagonal + (mine != word)
            diagonal = column[i]
            column[i] = min(change, column[i] + 1, column[i - 1] + 1)
        best = min(best, column[-1])
    return best
