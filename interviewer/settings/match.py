"""Telling whether two texts are the same question."""

import json
import math
from typing import Literal

from pydantic import field_validator

from interviewer.settings.group import APP, ESSAY_1, OURS, Group, figure


class MatchSettings(Group):
    """Telling whether two texts are the same question."""

    scorer: str = figure("jaccard", "", ESSAY_1, "name of the scorer")
    threshold: str = figure("", "", OURS, "stored threshold of this scorer that says what recovery is; empty: recovery")
    recovery: float = figure(0.35, "score", ESSAY_1, "a proposal without valid id is a plan question above", ge=0, le=1)
    contains: float | str = figure(
        "contains",
        "",
        OURS,
        "tells whether a reply asked the planned question: the name of a stored grey band of the scorer contains; or a "
        "score (essay: 0.35) above which a sentence is the question by match.scorer",
    )
    grey_band: tuple[float, float] | None = figure(
        None,
        "score",
        OURS,
        "what the band that match.contains names meant when the call began: no below, yes above; empty: looked up",
    )
    judge: bool = figure(True, "", OURS, "where agents run on a model, one short question to it settles the grey band")
    judge_ms: int = figure(4_000, "ms", OURS, "deadline of the judge; missed: unconfirmed", ge=50, le=60_000)
    reconstruction_scorer: str = figure(
        "contains", "", OURS, "tells which planned questions an old transcript touched on: contains, or a scorer's name"
    )
    reconstruction_unit: Literal["turns", "sentences"] = figure(
        "turns", "", OURS, "what a planned question is held against: whole turns that ask, or sentences that ask"
    )
    reconstruction_contains: float = figure(
        0.20, "score", OURS, "by contains, an old transcript touched on a question above this", ge=0, le=1
    )
    reconstruction: float = figure(
        0.40, "score", APP, "by any other scorer, an old transcript touched on a question above this", ge=0, le=1
    )
    fastest_ms_per_char: int = figure(
        40, "ms", OURS, "speech is never faster than this: shorter audio lacks a part of its transcript", ge=1, le=200
    )
    delivered_tolerance_ms: int = figure(250, "ms", OURS, "how much of a sentence's end may be unplayed", ge=0)

    @field_validator("grey_band", mode="before")
    @classmethod
    def _band(cls, given: object) -> object:
        """The environment holds JSON."""
        return json.loads(given) if isinstance(given, str) else given

    @field_validator("grey_band")
    @classmethod
    def _in_order(cls, band: tuple[float, float] | None) -> tuple[float, float] | None:
        if band is not None and not 0 <= band[0] <= band[1] <= 1:
            raise ValueError("no below and yes above lie between 0 and 1, in this order")
        return band

    @field_validator("contains", mode="before")
    @classmethod
    def _score_or_name(cls, given: object) -> object:
        """A number may come as text, from the environment."""
        try:
            score = float(given) if isinstance(given, str | int | float) else math.nan
        except ValueError:
            return given
        if not 0 <= score <= 1:
            raise ValueError("a score lies between 0 and 1")
        return score
