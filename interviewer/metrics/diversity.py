"""How varied the words of the questions are."""

import math

from interviewer.matching.tokens import tokens
from interviewer.metrics.metric import NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings


def _diversity(call: CallFacts, settings: MetricSettings) -> Told:
    """Distinct words of a call's questions over how many a random choice of as many words would hold; mean over calls.

    distinct / (V (1 - ((V - 1) / V) ** N)), with N words and V words to choose from: expectation-adjusted distinct,
    which unlike distinct / N does not fall with length (Liu et al. 2022, arXiv 2202.13587). Where no word comes twice
    the formula is a hair above 1, by less than N / V, and 1 is taken. V is `metrics.vocabulary`; figures of another V
    are others.
    """
    said = [word for question in call.questions for word in tokens(question.text)]
    if not said:
        return NO_QUESTION
    size = settings.vocabulary
    expected = -size * math.expm1(len(said) * math.log1p(-1 / size))
    return Tally(min(1.0, len(set(said)) / expected), 1, len(call.questions))


DIVERSITY = Metric("diversity", "Variety of the questions' words", "score", "questions", "share", _diversity)
