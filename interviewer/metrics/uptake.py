"""How far a question takes up what the guest has just said."""

import json
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from pathlib import Path

from interviewer.matching.tfidf import rarity
from interviewer.matching.tokens import tokens
from interviewer.metrics.metric import NO_ENGLISH, NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

TABLE = Path(__file__).parent / "data" / "uptake.json"
SHORTEST = 5
"""Words of an answer that can be taken up; exchanges with shorter ones were not rated either."""


@lru_cache(maxsize=65_536)
def uptake(answer: str, reply: str) -> float | None:
    """How far a reply builds on the answer before it, 0 to 1; None if the answer has fewer than five words.

    The mean rank of two measures of the words that come again, each weighed by its rarity (idf): their weight, and its
    share in the weight of the answer. A rank is the share of the 1,998 rated exchanges of Demszky et al. (2021, ACL)
    that lie below, ties half. Against those ratings by experts: Spearman .546 [.513, .577] by resampling lessons;
    shared words (Jaccard) .444; cosine of sentence vectors with the share of words, .542. By `python -m
    evals.quality`. Made for lessons: compare with it, but read no grade off it.
    """
    said = tokens(answer)
    if len(said) < SHORTEST:
        return None
    weight, share = shared(answer, reply)
    table = _table()
    return (_rank(weight, table["weight"]) + _rank(share, table["share"])) / 2


def shared(answer: str, reply: str) -> tuple[float, float]:
    """The weight (sum of idf) of the answer's words that the reply holds, and its share in that of the answer."""
    said, whole = _weights(answer)
    asked = frozenset(tokens(reply))
    weight = sum(idf for word, idf in said if word in asked)
    return weight, weight / whole if whole else 0.0


@lru_cache(maxsize=16_384)
def _weights(answer: str) -> tuple[tuple[tuple[str, float], ...], float]:
    """Its words with their idf, in the order of the alphabet, so that sums come out the same; and the sum of all."""
    said = sorted(frozenset(tokens(answer)))
    idfs = rarity().each(said)
    return tuple(zip(said, idfs, strict=True)), sum(idfs)


def _uptake(call: CallFacts, _: MetricSettings) -> Told:
    """Mean uptake of the turns that ask: how far each builds on what the guest said just before it.

    The mean rank, among 1,998 rated exchanges, of the rarity of the words that come again and of its share in that of
    the answer. Source: Demszky et al. 2021, with whose experts it agrees at Spearman .546 [.513, .577]; see `uptake`.
    """
    found = _by_turn(call)
    if isinstance(found, str):
        return found
    return Tally(sum(found.values()), len(found), len(found))


def _follow_up(call: CallFacts, settings: MetricSettings) -> Told:
    """Questions that were not planned and whose turn has more uptake than `metrics.follow_up_uptake`, over questions.

    Source: NewsInterview (Lu et al. 2025), which has people tell follow-ups. The cut is ours and unchecked.
    """
    if call.ledger is None:
        return "no plan: nobody knows which questions were planned"
    found = _by_turn(call)
    if isinstance(found, str):
        return found
    asked = [question for question in call.questions if question.turn in found]
    hits = sum(not q.planned and found[q.turn] > settings.follow_up_uptake for q in asked)
    return Tally(hits, len(asked), len(asked))


def _by_turn(call: CallFacts) -> dict[int, float] | str:
    """The uptake of each turn that asks after an answer of five words, or why there is none."""
    if not call.is_english:
        return NO_ENGLISH
    if not call.questions:
        return NO_QUESTION
    found = {place: uptake(call.before(place), call.turns[place].text) for place in {q.turn for q in call.questions}}
    known = {place: value for place, value in found.items() if value is not None}
    return known or "no question came after an answer of five words"


@cache
def _table() -> dict[str, list[float]]:
    given = json.loads(TABLE.read_text(encoding="utf-8"))
    return {name: [float(each) for each in given[name]] for name in ("weight", "share")}


def _rank(value: float, table: list[float]) -> float:
    """Where in the quantiles 0, .01, ..., 1 of the rated exchanges; where several are equal, half way."""
    below, last = bisect_left(table, value), len(table) - 1
    above = bisect_right(table, value, below)
    if below < above:
        return (below + above - 1) / 2 / last
    if below in (0, len(table)):
        return 0.0 if below == 0 else 1.0
    apart = (value - table[below - 1]) / (table[below] - table[below - 1])
    return (below - 1 + apart) / last


UPTAKE = Metric("uptake", "Uptake", "score", "turns that ask", "share", _uptake)
FOLLOW_UP = Metric("follow_up_rate", "Follow-ups", "share", "questions", "share", _follow_up)
