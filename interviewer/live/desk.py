"""Where agents work during a live call: a few threads, so that none holds up the call."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from interviewer.agents.registry import AGENTS
from interviewer.agents.writer import WRITER
from interviewer.call.actions import Compare, StartJob
from interviewer.llm.backend import Backend, OnText, Ran, run_streamed
from interviewer.matching.compare import Rows, compare

_log = logging.getLogger(__name__)
_WORKERS = 4  # two live agents side by side, and as many whose answer nobody waits for any more


class Desk:
    """Runs agents; `answered(job_id, began_ms, ran)` is called from one of its threads.

    So is `on_text`, with the essay as far as it has been written; whatever it raises costs only what it would show.
    """

    def __init__(
        self, backend: Backend, answered: Callable[[str, int, Ran], None], on_text: OnText | None = None
    ) -> None:
        self._backend = backend
        self._answered = answered
        self._on_text = on_text
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="agent")
        self._comparing = ThreadPoolExecutor(1, thread_name_prefix="comparing")
        self._runs: dict[str, Future[None]] = {}

    def start(self, t_ms: int, job: StartJob) -> None:
        """Run an agent from `t_ms` of the call's clock."""
        self._runs[job.job_id] = self._pool.submit(self._run, t_ms, job)

    def compare(self, asked: Compare, said: Callable[[int, str, Rows, str], None]) -> None:
        """Compare some texts; `said(number, scorer, scores, problem)` is called from a thread of its own kind.

        Agents that take their time do not hold it up.
        """
        self._comparing.submit(lambda: said(asked.number, *compare(asked.scorer, asked.rows, asked.columns)))

    def cancel(self, job_id: str) -> None:
        """Do not run what has not begun; what has goes on, and answers in vain."""
        if run := self._runs.get(job_id):
            run.cancel()

    def close(self) -> None:
        """Wait for what has begun; drop the rest."""
        self._pool.shutdown(cancel_futures=True)
        self._comparing.shutdown(cancel_futures=True)

    def _run(self, t_ms: int, job: StartJob) -> None:
        try:
            ran = self._ran(job)
        # A backend does not raise; if one does all the same, that costs this answer and not the call.
        except Exception as error:
            ran = Ran(None, f"{type(error).__name__}: {error}")
        self._answered(job.job_id, t_ms, ran)

    def _ran(self, job: StartJob) -> Ran:
        agent = AGENTS[job.agent]
        if self._on_text is None or agent is not WRITER:
            return self._backend.run(agent, job.data, job.job_id)
        return run_streamed(self._backend, agent, job.data, job.job_id, self._show)

    def _show(self, text: str) -> None:
        try:
            if self._on_text:
                self._on_text(text)
        except Exception:
            _log.exception("whoever looks on at the writing failed")
            self._on_text = None
