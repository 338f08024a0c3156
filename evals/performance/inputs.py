"""What the core is fed in a demo call of fourteen minutes."""

from typing import Any

from interviewer.call.inputs import Input, decode
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import simulate_call

_DOSSIER = "incidents-and-on-call"


def demo_inputs() -> tuple[CallSetup, list[Input]]:
    """The inputs of a whole demo call, agents' answers among them."""
    dossier = by_name(_DOSSIER)
    settings = Settings.load(env={})
    backend = Rules(settings.agents, 0)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, world="simulated", settings=settings)
    inputs: list[Input] = []

    def keep(kind: str, _t_ms: int, data: dict[str, Any]) -> None:
        if kind == "in":
            inputs.append(decode(data))

    simulate_call(setup, dossier, backend, seed=0, write=keep)
    return setup, inputs
