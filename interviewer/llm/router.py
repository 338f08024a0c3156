"""The backend of a call: each agent on the one its settings name, and on its rules once the budget is used up."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from interviewer.llm.backend import Backend, OnText, Ran, Task, run_streamed
from interviewer.llm.budget import USED_UP, Budget
from interviewer.llm.cassette import Cassette
from interviewer.llm.prices import Prices
from interviewer.llm.rules import Rules
from interviewer.llm.told import in_whole
from interviewer.model.characters import whole
from interviewer.settings import BackendName, Settings

if TYPE_CHECKING:
    from interviewer.llm.model import Model


class Router:
    """Runs each agent where `settings.agents` says. `budget` is shared with whoever else spends in the call."""

    def __init__(
        self, settings: Settings, *, seed: int = 0, backends: dict[BackendName, Backend] | None = None
    ) -> None:
        """`backends` come before those that the settings describe. `seed` draws the latencies of rules.

        Raises SettingsError for prices, AgentError for a cassette, that cannot be used.
        """
        self._settings = settings.agents
        self.budget = Budget(settings.agents)
        self.prices = Prices.load(settings.agents.prices)
        self._models: list[Model] = []
        self._backends: dict[BackendName, Backend] = {"rules": Rules(settings.agents, seed), **(backends or {})}
        for name in sorted(self._named()):
            if name not in self._backends and name != "cassette":
                self._backends[name] = self._model(settings, name)
        if "cassette" in self._named() and "cassette" not in self._backends:
            recorded = self._settings.cassette_records
            records = self._backends[recorded] if recorded else None
            self._backends["cassette"] = Cassette(Path(self._settings.cassette), records)

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """Run an agent on its backend, and count what it cost."""
        backend, stands_in = self._chosen(task)
        return self._counted(backend.run(task, data, job_id), stands_in)

    def stream(self, task: Task, data: BaseModel, job_id: str, on_text: OnText) -> Ran:
        """As `run`, telling of the text while it is written."""
        backend, stands_in = self._chosen(task)
        return self._counted(run_streamed(backend, task, data, job_id, on_text), stands_in)

    def close(self) -> None:
        """Close all connections."""
        for model in self._models:
            model.close()

    def _chosen(self, task: Task) -> tuple[Backend, bool]:
        name = self._settings.of(task.name).backend
        stands_in = name != "rules" and self.budget.state == "used_up"
        return self._backends["rules" if stands_in else name], stands_in

    def _counted(self, ran: Ran, stands_in: bool) -> Ran:
        self.budget.spend(ran.cost_usd)
        ran = replace(ran, output=in_whole(ran.output), error=whole(ran.error))
        return replace(ran, error=f"{USED_UP} ({self.budget}): rules stood in") if stands_in else ran

    def _named(self) -> set[BackendName]:
        chosen = {self._settings.of(agent).backend for agent in (None, *self._settings.overrides)}
        recorded = self._settings.cassette_records
        return chosen | ({recorded} if recorded and "cassette" in chosen else set())

    def _model(self, settings: Settings, name: BackendName) -> "Model":
        # The client is slow to load, and most calls need none.
        from interviewer.llm.chat import Chat
        from interviewer.llm.model import Model
        from interviewer.llm.responses import Responses

        self._models.append(Model(settings, Responses() if name == "openai" else Chat(), self.prices))
        return self._models[-1]
