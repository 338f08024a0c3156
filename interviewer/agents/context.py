"""The handful of things in a person's context that are worth asking about."""

from collections.abc import Iterator

from interviewer.agents.clauses import clause
from interviewer.agents.signals import names, signals, strength
from interviewer.matching.text import content_words, sentences

_PLAIN = frozenset("ceo cto cfo coo vp hr pr it ai us uk usa eu ph.d phd mba bsc msc".split())


def worth_asking(context: str, topic: str) -> tuple[list[str], list[str]]:
    """Up to two names and four clauses of `context`, word for word, the most telling clauses first.

    None repeats the topic; each brings words that the ones before did not.
    """
    known = set(content_words(topic))
    return _new(_names(context), known, 2), _new(_clauses(context), known, 4)


def _new(offered: Iterator[str], known: set[str], most: int) -> list[str]:
    found: list[str] = []
    for phrase in offered:
        held = content_words(phrase)
        if len(found) < most and held and len(held & known) <= len(held) / 3:
            found.append(phrase)
            known |= held
    return found


def _names(context: str) -> Iterator[str]:
    """Names in order, except that places ("in Wellington") come last."""
    starts = {span.start for span in sentences(context)}
    usable = [name for name in names(context) if name.start not in starts and name.text.lower() not in _PLAIN]
    for name in sorted(usable, key=lambda name: context[: name.start].endswith(("in ", ", "))):
        yield name.text


def _clauses(context: str) -> Iterator[str]:
    for span in sorted(sentences(context), key=lambda span: (-strength(span.text), span.start)):
        telling = next(iter(signals(span.text)), None)
        piece = telling.clause.text if telling else clause(span.text, 0, 1).text
        yield piece.replace('"', "'")
