"""How transcripts from elsewhere are read."""

from interviewer.settings.group import OURS, Group, figure


class ImportSettings(Group):
    """How transcripts from elsewhere are read."""

    most_bytes: int = figure(50_000_000, "bytes", OURS, "largest file that is taken for a transcript", ge=1)
    merge: bool = figure(True, "", OURS, "what one person says in several cues running becomes one turn")
    merge_gap_ms: int = figure(0, "ms", OURS, "but not over a silence longer than this; 0: over any", ge=0)
    words_per_minute: int = figure(
        150, "words/minute", "average of English speech, National Center for Voice and Speech", "missing times", ge=30
    )
    slowest_wpm: int = figure(75, "words/minute", OURS, "slower than this is a pause, where times are derived", ge=1)
    sure_by_name: float = figure(0.95, "probability", OURS, "a name such as Host tells who interviews", ge=0.5, le=1)
    sure_by_asking: float = figure(
        0.99, "probability", "121 of 121 interviews, Laplace's rule", "whoever asks most interviews", ge=0.5, le=1
    )
    also_asks: float = figure(
        0.3, "share", "fitted to 7 podcasts of three and more", "asks this often beside the first: interviews too", ge=0
    )
