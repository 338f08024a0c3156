"""What of a text can be held against a question asked before, and which two can be held against each other."""

from functools import lru_cache

from interviewer.matching.deictic import asking, deictic
from interviewer.matching.form import closing


@lru_cache(maxsize=16_384)
def comparable(text: str) -> tuple[str, ...]:
    """The sentences of `text` that ask, without those that only point ("why is that?") to what is not there."""
    return tuple(sentence for sentence in asking(text) if not deictic(sentence))


def of_one_kind(one: str, other: str) -> bool:
    """Whether both or neither close a talk: "anything else about X?" asks nothing that a question about X asked."""
    return closing(one) == closing(other)
