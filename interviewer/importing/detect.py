"""Which format a text is in: by what stands in it; the file's ending decides only where that leaves it open."""

import json
import re

from interviewer.importing.captions import TIMING
from interviewer.importing.prose import BOLD, HEAD
from interviewer.importing.table import delimiter
from interviewer.model.recorded import Format

_PAGE = re.compile(
    r"\s*<(?:!doctype html|!--|html|head|body|article|section|div|cite|time|p|title|h1)\b", re.IGNORECASE
)
_VTT = re.compile(r"\s*WEBVTT(?=\s|$)")
_JSON = re.compile(r"\s*(?:\{|\[\s*[{\]])")
_ENDINGS: dict[str, Format] = {
    ".vtt": "vtt",
    ".srt": "srt",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".jsonl": "jsonl",
}
_FIRST_LINES = 400
_INTERVIEWS_LOOKED_AT = 5


def format_of(text: str, ending: str) -> Format:
    """The format of a text; `ending` is the file's, such as `.vtt`. What is none of the others is plain text."""
    if _VTT.match(text):
        return "vtt"
    if _JSON.match(text):
        return "jsonl" if _has_interviews(text) else "json"
    if _PAGE.match(text):
        return "html"
    lines = text.split("\n", _FIRST_LINES)[:_FIRST_LINES]
    if any(map(TIMING.match, lines)):
        return "vtt" if ending == ".vtt" else "srt"
    if delimiter(next((line for line in lines if line.strip()), "")):
        return "csv"
    if text.startswith("---\n") or any(map(BOLD.match, lines)):
        return "markdown"
    if sum(bool(HEAD.fullmatch(line)) for line in lines) >= 2:
        return "otter"
    return _ENDINGS.get(ending.lower(), "text")


def _has_interviews(text: str) -> bool:
    looked_at = 0
    for line in text.split("\n"):
        if line.strip():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict) and "turns" in found:
                return True
            looked_at += 1
        if looked_at == _INTERVIEWS_LOOKED_AT:
            break
    return False
