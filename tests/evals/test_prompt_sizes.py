"""Prompts over an hour of talk: none beyond its budget, and those of a live cycle stop growing."""

from evals.prompts.walk import MINUTES, Walk
from interviewer.agents.prompts import Prompt
from interviewer.agents.registry import AGENTS

LIVE = ("note_taker", "researcher", "orchestrator")
LOOKED_AT = (5, 30, MINUTES)


def test_no_prompt_of_an_hour_is_beyond_its_budget_and_the_live_ones_stop_growing() -> None:
    prompts: dict[int, dict[str, Prompt]] = {
        minute: {name: AGENTS[name].ask(data) for name, data in asked.items()}
        for minute, asked in Walk().minutes(LOOKED_AT)
    }
    assert set(prompts) == set(LOOKED_AT)
    for asked in prompts.values():
        assert len(asked) == 9
        assert all(prompt.tokens <= AGENTS[name].budget for name, prompt in asked.items())
    for name in LIVE:
        assert prompts[30][name].tokens > prompts[5][name].tokens
        assert prompts[MINUTES][name].tokens < 1.15 * prompts[30][name].tokens
    # An hour is whole for those that read all of it; the Orchestrator's memory of it is cut, and says so.
    assert "transcript" not in prompts[MINUTES]["writer"].cut
    assert sum(prompts[MINUTES]["orchestrator"].cut.values()) > 0
