"""Words and turns of phrase that may stand for each other in a question whatever it is about."""

import random
import re

SWAPS = (
    ("usually", "generally"),
    ("difficult", "hard"),
    ("most difficult", "hardest"),
    ("hardest", "toughest"),
    ("biggest", "greatest"),
    ("at the moment", "right now"),
    ("these days", "nowadays"),
    ("in the beginning", "at first"),
    ("at the beginning", "at the start"),
    ("started out", "set out"),
    ("you started", "you began"),
    ("you start", "you begin"),
    ("a lot of", "plenty of"),
    ("convinced", "persuaded"),
    ("convince", "persuade"),
    ("whole", "entire"),
    ("almost", "nearly"),
    ("mistakes", "errors"),
    ("mistake", "error"),
    ("newcomer", "beginner"),
    ("need to", "have to"),
    ("keep going", "carry on"),
    ("find out", "discover"),
    ("found out", "discovered"),
    ("figure out", "work out"),
    ("figured out", "worked out"),
    ("quickly", "fast"),
    ("colleagues", "co-workers"),
    ("every day", "daily"),
    ("in practice", "in real life"),
)
_ANY = re.compile(r"\b(" + "|".join(re.escape(old) for old, _ in SWAPS) + r")\b")
_NEW = dict(SWAPS)


def swap(text: str, rng: random.Random) -> str:
    """`text` with about half of the words that have a stand-in changed; quoted words stay as they are."""
    pieces = re.split(r"([\"“][^\"“”]*[\"”])", text)
    return "".join(piece if piece[:1] in {'"', "“"} else _swapped(piece, rng) for piece in pieces)


def _swapped(text: str, rng: random.Random) -> str:
    return _ANY.sub(lambda found: _NEW[found[1]] if rng.random() < 0.5 else found[1], text)
