"""Measuring the questions of calls."""

import math

from pydantic import field_validator

from interviewer.settings.group import OURS, Group, figure

_SHARED = "shared words alone: the one scorer whose thresholds need no weights, fast enough for a thousand calls"


class MetricSettings(Group):
    """Measuring the questions of calls."""

    scorer: str = figure("jaccard2", "", OURS, f"tells whether a question comes again; {_SHARED}")
    threshold: float | str = figure(
        "repeat-jaccard2-3", "", OURS, "above this it does: a stored threshold of that scorer, or a score"
    )
    least: int = figure(5, "observations", OURS, "with fewer there is no figure", ge=1, le=1_000)
    follow_up_uptake: float = figure(
        0.5, "mean rank", OURS, "an unplanned question with more uptake than this follows up", ge=0, le=1
    )
    vocabulary: int = figure(
        30_522, "words", "arXiv 2202.13587", "words there are to choose from, in the diversity of questions", ge=2
    )

    @field_validator("threshold", mode="before")
    @classmethod
    def _score_or_name(cls, given: object) -> object:
        """A number may come as text, from the environment."""
        try:
            score = float(given) if isinstance(given, str | int | float) else 0.0
        except ValueError:
            return given
        except OverflowError:
            score = math.inf
        if not math.isfinite(score):
            raise ValueError("a score is a finite number; or name a stored threshold")
        return score if isinstance(given, str | int | float) else given
