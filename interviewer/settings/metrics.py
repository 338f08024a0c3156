"""Measuring the questions of calls."""

from interviewer.settings.group import OURS, Group, figure

_SHARED = "shared words alone: the one scorer whose thresholds need no weights, fast enough for a thousand calls"


class MetricSettings(Group):
    """Measuring the questions of calls."""

    scorer: str = figure("jaccard2", "", OURS, f"tells whether a question comes again; {_SHARED}")
    threshold: str = figure("repeat-jaccard2-3", "", OURS, "stored threshold of that scorer, above which it does")
    least: int = figure(5, "observations", OURS, "with fewer there is no figure", ge=1, le=1_000)
    follow_up_uptake: float = figure(
        0.5, "mean rank", OURS, "an unplanned question with more uptake than this follows up", ge=0, le=1
    )
    vocabulary: int = figure(
        30_522, "words", "arXiv 2202.13587", "words there are to choose from, in the diversity of questions", ge=2
    )
