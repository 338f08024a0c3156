"""The agents by name."""

from typing import Any

from interviewer.agents.analyst import ANALYST
from interviewer.agents.base import Agent
from interviewer.agents.follow_up import FOLLOW_UP
from interviewer.agents.judge import JUDGE
from interviewer.agents.note_taker import NOTE_TAKER
from interviewer.agents.orchestrator import ORCHESTRATOR
from interviewer.agents.planner import PLANNER
from interviewer.agents.researcher import RESEARCHER
from interviewer.agents.reverse_planner import REVERSE_PLANNER
from interviewer.agents.style_extractor import STYLE_EXTRACTOR
from interviewer.agents.writer import WRITER

_ALL: tuple[Agent[Any, Any], ...] = (
    PLANNER,
    NOTE_TAKER,
    RESEARCHER,
    ORCHESTRATOR,
    ANALYST,
    FOLLOW_UP,
    WRITER,
    STYLE_EXTRACTOR,
    REVERSE_PLANNER,
    JUDGE,
)
AGENTS: dict[str, Agent[Any, Any]] = {agent.name: agent for agent in _ALL}
