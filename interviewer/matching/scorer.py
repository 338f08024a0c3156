"""What a scorer is, and the scorers by name."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import SettingsError
from interviewer.matching.jaccard import Jaccard

Scores = NDArray[np.float64]


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


_SCORERS: dict[str, Callable[[], Scorer]] = {"jaccard": Jaccard}


def register(name: str, make: Callable[[], Scorer]) -> None:
    """Make a scorer known under a name that settings can use."""
    _SCORERS[name] = make


def scorer(name: str) -> Scorer:
    """The scorer of this name. Raises SettingsError listing the names there are."""
    if name not in _SCORERS:
        raise SettingsError(f"match.scorer: there is no scorer {name!r}; known: {', '.join(sorted(_SCORERS))}")
    return _SCORERS[name]()
