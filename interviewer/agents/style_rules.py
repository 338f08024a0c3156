"""A guest's habits of speech, counted: sentences, person, favourite words, openers, pictures, doubt and humour."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from interviewer.agents.expressions import distinctive
from interviewer.agents.passages import trimmed
from interviewer.matching.text import STOP_WORDS, sentences, words
from interviewer.model.voice import Trait, VoiceBullet, VoiceGuide

# All chosen here.
FEWEST_SENTENCES = 5
MOST_BULLETS, MOST_QUOTES = 6, 2
SHORT, LONG = 12, 20  # median words of a sentence up to which, and from which, it is called so
_OFTEN = 0.04  # share of sentences that makes a habit
_QUOTABLE = range(4, 31)  # words

_I, _WE, _YOU = (
    frozenset(group.split())
    for group in (
        "i i'm i've i'd i'll me my mine myself",
        "we we're we've we'd we'll us our ours ourselves",
        "you you're you've you'd you'll your yours yourself",
    )
)
_SHORTENED = re.compile(r"\b\w+(?:n't|'(?:re|ve|ll|d|m))\b|\b(?:it|that|there|what|he|she|let)'s\b", re.IGNORECASE)
_IN_FULL = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|would|should|have|has|had) not\b|\b(?:i am|it is|that is|there is|"
    r"(?:i|we|they|you) (?:have|will|would)|(?:we|they|you) are)\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\b(?:like|as if|as though) (?:a|an|the|you're|somebody|someone) \w+|\bas \w+ as (?:a|an|the) \w+|"
    r"\bit's (?:almost |kind of |a bit )?like \w+ing\b|\bthe \w+ equivalent of\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:sort of|kind of|i guess|i suppose|maybe|perhaps|probably|i think|i'm not sure|more or less|in a way|almost|"
    r"to some extent|it seems)\b",
    re.IGNORECASE,
)
_HUMOUR = re.compile(
    r"\b(?:ha(?:ha)+|laugh\w*|joke|joking|funny|funnily|hilarious|ridiculous|for some reason)\b|\[laugh",
    re.IGNORECASE,
)
_CERTAIN = re.compile(r"\b(?:never|always|obviously|definitely|absolutely|clearly|of course|nobody|everybody)\b", re.I)


def guide(spoken: Sequence[str], drafts: Sequence[str], quotes: Sequence[str]) -> VoiceGuide:
    """What counting tells of how somebody speaks; empty below five sentences. Every quote is one of their sentences."""
    told = [text for text in (*drafts, *quotes, *spoken) if len(words(text)) > 2]
    found = [trimmed(span.text) for text in told for span in sentences(text) if len(words(span.text)) > 2]
    if len(found) < FEWEST_SENTENCES:
        return VoiceGuide()
    expressions = distinctive(told)
    bullets = [bullet for habit in _HABITS for bullet in habit(found)]
    bullets[2:2] = _favourites(found, expressions)
    length = round(median(len(words(sentence)) for sentence in found))
    return VoiceGuide(bullets=tuple(bullets[:MOST_BULLETS]), expressions=expressions, sentence_words=length)


def _lengths(found: Sequence[str]) -> Iterator[VoiceBullet]:
    sizes = [len(words(sentence)) for sentence in found]
    middle = round(median(sizes))
    kind = "Short" if middle <= SHORT else "Long" if middle >= LONG else "Middling"
    short = sum(size <= 8 for size in sizes) / len(sizes)
    text = f"{kind} sentences: half have {middle} words or fewer, {_percent(short)} have eight at most."
    near = sorted(found, key=lambda sentence: (abs(len(words(sentence)) - middle), found.index(sentence)))
    yield _bullet("sentences", text, near)


def _person(found: Sequence[str]) -> Iterator[VoiceBullet]:
    said = Counter(word for sentence in found for word in words(sentence))
    counts = {"I": _total(said, _I), "we": _total(said, _WE), "you": _total(said, _YOU)}
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    whole = sum(counts.values())
    if not whole:
        return
    talk = " ".join(found).replace("’", "'")
    shortened, full = len(_SHORTENED.findall(talk)), len(_IN_FULL.findall(talk))
    shares = ", ".join(f"{_percent(counts[name] / whole)} {name}" for name in ranked if counts[name])
    habit = (
        f"contracts {_percent(shortened / (shortened + full))} of the time" if shortened + full else "no contractions"
    )
    group = {"I": _I, "we": _WE, "you": _YOU}[ranked[0]]
    showing = [sentence for sentence in found if not group.isdisjoint(words(sentence))]
    yield _bullet("person", f"Speaks as {shares}; {habit}.", showing)


def _favourites(found: Sequence[str], expressions: Sequence[str]) -> Iterator[VoiceBullet]:
    if expressions:
        named = ", ".join(f'"{expression}"' for expression in expressions[:6])
        showing = [s for e in expressions[:6] for s in found if f" {' '.join(words(e))} " in f" {' '.join(words(s))} "]
        yield _bullet("words", f"Favourite words and phrases: {named}.", showing)


def _openers(found: Sequence[str]) -> Iterator[VoiceBullet]:
    starts = Counter(words(sentence)[0] for sentence in found)
    plain = {"i", "it", "the", "we", "that", "you", "they", "this", "a", "my"}
    often = [w for w, n in sorted(starts.items(), key=lambda pair: (-pair[1], pair[0])) if n > 1 and w not in plain]
    often = [word for word in often if word in STOP_WORDS or starts[word] / len(found) >= _OFTEN][:3]
    if often and starts[often[0]] / len(found) >= _OFTEN:
        named = ", ".join(f'"{word.capitalize()} ..." ({_percent(starts[word] / len(found))})' for word in often)
        showing = [sentence for word in often for sentence in found if words(sentence)[0] == word]
        yield _bullet("openers", f"Opens sentences with {named}.", showing)


def _pictures(found: Sequence[str]) -> Iterator[VoiceBullet]:
    showing = [sentence for sentence in found if _PICTURE.search(sentence.replace("’", "'"))]
    if showing:
        yield _bullet("figures", f"Explains by pictures: {_times(showing)} a comparison to something seen.", showing)
    else:
        yield _bullet(
            "figures", "Says things outright: no comparison to anything else among these sentences.", found[:1]
        )


def _stance(found: Sequence[str]) -> Iterator[VoiceBullet]:
    kinds = (("hedges", _DOUBT), ("is sure", _CERTAIN), ("jokes", _HUMOUR))
    held = {name: [s for s in found if pattern.search(s.replace("’", "'"))] for name, pattern in kinds}
    main = max(held, key=lambda name: len(held[name]))
    if held[main]:
        shares = ", ".join(f"{name} in {_percent(len(some) / len(found))}" for name, some in held.items() if some)
        yield _bullet("stance", f"Of the sentences, {shares}.", held[main])


_HABITS: tuple[Callable[[Sequence[str]], Iterator[VoiceBullet]], ...] = (
    _lengths,
    _person,
    _openers,
    _pictures,
    _stance,
)


def _bullet(trait: Trait, text: str, showing: Sequence[str]) -> VoiceBullet:
    good = [sentence for sentence in showing if len(words(sentence)) in _QUOTABLE] or list(showing)
    return VoiceBullet(trait=trait, text=text, quotes=tuple(dict.fromkeys(good))[:MOST_QUOTES])


def _total(said: Counter[str], group: frozenset[str]) -> int:
    return sum(said[word] for word in group)


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _times(showing: Sequence[str]) -> str:
    return "once" if len(showing) == 1 else f"{len(showing)} times"
