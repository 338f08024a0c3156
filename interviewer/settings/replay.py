"""How recordings are replayed."""

from typing import Literal

from interviewer.settings.group import OURS, Group, figure


class ReplaySettings(Group):
    """How recordings are replayed, and how what was proposed is held against what was asked."""

    scorer: str = figure(
        "contains", "", OURS, "tells whether what the recording asked is what was proposed; the same for every run"
    )
    agrees: float = figure(
        0.5,
        "score",
        OURS,
        "from here on the recording asked what was proposed; with contains, a probability",
        ge=0,
        le=1,
    )
    transcript_ms: int = figure(
        400, "ms", OURS, "from the end of a guest's turn to its words, as a live call has to wait", ge=0, le=10_000
    )
    per_minute: int = figure(
        0, "runs/minute", OURS, "of a sweep's agents that ask a model, at most so many; 0: no limit", ge=0, le=100_000
    )
    plan_from: Literal["conversation", "topic"] = figure(
        "conversation",
        "",
        OURS,
        "what a transcript's plan is drawn from where none is given: all of it, later questions included, or its topic "
        "alone, by the Planner's rules",
    )
    after: bool = figure(False, "", OURS, "the agents after the call run too: Analyst, Follow-Up, Writer")
