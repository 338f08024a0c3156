"""What was asked in a conversation of which only the words are left."""

import re
from collections.abc import Sequence

from interviewer.matching.text import Span, asks, sentences, words
from interviewer.memory.earlier import Asked
from interviewer.model.turn import Said

_QUESTION_MARKS = frozenset("?？؟")
_LEADS = re.compile(r"^(?:(?:and|so|but|well|okay|ok|yeah|right|then|now|um|uh|or|because)\b[\s,]*)+", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:how|what|why|when|where|who|which|whose|whom)\b|"
    r"(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|should) "
    r"(?:you|your|it|that|this|there|they|we|he|she)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 3


def heard_in(turns: Sequence[Said], call: int = 1) -> tuple[Asked, ...]:
    """The interviewer's sentences that ask, in order, known as "reconstructed". `turns` have the ids to be kept.

    Where no turn of the interviewer's holds a question mark, as in many a machine's transcript, sentences count that
    begin as a question does.
    """
    tells = asks if marks_questions(turns) else _begins_as_question
    return tuple(
        Asked(text=span.text, call=call, turn=turn.id, known="reconstructed")
        for turn in turns
        if turn.speaker == "interviewer"
        for span in _sentences(turn.text)
        if tells(span.text)
    )


def marks_questions(turns: Sequence[Said]) -> bool:
    """Whether the interviewer's turns hold a question mark anywhere."""
    return any(_QUESTION_MARKS & set(turn.text) for turn in turns if turn.speaker == "interviewer")


def _sentences(text: str) -> tuple[Span, ...]:
    return sentences(text.replace("？", "? ").replace("؟", "? "))


def _begins_as_question(sentence: str) -> bool:
    bare = _LEADS.sub("", sentence.strip())
    return asks(sentence) or (len(words(bare)) >= _LEAST_WORDS and _ASKING.match(bare) is not None)
