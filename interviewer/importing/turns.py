"""From pieces to turns: who goes on speaking, what belongs together, and times where the file has none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interviewer.importing.pieces import Parsed, Piece
from interviewer.model.recorded import Times
from interviewer.settings import ImportSettings

UNKNOWN = "Unknown speaker"


@dataclass(slots=True)
class Turn:
    """What one person said in one go; `role` is what the file calls them."""

    speaker: str
    role: str
    parts: list[str]
    joint: str
    start_ms: int
    end_ms: int
    times: Times
    lines: tuple[int, int]

    @property
    def text(self) -> str:
        """All of it; adding to it bit by bit would take quadratic time."""
        return self.joint.join(self.parts)


def turns_of(parsed: Parsed, settings: ImportSettings) -> list[Turn]:
    """The turns of a conversation, in order of time. Problems are added to `parsed`."""
    pieces = _ordered(_named(parsed), parsed)
    turns: list[Turn] = []
    whole: Piece | None = None
    for piece, turn in zip(pieces, _timed(pieces, parsed.joint, settings), strict=True):
        last = turns[-1] if turns and settings.merge else None
        joins = last is not None and last.speaker == turn.speaker and not (piece.turn or (whole and whole.turn))
        if last is not None and joins and _near(last, turn, settings):
            _join(last, turn)
        else:
            turns.append(turn)
        whole = piece
    return turns


def _named(parsed: Parsed) -> list[Piece]:
    """The pieces that have words, each with its speaker: where none is named, the one before goes on."""
    spelled: dict[str, str] = {}
    named: list[Piece] = []
    begun: Piece | None = None  # a name, perhaps with a time, whose words come in the next piece
    speaker, unnamed = "", []
    for piece in parsed.pieces:
        piece.speaker, piece.text = _sound(piece.speaker), _sound(piece.text)
        if begun is not None and not piece.speaker and piece.start_ms is None:
            piece.start_ms, piece.line = begun.start_ms, begun.line
        if piece.speaker:
            speaker = spelled.setdefault(piece.speaker.casefold(), piece.speaker)
        elif piece.text and begun is None:
            unnamed.append(piece.line)
        begun = piece if piece.speaker and not piece.text else None
        piece.speaker = speaker or UNKNOWN
        if piece.text:
            named.append(piece)
    if unnamed and not spelled:
        parsed.tell(0, "it names no speaker: all of it is one person's")
    elif unnamed and parsed.joint == " ":
        more = f" and {len(unnamed) - 1} times more" if len(unnamed) > 1 else ""
        parsed.tell(unnamed[0], f"no speaker is named here{more}; the one before goes on")
    return named


def _sound(text: str) -> str:
    """Without half characters and NUL, which JSON may hold as escapes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()


def _ordered(pieces: list[Piece], parsed: Parsed) -> list[Piece]:
    """In order of time if all have one; else a time that goes backwards counts as none."""
    starts = [piece.start_ms for piece in pieces if piece.start_ms is not None]
    if all(before <= after for before, after in pairwise(starts)):
        return pieces
    if len(starts) == len(pieces):
        parsed.tell(0, "it is not in order of time: it was put in order")
        return sorted(pieces, key=lambda piece: piece.start_ms or 0)
    latest = 0
    for piece in pieces:
        if piece.start_ms is not None and piece.start_ms < latest:
            parsed.tell(piece.line, "the time is before the one above it; it is derived")
            piece.start_ms = None
        latest = max(latest, piece.start_ms or 0)
    return pieces


def _timed(pieces: Sequence[Piece], joint: str, settings: ImportSettings) -> Iterator[Turn]:
    """Each piece with times. Between two known ones they go by words, no slower than `slowest_wpm`."""
    usual, slowest = 60_000 / settings.words_per_minute, 60_000 / settings.slowest_wpm
    at = 0.0
    place = 0
    while place < len(pieces):
        first = pieces[place]
        at = at if first.start_ms is None else first.start_ms
        if first.start_ms is not None and first.end_ms is not None:
            yield _turn(first, joint, at, first.end_ms, "file")
            at, place = max(at, first.end_ms), place + 1
            continue
        until = place + 1
        while until < len(pieces) and pieces[until].start_ms is None:
            until += 1
        run = pieces[place:until]
        per_word = usual
        if until < len(pieces):
            room = (pieces[until].start_ms or 0) - at
            per_word = min(slowest, max(0.0, room) / sum(map(_words, run)))
        for piece in run:
            end = at + _words(piece) * per_word if piece.end_ms is None else max(at, piece.end_ms)
            yield _turn(piece, joint, at, end, "words" if piece.start_ms is None else "start")
            at = end
        place = until


def _turn(piece: Piece, joint: str, start: float, end: float, times: Times) -> Turn:
    lines = (piece.line, piece.last_line)
    return Turn(piece.speaker, piece.role, [piece.text], joint, round(start), round(end), times, lines)


def _words(piece: Piece) -> int:
    return max(1, len(piece.text.split()))


def _near(last: Turn, turn: Turn, settings: ImportSettings) -> bool:
    return not settings.merge_gap_ms or turn.start_ms - last.end_ms <= settings.merge_gap_ms


def _join(last: Turn, turn: Turn) -> None:
    last.parts += turn.parts
    last.end_ms = max(last.end_ms, turn.end_ms)
    last.lines = (min(last.lines[0], turn.lines[0]), max(last.lines[1], turn.lines[1]))
    if last.times == "file" and turn.times != "file":
        last.times = "start"
