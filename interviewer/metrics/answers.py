"""What answers tell: how much is in them, and whether follow-ups bring more than planned questions."""

import math
from functools import lru_cache

from interviewer.matching.text import words
from interviewer.matching.tfidf import rarity
from interviewer.matching.tokens import tokens
from interviewer.metrics.metric import NO_ENGLISH, NO_GUEST, NO_LEDGER, NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings


def _bits(call: CallFacts, _: MetricSettings) -> Told:
    """Bits of an answer, on average: the sum over its words of -log2 p(word). See `_bits_per_word`."""
    found = _told(call)
    if isinstance(found, str):
        return found
    return Tally(sum(bits for bits, _ in found), len(found), len(found))


def _bits_per_word(call: CallFacts, _: MetricSettings) -> Told:
    """Bits of the guest's words, on average: rare words tell more than common ones.

    Source: Xiao et al. 2020 (TOCHI), who take p from a large corpus. Here p is the share of 20,398 sentences of
    interviews that hold the word (matching/data/idf.json), words alike but for endings being one; what is not there
    counts as the rarest that is. So compare with it, and not with figures by another table.
    """
    found = _told(call)
    if isinstance(found, str):
        return found
    return Tally(sum(bits for bits, _ in found), sum(count for _, count in found), len(found))


def _probing(call: CallFacts, _: MetricSettings) -> Told:
    """Words of the answers after questions that were not planned, over those after planned ones, each on average.

    The quotient of each call, averaged over calls. A turn that asks both is neither. Source: ours, after AURA.
    """
    if call.ledger is None:
        return NO_LEDGER
    kinds: dict[int, set[bool]] = {}
    for question in call.questions:
        kinds.setdefault(question.turn, set()).add(question.planned)
    lengths: dict[bool, list[int]] = {True: [], False: []}
    for turn, kind in kinds.items():
        if len(kind) == 1 and (said := words(call.after(turn))):
            lengths[kind.pop()].append(len(said))
    planned, other = lengths[True], lengths[False]
    if not planned or not other:
        return "not both planned questions and others were answered"
    usual = sum(planned) / len(planned)
    return Tally(sum(other) / len(other) / usual, 1, len(planned) + len(other))


def _told(call: CallFacts) -> list[tuple[float, int]] | str:
    """(bits, words) of what the guest said after each turn that asks, or why there is none."""
    if not call.is_english:
        return NO_ENGLISH
    if not call.questions:
        return NO_QUESTION
    said = [_bits_of(call.after(turn)) for turn in sorted({question.turn for question in call.questions})]
    return [each for each in said if each[1]] or NO_GUEST


@lru_cache(maxsize=16_384)
def _bits_of(text: str) -> tuple[float, int]:
    """Bits and words of a text."""
    said = tokens(text)
    return math.fsum(rarity().each(said)) / math.log(2), len(said)


BITS = Metric("answer_bits", "Told by an answer", "bits", "answers", "ratio", _bits)
BITS_PER_WORD = Metric("bits_per_word", "Told by a word of the guest's", "bits", "answers", "ratio", _bits_per_word)
PROBING = Metric("probing_depth", "Answers after follow-ups, over planned", "times", "answers", "ratio", _probing)
