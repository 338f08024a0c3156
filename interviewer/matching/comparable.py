"""What of a text can be held against a question asked before, and which two can be held against each other."""

from functools import lru_cache

from interviewer.matching.deictic import asking, deictic
from interviewer.matching.form import closing
from interviewer.matching.text import sentences

_LONGEST = 60  # words; of a longer text no sentence model makes one question


@lru_cache(maxsize=16_384)
def comparable(text: str) -> tuple[str, ...]:
    """The sentences of `text` that ask, without those that only point ("why is that?") to what is not there.

    Also the whole, where it is more than one sentence: "Let's talk about the canal. What was your way in?" names its
    subject in the first.
    """
    asked = [sentence for sentence in asking(text) if not deictic(sentence)]
    whole = " ".join(text.split())
    if asked and len(sentences(text)) > 1 and len(whole.split()) <= _LONGEST:
        asked.append(whole)
    return tuple(dict.fromkeys(asked))


def of_one_kind(one: str, other: str) -> bool:
    """Whether both or neither close a talk: "anything else about X?" asks nothing that a question about X asked."""
    return closing(one) == closing(other)
