"""What a guest began, named or implied and did not tell, with a question that starts from their own words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from interviewer.agents.clauses import whole_clause
from interviewer.agents.cues import Kind
from interviewer.agents.exchanges import exchanges, matched
from interviewer.agents.signals import WEIGHT, Signal, signals, stems, substantial
from interviewer.agents.small_talk import idle
from interviewer.agents.wording import choose
from interviewer.matching.text import content_words, sentences
from interviewer.model.notes import Gap
from interviewer.model.turn import Said

MOST = 4
_A_TURN = 2
_LEAST = 2.5
_FRESH = (1.0, 0.5)  # what the last guest turn, and the one before, are worth beside a signal's weight
_BARE = re.compile(r"(?:it|this|that|they|these|those|he|she)\b", re.I)
_BARE_NEEDS = 3  # content words of a clause whose subject only points at something
_HOLLOW = re.compile(r"\b(?:thing|way|part|place|kind|time|sense|one)s?$", re.I)
_TOLD_ON = 0.6  # what each of up to three sentences that follow in the same turn takes off
_REASONED = re.compile(r"\b(?:because|since|the reason|that['’]s why|so that|which is why|due to)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"[$€£%]|percent|per cent|million|billion|thousand|people", re.I)
_ALL_OF_IT = re.compile(r"\b(?:100|a hundred) ?(?:%|percent|per cent)", re.I)
_WANTS_REASON: frozenset[Kind] = frozenset(["decision", "distrust", "feeling", "contrast", "comparison", "objection"])
_OPEN_ENDED: frozenset[Kind] = frozenset(["unfinished", "withheld", "figure"])

# What to call it, and ways to ask on from the guest's words.
_ASKS: dict[Kind, tuple[str, tuple[str, ...]]] = {
    "unfinished": (
        "a story left out",
        ("how does that story go", "what is the part you left out", "what were you about to say there"),
    ),
    "withheld": (
        "reasons kept back",
        ("which of the reasons weighed most", "what was the real reason", "what was going on behind that"),
    ),
    "workaround": (
        "a way around",
        ("how exactly did that go", "what would the proper way have been", "who knew about it at the time"),
    ),
    "distrust": (
        "a distrust",
        ("what happened that made you think so", "what have you seen that others have not", "when did that begin"),
    ),
    "turning_point": (
        "a turning point",
        ("what gave it away", "what did you do next", "what did you believe until then"),
    ),
    "objection": (
        "an objection",
        ("what was the best argument on that side", "how did you answer", "in what way was that right"),
    ),
    "decision": (
        "a decision without its reason",
        ("what else was on the table", "what spoke against it", "what tipped the balance"),
    ),
    "feeling": (
        "a feeling",
        ("what lay behind that feeling", "where does that come from", "what was going on at that moment"),
    ),
    "vague": (
        "something unnamed",
        ("what exactly was it", "what would one example be", "what did that look like in practice"),
    ),
    "contrast": (
        "a contrast",
        ("why was that", "how do you explain the difference", "what made the difference"),
    ),
    "figure": (
        "a figure",
        ("where does that figure come from", "what did that number change", "how did you get to that amount"),
    ),
    "comparison": (
        "a comparison",
        ("what makes the difference", "what are you comparing it with"),
    ),
}
_LOADED = ("what made {it} so {quality}", "what was so {quality} about {it}")


@dataclass(frozen=True, slots=True)
class _Found:
    signal: Signal
    turn: Said
    score: float


def gaps(turns: Sequence[Said], known: Sequence[str]) -> list[Gap]:
    """At most four open gaps, the most telling first: not told later on, nor from a sentence of a `known` quote."""
    found = sorted(_candidates(turns), key=lambda f: (-f.score, f.turn.id, f.signal.clause.start))
    chosen: list[_Found] = []
    for candidate in found:
        if len(chosen) < MOST and _is_new(candidate, chosen, known) and not _told(candidate, turns):
            chosen.append(candidate)
    return [_gap(candidate) for candidate in chosen]


def told_later(gap: Gap, turns: Sequence[Said]) -> bool:
    """Whether the guest has closed the gap since: asked about it and answered, or come back to it unasked."""
    since = _after(gap.turn, turns)
    for exchange in exchanges(since):
        answered = exchange.asks and exchange.answered_in
        if answered and (matched(gap.question, exchange.sentences) or _about(gap.quote, exchange.stems)):
            return True
    guest = (turn for turn in since if turn.speaker == "guest" and substantial(turn.text))
    return any(_about(gap.quote, stems(turn.text)) for turn in guest)


def _after(turn_id: str, turns: Sequence[Said]) -> Sequence[Said]:
    place = next((i for i, turn in enumerate(turns) if turn.id == turn_id), -1)
    return turns[place + 1 :]


def _about(quote: str, said: frozenset[str]) -> bool:
    wanted = stems(quote)
    return len(wanted) >= 3 and len(wanted & said) >= 0.75 * len(wanted)


def _candidates(turns: Sequence[Said]) -> Iterator[_Found]:
    guest = [turn for turn in turns if turn.speaker == "guest"]
    for age, turn in enumerate(reversed(guest)):
        fresh = _FRESH[age] if age < len(_FRESH) else 0.0
        for signal, told in _left_open(turn.text):
            score = WEIGHT[signal.kind] + fresh - told
            if score >= _LEAST:
                yield _Found(signal, turn, score)


@lru_cache(maxsize=4_096)
def _left_open(text: str) -> tuple[tuple[Signal, float], ...]:
    """The signals of a turn that could be gaps, each with what it loses for what was told at once."""
    found: list[tuple[Signal, float]] = []
    for signal in signals(text):
        if _asks_on(signal) and "?" not in signal.sentence.text:
            quote = _quote(signal, text)
            if quote and len(content_words(quote)) > 1 and not idle(signal.sentence.text):
                found.append((signal, _told_at_once(signal, text)))
    return tuple(found)


def _asks_on(signal: Signal) -> bool:
    """Whether its kind leaves something open; bare counts ("two things") and dates do not."""
    return signal.kind == "loaded" or (
        signal.kind in _ASKS and (signal.kind != "figure" or _is_amount(signal.cue.text))
    )


def _is_amount(cue: str) -> bool:
    """Whether a figure is one to ask about: money, shares and heads, not all of it, and no length of time."""
    return bool(_AMOUNT.search(cue)) and not _ALL_OF_IT.search(cue)


def _quote(signal: Signal, text: str) -> str:
    """The words to start from: the loaded ones, else the whole clause they are in; empty if that is no clause."""
    if signal.kind == "loaded":
        return "" if _HOLLOW.search(signal.cue.text) else signal.cue.text
    found = whole_clause(text, signal.cue.start, signal.cue.end)
    if not found or found.start < signal.sentence.start or found.end > signal.sentence.end:
        return ""
    bare = _BARE.match(found.text) and len(content_words(found.text)) < _BARE_NEEDS
    return "" if bare else found.text


def _told_at_once(signal: Signal, text: str) -> float:
    """What it loses because the guest went on about it, or gave the reason."""
    rest = [span.text for span in sentences(text) if span.start > signal.sentence.start]
    near = " ".join([signal.sentence.text, *rest[:1]])
    reasoned = 2.0 if signal.kind in _WANTS_REASON and _REASONED.search(near) else 0.0
    return reasoned + (0.0 if signal.kind in _OPEN_ENDED else _TOLD_ON * min(3, len(rest)))


def _is_new(candidate: _Found, chosen: Sequence[_Found], known: Sequence[str]) -> bool:
    sentence = candidate.signal.sentence.text
    beside = [other for other in chosen if other.turn.id == candidate.turn.id]
    if any(quote in sentence for quote in known) or len(beside) >= _A_TURN:
        return False
    return all(other.signal.sentence != candidate.signal.sentence for other in beside)


def _told(candidate: _Found, turns: Sequence[Said]) -> bool:
    return told_later(_gap(candidate), turns)


def _gap(found: _Found) -> Gap:
    signal = found.signal
    quote = _quote(signal, found.turn.text)
    label = "loaded words" if signal.kind == "loaded" else _ASKS[signal.kind][0]
    return Gap(id="", text=f"{label}: {quote}", question=_question(signal, quote), quote=quote, turn=found.turn.id)


def _question(signal: Signal, quote: str) -> str:
    said = quote.replace('"', "'")
    if signal.kind != "loaded":
        return f'You said "{said}": {choose(_ASKS[signal.kind][1], signal.sentence.text)}?'
    quality, noun = quote.split()[-2:]
    many = noun.endswith("s") and not noun.endswith("ss")
    ask = choose(_LOADED, signal.sentence.text).format(it="them" if many else "it", quality=quality.lower())
    return f'You mentioned "{said}": {ask}?'
