"""Pairs of questions to label, from the calls of a home or from transcripts, as files."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from interviewer.errors import MatchError
from interviewer.importing.read import read_transcripts
from interviewer.matching.interview_file import Interview, read_interviews
from interviewer.matching.pairs import INTERVIEWER
from interviewer.matching.sampling import Drawn
from interviewer.store.store import Store

COLUMNS = "id source interview turn_a turn_b q1 q2 answer lead stratum weight label".split()


def from_store(store: Store, calls: Iterable[str] = ()) -> list[Interview]:
    """The calls with these ids, else all; of the interviewer's turns what was heard. The topic is the study."""
    known = store.calls()
    wanted = {store.resolve(call) for call in calls} or set(known["call_id"])
    return [
        Interview(str(row.call_id), str(row.topic), list(_turns(store, str(row.call_id))))
        for row in known.itertuples()
        if row.call_id in wanted
    ]


def from_files(paths: Sequence[Path]) -> list[Interview]:
    """Interviews as JSON lines, whose turns keep their numbers, and transcripts of any kind that can be read.

    Raises MatchError or TranscriptError naming the file.
    """
    found: list[Interview] = []
    for path in paths:
        if path.is_dir() or path.suffix == ".jsonl":
            found += read_interviews(path).values()
        else:
            found += _transcribed(path)
    return found


def write(drawn: Sequence[Drawn], out: Path) -> Path:
    """The pairs as CSV, with an empty column label; beside it, as JSON lines, the interviews they are from.

    Gives the path of the interviews: what `score --study` takes. Raises MatchError naming a file that is there
    already or cannot be written; then neither is left behind.
    """
    study = out.with_suffix(".jsonl")
    if study == out:
        raise MatchError(f"{out}: the interviews go beside the pairs, with this ending: name the pairs *.csv")
    for path in (out, study):
        if path.exists():
            raise MatchError(f"{path} is there already: name another file")
    interviews = {one.interview.name: one.interview for one in drawn}
    made: list[Path] = []
    try:
        with out.open("x", encoding="utf-8", newline="") as file:
            made.append(out)
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(map(_row, drawn))
        with study.open("x", encoding="utf-8") as lines:
            made.append(study)
            lines.writelines(_line(interview) for interview in interviews.values())
    except OSError as error:
        for path in made:  # half a sample is none
            path.unlink(missing_ok=True)
        raise MatchError(f"cannot write {error.filename or out}: {error.strerror}") from None
    return study


def _turns(store: Store, call: str) -> Iterator[tuple[str, str]]:
    for turn in store.transcript(call).itertuples():
        asks = turn.speaker == INTERVIEWER
        yield (INTERVIEWER if asks else "interviewee"), str((turn.heard if asks else turn.text) or "")


def _transcribed(path: Path) -> Iterator[Interview]:
    read = read_transcripts([path])
    if read.failures:
        raise read.failures[0]
    for recorded in read.good:
        turns = [(INTERVIEWER if turn.role == "interviewer" else "interviewee", turn.text) for turn in recorded.turns]
        yield Interview(recorded.id, path.stem, turns)


def _row(one: Drawn) -> tuple[object, ...]:
    interview = one.interview
    where = (one.id, interview.study, interview.name, one.first.turn, one.second.turn)
    return (*where, one.first.text, one.second.text, one.answer, one.lead, one.stratum, one.weight, "")


def _line(interview: Interview) -> str:
    turns = [{"role": role, "text": text} for role, text in interview.turns]
    line = {"id": interview.name, "source": interview.study, "turns": turns}
    return json.dumps(line, ensure_ascii=False) + "\n"
