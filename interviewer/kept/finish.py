"""An interrupted call brought to its end without a voice: its last notes, analysis and essay from what there is."""

import heapq
import itertools
import time

from interviewer.agents.registry import AGENTS
from interviewer.call.actions import StartJob
from interviewer.call.inputs import Answer, Begin, Input, Resumed, Tick, encode
from interviewer.call.lines import line_of
from interviewer.errors import InterviewerError
from interviewer.kept.folding import Folded
from interviewer.kept.records import CallRecord
from interviewer.llm.backend import Backend


def finish(folded: Folded, record: CallRecord, backend: Backend) -> str:
    """Run the agents that come after a call, on the call's own time. Returns why the call ended.

    Raises InterviewerError if nothing is left to wait for before the end.
    """
    end = _End(folded, record, backend)
    for line in folded.missing:
        record.write(*line)
    if not folded.began:
        end.feed(Begin(0, int(time.time())))
    if not folded.core.ended:
        end.feed(Resumed(folded.now_ms, int(time.time()), close=True))
        end.run()
    return end.reason


class _End:
    """Feeds the core until it has ended: what agents answer, and its deadlines."""

    def __init__(self, folded: Folded, record: CallRecord, backend: Backend) -> None:
        self._core, self._now = folded.core, folded.now_ms
        self._record, self._backend = record, backend
        self._answers: list[tuple[int, int, Answer]] = []
        self._count = itertools.count()
        self.reason = ""

    def run(self) -> None:
        """Go from one moment to the next."""
        while not self._core.ended:
            due = [t for t in (self._core.deadline, self._answers[0][0] if self._answers else None) if t is not None]
            if not due:
                raise InterviewerError(f"call {self._record.call_id} does not end: nobody waits for anything")
            self._now = max(self._now, min(due))
            if self._answers and self._answers[0][0] <= self._now:
                self.feed(heapq.heappop(self._answers)[2])
            else:
                self.feed(Tick(self._now))

    def feed(self, record: Input) -> None:
        """One step, written down before anything comes of it."""
        self._record.write("in", record.t_ms, encode(record))
        actions = self._core.step(record)
        for action in actions:
            if line := line_of(action, record.t_ms):
                self._record.write(*line)
                self.reason = str(line[2]["reason"]) if line[0] == "end" else self.reason
        for action in actions:
            if isinstance(action, StartJob):
                self._start(action)

    def _start(self, job: StartJob) -> None:
        ran = self._backend.run(AGENTS[job.agent], job.data, job.job_id)
        ready_ms = self._now + ran.latency_ms
        heapq.heappush(self._answers, (ready_ms, next(self._count), Answer.of(ready_ms, job.job_id, ran)))
