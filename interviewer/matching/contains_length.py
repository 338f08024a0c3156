"""What is compared of a very long text: bounds, so that any pair is told in well under a second."""

from functools import lru_cache

from interviewer.matching.contains_form import read
from interviewer.matching.text import sentences

LONGEST = 150
"""Words of a planned question; of a longer text its last question is compared, of that the first so many words."""
LONGEST_SENTENCE = 400
"""Words of a spoken sentence; of a longer one, speech written down without marks, the last so many are compared."""
MOST_PLACES = 100
"""Places of an utterance that are scored: those that share most with the planned question."""


@lru_cache(maxsize=4_096)
def within(text: str) -> str:
    """What is compared of a planned question."""
    if len(text.split(maxsplit=LONGEST)) <= LONGEST:
        return text
    # Only the end is read: the form of thousands of sentences takes long.
    last = sentences(text)[-LONGEST:]
    asking = [one.text for span in last for one in read(_first(span.text)) if one.asks]
    return _first((asking or [text])[-1])


def spoken_within(sentence: str) -> str:
    """What is compared of a spoken sentence."""
    words = sentence.rsplit(maxsplit=LONGEST_SENTENCE)
    return sentence if len(words) <= LONGEST_SENTENCE else " ".join(words[1:])


def _first(text: str) -> str:
    words = text.split(maxsplit=LONGEST)
    if len(words) <= LONGEST:
        return text
    return " ".join(words[:LONGEST]) + ("?" if text.rstrip().endswith("?") else "")
