"""What a scorer is, and the scorers by name."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import InterviewerError, MatchError, SettingsError

Scores = NDArray[np.float64]

GROUP = "interviewer.scorers"
"""The group of entry points in which other packages offer scorers."""


class Scorer(Protocol):
    """Says how alike two texts are. `name` and `version` go with every score that is stored."""

    @property
    def name(self) -> str:
        """The name settings and stored thresholds use."""

    @property
    def version(self) -> str:
        """Changes when scores do."""

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Scores:
        """Scores of every row with every column, shape (len(rows), len(columns)); NaN where it cannot tell."""


@runtime_checkable
class WordScorer(Protocol):
    """A scorer that takes a text of which nothing is left for one that shares nothing."""

    def reads(self, text: str) -> bool:
        """Whether anything of the text is left to compare."""


@runtime_checkable
class StudyScorer(Protocol):
    """A scorer that tells better when it knows what a study asks."""

    def of_study(self, questions: Sequence[str]) -> Scorer:
        """The scorer for pairs of the study that asks these questions; itself if they do not help."""


def _late(module: str, name: str) -> Callable[[], Scorer]:
    """A maker that imports its module when it is first needed."""
    return lambda: cast(Scorer, getattr(import_module(f"interviewer.matching.{module}"), name)())


_SCORERS: dict[str, Callable[[], Scorer]] = {
    "jaccard": _late("jaccard", "Jaccard"),
    "jaccard2": _late("jaccard2", "Jaccard2"),
    "tfidf": _late("tfidf", "Tfidf"),
    "minilm": _late("minilm", "MiniLM"),
    "centred": _late("minilm", "Centred"),
    "mix": _late("mix", "Mix"),
    "contains": _late("contains", "Contains"),
    "unwanted": _late("unwanted", "Unwanted"),
}


def register(name: str, make: Callable[[], Scorer]) -> None:
    """Make a scorer known under a name that settings can use."""
    _SCORERS[name] = make


def known() -> tuple[str, ...]:
    """The names `scorer` knows: those of this package, registered ones and other packages' entry points."""
    return tuple(sorted({*_SCORERS, *entry_points(group=GROUP).names}))


def scorer(name: str) -> Scorer:
    """The scorer of this name.

    Raises SettingsError listing the names there are, ModelMissing naming an extra, MatchError naming a scorer of
    another package that cannot be made or is none.
    """
    if name in _SCORERS:
        return _made(name, _SCORERS[name])
    found = next(iter(entry_points(group=GROUP, name=name)), None)
    if found is not None:
        return _made(name, lambda: found.load()())
    raise SettingsError(f"match.scorer: there is no scorer {name!r}; known: {', '.join(known())}")


def _made(name: str, make: Callable[[], object]) -> Scorer:
    try:
        made = make()
    except InterviewerError:
        raise
    except Exception as error:  # another package's code may raise anything
        raise MatchError(f"the scorer {name!r} cannot be made: {type(error).__name__}: {error}") from error
    lacking = [part for part in ("name", "version") if not isinstance(getattr(made, part, None), str)]
    lacking += [] if callable(getattr(made, "matrix", None)) else ["matrix"]
    if lacking:
        raise MatchError(f"the scorer {name!r} has no {' and no '.join(lacking)}: a scorer needs name, version, matrix")
    return cast(Scorer, made)
