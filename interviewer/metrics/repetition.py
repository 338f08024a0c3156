"""Whether questions come again that were heard before."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from interviewer.matching import checked, thresholds
from interviewer.matching.deictic import deictic
from interviewer.matching.pairs import INTERVIEWER, Pair, PairScorer, context, score_pairs
from interviewer.matching.scorer import Scorer, scorer
from interviewer.metrics.metric import NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts, HeardQuestion, HeardTurn
from interviewer.settings import MetricSettings


def _re_asked(call: CallFacts, settings: MetricSettings) -> Told:
    """Share of questions whose likeness to a question heard before exceeds a stored threshold.

    Questions of one turn are not held against each other, and those that only point ("why is that?") are left out:
    they repeat no subject. What a threshold finds and what it takes for a repeat wrongly is in
    evals/repetition/results: the default misses four in five repeats and is for comparing groups, not for counting.
    Source: the essays; the SparkMe fork has it for subtopics.
    """
    best = likeness(call, settings)
    if best is None:
        return NO_QUESTION
    threshold = _value(settings.threshold, settings.scorer)
    return Tally(float((best > threshold).sum()), len(best), len(best))


def _max_similarity(call: CallFacts, settings: MetricSettings) -> Told:
    """Mean over questions of the highest likeness to a question heard before, 0 to 1; the first has none and is out.

    The embedding form of self-BLEU (Texygen, Zhu et al. 2018) with the scorer of `metrics.scorer`.
    """
    best = likeness(call, settings)
    if best is None:
        return NO_QUESTION
    return Tally(float(best[1:].sum()), max(0, len(best) - 1), max(0, len(best) - 1))


def likeness(call: CallFacts, settings: MetricSettings) -> NDArray[np.float64] | None:
    """Of each question that names a subject, the highest score with one of an earlier turn, 0 without; None: none.

    Raises SettingsError for an unknown scorer, MatchError for one that fails.
    """
    asked = tuple(question for question in call.questions if not deictic(question.text))
    return np.asarray(_best(call.turns, asked, settings.scorer), dtype=np.float64) if asked else None


@lru_cache(maxsize=4_096)
def _best(turns: tuple[HeardTurn, ...], asked: tuple[HeardQuestion, ...], name: str) -> tuple[float, ...]:
    scores = _scores(turns, asked, _scorer(name))
    places = np.array([question.turn for question in asked])
    earlier = places[:, None] < places[None, :]
    held = np.where(earlier & ~np.isnan(scores), scores, -np.inf)
    best = held.max(axis=0)
    return tuple(np.where(np.isinf(best), 0.0, best))


def _scores(turns: tuple[HeardTurn, ...], asked: tuple[HeardQuestion, ...], chosen: Scorer) -> NDArray[np.float64]:
    texts = [question.text for question in asked]
    if not isinstance(chosen, PairScorer):
        return checked.matrix(chosen, texts, texts)
    said = [(INTERVIEWER if turn.speaker == "interviewer" else turn.speaker, turn.text) for turn in turns]
    scores = np.full((len(asked), len(asked)), np.nan)
    cells = [(i, j) for j in range(len(asked)) for i in range(j) if asked[i].turn < asked[j].turn]
    pairs = [
        Pair(texts[i], texts[j], context(said, asked[i].turn, texts[i], asked[j].turn, texts[j])) for i, j in cells
    ]
    for (i, j), score in zip(cells, score_pairs(chosen, pairs), strict=True):
        scores[i, j] = score
    return scores


@lru_cache(maxsize=8)
def _scorer(name: str) -> Scorer:
    return scorer(name)


@lru_cache(maxsize=64)
def _value(threshold: float | str, scorer_name: str) -> float:
    """A stored threshold of the package is read once, not for every call."""
    return thresholds.value(threshold, _scorer(scorer_name))


RE_ASKED = Metric("re_ask_rate", "Re-asked", "share", "questions", "share", _re_asked)
MAX_SIMILARITY = Metric("max_similarity", "Highest likeness", "score", "questions", "share", _max_similarity)
