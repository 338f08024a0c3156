"""Points in time as transcripts write them, in milliseconds."""

import math
import re

# Hours of a file are few: longer numbers are something else, and a huge number takes long to read.
STAMP = r"(?:\d{1,4}:)?\d{1,3}:\d{1,2}(?:[.,]\d{1,9})?"
_STAMP = re.compile(r"(?:(?P<h>\d{1,4}):)?(?P<m>\d{1,3}):(?P<s>\d{1,2})(?:[.,](?P<f>\d{1,9}))?")
_MOST_MS = 10_000 * 3_600_000


def stamp_ms(text: str) -> int | None:
    """`1:02:03.5`, `02:03`, `00:02:03,500` in ms; None if it is no point in time."""
    found = _STAMP.fullmatch(text.strip())
    if not found or int(found["s"]) > 59 or (found["h"] and int(found["m"]) > 59):
        return None
    whole = (int(found["h"] or 0) * 60 + int(found["m"])) * 60 + int(found["s"])
    return whole * 1000 + int((found["f"] or "").ljust(3, "0")[:3])


def seconds_ms(value: object, unit_ms: float = 1000) -> int | None:
    """A number, or text that is one, of seconds (or units of `unit_ms`) in ms, or a stamp; None if it is neither."""
    if isinstance(value, str):
        if (stamped := stamp_ms(value)) is not None:
            return stamped
        try:
            value = float(value.replace(",", "."))
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        ms = float(value) * unit_ms
    except OverflowError:
        return None
    return round(ms) if math.isfinite(ms) and 0 <= ms <= _MOST_MS else None
