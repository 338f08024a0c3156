"""One line of a journal: a record with a number and a checksum, as UTF-8 JSON.

The checksum is a CRC-32 of the line up to it. It goes on from the journal's `seal`, which stands for the call: a line
of another call has the wrong one. The head, which names the call, goes on from 0, and so do all lines of format 1.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pydantic_core import from_json

from interviewer.model.characters import whole

_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_sorted = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True).encode

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_CHECK = re.compile(rb',"c":"([0-9a-f]{8})"\}')
_CHECK_LENGTH = len(b',"c":"00000000"}')
HEAD = b'{"n":1,"k":"head"'
_FIRST = re.compile(rb'\{"n":(\d+),"k":"(\w+)","t":(\d+),"d":(?:\{"(?:kind|type)":"([\w.]+)")?')
_START = re.compile(rb'\{"n":\d+,"k":"')


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line: its number `n`, what it holds, and on which line of the file it stands."""

    n: int
    kind: str
    t_ms: int
    data: dict[str, Any]
    line_number: int


def seal_of(head: Mapping[str, Any]) -> int:
    """The seal of the lines under this head."""
    return call_seal(head.get("call_id")) if head.get("format") != 1 else 0


def call_seal(call_id: object) -> int:
    """The seal of a call's lines from format 2 on; 0 without an id."""
    return zlib.crc32(call_id.encode("utf-8", "replace")) if isinstance(call_id, str) else 0


def encode(n: int, kind: str, t_ms: int, data: Any, seal: int = 0) -> bytes:
    """The line with its line end, with U+FFFD for half a character. Raises TypeError or ValueError if it is no JSON."""
    text = f'{{"n":{n},"k":{_compact(kind)},"t":{t_ms},"d":{_compact(data)}'
    try:
        body = text.encode()
    except UnicodeEncodeError:
        body = whole(text).encode()
    return b'%b,"c":"%08x"}\n' % (body, zlib.crc32(body, seal))


def fits(raw: bytes, seal: int) -> bool:
    """Whether `raw`, a line without its end, has a checksum that goes on from this seal."""
    check = check_of(raw)
    return check is not None and check[1] == zlib.crc32(check[0], seal)


def check_of(raw: bytes) -> tuple[bytes, int] | None:
    """What a line's checksum is of, and the checksum; None if it is no whole line."""
    check = _CHECK.fullmatch(raw, max(0, len(raw) - _CHECK_LENGTH))
    return (raw[:-_CHECK_LENGTH], int(check[1], 16)) if check else None


def decode(raw: bytes, line_number: int, seal: int = 0, parts: frozenset[bytes] = frozenset()) -> Line | str:
    """The record in `raw`, a line without its end, or why it cannot be trusted.

    With `parts`, kinds such as `in` and `rec/turn`, the data of all others is not read and stays empty.
    """
    if not raw.endswith(b',"c":"%08x"}' % zlib.crc32(raw[:-_CHECK_LENGTH], 0 if raw.startswith(HEAD) else seal)):
        is_whole = _CHECK.fullmatch(raw, max(0, len(raw) - _CHECK_LENGTH))
        return "the checksum does not match" if is_whole else "not a whole journal line"
    if parts and (start := _FIRST.match(raw)) and not _is_one_of(start, parts):
        return Line(int(start[1]), start[2].decode(), int(start[3]), {}, line_number)
    try:
        # Lines of earlier versions may hold half a character as an escape.
        half = b"\\u" in raw and _HALF.search(raw)
        record = _mended(json.loads(raw)) if half else from_json(raw, cache_strings="keys")
        n, kind, t_ms, data = record["n"], record["k"], record["t"], record["d"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "not a journal line, although its checksum matches"
    if type(n) is not int or type(kind) is not str or type(t_ms) is not int or type(data) is not dict:
        return "not a journal line, although its checksum matches"
    return Line(n, kind, t_ms, data, line_number)


def places_of(raw: bytes, parts: frozenset[bytes]) -> list[tuple[int, int]]:
    """Where lines of these kinds begin and end in a whole journal; the journal is gone through once, for their starts.

    A kind with a slash is a part of one. The last line counts only if its end is there.
    """
    plain = b"|".join(sorted(re.escape(part) for part in parts if b"/" not in part))
    split = sorted(part.split(b"/", 1) for part in parts if b"/" in part)
    more = b"|".join(rb'%b","t":\d+,"d":\{"(?:kind|type)":"%b' % (re.escape(k), re.escape(p)) for k, p in split)
    # With a line end before the first line too, each begins with the same bytes, which are quickly found.
    begins = re.compile(rb'\n\{"n":\d+,"k":"(?:(?:%b)"|(?:%b)")' % (plain or b"(?!)", more or b"(?!)"))
    starts = (match.start() for match in begins.finditer(b"\n" + raw))
    return [(start, end) for start in starts if (end := raw.find(b"\n", start)) >= 0]


def places_holding(raw: bytes, texts: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Where the lines of a whole journal begin and end that hold one of these, each as often as it is found."""
    for text in texts:
        at = raw.find(text)
        while at >= 0 and (end := raw.find(b"\n", at)) >= 0:
            yield raw.rfind(b"\n", 0, at) + 1, end
            at = raw.find(text, end)


def _is_one_of(start: re.Match[bytes], parts: frozenset[bytes]) -> bool:
    kind, more = start[2], start[4]
    return kind in parts or (more is not None and kind + b"/" + more in parts)


def rescue(raw: bytes, line_number: int, seal: int = 0) -> list[Line]:
    """Whole records inside a damaged line: a damaged line end glues two of them together."""
    starts = [match.start() for match in _START.finditer(raw)]
    found = []
    for start, end in pairwise([*starts, len(raw)]):
        piece = raw[start:end]
        tries = (decode(piece[: check.end()], line_number, seal) for check in _CHECK.finditer(piece))
        found += [line for line in tries if isinstance(line, Line)][:1]
    return found


def canonical_line(line: Line) -> str:
    """The record without number and checksum, with sorted keys: equal records give equal text."""
    record = {"k": line.kind, "t": line.t_ms, "d": line.data}
    return _sorted(record)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole(key): _mended(part) for key, part in value.items()}
    return [_mended(part) for part in value] if isinstance(value, list) else value
