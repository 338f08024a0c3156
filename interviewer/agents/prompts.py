"""A prompt that stays within a budget: what matters least is left out, and what was left out is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

BYTES_A_TOKEN = 4
"""A rough estimate, about right for English; other scripts take more bytes a character, and more tokens."""
_CLIP_LEAST = 24  # tokens: a shorter rest of an entry says nothing
_LEFT_OUT = " […] "
_MARKS = "<＜﹤"
_NO_MARKS = str.maketrans(_MARKS, "‹‹‹")


def tokens(text: str) -> int:
    """About how many tokens a text takes: a quarter of its bytes in UTF-8, rounded up."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_A_TOKEN)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a part; of two the one of higher `rank` stays longer."""

    text: str
    rank: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A fenced part of a prompt, made by `newest` or `by_rank`.

    `weight`: its share of the room when there is too little for all. `none` stands there if there are no entries.
    """

    label: str
    entries: tuple[Entry, ...]
    weight: float = 1.0
    none: str = "(none)"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, its size in estimated tokens, and how many entries of each part were left out or shortened."""

    text: str
    tokens: int
    cut: dict[str, int] = field(default_factory=dict)


Piece = Part | str
"""Text of ours, that always stands, or a part with text of others."""


def one_line(text: str) -> str:
    """`text` with all white space, line breaks too, made single spaces: nobody can fake a line of a list."""
    return " ".join(text.split())


def _entry(text: str, rank: float) -> Entry:
    """An entry on one line that cannot hold a mark: quotes are compared by their words, so none is lost."""
    flat = one_line(text)
    return Entry(flat.translate(_NO_MARKS) if any(mark in flat for mark in _MARKS) else flat, rank)


def _fenced(label: str, text: str) -> str:
    return f"<{label}>\n{text}\n</{label}>"


def fitted(instructions: str, pieces: Iterable[Piece], budget: int) -> Prompt:
    """Instructions and pieces as one prompt of at most `budget` tokens, as far as our own text allows.

    Where there is too little room each part gets what it needs or its share by weight, whichever is less, and what
    the small ones leave over goes to the others. In a part the entries of highest rank stay, in their order.
    """
    given = list(pieces)
    parts = [piece for piece in given if isinstance(piece, Part)]
    fixed = tokens(instructions) + sum(tokens(p) if isinstance(p, str) else tokens(_fenced(p.label, "")) for p in given)
    rooms = dict(zip(map(id, parts), _rooms(parts, budget - fixed - len(given)), strict=True))
    cut: dict[str, int] = {}
    shown: list[str] = [f"{instructions.strip()}\n"]
    for piece in given:
        if isinstance(piece, str):
            shown.append(piece)
            continue
        text, lost = _fill(piece, rooms[id(piece)])
        shown.append(_fenced(piece.label, text))
        if lost:
            cut[piece.label] = lost
    whole = "\n".join(shown)
    return Prompt(whole, tokens(whole), cut)


def _size(part: Part) -> int:
    return sum(_line(entry.text) for entry in part.entries) or tokens(part.none)


def _line(text: str) -> int:
    return tokens(text) + 1


def _rooms(parts: Sequence[Part], room: int) -> list[int]:
    """How many tokens each part gets."""
    sizes = [_size(part) for part in parts]
    given = [0] * len(parts)
    open_weight = sum(part.weight for part in parts)
    for place in sorted(range(len(parts)), key=lambda i: (sizes[i] / parts[i].weight, i)):
        share = max(0, int(room * parts[place].weight / open_weight))
        given[place] = min(sizes[place], share)
        room -= given[place]
        open_weight -= parts[place].weight
    return given


def _fill(part: Part, room: int) -> tuple[str, int]:
    """The part's text in at most `room` tokens, and how many entries were left out or shortened."""
    if not part.entries:
        return part.none, 0
    if _size(part) <= room:
        return "\n".join(entry.text for entry in part.entries), 0
    kept: dict[int, str] = {}
    ranked = sorted(range(len(part.entries)), key=lambda i: (-part.entries[i].rank, -i))
    for place in ranked:
        text = part.entries[place].text
        if _line(text) > room:
            if room > _CLIP_LEAST:
                kept[place] = clipped(text, room - 1)
            break
        kept[place] = text
        room -= _line(text)
    whole = sum(text == part.entries[place].text for place, text in kept.items())
    return "\n".join(kept[place] for place in sorted(kept)), len(part.entries) - whole


def clipped(text: str, most: int) -> str:
    """`text` in at most `most` tokens: its beginning and its end, cut at spaces, with a mark between them."""
    if tokens(text) <= most:
        return text
    raw = text.encode("utf-8", "surrogatepass")
    half = max(0, (most - tokens(_LEFT_OUT)) * BYTES_A_TOKEN // 2)
    head = raw[:half].decode("utf-8", "ignore").rsplit(" ", 1)[0]
    tail = raw[len(raw) - half :].decode("utf-8", "ignore").split(" ", 1)[-1]
    return f"{head}{_LEFT_OUT}{tail}"


def newest(label: str, texts: Sequence[str], *, weight: float = 1.0, none: str = "(none)") -> Part:
    """A part of lines whose latest ones stay longest."""
    return by_rank(label, [(text, place) for place, text in enumerate(texts)], weight=weight, none=none)


def by_rank(label: str, ranked: Iterable[tuple[str, float]], *, weight: float = 1.0, none: str = "(none)") -> Part:
    """A part of lines, each with its rank: whose is higher stays longer."""
    return Part(label, tuple(_entry(text, rank) for text, rank in ranked), weight, none)
