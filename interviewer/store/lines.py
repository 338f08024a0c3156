"""One line of a journal: a record with a number and a checksum, as UTF-8 JSON."""

import json
import re
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_ascii = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
_sorted = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True).encode
_sorted_ascii = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True).encode

_CHECK = re.compile(rb',"c":"([0-9a-f]{8})"\}')
_CHECK_LENGTH = len(b',"c":"00000000"}')
_START = re.compile(rb'\{"n":\d+,"k":"')


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line: its number `n`, what it holds, and on which line of the file it stands."""

    n: int
    kind: str
    t_ms: int
    data: dict[str, Any]
    line_number: int


def encode(n: int, kind: str, t_ms: int, data: Any) -> bytes:
    """The line with its line end. Raises TypeError or ValueError for what JSON cannot hold."""
    try:
        body = f'{{"n":{n},"k":{_compact(kind)},"t":{t_ms},"d":{_compact(data)}'.encode()
    except UnicodeEncodeError:  # half a character: escapes keep it, and the file stays UTF-8
        body = f'{{"n":{n},"k":{_ascii(kind)},"t":{t_ms},"d":{_ascii(data)}'.encode()
    return b'%b,"c":"%08x"}\n' % (body, zlib.crc32(body))


def decode(raw: bytes, line_number: int) -> Line | str:
    """The record in `raw`, a line without its end, or why it cannot be trusted."""
    check = _CHECK.fullmatch(raw, max(0, len(raw) - _CHECK_LENGTH))
    if check is None:
        return "not a whole journal line"
    if int(check[1], 16) != zlib.crc32(raw[:-_CHECK_LENGTH]):
        return "the checksum does not match"
    try:
        record = json.loads(raw)
        n, kind, t_ms, data = record["n"], record["k"], record["t"], record["d"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "not a journal line, although its checksum matches"
    if type(n) is not int or type(kind) is not str or type(t_ms) is not int or type(data) is not dict:
        return "not a journal line, although its checksum matches"
    return Line(n, kind, t_ms, data, line_number)


def rescue(raw: bytes, line_number: int) -> list[Line]:
    """Whole records inside a damaged line: a damaged line end glues two of them together."""
    starts = [match.start() for match in _START.finditer(raw)]
    found = []
    for start, end in pairwise([*starts, len(raw)]):
        piece = raw[start:end]
        tries = (decode(piece[: check.end()], line_number) for check in _CHECK.finditer(piece))
        found += [line for line in tries if isinstance(line, Line)][:1]
    return found


def canonical_line(line: Line) -> str:
    """The record without number and checksum, with sorted keys: equal records give equal text."""
    record = {"k": line.kind, "t": line.t_ms, "d": line.data}
    text = _sorted(record)
    try:
        text.encode()
    except UnicodeEncodeError:
        return _sorted_ascii(record)
    return text
