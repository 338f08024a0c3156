"""Names and numbers of a call replaced, the same one by the same mark wherever it stands.

What it finds: names it is given, words with a capital where no sentence begins, addresses, telephone numbers, amounts
of money and long numbers. What it cannot promise: names in lower case or all capitals, those that only begin sentences,
numbers in words, and what tells who somebody is without naming them. Whoever passes it on reads it first.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_ENDS: Final = re.compile(r"[.!?:;\n\"“”(\[*#>|-]\s*$")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_NO_NAMES: Final = frozenset(
    """
    i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december ok okay yes no well english
    """.split()
)
_NOBODY: Final = frozenset({"", "guest", "the guest", "interviewer"})
_SHORTEST_PART: Final = 3
_FIELD: Final = re.compile(r"[a-z][a-z0-9_]*")

_PUNCTUATION: Final = re.compile(r"[\s().,/-]")
_SPACE: Final = re.compile(r"\s")
_NUMBER: Final = r"\d+(?:[.,'’]\d+)*"
_SCALE: Final = r"(?:\s?(?:k|m|bn|thousand|million|billion)\b)?"
_CURRENCY: Final = r"(?:dollars?|euros?|pounds?|francs?|cents?|bucks|usd|eur|gbp|chf)"
_IP: Final = r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)"
_NUMBERS: Final = {
    "EMAIL": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "LINK": r"\b(?:https?://|www\.)[^\s<>\"')\]]+",
    "IBAN": r"(?-i:\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?\b)",
    "AMOUNT": (
        rf"(?:[$€£¥]|\b{_CURRENCY})\s?{_NUMBER}{_SCALE}|\b{_NUMBER}{_SCALE}\s?(?:[$€£¥]|{_CURRENCY}\b)"
        r"|\b\d{1,3}(?:['’]\d{3})+\b"
    ),
    "PHONE": rf"(?!{_IP})(?<![\w.:])\+?\(?\d(?:[\s().\/-]{{0,2}}\d){{6,}}(?![\w:])",
    "NUMBER": r"\b\d{5,}\b",
}

# Columns and fields that hold no words of people: replaced, they would not mean anything any more.
_KEPT: Final = frozenset(
    """
    id kind status state speaker world known basis version input_hash model outcome agent phase role importance
    scorer package_version dossier language settings turn turns turn_id question_id item_id response_id attempt_id
    job_id call_id interview_id first_call_id section_id detail_id depth end_reason goal_met verification
    started_at priority
    """.split()
)


class Redaction:
    """Made from all texts of a call; `text` and `value` then give each name and number its mark."""

    def __init__(self, texts: Iterable[str], names: Iterable[str] = ()) -> None:
        """`names` are replaced whatever their capitals, whole and in parts of three letters or more."""
        self._marks: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        given = [_composed(name.strip()) for name in names if name.strip().lower() not in _NOBODY]
        said = [_composed(text) for text in texts]
        found = _capitalised(said)
        for name in [*given, *sorted(found, key=lambda name: (-len(name.split()), name))]:
            self._name(name)
        loose = [part for name in given for part in (name, *_parts(name))]
        self._patterns = [_any_of(loose, re.IGNORECASE), _any_of([*found, *(p for n in found for p in _parts(n))])]
        self._numbers = re.compile("|".join(f"(?P<{kind}>{how})" for kind, how in _NUMBERS.items()), re.IGNORECASE)

    @property
    def counts(self) -> dict[str, int]:
        """How many different ones were replaced so far, by kind: NAME, EMAIL, PHONE, AMOUNT, IBAN, LINK, NUMBER."""
        return dict(self._counts)

    def text(self, text: str) -> str:
        """`text` with marks in place of names and numbers."""
        text = self._numbers.sub(self._number, _composed(text))
        for pattern in self._patterns:
            text = pattern.sub(lambda found: self._marks.get(_key(found[0]), found[0]), text)
        return text

    def value(self, value: Any, name: str = "") -> Any:
        """A plain value with its texts redacted; those that are ids or choices by their `name` stay."""
        if name in _KEPT or name.endswith("_id"):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._field(str(key)): self.value(item, str(key)) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item, name) for item in value]
        return value

    def _field(self, name: str) -> str:
        """A key that is a field's name stays; any other may be somebody's."""
        return name if _FIELD.fullmatch(name) else self.text(name)

    def _name(self, name: str) -> None:
        known = self._marks.get(_key(name))
        mark = known or next((self._marks[_key(p)] for p in _parts(name) if _key(p) in self._marks), None)
        if mark is None:
            mark = self._new("NAME")
        for part in (name, *_parts(name)):
            self._marks.setdefault(_key(part), mark)

    def _number(self, found: re.Match[str]) -> str:
        kind = str(found.lastgroup)
        same = _PUNCTUATION if kind in ("PHONE", "AMOUNT", "NUMBER") else _SPACE
        key = f"{kind}:{same.sub('', found[0]).lower()}"
        if key not in self._marks:
            self._marks[key] = self._new(kind)
        return self._marks[key]

    def _new(self, kind: str) -> str:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"[{kind} {self._counts[kind]}]"


def _composed(text: str) -> str:
    """With each accent on its letter, for the same name may be written either way."""
    return unicodedata.normalize("NFC", text)


def _key(name: str) -> str:
    return " ".join(name.lower().split())


def _parts(name: str) -> list[str]:
    parts = name.split()
    return [part for part in parts if len(part) >= _SHORTEST_PART] if len(parts) > 1 else []


def _any_of(names: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    """Whole words only; the longest first. Without any name it matches nothing."""
    alternatives = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True) if name)
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])" if alternatives else r"(?!)", flags)


def _capitalised(texts: list[str]) -> list[str]:
    """Runs of words with a capital where no sentence begins, unless the word also occurs without one."""
    lower = {word for text in texts for word in _WORD.findall(text) if word.islower()}
    found: dict[str, None] = {}
    for text in texts:
        for run in _runs(text):
            words = [_POSSESSIVE.sub("", word) for word in run]
            if any(word.lower() not in lower for word in words):
                found[" ".join(words)] = None
    return list(found)


def _runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    end = -1
    for match in _WORD.finditer(text):
        word = match[0]
        named = word[0].isupper() and not word.isupper() and word.lower().replace("’", "'") not in _NO_NAMES
        begins = not text[: match.start()].strip() or bool(_SENTENCE_ENDS.search(text[: match.start()]))
        joined = bool(run) and text[end : match.start()] == " "
        if run and not (named and joined):
            yield run
            run = []
        if named and (joined or not begins):
            run.append(word)
        end = match.end()
    if run:
        yield run
