"""Pairs of questions drawn by strata from interviews, to be labelled: alike or not, near or far, answered or not."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from interviewer.errors import MatchError
from interviewer.matching import checked
from interviewer.matching.interview_file import Interview
from interviewer.matching.pairs import INTERVIEWER, context
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import questions, words

_SHORTEST = 3
_MOST = 120
_BANDS = ("rest", "some", "half", "most", "top")
# Shares of all pairs below the bands: most pairs are of no interest, the few that look alike are.
_EDGES = (0.5, 0.8, 0.95, 0.99)
_NEAR, _FAR = 2, 8
_ANSWERED = 15
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the turn of its interview that holds it, from 0."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pair of questions of one interview. `stratum`: likeness, distance, answer; `weight`: pairs it stands for.

    `answer`: what the guest said after the first question, `lead`: what came right before the second; long ones cut.
    """

    id: str
    interview: Interview
    first: Asked
    second: Asked
    stratum: str
    weight: float
    answer: str
    lead: str


def asked(interview: Interview) -> list[Asked]:
    """The questions of an interview of three words or more, at most its first 120."""
    found = [
        Asked(turn, span.text)
        for turn, (role, text) in enumerate(interview.turns)
        if role == INTERVIEWER
        for span in questions(text)
        if len(words(span.text)) >= _SHORTEST
    ]
    return found[:_MOST]


def draw(interviews: Sequence[Interview], count: int, scorer: Scorer, seed: int = 0) -> list[Drawn]:
    """`count` pairs, or all there are, in an order by chance.

    The strata are five bands of the score (their edges at 50, 80, 95 and 99 % of all pairs), three of distance (the
    next time the interviewer speaks, up to four times later, farther) and whether the first question was answered, in
    15 words or more. Each stratum gives as many pairs as any other, as far as it has them; the weight is pairs in the
    stratum over pairs drawn. Raises MatchError if there is nothing to draw from.
    """
    if count < 1:
        raise MatchError(f"to draw {count} pairs: it must be 1 or more")
    places = list(_places(interviews))
    if not places:
        raise MatchError("no interview asks two questions in different turns: nothing to draw pairs from")
    likeness = np.concatenate([_likeness(interviews[at], scorer) for at in range(len(interviews))])
    strata = _strata(places, likeness)
    random = np.random.default_rng(seed)
    chosen = _allotted(strata, count, random)
    return [
        _drawn(f"d{number + 1:04}", places[at], stratum, weight)
        for number, (at, stratum, weight) in enumerate(chosen[k] for k in random.permutation(len(chosen)))
    ]


_Place = tuple[Interview, Asked, Asked]


def _places(interviews: Sequence[Interview]) -> Iterator[_Place]:
    for interview in interviews:
        for first, second in combinations(asked(interview), 2):
            if first.turn != second.turn:
                yield interview, first, second


def _likeness(interview: Interview, scorer: Scorer) -> np.ndarray:
    found = asked(interview)
    if not found:
        return np.zeros(0)
    texts = [one.text for one in found]
    matrix = checked.matrix(scorer, texts, texts)
    pairs = [(a, b) for a, b in combinations(range(len(found)), 2) if found[a].turn != found[b].turn]
    return np.array([matrix[pair] for pair in pairs], dtype=np.float64)


def _strata(places: Sequence[_Place], likeness: np.ndarray) -> list[str]:
    """What cannot be scored is in the lowest band: it is drawn too."""
    values = np.nan_to_num(likeness, nan=-math.inf)
    known = values[np.isfinite(values)]
    edges = np.quantile(known, _EDGES) if len(known) else np.zeros(len(_EDGES))
    bands = np.searchsorted(edges, values, side="right")
    return [f"{_BANDS[band]}, {_where(*place)}" for band, place in zip(bands, places, strict=True)]


def _where(interview: Interview, first: Asked, second: Asked) -> str:
    turns = second.turn - first.turn
    distance = "next" if turns <= _NEAR else "near" if turns <= _FAR else "far"
    answer = context(interview.turns, first.turn, first.text, second.turn, second.text).answer
    return f"{distance}, {'answered' if len(words(answer)) >= _ANSWERED else 'not answered'}"


def _allotted(strata: Sequence[str], count: int, random: np.random.Generator) -> list[tuple[int, str, float]]:
    """Places with stratum and weight: a pair of every stratum in turn, until there are enough."""
    names = sorted(set(strata))
    held = {name: [at for at, stratum in enumerate(strata) if stratum == name] for name in names}
    taken = dict.fromkeys(names, 0)
    left = min(count, len(strata))
    while left:
        for name in names:
            if left and taken[name] < len(held[name]):
                taken[name], left = taken[name] + 1, left - 1
    return [
        (int(at), name, len(held[name]) / taken[name])
        for name in names
        if taken[name]
        for at in random.choice(held[name], taken[name], replace=False)
    ]


def _drawn(name: str, place: _Place, stratum: str, weight: float) -> Drawn:
    interview, first, second = place
    around = context(interview.turns, first.turn, first.text, second.turn, second.text)
    return Drawn(
        name, interview, first, second, stratum, round(weight, 4), cut(around.answer), cut(around.before2, last=True)
    )


def cut(text: str, last: bool = False) -> str:
    """The first 60 words of a text, or its `last` ones, with a mark where words were left out."""
    found = text.split()
    if len(found) <= _SHOWN:
        return " ".join(found)
    return f"... {' '.join(found[-_SHOWN:])}" if last else f"{' '.join(found[:_SHOWN])} ..."
