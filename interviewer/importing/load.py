"""From the bytes of a file to its text."""

import codecs
from pathlib import Path

import charset_normalizer

from interviewer.errors import TranscriptError

# UTF-32 before UTF-16, whose mark begins like it.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 65_536
_WESTERN = "cp1252"


def load(path: Path, most_bytes: int) -> bytes:
    """The bytes of the file at `path`. Raises TranscriptError if it cannot be read or is larger than `most_bytes`."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else str(error)
        raise TranscriptError(f"cannot read the transcript {path}: {problem}") from None
    if len(data) > most_bytes:
        raise TranscriptError(f"over {most_bytes / 1e6:g} MB are no transcript (importing.most_bytes)", path)
    return data


def text_of(data: bytes, path: Path, encoding: str = "") -> tuple[str, str]:
    """(text, encoding) of a file's bytes; lines end with a line feed only.

    A byte order mark tells the encoding, else `encoding`; without both it is UTF-8 if it can be, else Windows-1252 or
    what the letters look like. Raises TranscriptError if it is no text.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    name = marked or encoding or _encoding(data)
    try:
        text = data.decode(name)
    except LookupError:
        raise TranscriptError(f"there is no encoding {name!r}; try utf-8, utf-16 or cp1252", path) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TranscriptError(f"it is not text in {name}", path, line) from None
    except ValueError as error:
        raise TranscriptError(f"it is not text in {name}: {error}", path) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise TranscriptError("it is no text file: it holds zero bytes", path, line)
    return text.replace("\r\n", "\n").replace("\r", "\n"), "utf-8" if name == "utf-8-sig" else name


def _encoding(data: bytes) -> str:
    head = data[:_SAMPLE]
    # Text of mostly Latin letters in UTF-16 has a zero in every second byte.
    for place, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[place::2].count(0) > len(head) // 4:
            return name
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = charset_normalizer.from_bytes(data[max(0, error.start - _SAMPLE // 2) :][:_SAMPLE])
    else:
        return "utf-8"
    best = found.best()
    # Its Western code pages differ in a few letters only; of them the one of Windows is by far the most used.
    western = any(_WESTERN in match.could_be_from_charset for match in found)
    return _WESTERN if western or best is None else best.encoding
