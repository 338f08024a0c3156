"""Recorded interviews in a JSON lines file, and where in them a pair of questions stands."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from interviewer.errors import MatchError
from interviewer.matching.pairs import INTERVIEWER
from interviewer.matching.text import plain, questions

Turns = Sequence[tuple[str, str]]

# What other transcripts call the one who asks.
_ASKS = frozenset({"interviewer", "assistant", "ai", "agent", "bot", "host", "moderator"})
_SHOWN = 8


@dataclass(frozen=True)
class Interview:
    """(role, text) of the turns in order; the role of who asks is "interviewer". `study`: where it comes from."""

    name: str
    study: str
    turns: Turns

    @cached_property
    def asks(self) -> bool:
        """Whether a turn is the interviewer's."""
        return any(role == INTERVIEWER for role, _ in self.turns)

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The turns in plain form."""
        return tuple(plain(text) for _, text in self.turns)

    def holds(self, at: int, question: str) -> bool:
        """Whether turn `at`, from 0, holds the question word for word, case and apostrophes aside."""
        return 0 <= at < len(self.turns) and plain(question) in self.spoken[at]

    def nearest(self, at: int, question: str) -> int | None:
        """The interviewer's turn nearest to `at` that holds the question; None if there is none."""
        held = [place for place in range(len(self.turns)) if self.holds(place, question)]
        asked = [place for place in held if self.turns[place][0] == INTERVIEWER]
        return min(asked, key=lambda place: (abs(place - at), place), default=None)


def opened(path: Path) -> IO[str]:
    """The file as text: UTF-8, or UTF-16 with its mark. Raises MatchError if it cannot be read."""
    try:
        return path.open(encoding=_encoding(path), newline="")
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None


def not_text(path: Path) -> MatchError:
    """The error for a file that `opened` could not decode; it names the first line that is not text."""
    encoding, whole = _encoding(path), path.read_bytes()
    line, reason = 1, "it changed while it was read"
    try:
        whole.decode(encoding)
    except UnicodeDecodeError as error:
        before = whole[: error.start].decode(encoding, "ignore").replace("\r\n", "\n").replace("\r", "\n")
        line, reason = before.count("\n") + 1, error.reason
    name = "UTF-16" if encoding == "utf-16" else "UTF-8"
    return MatchError(f"{path}, line {line} is not {name} ({reason}): save it as UTF-8")


def read_interviews(path: Path) -> dict[str, Interview]:
    """The interviews of a JSON lines file, or of all `*.jsonl` of a folder, by id.

    A line holds `id`, `turns` with `role` and `text`, and if it is there `source`: the study; else the file's name
    is. Raises MatchError naming file and line, or the roles there are if nobody asks.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise MatchError(f"{path} holds no .jsonl file")
    found: dict[str, Interview] = {}
    for file in files:
        for number, interview in _read(file):
            if interview.name in found:
                raise MatchError(f"{file}, line {number}: a second interview has the id {interview.name!r}")
            found[interview.name] = interview
    if not found:
        raise MatchError(f"{path} holds no interviews: one a line, as JSON, with id and turns")
    if not any(interview.asks for interview in found.values()):
        raise MatchError(f"{path}: nobody asks; {no_asker(found.values())}")
    return found


def no_asker(interviews: Iterable[Interview]) -> str:
    """What to do about interviews in which no turn is the interviewer's."""
    roles = sorted({role[:40] for interview in interviews for role, _ in interview.turns})
    shown = ", ".join(map(repr, roles[:_SHOWN])) or "none"
    return f"the roles are {shown}: call who asks {INTERVIEWER!r}"


def asked_in(interviews: Iterable[Interview]) -> dict[str, list[str]]:
    """What the interviewers of each study ask, by study."""
    found: dict[str, list[str]] = {}
    for interview in interviews:
        texts = (text for role, text in interview.turns if role == INTERVIEWER)
        found.setdefault(interview.study, []).extend(span.text for text in texts for span in questions(text))
    return found


def _read(path: Path) -> Iterator[tuple[int, Interview]]:
    with opened(path) as file:
        try:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _interview(path, number, line)
        except UnicodeDecodeError:
            raise not_text(path) from None


def _interview(path: Path, number: int, line: str) -> Interview:
    where = f"{path}, line {number}"
    try:
        given: Any = json.loads(line)
        turns = [
            (_role(where, at, turn), _text(f"{where}, turn {at}: text", turn["text"])) for at, turn in _turns(given)
        ]
        source = given.get("source")
        study = _text(f"{where}: source", source) if source not in (None, "") else path.stem
        return Interview(_text(f"{where}: id", given["id"], whole=True), study, turns)
    except RecursionError:
        raise MatchError(f"{where} is no interview: brackets within brackets without end") from None
    except ValueError as error:
        raise MatchError(f"{where} is not JSON: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise MatchError(f"{where} is no interview: it needs id, and turns with role and text ({error})") from None


def _turns(given: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The turns with their numbers, from 0."""
    return enumerate(given["turns"])


def _text(where: str, value: object, whole: bool = False) -> str:
    """A text, or a whole number if it may be one. Raises MatchError naming anything else: it is no text as it is."""
    if isinstance(value, str):
        return value
    if whole and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise MatchError(f"{where} is {json.dumps(value)[:40]}; it must be a text{' or a whole number' if whole else ''}")


def _role(where: str, at: int, turn: dict[str, Any]) -> str:
    role = _text(f"{where}, turn {at}: role", turn["role"] if "role" in turn else turn["speaker"])
    return INTERVIEWER if role.strip().casefold() in _ASKS else role


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        return "utf-16" if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
