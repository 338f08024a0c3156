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


@dataclass(frozen=True)
class Interview:
    """(role, text) of the turns in order; the role of who asks is "interviewer". `study`: where it comes from."""

    name: str
    study: str
    turns: Turns

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
        with path.open("rb") as file:
            start = file.read(2)
        return path.open(encoding="utf-16" if start in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", newline="")
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None


def read_interviews(path: Path) -> dict[str, Interview]:
    """The interviews of a JSON lines file, or of all `*.jsonl` of a folder, by id.

    A line holds `id`, `turns` with `role` and `text`, and if it is there `source`: the study; else the file's name
    is. Raises MatchError naming file and line.
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
    return found


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
        except UnicodeDecodeError as error:
            raise MatchError(f"{path} is not UTF-8 ({error.reason}): save it so") from None


def _interview(path: Path, number: int, line: str) -> Interview:
    where = f"{path}, line {number}"
    try:
        given: Any = json.loads(line)
        turns = [(_role(turn), str(turn["text"])) for turn in given["turns"]]
        return Interview(str(given["id"]), str(given.get("source") or path.stem), turns)
    except ValueError as error:
        raise MatchError(f"{where} is not JSON: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise MatchError(f"{where} is no interview: it needs id, and turns with role and text ({error})") from None


def _role(turn: dict[str, Any]) -> str:
    role = str(turn["role"] if "role" in turn else turn["speaker"])
    return INTERVIEWER if role.strip().casefold() in _ASKS else role
