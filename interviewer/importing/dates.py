"""When a conversation was held, as far as its file tells: in a header or note above it, else in the file's own name."""

import contextlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import takewhile

from interviewer.model.recorded import Dated, Format

_MONTHS = "january february march april may june july august september october november december".split()
_DAY_NAME = r"(?:[a-z]{3,9}\.?,? +)?"
_TIME = r"(?:,? +(?:at +)?(?P<h>\d{1,2}):(?P<min>\d{2})(?::\d{2})?(?: ?(?P<half>[ap])\.?m\.?)?)?"
_WORDED = tuple(
    re.compile(rf"{_DAY_NAME}{day}{_TIME}", re.IGNORECASE)
    for day in (
        r"(?P<mon>[a-z]{3,9})\.? +(?P<d>\d{1,2})(?:st|nd|rd|th)?,? +(?P<y>\d{4})",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\.? +(?P<mon>[a-z]{3,9})\.?,? +(?P<y>\d{4})",
    )
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?")
_MAIL = re.compile(r"(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})?(?: .{1,8})?")  # RFC 2822
_KEYS = (
    r"(?:recording |meeting |interview )?date(?: and time)?|recorded(?: on| at)?|held(?: on)?|created(?: on| at)?|"
    r"published(?: on)?|pubdate|start(?:ed)?(?: at| time)?"
)
_KEYED = re.compile(rf"\W*(?:WEBVTT\W+)?(?:NOTE\s+)?(?:{_KEYS})\b\**\s*[:=]?\**\s*(?P<date>\S.*)", re.IGNORECASE)
_STARTED = re.compile(r"(?P<date>[^•]{8,40})•\s*\d{1,3}:\d{2}.*")  # Otter: "Fri, Mar 07, 2025 3:10PM • 25:44"
_HEADED: dict[Format, int] = {"vtt": 100, "text": 12, "otter": 12, "markdown": 12}  # lines above the talk, at most
_LONGEST = 120
# A recorder's own names: ours, Zoom's (both in UTC), Teams' and everybody's.
_CALL = re.compile(r"c-(?P<date>\d{8})-(?P<time>\d{6})-[0-9a-f]{8}(?![0-9a-z])")
_ZOOM = re.compile(r"GMT(?P<date>\d{8})-(?P<time>\d{6})")
_NAMED = re.compile(
    r"(?<!\d)(?P<date>(?:19|20)\d{2}(?P<s>[-_.]?)\d{2}(?P=s)\d{2})"
    r"(?:[ T_-]{1,3}(?P<time>\d{2}[-_.:h]?\d{2}(?:[-_.:]?\d{2})?))?(?!\d)"
)
_META = re.compile(r"<meta\b[^<>]{0,500}>", re.IGNORECASE)
_META_NAME = re.compile(r"\b(?:name|property|itemprop)\s*=\s*[\"']?(?:article:)?([\w:.-]{1,40})", re.IGNORECASE)
_META_CONTENT = re.compile(r"\bcontent\s*=\s*[\"']([^\"'<>]{1,80})[\"']", re.IGNORECASE)
_TIME_MARK = re.compile(r"<time\b[^<>]{0,300}?\bdatetime\s*=\s*[\"']([^\"'<>]{1,80})[\"']", re.IGNORECASE)
_HEAD_CHARS = 50_000
_FIELDS = (
    "recorded_at recorded recording_date date held started_at start_date datetime created_at created date_published "
    "datepublished published_at published published_time pubdate"
).split()
"""Keys of a date, the day of the talk before that of its publication."""


def date_of(text: object) -> datetime | None:
    """The point in time that a whole text names; without a zone it is this machine's. None if it names none.

    ISO 8601, RFC 2822 (podcasts' `pubDate`), and a day with the month's English name. `3/1/2026` could be two days.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        return None
    told = " ".join(text.split()).strip(" .;\"'")
    with contextlib.suppress(ValueError, OverflowError, OSError, TypeError):
        if _ISO.fullmatch(told):
            return _zoned(datetime.fromisoformat(told.replace(" +", "+").replace(" Z", "Z")))
        if _MAIL.fullmatch(told):
            return _zoned(parsedate_to_datetime(told))
        found = next(filter(None, (pattern.fullmatch(told) for pattern in _WORDED)), None)
        months = [n for n, month in enumerate(_MONTHS, 1) if found and month.startswith(found["mon"].lower())]
        if found and months:
            hour = int(found["h"] or 0)
            hour = hour % 12 + 12 * (found["half"].lower() == "p") if found["half"] else hour
            return _zoned(datetime(int(found["y"]), months[0], int(found["d"]), hour, int(found["min"] or 0)))
    return None


def by_field(fields: Mapping[str, object]) -> Dated | None:
    """By a field of a header or object that names a date."""
    known = {str(name).casefold(): value for name, value in fields.items()}
    return next((Dated(at, f"the file's {name}") for name in _FIELDS if (at := date_of(known.get(name)))), None)


def in_page(text: str) -> Dated | None:
    """By `meta` and `time` of an HTML page."""
    head = text[:_HEAD_CHARS]
    pairs = ((_META_NAME.search(tag), _META_CONTENT.search(tag)) for tag in _META.findall(head))
    if dated := by_field({name[1]: content[1] for name, content in pairs if name and content}):
        return dated
    return next((Dated(at, "the page's time") for stamp in _TIME_MARK.findall(head) if (at := date_of(stamp))), None)


def above(text: str, chosen: Format) -> Dated | None:
    """By a line above the talk that names a date: WebVTT's header and notes, a line `Date: ...`, Otter's second one."""
    most = _HEADED.get(chosen, 0)
    lines = takewhile(lambda line: "-->" not in line, text.split("\n", most)[:most])
    return next((Dated(at, "a line above the talk") for line in lines if (at := date_in(line))), None)


def date_in(line: str) -> datetime | None:
    """The date of a line that holds nothing else, such as `Recorded: 1 March 2026`."""
    found = (_KEYED.fullmatch(line) or _STARTED.fullmatch(line)) if len(line) <= _LONGEST else None
    return date_of(found["date"].strip(" *")) if found else None


def in_name(name: str) -> Dated | None:
    """By the name of the file."""
    for pattern, zone in ((_CALL, _utc), (_ZOOM, _utc), (_NAMED, _zoned)):
        for found in pattern.finditer(name):
            digits = re.sub(r"\D", "", found["date"] + (found["time"] or "").ljust(6, "0"))
            with contextlib.suppress(ValueError, OverflowError, OSError):
                return Dated(zone(datetime.strptime(digits[:14].ljust(14, "0"), "%Y%m%d%H%M%S")), "the file's name")
    return None


def _zoned(at: datetime) -> datetime:
    return at if at.tzinfo else at.astimezone()


def _utc(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC)
