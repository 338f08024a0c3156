"""The form of questions: open or closed, in one part or several, how long."""

import re
from functools import lru_cache
from typing import Literal

from interviewer.matching import form as aspects
from interviewer.matching.contains_form import question as bare
from interviewer.matching.contains_patterns import JOINT
from interviewer.matching.text import asks, plain, questions, words
from interviewer.metrics.metric import NO_ENGLISH, NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

Form = Literal["open", "closed", "none"]

# What a yes, a no or one fact answers.
_ONE_FACT = ("closed", "amount", "when", "which", "who")
_YES_OR_NO = re.compile(
    r"\b(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|should|may|might|shall|am)(?:n't)? "
    r"(?:you|it|that|this|these|those|they|he|she|we|i|there|your|the|any\w*|people|his|her|their|our|my|some\w*)\b"
)
_OPENER = re.compile(r"\b(?:what|how|why|who(?:m|se)?|where|when|which)\b")
_LISTENING = re.compile(
    r"(?:(?:yeah|yes|yep|right|okay|ok|all right|alright|huh|hmm|mm|mm-hmm|no|really|so|sorry|pardon|oh|you know|"
    r"you see|see|is it|isn't it|you know what i mean|i mean)[ ,.]*)+\?"
)


@lru_cache(maxsize=16_384)
def question_form(question: str) -> Form:
    """The form of one sentence that asks; none if it only shows that one listens ("right?").

    Closed is what a yes, a no or one fact answers; requests ("tell me about") are open. English.
    """
    flat = plain(question).strip()
    if _LISTENING.fullmatch(flat):
        return "none"
    if asks(flat.rstrip("\"'”’) ?!.") + "."):  # a request, whatever mark it ends with
        return "open"
    if aspects.form(question) in _ONE_FACT:
        return "closed"
    opener, inverted = _OPENER.search(flat), _YES_OR_NO.search(flat)
    return "closed" if not opener or (inverted and inverted.start() < opener.start()) else "open"


@lru_cache(maxsize=16_384)
def turn_form(text: str) -> Form:
    """The form of a turn: open if any of its questions is, else closed if any is, else none.

    Against the labels of AnnoMI (Wu et al. 2022; 4,882 turns of therapists in 133 conversations): Cohen's kappa .718
    [.686, .748] by resampling conversations; .696 [.656, .742] on the half that was not looked at while the rule was
    made. People agree at .740 on the 216 turns that ten of them labelled. By `python -m evals.quality`.
    """
    forms = {question_form(span.text) for span in questions(text)}
    return "open" if "open" in forms else "closed" if "closed" in forms else "none"


def _open(call: CallFacts, _: MetricSettings) -> Told:
    """Open questions over open and closed ones. See `turn_form` for what is which and how it was checked.

    Source: MITI, NICHD. In AnnoMI the share of open questions does not tell good sessions from bad (AUC .50).
    """
    if not call.is_english:
        return NO_ENGLISH
    forms = [question_form(question.text) for question in call.questions]
    counted = len(forms) - forms.count("none")
    return Tally(forms.count("open"), counted, counted) if counted else NO_QUESTION


def _multi_part(call: CallFacts, _: MetricSettings) -> Told:
    """Turns that ask two things or more, over turns that ask: sentences that ask, and questions joined in one.

    Source: NICHD. Unchecked against people.
    """
    if not call.is_english:
        return NO_ENGLISH
    parts: dict[int, int] = {}
    for question in call.questions:
        if question_form(question.text) != "none":
            parts[question.turn] = parts.get(question.turn, 0) + 1 + _joined(question.text)
    return Tally(sum(count > 1 for count in parts.values()), len(parts), len(parts)) if parts else NO_QUESTION


@lru_cache(maxsize=16_384)
def _joined(question: str) -> int:
    """Further questions that are joined to the first in one sentence."""
    return len(JOINT.findall(bare(plain(question).strip())))


def _length(call: CallFacts, _: MetricSettings) -> Told:
    """Words of a sentence that asks, on average. Source: NICHD."""
    lengths = [len(words(question.text)) for question in call.questions]
    return Tally(sum(lengths), len(lengths), len(lengths)) if lengths else NO_QUESTION


OPEN = Metric("open_share", "Open questions", "share", "questions", "share", _open)
MULTI_PART = Metric("multi_part", "Several questions in one turn", "share", "turns that ask", "share", _multi_part)
LENGTH = Metric("question_words", "Words of a question", "words", "questions", "ratio", _length)
