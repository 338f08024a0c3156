"""What happened between two questions: whether the first was answered, and what came up since."""

import math
import re

from interviewer.matching.pairs import INTERVIEWER, Context, Pair
from interviewer.matching.text import plain, questions, words
from interviewer.matching.tfidf import rarity
from interviewer.matching.tokens import content

COURSE = ("asked", "told", "taken_up", "aside", "puzzled")

HEARD = 60
"""Of an answer the first, of the guest's last turn the last so many words count: enough to tell, and quick."""

_PUZZLED = re.compile(
    r"clarify|what (?:do|did) you mean|not sure (?:i|what)|don'?t (?:understand|get)|\bgive me (?:an )?example|"
    r"rephrase|come again|say again|\?\s*$"
)
_TAIL = 200


def course(pair: Pair, around: Context) -> tuple[float, ...]:
    """The features named in COURSE, in their order.

    asked: log(1 + questions the interviewer asked in between). told: log(1 + words of the answer to the first).
    taken_up: share of the second question's idf that this answer brought up. aside: the share that only the guest's
    last turn brought up, if other questions lie between: a follow-up on those. puzzled: 1 if the answer, a short
    one, asks back or for an explanation.
    """
    answer = " ".join(around.answer.split()[:HEARD])
    asked = sum(len(questions(text)) for role, text in around.between if role == INTERVIEWER)
    told = len(words(answer))
    return (
        math.log1p(asked),
        math.log1p(told),
        _share(pair.q2, answer, pair.q1),
        _share(pair.q2, _last(around), f"{pair.q1} {answer}") if asked else 0.0,
        float(told < HEARD and bool(_PUZZLED.search(plain(answer)[-_TAIL:]))),
    )


def _last(around: Context) -> str:
    spoken = [text for role, text in around.between if role != INTERVIEWER]
    return " ".join(spoken[-1].split()[-HEARD:]) if spoken else ""


def _share(later: str, heard: str, known: str) -> float:
    """Share of the idf of `later` that is in `heard` and not in `known`."""
    asked = content(later)
    whole = math.fsum(map(rarity().of, asked))
    return math.fsum(map(rarity().of, (asked & content(heard)) - content(known))) / whole if whole else 0.0
