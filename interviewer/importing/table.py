"""CSV with named columns: who, what, and when if there is such a column."""

import csv
import io
from collections.abc import Mapping

from interviewer.errors import TranscriptError
from interviewer.importing.pieces import Parsed, Piece
from interviewer.importing.stamps import seconds_ms

_TEXTS = ("text", "utterance", "transcript", "content", "message", "body", "sentence", "words")
_SPEAKERS = ("speaker", "speaker_name", "speaker name", "name", "who", "participant", "author")
_ROLES = ("role", "speaker_role")
# Each with the ms of its unit.
_STARTS = {
    **dict.fromkeys(("start", "start_time", "start time", "starttime", "begin", "time", "timestamp", "from"), 1000.0),
    **dict.fromkeys(("started_ms", "start_ms"), 1.0),
}
_ENDS = {
    **dict.fromkeys(("end", "end_time", "end time", "endtime", "to"), 1000.0),
    **dict.fromkeys(("ended_ms", "end_ms"), 1.0),
}
_DELIMITERS = ",;\t|"


def delimiter(header: str) -> str:
    """What stands between the columns of a header that names speaker and text; empty if it is no such header."""
    for candidate in _DELIMITERS:
        names = {name.strip().strip('"').casefold() for name in header[:2_000].split(candidate)}
        if names & set(_TEXTS) and names & set(_SPEAKERS):
            return candidate
    return ""


def read_csv(text: str) -> Parsed:
    """A table. Raises TranscriptError naming the line, or the columns there are."""
    lead = len(text) - len(text.lstrip("\n"))
    between = delimiter(text[lead:].partition("\n")[0]) or ","
    reader = csv.DictReader(io.StringIO(text[lead:], newline=""), delimiter=between)
    parsed = Parsed([])
    try:
        names = {(name or "").strip().casefold(): name for name in reader.fieldnames or ()}
        columns = _columns(names)
        last_line = reader.line_num + lead
        for row in reader:
            first_line, last_line = last_line + 1, reader.line_num + lead
            parsed.pieces.append(_piece(row, columns, first_line, last_line, parsed))
    except csv.Error as error:
        raise TranscriptError(f"not the table it begins as: {error}", line=reader.line_num + lead) from None
    return parsed


_Columns = dict[str, tuple[str, float]]


def _columns(names: Mapping[str, str]) -> _Columns:
    wanted = {
        "text": dict.fromkeys(_TEXTS, 0.0),
        "speaker": dict.fromkeys(_SPEAKERS, 0.0),
        "role": dict.fromkeys(_ROLES, 0.0),
        "heard": {"heard": 0.0},
        "start": _STARTS,
        "end": _ENDS,
    }
    found = {
        what: next(((names[name], unit) for name, unit in known.items() if name in names), None)
        for what, known in wanted.items()
    }
    if not (found["text"] and found["speaker"]):
        there = ", ".join(filter(None, names))[:200]
        raise TranscriptError(f"a table has a column speaker and a column text; there are: {there}", line=1)
    return {what: column for what, column in found.items() if column}


def _piece(row: Mapping[str, str | None], columns: _Columns, line: int, last_line: int, parsed: Parsed) -> Piece:
    cells = {what: (row.get(name) or "").strip() for what, (name, _) in columns.items()}
    times = {what: seconds_ms(cells[what], columns[what][1]) for what in ("start", "end") if cells.get(what)}
    for what, at in times.items():
        if at is None:
            parsed.tell(line, f"{columns[what][0]}: no point in time: {cells[what][:40]!r}; it is derived")
    # An exported call tells what of the interviewer's words was heard; nothing else was said.
    text = cells["heard"] if cells["speaker"] == "interviewer" and "heard" in cells else cells["text"]
    # Our own export puts an apostrophe before what a spreadsheet would take for a formula.
    text = text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text
    return Piece(cells["speaker"], text, line, last_line, times.get("start"), times.get("end"), cells.get("role", ""))
