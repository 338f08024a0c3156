"""Runs recorded on a file and played back: by agent, version and input."""

import dataclasses
import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from interviewer.errors import AgentError, CassetteMiss
from interviewer.llm.backend import Backend, Ran, Task
from interviewer.llm.told import MOST_TOKENS, as_json, check_sound

_Key = tuple[str, str, str]
_MOST_TIMES = 2**31 - 1  # what the database holds


class _Run(BaseModel):
    """A `Ran` as it stands in the file. Half characters, which JSON may hold as escapes, are not taken."""

    model_config = ConfigDict(extra="forbid", strict=True)

    output: dict[str, Any] | None
    error: str = ""
    latency_ms: int = Field(0, ge=0, le=MOST_TOKENS)
    model: str = ""
    input_tokens: int = Field(0, ge=0, le=MOST_TOKENS)
    output_tokens: int = Field(0, ge=0, le=MOST_TOKENS)
    cached_tokens: int = Field(0, ge=0, le=MOST_TOKENS)
    cost_usd: float | None = Field(0.0, ge=0, allow_inf_nan=False)
    retries: int = Field(0, ge=0, le=_MOST_TIMES)
    repairs: int = Field(0, ge=0, le=_MOST_TIMES)

    @field_validator("output")
    @classmethod
    def _sound(cls, output: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            check_sound(output)
        except AgentError as problem:
            raise ValueError(str(problem)) from None
        return output

    def ran(self) -> Ran:
        """The run itself."""
        return Ran(**dict(self))


class Line(BaseModel):
    """A run as it stands in the file. `by`: a digest of what ran it; `call`: the kept call it was for, or empty."""

    model_config = ConfigDict(strict=True)

    agent: str
    version: str
    input: str
    inputs: dict[str, str]
    run: _Run
    by: str = ""
    call: str = ""


class Cassette:
    """Plays back what its file holds, or records what `records` does.

    A run recorded several times is played back in that order, the last one for ever. One that was recorded before an
    agent's input had a field is played back whatever that holds now. The file holds one JSON object a line: agent,
    version, input (a digest), inputs (a digest a field) and the run.
    """

    def __init__(self, path: Path, records: Backend | None = None) -> None:
        """Raises AgentError naming file and line if there is nothing to play back, or it is damaged."""
        self._path, self._records = path, records
        self._lock = threading.Lock()
        self._lines = [] if records else list(read_lines(path))
        self._runs: dict[_Key, list[Ran]] = defaultdict(list)
        for line in self._lines:
            self._runs[line.agent, line.version, line.input].append(line.run.ran())

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """The recorded run. Raises CassetteMiss, which says what changed since."""
        if self._records is not None:
            ran = self._records.run(task, data, job_id)
            self._write(task, data, ran)
            return ran
        with self._lock:
            runs = self._runs.get((task.name, task.version, digest_of(data))) or self._of_before(task, data)
            if not runs:
                raise CassetteMiss(f"{self._path}: {self._changed(task, data)}")
            return runs.pop(0) if len(runs) > 1 else runs[0]

    def _of_before(self, task: Task, data: BaseModel) -> list[Ran]:
        """Runs of the same input but for fields that it did not have then."""
        now = _digests(data).items()
        same = (line for line in self._lines if (line.agent, line.version) == (task.name, task.version) and line.inputs)
        line = next((line for line in same if line.inputs.items() <= now), None)
        return self._runs[line.agent, line.version, line.input] if line else []

    def _write(self, task: Task, data: BaseModel, ran: Ran) -> None:
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line_of(task, data, ran) + "\n")

    def _changed(self, task: Task, data: BaseModel) -> str:
        known = [line for line in self._lines if line.agent == task.name]
        if not known:
            return f"no run of {task.name} was recorded"
        now = _digests(data)
        same = [line for line in known if line.version == task.version]
        if not same:
            recorded = ", ".join(sorted({line.version for line in known}))
            return f"{task.name} changed: its prompt or output has version {task.version}, recorded was {recorded}"
        nearest = min(same, key=lambda line: len(_differing(line.inputs, now)))
        fields = ", ".join(_differing(nearest.inputs, now))
        return f"the input of {task.name} changed: {fields} differ from the nearest of {len(same)} recorded runs"


def line_of(task: Task, data: BaseModel, ran: Ran, by: str = "", call: str = "") -> str:
    """The line for a run, without its end."""
    line = {
        "agent": task.name,
        "version": task.version,
        "input": digest_of(data),
        "inputs": _digests(data),
        "run": dataclasses.asdict(ran),
    }
    about = {name: text for name, text in (("by", by), ("call", call)) if text}
    return json.dumps({**line, **about})


def digest_of(data: BaseModel) -> str:
    """Sixteen hex digits over a whole input."""
    return _digest(as_json(data))


def _differing(recorded: dict[str, str], now: dict[str, str]) -> list[str]:
    return sorted(name for name in recorded.keys() | now.keys() if recorded.get(name) != now.get(name))


def _digests(data: BaseModel) -> dict[str, str]:
    return {name: _digest(json.dumps(value)) for name, value in data.model_dump(mode="json").items()}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_lines(path: Path) -> Iterator[Line]:
    """The runs in a file. Raises AgentError naming file and line if one cannot be read."""
    for found in lines_or_problems(path):
        if isinstance(found, str):
            raise AgentError(f"{found}; record it again")
        yield found


def lines_or_problems(path: Path) -> Iterator[Line | str]:
    """The runs in a file, and for a line that is none why, naming file and line. Raises AgentError for no file."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        problem = error.strerror or str(error)
        raise AgentError(f"cannot play back {path}: {problem}; record it with agents.cassette_records") from None
    yield from lines_in(raw, path)


def lines_in(raw: bytes, path: Path, start: int = 1) -> Iterator[Line | str]:
    """The same of `raw`, which stands in the file from line `start` on."""
    for number, text in enumerate(raw.splitlines(), start):
        try:
            yield Line.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            at = ".".join(map(str, first["loc"]))
            field = f"field {at}: " if at else ""
            yield f"{path}, line {number}: it is no recorded run: {field}{first['msg']}"
