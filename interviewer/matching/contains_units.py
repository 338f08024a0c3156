"""The units of meaning of a sentence: words and turns of phrase, those that mean the same, and their weight."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from interviewer.matching.tfidf import rarity
from interviewer.matching.tokens import FUNCTION_WORDS, stem, tokens

_DATA = Path(__file__).parent / "data"

NEGATIONS = frozenset("not never no nobody nothing none neither nor without hardly".split())

# Words that only carry a question to the guest: of little weight where planned, of none where added.
_FILLERS = frozenset(
    map(
        stem,
        """
        tell say said hear know think thing things stuff something anything someone somebody love like curious wonder
        interested describe explain share talk walk take give imagine picture suppose mind come let lets bit little kind
        sort way mean meant just quite really actually maybe perhaps please must want help understand see look go going
        went point get got put turn moment while ago now here today then too also else ever even still very much many
        more sense noted mentioned wrote told back again right sure yes great wow interesting thanks thank hi hello
        welcome exactly happened happen time potentially particularly particular specific certain typically name
        biggest greatest
        """.split(),
    )
)
_EMPTY = frozenset(map(stem, FUNCTION_WORDS)) | frozenset(
    "what how why when where who whom whose which if whether because about into out up down off over through than all "
    "any some no not never nor such only own same both each few most him her his he she them us me myself yourself "
    "got that than though although until would not between during after before above below again by".split()
)
_IRREGULAR = {
    stem(form): stem(base)
    for base, forms in {
        "go": "went gone",
        "do": "did done",
        "make": "made",
        "take": "took taken",
        "tell": "told",
        "say": "said",
        "feel": "felt",
        "think": "thought",
        "know": "knew known",
        "see": "saw seen",
        "come": "came",
        "become": "became",
        "get": "got gotten",
        "give": "gave given",
        "find": "found",
        "leave": "left",
        "lose": "lost",
        "keep": "kept",
        "begin": "began begun",
        "choose": "chose chosen",
        "buy": "bought",
        "bring": "brought",
        "teach": "taught",
        "catch": "caught",
        "build": "built",
        "meet": "met",
        "hear": "heard",
        "speak": "spoke spoken",
        "write": "wrote written",
        "break": "broke broken",
        "grow": "grew grown",
        "drive": "drove driven",
        "draw": "drew drawn",
        "hold": "held",
        "lead": "led",
        "mean": "meant",
        "pay": "paid",
        "sell": "sold",
        "send": "sent",
        "spend": "spent",
        "stand": "stood",
        "understand": "understood",
        "win": "won",
        "fall": "fell fallen",
        "forget": "forgot forgotten",
        "fight": "fought",
        "sleep": "slept",
        "run": "ran",
        "sit": "sat",
        "learn": "learnt",
        "wear": "wore worn",
        "show": "shown",
        "fly": "flew flown",
        "eat": "ate eaten",
        "deal": "dealt",
    }.items()
    for form in forms.split()
}
_PAST = frozenset(
    """
    went made took told said felt thought knew saw came became got gave found left lost kept began chose bought brought
    taught caught built met heard spoke wrote broke grew drove drew held led meant paid sold sent spent stood
    understood won fell forgot fought slept ran sat learnt wore flew ate dealt
    """.split()
)

_ENDED = 4
_HEAVIEST = 7.0
_LIGHTEST = 1.0
_FILLER_SHARE = 0.2
_PHRASE = 4.0
_LIKENED = 0.9
_RELATED = 0.8
_ROOT = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """A word, or several that mean one thing. `key`: its stems; `meanings`: lines of the table it stands in.

    `weight`: idf of interview speech, cut to 1..7; `at`: its first token; `filler`: it only carries the question;
    `root`: how its key begins.
    """

    key: str
    meanings: frozenset[int]
    weight: float
    at: int
    filler: bool
    root: str


def alike(one: Unit, other: Unit) -> float:
    """1 for the same words, .9 for words of one meaning, .8 for words of one root, else 0."""
    if one.key == other.key:
        return 1.0
    if one.meanings and not one.meanings.isdisjoint(other.meanings):
        return _LIKENED
    if one.root != other.root:
        return 0.0
    shorter, longer = one.key, other.key
    if len(shorter) > len(longer):
        shorter, longer = longer, shorter
    if len(shorter) >= _ROOT and longer.startswith(shorter[: max(_ROOT, len(shorter) - 2)]):
        return _RELATED
    return 0.0


@lru_cache(maxsize=16_384)
def units(sentence: str) -> tuple[Unit, ...]:
    """The units of a sentence in order; words of grammar and negations are none."""
    words = stems(sentence)
    table = _meanings()
    found: list[Unit] = []
    at = 0
    while at < len(words):
        length, meanings = _longest(table, words, at)
        piece = words[at : at + max(length, 1)]
        if length > 1 or not (piece[0] in _EMPTY or piece[0] in NEGATIONS):
            found.append(_unit(piece, meanings, at))
        at += max(length, 1)
    return tuple(found)


def past(word: str) -> bool:
    """Whether a word, in plain form, is a verb's past: an irregular one of the table, or one in -ed."""
    return word in _PAST or (len(word) > _ENDED and word.endswith("ed") and not word.endswith("eed"))


@lru_cache(maxsize=16_384)
def denies(sentence: str) -> bool:
    """Whether a word of a sentence denies; one inside a turn of phrase ("did not see coming") does not."""
    words = stems(sentence)
    table = _meanings()
    at = 0
    while at < len(words):
        length, _ = _longest(table, words, at)
        if length <= 1 and words[at] in NEGATIONS:
            return True
        at += max(length, 1)
    return False


def opposed(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether words of `one` (stems) stand opposed to words of `other`, by the table of opposites."""
    against = _opposites()
    wanted = set(other)
    return any(not wanted.isdisjoint(against.get(word, ())) for word in one)


@lru_cache(maxsize=16_384)
def stems(sentence: str) -> tuple[str, ...]:
    """All tokens of a sentence in their base form, words of grammar among them."""
    return tuple(_IRREGULAR.get(word, word) for word in tokens(sentence))


def _unit(piece: tuple[str, ...], meanings: frozenset[int], at: int) -> Unit:
    if len(piece) > 1:
        key = " ".join(piece)
        return Unit(key, meanings, _PHRASE, at, filler=False, root=key[:_ROOT])
    filler = piece[0] in _FILLERS
    weight = min(max(rarity().of(piece[0]), _LIGHTEST), _HEAVIEST)
    return Unit(piece[0], meanings, weight * (_FILLER_SHARE if filler else 1.0), at, filler, piece[0][:_ROOT])


_Table = dict[str, list[tuple[tuple[str, ...], frozenset[int]]]]


def _longest(table: _Table, words: tuple[str, ...], at: int) -> tuple[int, frozenset[int]]:
    for phrase, meanings in table.get(words[at], ()):
        if words[at : at + len(phrase)] == phrase:
            return len(phrase), meanings
    return 0, frozenset()


@cache
def _meanings() -> _Table:
    """Phrases by their first word, the longest first, each with the lines it stands in."""
    lines: dict[tuple[str, ...], set[int]] = {}
    for number, line in enumerate(_lines("alike.txt")):
        for phrase in line.split(","):
            if key := _base(phrase):
                lines.setdefault(key, set()).add(number)
    table: _Table = {}
    for phrase_key in sorted(lines, key=lambda key: (-len(key), key)):
        table.setdefault(phrase_key[0], []).append((phrase_key, frozenset(lines[phrase_key])))
    return table


@cache
def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _lines("opposites.txt"):
        left, right = ([word for phrase in side.split(",") for word in _base(phrase)] for side in line.split("/"))
        for word in left:
            table.setdefault(word, set()).update(right)
        for word in right:
            table.setdefault(word, set()).update(left)
    return {word: frozenset(found) - {word} for word, found in table.items()}


def _base(phrase: str) -> tuple[str, ...]:
    return tuple(_IRREGULAR.get(word, word) for word in tokens(phrase))


def _lines(name: str) -> list[str]:
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]
