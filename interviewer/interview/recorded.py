"""A recorded conversation as a file: one interview a JSON line, or plain text with a name before each turn."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.errors import PlanError
from interviewer.matching.text import questions, words
from interviewer.model.turn import Said, Speaker

_MOST_BYTES = 50_000_000
_NAMED = re.compile(r"^\s*(?:\[[\d:.]+\]\s*)?\**(?P<name>[^\W\d_][\w .'’-]{0,40}?)\**\s*:\**\s+(?P<text>\S.*)$")
_ASKS = re.compile(r"interviewer|host|moderator|\bq\b|question|^ai$|assistant", re.IGNORECASE)
_ANSWERS = re.compile(r"interviewee|guest|participant|respondent|^a$|answer|^user$|expert", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A conversation from elsewhere: turns `t1`, `t2`, ... in order, and who asked and who answered, by name."""

    id: str
    turns: tuple[Said, ...]
    interviewers: tuple[str, ...]
    guests: tuple[str, ...]


def read_recorded(path: Path, *, which: str = "", interviewer: str = "") -> Recorded:
    """The conversation in `path`; `which` names one where a file of JSON lines holds several (default: the first).

    `interviewer` says by name who asks. Otherwise roles and names tell, and where they do not, whoever asks most.
    Raises PlanError naming file and line or field.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PlanError(f"{path} is too large for a transcript: over {_MOST_BYTES // 1_000_000} MB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PlanError(f"cannot read the transcript {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path} is not text in UTF-8") from None
    is_json = text.lstrip().startswith("{")
    name, told = _from_json(path, text, which) if is_json else (path.stem, _from_text(path, text))
    return _with_roles(path, name, told, interviewer)


_Told = list[tuple[str, str, str]]  # speaker, role, text


def _from_json(path: Path, text: str, which: str) -> tuple[str, _Told]:
    seen: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            name = str(found["id"])
            if not which or name == which:
                return name, [_told(turn) for turn in found["turns"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            problem = f"{type(error).__name__}: {error}"
            raise PlanError(
                f"{path}, line {number}: an interview has id and turns of speaker, text: {problem}"
            ) from None
        seen.append(name)
    raise PlanError(f"{path} holds no interview {which!r}; there are: {', '.join(seen[:8])}")


def _told(turn: Any) -> tuple[str, str, str]:
    return str(turn["speaker"]), str(turn.get("role") or ""), str(turn["text"])


def _from_text(path: Path, text: str) -> _Told:
    """Lines with a name begin a turn; all others go on with it."""
    told: list[tuple[str, str, list[str]]] = []
    for line in text.splitlines():
        if named := _NAMED.match(line):
            told.append((named["name"].strip(), "", [named["text"]]))
        elif told and line.strip():
            told[-1][2].append(line)
    if len({name for name, _, _ in told}) < 2:
        raise PlanError(f"{path} is no transcript: each turn begins with a name and a colon, such as 'Anna: How so?'")
    return [(name, role, "\n".join(lines)) for name, role, lines in told]


def _with_roles(path: Path, name: str, told: _Told, interviewer: str) -> Recorded:
    speakers = list(dict.fromkeys(speaker for speaker, _, _ in told))
    wanted = [speaker for speaker in speakers if speaker.casefold() == interviewer.strip().casefold()]
    if interviewer.strip() and not wanted:
        raise PlanError(f"{path}: nobody is called {interviewer!r}; there are: {', '.join(speakers[:8])}")
    asking = set(wanted) or _asking(told, speakers)
    said = [
        Said(f"t{number}", _speaker(speaker in asking), text.strip())
        for number, (speaker, _, text) in enumerate(((s, r, t) for s, r, t in told if t.strip()), 1)
    ]
    guests = tuple(speaker for speaker in speakers if speaker not in asking)
    if not said or not guests:
        raise PlanError(f"{path}: nobody answers in it; say who asks")
    return Recorded(name, tuple(said), tuple(s for s in speakers if s in asking), guests)


def _speaker(asks: bool) -> Speaker:
    return "interviewer" if asks else "guest"


def _asking(told: _Told, speakers: Sequence[str]) -> set[str]:
    """Who interviews: by role, else by name, else the one with the largest share of questions."""
    by_role = {speaker for speaker, role, _ in told if role and _ASKS.search(role) and not _ANSWERS.search(role)}
    by_name = {speaker for speaker in speakers if _ASKS.search(speaker) and not _ANSWERS.search(speaker)}
    if found := by_role or by_name:
        return found
    asked: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for speaker, _, text in told:
        asked[speaker] += len(questions(text))
        size[speaker] += len(words(text))
    share = {speaker: asked[speaker] / (size[speaker] + 50) for speaker in speakers}
    return {max(speakers, key=lambda speaker: share[speaker])}
