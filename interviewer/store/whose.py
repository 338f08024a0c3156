"""Whose lines a journal's are, also where its head is damaged and the file was renamed."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from interviewer.store.lines import HEAD, call_seal, check_of, fits, rescue, seal_of

_SAMPLE: Final = 50  # lines that tell whose a journal is
_HEAD_BYTES: Final = 4_096
_LONGEST: Final = 100  # characters of an id
_POLYNOMIAL: Final = 0xEDB88320  # of CRC-32, as zlib has it
_QUOTED: Final = (b"2", b"b")  # characters of ids that one flipped bit makes a quotation mark


def whose(pieces: Sequence[bytes], first: bytes, path: Path) -> tuple[int, str]:
    """The seal of these lines, and the id of their call if the head does not tell it; `first` is the first line.

    What the head says, unless it is damaged or of another call than the lines after it; then what the file's name
    says, or what is left of the head's text, put right by a bit.
    """
    heads = (head for piece in pieces if HEAD in piece for head in rescue(piece, 0) if head.kind == "head")
    head = next(heads, None)
    sample = [piece for piece in pieces if not piece.startswith(HEAD)][:_SAMPLE]
    seals = [*([seal_of(head.data)] if head else []), call_seal(path.stem), 0]
    best = max(seals, key=lambda seal: sum(fits(piece, seal) for piece in sample))
    if not sample or any(fits(piece, best) for piece in sample):
        return best, ""
    seal = _common_seal(sample)
    names = (*_beginnings(path.stem.encode()), *_names(first[:_HEAD_BYTES]))
    call_id = next((name for name in names if zlib.crc32(name) == seal), b"")
    return (seal, call_id.decode("utf-8", "replace")) if call_id and seal else (best, "")


def _common_seal(lines: Sequence[bytes]) -> int | None:
    """The seal that most of these lines have, reckoned back from their checksums."""
    found = Counter(_seal_of_line(*parts) for line in lines if (parts := check_of(line)))
    return found.most_common(1)[0][0] if found else None


def _seal_of_line(body: bytes, checksum: int) -> int:
    """CRC-32 backwards: the value it went on from."""
    value = checksum ^ 0xFFFFFFFF
    for byte in reversed(body):
        index = _BACK[value >> 24]
        value = ((value ^ _TABLE[index]) << 8 | (index ^ byte)) & 0xFFFFFFFF
    return value ^ 0xFFFFFFFF


def _names(head: bytes) -> Iterator[bytes]:
    """What the id may have been in a damaged head: every piece between quotation marks, with any one bit flipped."""
    pieces = head.split(b'"')
    for one, other in zip(pieces, [*pieces[1:], b""], strict=True):
        yield from (one + mark + other for mark in _QUOTED)
        yield from (*_beginnings(one), *(one[at:] for at in range(1, min(3, len(one)))))
        if len(one) <= _LONGEST:
            yield from (_flipped(one, bit) for bit in range(8 * len(one)))


def _beginnings(name: bytes) -> Iterator[bytes]:
    """The name and all it begins with, the longest first: a copy's name is longer."""
    return (name[:end] for end in range(min(len(name), _LONGEST), 0, -1))


def _flipped(name: bytes, bit: int) -> bytes:
    at = bit // 8
    return name[:at] + bytes([name[at] ^ 1 << bit % 8]) + name[at + 1 :]


def _entry(index: int) -> int:
    for _ in range(8):
        index = index >> 1 ^ (_POLYNOMIAL if index & 1 else 0)
    return index


_TABLE: Final = [_entry(index) for index in range(256)]
_BACK: Final = {entry >> 24: index for index, entry in enumerate(_TABLE)}
