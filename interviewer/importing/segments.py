"""JSON: our own interviews, one a line; Podcasting 2.0's segments; what Whisper and its kin write."""

import json
from collections.abc import Iterator, Mapping
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from interviewer.errors import TranscriptError
from interviewer.importing.dates import by_field
from interviewer.importing.names import by_prefix
from interviewer.importing.pieces import Parsed, Piece
from interviewer.importing.stamps import seconds_ms

_DECODER = json.JSONDecoder()
_LISTS = ("turns", "segments", "transcription")
_BROKEN = (ValueError, RecursionError)


def interviews(text: str) -> Iterator[Parsed | TranscriptError]:
    """Every interview of a file of JSON lines with `turns`, or the error of the line that has none."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield _interview(line, number)
        except TranscriptError as error:
            yield error


def read_segments(text: str) -> Parsed:
    """One JSON value: an object with `segments`, `turns` or `transcription`, or a list of segments.

    Raises TranscriptError naming the line.
    """
    found = _value(text, 1)
    if isinstance(found, dict) and isinstance(found.get("turns"), list):
        return _of_turns(found, _elements(text, "turns", found["turns"]))
    name = next((name for name in _LISTS if isinstance(found, dict) and isinstance(found.get(name), list)), "")
    listed = found if isinstance(found, list) else found.get(name) if isinstance(found, dict) else None
    if not isinstance(listed, list):
        there = f"; there are: {', '.join(found)[:200]}" if isinstance(found, dict) else ""
        raise TranscriptError(f"a transcript in JSON has turns, segments or transcription{there}", line=1)
    parsed = Parsed([], dated=by_field(found) if isinstance(found, dict) else None)
    for element, line, last_line in _elements(text, name, listed):
        if not isinstance(element, dict):
            raise TranscriptError("a segment is an object with a text and times", line=line)
        parsed.pieces += _segment(element, line, last_line, parsed)
    if not any(piece.speaker for piece in parsed.pieces):
        parsed.pieces = list(by_prefix(parsed.pieces))
    return parsed


def _interview(line: str, number: int) -> Parsed:
    found = _value(line, number)
    if not isinstance(found, dict) or not isinstance(found.get("turns"), list):
        raise TranscriptError("an interview has id and turns of speaker, text", line=number)
    return _of_turns(found, ((turn, number, number) for turn in found["turns"]))


def _value(text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(f"no JSON: {error.msg}, column {error.colno}", line=line + error.lineno - 1) from None
    except _BROKEN as error:
        raise TranscriptError(f"no JSON that can be read: {type(error).__name__}", line=line) from None


def _of_turns(found: Mapping[str, Any], turns: Iterator[tuple[Any, int, int]]) -> Parsed:
    parsed = Parsed([], id=_text(found.get("id")), title=_text(found.get("title")), dated=by_field(_call(found)))
    for turn, line, last_line in turns:
        if not isinstance(turn, dict) or "text" not in turn or not {"speaker", "role"} & turn.keys():
            raise TranscriptError("an interview has id and turns of speaker, text: a turn lacks one", line=line)
        start_ms, end_ms = (seconds_ms(turn.get(name), 1) for name in ("started_ms", "ended_ms"))
        role = _text(turn.get("role"))
        speaker = _text(turn.get("speaker")) or role
        # An exported call tells what of the interviewer's words was heard; nothing else was said.
        text = _text(turn["heard"] if speaker == "interviewer" and "heard" in turn else turn["text"])
        parsed.pieces.append(Piece(speaker, text, line, last_line, start_ms, end_ms, role, turn=True))
    return parsed


def _call(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """What says when it was: of an exported call its own row."""
    calls = found.get("calls")
    return calls[0] if isinstance(calls, list) and calls and isinstance(calls[0], dict) else found


def _segment(segment: Mapping[str, Any], line: int, last_line: int, parsed: Parsed) -> Iterator[Piece]:
    if "body" in segment:  # Podcasting 2.0
        text, times = segment["body"], (segment.get("startTime"), segment.get("endTime"))
        at = [seconds_ms(value) for value in times]
    elif isinstance(offsets := segment.get("offsets"), dict):  # whisper.cpp, in ms
        text, times = segment.get("text"), (offsets.get("from"), offsets.get("to"))
        at = [seconds_ms(value, 1) for value in times]
    else:
        text, times = segment.get("text"), (segment.get("start"), segment.get("end"))
        at = [seconds_ms(value) for value in times]
    if not isinstance(text, str):
        raise TranscriptError("a segment has a text or body", line=line)
    for value, read in zip(times, at, strict=True):
        if value is not None and read is None:
            parsed.tell(line, f"no point in time: {_text(value)[:40]!r}; it is derived")
    speaker = _text(segment.get("speaker"))
    words = segment.get("words")
    runs = list(_by_word(words, speaker)) if isinstance(words, list) else []
    if len({run.speaker for run in runs}) > 1:
        for run in runs:
            run.line, run.last_line = line, last_line
            yield run
    else:
        yield Piece(speaker or (runs[0].speaker if runs else ""), text, line, last_line, at[0], at[1])


def _by_word(words: list[Any], speaker: str) -> Iterator[Piece]:
    """Runs of words of one speaker, as whisperX tells them; a word without one is the last one's."""
    known = [word for word in words if isinstance(word, dict) and isinstance(word.get("word"), str)]
    speakers = accumulate(
        (_text(word.get("speaker")) for word in known), lambda last, own: own or last, initial=speaker
    )
    for who, run in groupby(zip(list(speakers)[1:], known, strict=True), key=itemgetter(0)):
        said = [word for _, word in run]
        # The words of some bring their space along, those of others do not.
        text = " ".join(word["word"].strip() for word in said)
        ends = [at for word in said if (at := seconds_ms(word.get("end"))) is not None]
        yield Piece(who, text, 0, 0, seconds_ms(said[0].get("start")), ends[-1] if ends else None)


def _elements(text: str, name: str, listed: list[Any]) -> Iterator[tuple[Any, int, int]]:
    """(element, first line, last line) of the list, read once more for the sake of its lines; 1 where that fails."""
    at = text.find("[", text.find(f'"{name}"') + len(name) + 2 if name else 0) + 1
    line, last_line, counted_to, lost = 1, 1, 0, False
    for element in listed:
        begin = at
        while text[begin : begin + 1] in (" ", "\n", "\t", ","):
            begin += 1
        try:
            end = begin if lost else _DECODER.raw_decode(text, begin)[1]
        except _BROKEN:
            lost = True
        if lost:
            yield element, 1, 1
            continue
        line = last_line + text.count("\n", counted_to, begin)
        last_line = line + text.count("\n", begin, end)
        yield element, line, last_line
        counted_to = at = end


def _text(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) else ""
