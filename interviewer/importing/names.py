"""Names before a colon: which of them are speakers, and which only begin a sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from interviewer.importing.pieces import Piece
from interviewer.matching.text import STOP_WORDS

# A letter first, of any script; a name holds no sentence end but the dot of an initial.
NAME = r"[^\W\d_][^:\n<>\[\]{}|?!;\"“”=/\\*]{0,59}?"
PREFIX = re.compile(rf"\s*(?:>>\s*|-\s+)?(?P<name>{NAME})\s?(?::(?:\s+|$)|：\s*)")
_NUMBERED = re.compile(r"[a-z]+[ _-]?\d{1,3}")
_MOST_WORDS = 5
# Words that begin a sentence before a colon; question and answer are not among them, for they stand for speakers.
_STARTERS = frozenset(
    "remember note imagine look listen example warning problem result fact rule point reason thing idea well okay "
    "also plus first second third finally update edit conclusion summary translation spoiler".split()
)
_PARTICLES = frozenset("van von der den de del della da di la le bin ibn al el ben af av of the and und et y".split())


def prefixed(text: str) -> tuple[str, str]:
    """(name, rest) of `Name: rest`; the name is empty if there is none that could be one."""
    found = PREFIX.match(text)
    if not found or not _could_be(found["name"]):
        return "", text
    return found["name"].strip(), text[found.end() :]


def speakers_among(names: Iterable[str], beginnings: int) -> frozenset[str]:
    """Which of `names`, one each time it stood before a colon, are speakers; `beginnings`: places where one could.

    If at least half of the places have a name, all are that look like one. Else it takes a name of two words or more,
    or one that comes back, for "Remember: ..." and "Note: ..." begin sentences too. One in lower case must come back.
    """
    counted = Counter(name for name in names if name)
    every = sum(counted.values()) * 2 >= beginnings
    return frozenset(
        name for name, times in counted.items() if times > 1 or (_is_title(name) and (every or len(name.split()) > 1))
    )


def _could_be(name: str) -> bool:
    parts = name.split()
    if not parts or len(parts) > _MOST_WORDS or not (_is_title(name) or len(parts) == 1 or _NUMBERED.fullmatch(name)):
        return False
    # "So: ..." too begins a sentence; "I:" and "A:" stand for interviewer and answer.
    return not (len(parts) == 1 and len(name) > 1 and name.casefold() in _STARTERS | STOP_WORDS)


def _is_title(name: str) -> bool:
    """Whether every word begins like a name's: not in lower case, where the script has one, or a particle."""
    parts = re.split(r"[\s-]+", name.strip())
    return all(not part[:1].islower() or part.casefold() in _PARTICLES for part in parts) and not parts[0][:1].islower()


def by_prefix(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces with `Name:` taken for the speaker; it may stand at the beginning of any line of a piece."""
    told = [[(*prefixed(line), line) for line in piece.text.split("\n")] for piece in pieces]
    known = speakers_among((name for lines in told for name, _, _ in lines), len(pieces))
    for piece, lines in zip(pieces, told, strict=True):
        speaker, parts = piece.speaker, list[str]()
        for name, rest, line in lines:
            if name in known and (parts or speaker):
                yield replace(piece, speaker=speaker, text="\n".join(parts))
                parts = []
            speaker = name if name in known else speaker
            parts.append(rest if name in known else line)
        yield replace(piece, speaker=speaker, text="\n".join(parts))
