"""Runs played back where nothing has changed, and made anew where something has."""

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel

from interviewer.errors import AgentError
from interviewer.llm.backend import Backend, Ran, Task
from interviewer.llm.cassette import digest_of, line_of, lines_in
from interviewer.settings import AgentSettings

_Key = tuple[str, str, str, str]
_NOT_THE_OUTPUT = {
    *("overrides", "cassette", "cassette_records", "key_name", "tries", "backoff_ms", "backoff_cap_ms", "prices"),
    *("budget_usd", "budget_warning", "latency_low_ms", "latency_high_ms", "search"),
}
"""Settings of an agent that change nothing of what its model says."""

_OURS = b'{"agent": '


class Tape:
    """Runs in a file, by agent, version, input and what ran it. One for all calls of a replay, also from threads.

    Processes may share the file: of several runs of one key the first in it counts, for all of them and ever after, so
    that what is played back later is what went into every call. `damaged`: the lines that hold no run, such as one that
    a crash cut off; theirs are made again.
    """

    def __init__(self, path: Path) -> None:
        """Runs that failed are not played back. Raises AgentError if the file cannot be read or made, or is no tape."""
        self.path = path
        self.damaged: list[str] = []
        self._lock = threading.Lock()
        self._runs: dict[_Key, Ran] = {}
        self._size = self._lines = 0
        self._check()
        self._begin()
        self._read_on()

    def find(self, task: Task, data: BaseModel, by: str) -> Ran | None:
        """The run that was recorded for this, or None."""
        return self._runs.get((task.name, task.version, digest_of(data), by))

    def add(self, task: Task, data: BaseModel, by: str, ran: Ran, call: str = "") -> Ran:
        """Record a run, and give the one that counts. A failed one is not recorded, and made again next time.

        `call`: the kept call it was made for, so that the run goes with it when it is forgotten.
        Raises AgentError if the file cannot be written or read.
        """
        if ran.output is None or ran.error:
            return ran
        with self._lock:
            self._write(line_of(task, data, ran, by, call) + "\n")
            self._read_on()
            return self._runs.get((task.name, task.version, digest_of(data), by), ran)

    def _read_on(self) -> None:
        """What was added since it was read last, by whomever; whole lines only, another may be on its way."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._size)
                raw = file.read()
        except OSError as error:
            raise AgentError(f"cannot read the tape {self.path}: {error.strerror}") from None
        raw = raw[: raw.rfind(b"\n") + 1]
        for line in lines_in(raw, self.path, self._lines + 1):
            if isinstance(line, str):
                self.damaged.append(line)
                continue
            ran = line.run.ran()
            if ran.output is not None and not ran.error:
                self._runs.setdefault((line.agent, line.version, line.input, line.by), ran)
        self._size += len(raw)
        self._lines += raw.count(b"\n")

    def _check(self) -> None:
        """Nothing is written into a file that is something else; a first line that a crash cut off is ours."""
        try:
            raw = self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            raise AgentError(f"cannot read the tape {self.path}: {error.strerror}") from None
        if not raw.strip() or raw.startswith(_OURS):
            return
        if all(isinstance(line, str) for line in lines_in(raw, self.path)):
            raise AgentError(f"{self.path} is no tape: it holds no recorded run; name a new file, or a tape")

    def _begin(self) -> None:
        """The file is there, and what is added begins on a line of its own."""
        try:
            with self.path.open("a+b") as file:
                file.seek(max(0, file.tell() - 1))
                if file.read(1) not in (b"", b"\n"):
                    file.write(b"\n")
        except OSError as error:
            raise AgentError(f"cannot write the tape {self.path}: {error.strerror}") from None

    def _write(self, text: str) -> None:
        """In one piece, at the end of the file: lines of two processes do not mix."""
        line = text.encode()
        try:
            with self.path.open("ab", buffering=0) as file:
                written = file.write(line)
        except OSError as error:
            raise AgentError(f"cannot write the tape {self.path}: {error.strerror}") from None
        if written < len(line):
            raise AgentError(f"cannot write the tape {self.path}: there is room for a part of a line only")


class Reusing:
    """Plays back from a tape what it holds and runs the rest on another backend, whose runs go onto the tape.

    `by` says, for an agent's name, what runs it. `call`: the kept call that it is for, if it is for one. `reused`: the
    job ids that were played back.
    """

    def __init__(self, inner: Backend, tape: Tape, by: Callable[[str], str], call: str = "") -> None:
        self.inner = inner
        self.reused: set[str] = set()
        self._tape, self._by, self._call = tape, by, call

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """The recorded run; else a new one."""
        by = self._by(task.name)
        found = self._tape.find(task, data, by)
        if found is not None:
            self.reused.add(job_id)
            return found
        return self._tape.add(task, data, by, self.inner.run(task, data, job_id), self._call)


def who_runs(settings: AgentSettings, version: str, seed: int = 0) -> Callable[[str], str]:
    """By an agent's name, a digest of how its settings have it run.

    Rules change with the package, so its `version` is in it, and the `seed` that draws how long they take.
    """

    def by(agent: str) -> str:
        chosen = settings.of(agent)
        if chosen.backend == "rules":
            how = f"rules {version} {seed} {chosen.latency_low_ms} {chosen.latency_high_ms}"
        else:
            how = chosen.model_dump_json(exclude=_NOT_THE_OUTPUT)
        return hashlib.sha256(how.encode()).hexdigest()[:16]

    return by
