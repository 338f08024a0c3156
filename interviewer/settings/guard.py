"""Keeping the interviewer from asking the same thing twice."""

from typing import Literal

from interviewer.settings.group import ESSAY_1, OURS, Group, figure


class GuardSettings(Group):
    """The repeat guard: what a proposal is held against before it becomes an attempt, and a reply after it was heard.

    `value`, `version` and `missing` are filled in as a call begins, so that its journal holds what the names meant.
    """

    mode: Literal["off", "warn", "on"] = figure(
        "on", "", OURS, "on: a repeat of a heard question is refused; warn: it is noted and asked; off: nobody looks"
    )
    scorer: str = figure("centred", "", OURS, "scorer that compares a proposal with what was heard")
    threshold: str = figure("guard-centred", "", OURS, "stored threshold of this scorer; a score above it is a repeat")
    value: float | None = figure(
        None, "score", OURS, "what that threshold meant when the call began; empty: shared words decide"
    )
    version: str = figure("", "", OURS, "version of the scorer that value belongs to")
    missing: str = figure("", "", OURS, "why shared words decide although another scorer is set")
    words: float = figure(
        0.35,
        "score",
        ESSAY_1,
        "share of words above which two questions count as one where nothing better is there, and for agents that "
        "follow rules",
        ge=0,
        le=1,
    )
    wait_ms: int = figure(500, "ms", OURS, "scores that take longer are not waited for: shared words decide", ge=0)
    instead: int = figure(
        3, "questions", OURS, "how many of the plan's next questions stand in for a refused one", ge=0
    )
    named: int = figure(3, "questions", OURS, "latest repeats that the voice is told not to come back to", ge=0)
