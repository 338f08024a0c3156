"""How the agents of a call ran: what failed, and what it cost."""

from interviewer.metrics.metric import Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

NO_RUN = "no run of an agent is known"


def _failed(call: CallFacts, _: MetricSettings) -> Told:
    """Runs of agents that were late, failed or gave nothing valid, over all runs; a fallback stood in. Source: ours."""
    if not call.runs:
        return NO_RUN
    return Tally(sum(run.outcome != "ok" for run in call.runs), len(call.runs), len(call.runs))


def _cost(call: CallFacts, _: MetricSettings) -> Told:
    """US dollars that the agents of a call cost, on average; voice and transcription are in the view `usage`."""
    if not call.runs:
        return NO_RUN
    costs = [run.cost_usd for run in call.runs]
    if any(cost is None for cost in costs):
        return "the price of a model is not known"
    return Tally(sum(cost or 0.0 for cost in costs), 1, len(costs))


FAILED_RUNS = Metric("failed_runs", "Runs of agents that failed", "share", "runs", "share", _failed)
COST = Metric("agents_cost", "Cost of the agents", "USD a call", "runs", "ratio", _cost)
