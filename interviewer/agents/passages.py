"""The guest's sentences that can stand on a page: whole, said to a reader, and not only an answer to a question.

Words are never changed. What may go is a filler or a false start at the beginning of a sentence; `Sentence.text`
is then the rest of the slice, exactly as it stands in the turn.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.agents.small_talk import idle
from interviewer.matching.text import STOP_WORDS, content_words, sentences, words
from interviewer.model.turn import Said

_HESITATION = r"(?:u+h*m+|u+h+|e+r+m*|a+h+|h+m+|m+h*m+)"
_STARTER = (
    r"(?:well|so|yeah|yep|yes|yup|okay|ok|right|sure|oh|wow|look|listen|like|anyway|i mean|you know|"
    r"of course|let me (?:think|see))"
)
_PAUSE = r"(?:[,.;…]|--|—|–)"
_FILLER = re.compile(
    rf"^(?:{_HESITATION}\b{_PAUSE}*\s*|"
    rf"(?:(?:and|but|so|well|oh|yeah)\s+)?{_STARTER}(?=\s*{_PAUSE})\s*{_PAUSE}+\s*|"
    rf"oh\s+(?=\w)|no\.\s+(?=\D)|so (?=(?:yeah|{_HESITATION})\b))",
    re.IGNORECASE,
)
_FALSE_START = re.compile(
    r"^(?P<start>[^\W_]+(?:['’][^\W_]+)?(?:\s+[^\W_]+(?:['’][^\W_]+)?){0,3})\s*(?:--|—|–|,|…|\.\.\.)\s*(?=(?P=start)\b)",
    re.IGNORECASE,
)
_TO_INTERVIEWER = re.compile(
    r"\b(?:thank(?:s| you)|sounds good|(?:great|good|nice|interesting|tough|hard) question|nice to meet|glad to|"
    r"happy to (?:be here|chat|talk|share|help|answer|do that)|my pleasure|let's (?:begin|start|go|dive|get in)|"
    r"(?:as|like) you|you (?:just )?(?:said|mentioned|asked|were saying|touched)|i don't know if you|"
    r"your (?:question|podcast|show|listeners|study|research|time)|(?:this|that|next|another|any|no) questions?|"
    r"this (?:interview|conversation|survey|study|podcast|call)|does that make|if that makes sense|makes? sense\?|"
    r"where was i|getting lost|i forgot (?:the|what)|repeat that|(?:skip|pass on) (?:that|this|it)|"
    r"answered that|i(?: have|'ve)? (?:already|just) (?:said|answered)|told you|come back to that|"
    r"i have to (?:stop|leave|go)(?=[.!,]|$)|i(?:'m| am) not sure (?:what|if) you|what do you mean|"
    r"(?:could|can|may|would) you tell|for you to know|if you(?:'d| would)? (?:like|want) to (?:hear|know)|participate|"
    r"that's (?:all|about it)(?= i|[.!,]|$)|all i can think of|i hope th(?:is|at) (?:helps|answers)|anything else\?)",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"\\?\[(?:[^\]]*\d\d:\d\d|(?:laugh|cross|unintel|inaud|music|pause|applause))[^\]]*\]|"
    r"\((?:laugh|crosstalk|pause|inaudible)[^)]*\)|\b(?:inaudible|unintelligible|crosstalk)\b",
    re.IGNORECASE,
)
_CUT_OFF = re.compile(
    r"(?:--|—|–|-)[\"”]?$|\b(?:so|and|but|or|because|the|a|an|of|which)\s*(?:\.{2,}|…)?$|"
    r"\b(?:that|to|with|just|i|if|when|is|was|really|like|my|our|we)\s*(?:\.{2,}|…)$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:,|\.\.\.|--)\s*(?:right|you know|okay|ok|yeah|no|huh|you see|isn't it|don't you)(?: what i mean)?\?$",
    re.IGNORECASE,
)
_BARE_ANSWER = re.compile(r"^(?:no|nope|yes),?\s+(?=(?:i|we|my|our|i'm|i've|i'd|i’m|i’ve|i’d)\b)", re.IGNORECASE)
_NODS = frozenset(
    "right absolutely totally exactly sure oh yeah know guess think okay true great cool wow nice".split()
)
_ABANDONED = re.compile(
    r"^(?P<start>(?:[^\W_]+(?:['’][^\W_]+)?\s+){0,6}(?P<last>[^\W_]+))\s*(?:--|—)\s*(?=[^-—]{20,}$)"
)
_SUBJECT = re.compile(
    r"(?:and |but |so )?(?:i|we|it|they|there|my|our|the|in|over|people)\b(?! (?:mean|don't know|guess))", re.I
)
_COMPLETE = frozenset("it them me him her there you us this everything nothing something".split())
_SECOND_PERSON = frozenset(["you", "your", "you're", "you've", "you'd", "yours"])
_LEADING = frozenset(
    "and but so then now well also mostly actually honestly basically usually sometimes often maybe".split()
)
_NEEDS_MORE = frozenset(
    """
    yes no yeah nope because cause which also either neither exactly absolutely definitely probably possibly not none
    only same both like or that's it's he he's she she's they they're they'd they've him them those these that this it
    there's correct true agreed sure nothing everything hence therefore thus otherwise though however such another
    """.split()
)
_BARE = frozenset("it it's they they're they've them he he's she she's him her that's ones those".split())
_STANDS_ALONE = re.compile(
    r"^(?:(?:and|but|so|then|now|sometimes)\W+)?it(?:'s|’s| is| was| takes| took| makes| would| seems| feels)\b.{3,}"
    r"\b(?:to|that|when|how|if)\b",
    re.IGNORECASE,
)
_IDLE_IT = re.compile(r"(?<=\b(?:like|love|hate|find|make|take)) it\b", re.IGNORECASE)
_POINTS_AT_TIME = re.compile(
    r"^(?:\w+ )?(?:this|that|these|those) (?:day|days|week|month|year|summer|winter|morning|night|time)\b", re.I
)
_VERBAL = re.compile(
    r"\b(?:i|we|you|he|she|they|it|people|who|that|is|was|are|were|am|have|has|had|do|does|did|can|could|will|"
    r"would|should|must)\b|['’](?:m|s|re|ve|d|ll)\b|\w{3,}ed\b",
    re.IGNORECASE,
)
_LAST = re.compile(r"(?<=[.!?…])\s+([^.!?…]+[.!?…]+)$")
_SMALL_TALK = 3  # words from which a sentence of small talk is not somebody's quoted "Yeah."
_LONGEST_OPENING = 60
_SHORTEST_OPENING = 5
_REACH = 5


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the guest: a slice of turn `turn`, the `order`-th of the guest's, at `index` in it.

    `opens` says that it can be understood without what was said before. `gap` says that something which the
    talk depended on was left out just before it.
    """

    text: str
    turn: str
    order: int
    index: int
    opens: bool
    gap: bool = False


def printable(turns: Iterable[Said]) -> tuple[Sentence, ...]:
    """Every sentence of the guest that is meant for a reader, in order, without fillers, each said once."""
    found: list[Sentence] = []
    seen: set[tuple[str, ...]] = set()
    for order, turn in enumerate(turn for turn in turns if turn.speaker == "guest"):
        gap = False
        for index, whole in enumerate(whole_sentences(turn.text)):
            text = trimmed(_closed(whole))
            if index == 0 and (answer := _BARE_ANSWER.match(text)):
                text = text[answer.end() :]
            key = words(text)
            if _broken(text):
                gap = True
            elif key and key not in seen and not _aside(text):
                seen.add(key)
                found.append(Sentence(text, turn.id, order, index, stands_alone(text), gap))
                gap = False
    return tuple(found)


def whole_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, with those put together that a pause, quoted speech or a bracket had cut apart."""
    found: list[str] = []
    start: int | None = None
    spans = sentences(text)
    for i, span in enumerate(spans):
        start = span.start if start is None else start
        piece = text[start : span.end]
        if (
            i + 1 < len(spans)
            and "\n" not in text[span.end : spans[i + 1].start]
            and _goes_on(piece, spans[i + 1].text)
        ):
            continue
        found.append(piece)
        start = None
    return tuple(found)


def trimmed(sentence: str) -> str:
    """`sentence` without fillers and false starts at its beginning; a slice of it."""
    before = ""
    while before != sentence:
        before = sentence
        for pattern in (_FILLER, _FALSE_START):
            if (match := pattern.match(sentence)) and len(words(sentence[match.end() :])) > 1:
                sentence = sentence[match.end() :]
        if (match := _ABANDONED.match(sentence)) and _left_off(match["last"]) and _SUBJECT.match(sentence, match.end()):
            sentence = sentence[match.end() :]
    return sentence


def _left_off(word: str) -> bool:
    low = word.lower()
    return low not in _COMPLETE and (low in STOP_WORDS or low.endswith("ly") or low == "always")


def stands_alone(sentence: str) -> bool:
    """Whether a reader who has not heard the question understands this sentence. A guess by its first words."""
    said = words(sentence)
    if len(said) < _SHORTEST_OPENING or len(content_words(sentence)) < 2 or not _VERBAL.search(sentence):
        return False
    if sentence.rstrip("\"”'’)").endswith("?"):
        return False
    if _STANDS_ALONE.match(sentence) or _POINTS_AT_TIME.match(sentence):
        return True
    start = next((i for i, word in enumerate(said) if word not in _LEADING), 0)
    if said[0] == "but" or said[start] in _NEEDS_MORE:
        return False
    if said[0] in ("no", "yes"):
        return False
    said = words(_IDLE_IT.sub("", sentence))
    return not any(word in _BARE for word in said[start : start + _REACH])


def _goes_on(piece: str, following: str) -> bool:
    if len(piece) > 1_200 or _is_small_talk(following):
        return False
    open_quote = piece.count('"') % 2 == 1 or piece.count("“") > piece.count("”")
    paused = following[:1].islower() and not (piece.endswith(".") and not piece.endswith(".."))
    return paused or open_quote or piece.count("(") > piece.count(")")


def _is_small_talk(piece: str) -> bool:
    return len(words(piece)) >= _SMALL_TALK and idle(piece)


def _closed(sentence: str) -> str:
    """`sentence` without the small talk that runs on after its end."""
    last = _LAST.search(sentence)
    return sentence[: last.start()] if last and _is_small_talk(last[1]) else sentence


def _broken(sentence: str) -> bool:
    """Whether words are missing: marked by the transcriber, or never said."""
    return bool(_MARKER.search(sentence) or _CUT_OFF.search(sentence))


def _aside(sentence: str) -> bool:
    """Whether a sentence is for the interviewer only: thanks, talk about the talk, a question, a bare yes or no."""
    straight = sentence.replace("’", "'")
    said = words(sentence)
    if idle(sentence) or content_words(sentence) <= _NODS or _TO_INTERVIEWER.search(straight):
        return True
    if len(said) < 4 and said[0] in _NEEDS_MORE:
        return True
    asked = straight.rstrip("\"' )").endswith("?") and not straight.endswith('"')
    return asked and (bool(_TAG.search(straight)) or not _SECOND_PERSON.isdisjoint(said) or len(said) < 4)


def runs(found: Sequence[Sentence]) -> list[list[Sentence]]:
    """`found` cut where the turn changes or something is missing."""
    cut: list[list[Sentence]] = []
    for sentence in found:
        if not cut or cut[-1][-1].turn != sentence.turn or sentence.gap:
            cut.append([])
        cut[-1].append(sentence)
    return cut
