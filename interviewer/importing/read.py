"""Transcripts from files: one conversation, or as many as can be read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, get_args

from interviewer.errors import TranscriptError
from interviewer.importing.captions import read_srt, read_vtt
from interviewer.importing.dates import above, in_name
from interviewer.importing.detect import format_of
from interviewer.importing.load import load, text_of
from interviewer.importing.page import read_html
from interviewer.importing.pieces import Parsed
from interviewer.importing.prose import read_markdown, read_named, read_otter
from interviewer.importing.roles import interviewers
from interviewer.importing.segments import interviews, read_segments
from interviewer.importing.table import read_csv
from interviewer.importing.turns import Turn, turns_of
from interviewer.model.recorded import Format, Recorded, Utterance
from interviewer.model.turn import Speaker
from interviewer.settings import ImportSettings

_READERS: dict[Format, Callable[[str], Parsed]] = {
    "json": read_segments,
    "vtt": read_vtt,
    "srt": read_srt,
    "html": read_html,
    "markdown": read_markdown,
    "csv": read_csv,
    "otter": read_otter,
    "text": read_named,
}


class Transcripts(NamedTuple):
    """What came of several files: the conversations, in order, and an error for each that could not be read."""

    good: tuple[Recorded, ...]
    failures: tuple[TranscriptError, ...]


def read_transcript(
    path: Path,
    *,
    which: str = "",
    speakers: Mapping[str, Speaker] | None = None,
    format: Format | None = None,  # noqa: A002  what a caller would call it
    encoding: str = "",
    settings: ImportSettings | None = None,
) -> Recorded:
    """The conversation in the file at `path`.

    `which` names one where a file of JSON lines holds several (default: the first). `speakers` gives roles by name
    (`{"Anna": "interviewer"}`, all others are then guests); without it they are guessed. `format` and `encoding`
    (a Python codec) count instead of what the file looks like.

    Raises TranscriptError naming file and line.
    """
    seen: list[str] = []
    for parsed, file in _conversations(path, format, encoding, settings or ImportSettings()):
        if isinstance(parsed, TranscriptError):
            if not which:
                raise parsed
        elif not which or file.name_of(parsed) == which:
            return file.settled(parsed, speakers or {})
        else:
            seen.append(file.name_of(parsed))
    raise TranscriptError(f"it holds no interview {which!r}; there are: {', '.join(seen[:8])}", path)


def read_transcripts(
    paths: Iterable[Path],
    *,
    speakers: Mapping[str, Speaker] | None = None,
    format: Format | None = None,  # noqa: A002
    encoding: str = "",
    settings: ImportSettings | None = None,
) -> Transcripts:
    """All conversations of the files at `paths`, also of those that hold several; see `read_transcript`.

    What cannot be read does not stop the others. `speakers` may name people who are in some of the files only.
    """
    good: list[Recorded] = []
    failures: list[TranscriptError] = []
    for path in paths:
        try:
            for parsed, file in _conversations(path, format, encoding, settings or ImportSettings()):
                try:
                    good.append(file.settled(parsed, speakers or {}, known_only=True))
                except TranscriptError as error:
                    failures.append(error)
        except TranscriptError as error:
            failures.append(error)
    return Transcripts(tuple(good), tuple(failures))


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    format: Format
    encoding: str
    settings: ImportSettings

    def name_of(self, parsed: Parsed) -> str:
        return parsed.id or self.path.stem

    def settled(
        self, parsed: Parsed | TranscriptError, speakers: Mapping[str, Speaker], *, known_only: bool = False
    ) -> Recorded:
        """The conversation with its turns and roles. With `known_only` unknown names in `speakers` do not count."""
        if isinstance(parsed, TranscriptError):
            raise parsed
        turns = turns_of(parsed, self.settings)
        names = tuple(dict.fromkeys(turn.speaker for turn in turns))
        if not turns or (self.format == "text" and not _are_speakers(names, parsed, speakers)):
            raise TranscriptError(_no_transcript(self.format, names), self.path)
        if known_only:
            there = {name.casefold() for name in names}
            speakers = {name: role for name, role in speakers.items() if name.strip().casefold() in there}
        try:
            asking, guess = interviewers(turns, parsed.guests, speakers, self.settings)
        except TranscriptError as error:
            raise TranscriptError(error.problem, self.path) from None
        return Recorded(
            id=self.name_of(parsed),
            file=str(self.path),
            format=self.format,
            encoding=self.encoding,
            title=parsed.title,
            turns=tuple(_utterance(number, turn, asking) for number, turn in enumerate(turns, 1)),
            interviewers=tuple(name for name in names if name in asking),
            guests=tuple(name for name in names if name not in asking),
            guess=guess,
            problems=tuple(parsed.problems),
            dated=parsed.dated,
        )


def _utterance(number: int, turn: Turn, asking: frozenset[str]) -> Utterance:
    role: Speaker = "interviewer" if turn.speaker in asking else "guest"
    return Utterance(f"t{number}", turn.speaker, role, turn.text, turn.start_ms, turn.end_ms, turn.times, turn.lines)


def _conversations(
    path: Path, wanted: Format | None, encoding: str, settings: ImportSettings
) -> Iterator[tuple[Parsed | TranscriptError, _File]]:
    if wanted is not None and wanted not in get_args(Format):
        raise TranscriptError(f"there is no format {wanted!r}; there are: {', '.join(get_args(Format))}", path)
    text, read_as = text_of(load(path, settings.most_bytes), path, encoding)
    if not text.strip():
        raise TranscriptError("it is no transcript: the file is empty", path)
    file = _File(path, wanted or format_of(text, path.suffix), read_as, settings)
    for parsed in _parsed(text, file.format):
        if isinstance(parsed, TranscriptError):
            parsed = TranscriptError(parsed.problem, path, parsed.line)
        else:
            parsed.dated = parsed.dated or above(text, file.format) or in_name(path.name)
        yield parsed, file


def _parsed(text: str, chosen: Format) -> Iterator[Parsed | TranscriptError]:
    if chosen == "jsonl":
        yield from interviews(text)
        return
    try:
        yield _READERS[chosen](text)
    except TranscriptError as error:
        yield error


def _are_speakers(names: Sequence[str], parsed: Parsed, speakers: Mapping[str, Speaker]) -> bool:
    """Whether the names of plain text are people: two are; one is if that was said, or it begins half of them."""
    if len(names) != 1:
        return bool(names)
    beginning = sum(piece.speaker == names[0] for piece in parsed.pieces)
    said = names[0].casefold() in {name.strip().casefold() for name in speakers}
    return said or (beginning > 1 and 2 * beginning >= len(parsed.pieces))


def _no_transcript(chosen: Format, names: Sequence[str]) -> str:
    if chosen == "text" and names:
        return (
            f"it is no transcript: one name alone, {names[0]!r}, begins few lines of it; if that is who speaks, say "
            f"so: guest={names[0]}"
        )
    if chosen == "text":
        return "it is no transcript: each turn begins with a name and a colon, such as 'Anna: How so?'"
    return f"it holds nothing that was said, read as {chosen}; another format can be named"
