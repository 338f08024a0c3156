"""What is remembered: of a guest, of earlier calls, and how long calls are kept."""

from interviewer.settings.group import APP, ESSAY_2, OURS, Group, figure


class StyleSettings(Group):
    """What the StyleExtractor reads."""

    drafts: int = figure(3, "drafts", APP, "past drafts", ge=0)
    quotes: int = figure(20, "quotes", APP, "quotes", ge=0)
    turns: int = figure(30, "turns", APP, "the guest's own turns", ge=0)
    turn_words: int = figure(10, "words", APP, "shortest turn that counts", ge=1)


class MemorySettings(Group):
    """What a follow-up's voice is told of earlier calls."""

    ideas: int = figure(5, "ideas", APP, "ideas", ge=0)
    stories: int = figure(3, "stories", APP, "stories", ge=0)
    claims: int = figure(4, "claims", APP, "claims", ge=0)
    heard: int = figure(10, "questions", ESSAY_2, "latest heard questions", ge=0)
    expressions: int = figure(8, "expressions", OURS, "the guest's own words for things", ge=0, le=50)
    summary_tokens: int = figure(
        900, "tokens", OURS, "longest summary, as estimated; beyond it the oldest ideas go first", ge=50, le=20_000
    )


class KeepSettings(Group):
    """How a call is kept, and for how long."""

    sync_ms: int = figure(
        1_000, "ms", OURS, "a live call's journal is brought to the disk this often; 0: at its end", ge=0
    )
    retention_days: int = figure(
        0, "days", OURS, "a call is due to be forgotten this long after it began; 0: never", ge=0, le=36_500
    )
