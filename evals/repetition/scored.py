"""Every scorer's scores of every set; kept in a temporary folder for the next run."""

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.repetition import fitting
from evals.repetition.sets import Labelled, in_interview, injected, public
from interviewer.matching import features
from interviewer.matching.encoder import encoder
from interviewer.matching.features import Features, Table
from interviewer.matching.logistic import Floats
from interviewer.matching.mix import COEFFICIENTS, Coefficients
from interviewer.matching.pairs import Pair, score_pairs
from interviewer.matching.scorer import scorer

SCORERS = ("jaccard", "jaccard2", "tfidf", "minilm", "centred", "mix")
PUBLIC = ("banking77", "clinc150")
_ROOM = Path(features.__file__).parent
_NO_SCORES = frozenset("curve figures pair_file split thresholds tuning".split())


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A set of pairs with each scorer's scores; those of `mix` come from models that saw no pair of the interview."""

    labelled: Labelled
    scores: dict[str, Floats]

    def where(self, name: str, kept: NDArray[np.bool_]) -> "Scored":
        """Those of the pairs."""
        return Scored(self.labelled.where(name, kept), {key: values[kept] for key, values in self.scores.items()})

    def joined(self, name: str, other: "Scored") -> "Scored":
        """These pairs and the other's."""
        scores = {key: np.hstack([values, other.scores[key]]) for key, values in self.scores.items()}
        return Scored(self.labelled.joined(name, other.labelled), scores)

    def with_mix(self, scores: Floats) -> "Scored":
        """The same pairs with other scores of the mix."""
        return replace(self, scores=self.scores | {"mix": scores})


@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """All sets, what the mix is fitted to, and its log odds by folds."""

    real: Scored
    placed: Scored
    texts: dict[str, Scored]
    text_tables: dict[str, Table]
    material: fitting.Material
    odds: Floats

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Which real pairs were drawn by strata, not found by reading."""
        return np.array([stratum != "found" for stratum in self.real.labelled.strata])

    @property
    def unwanted(self) -> Scored:
        """The unwanted repeats that were injected, among the drawn pairs that ask for something else."""
        repeats = np.array([kind == "R" for kind in self.placed.labelled.kinds])
        others = self.real.where("", self.drawn & ~self.real.labelled.same)
        return self.placed.where("", repeats).joined("unwanted", others)


def everything() -> Everything:
    """Score all sets; a minute or two the first time."""
    real, placed = in_interview(), injected()
    tables = [table(labelled) for labelled in (real, placed)]
    material = fitting.material(real, placed, tables)
    odds = fitting.left_out(material)
    mixed = fitting.outer(material, odds)
    texts = {name: public(name) for name in PUBLIC}
    text_tables = {name: table(labelled) for name, labelled in texts.items()}
    return Everything(
        Scored(real, _plain(real) | {"mix": mixed[: len(real)]}),
        Scored(placed, _plain(placed) | {"mix": mixed[len(real) :]}),
        {name: Scored(one, _plain(one) | {"mix": _text_mix(text_tables[name])}) for name, one in texts.items()},
        text_tables,
        material,
        odds,
    )


def table(labelled: Labelled) -> Table:
    """The features of the pairs."""

    def make() -> Floats:
        found = Features()(labelled.pairs)
        return np.column_stack([found.values, found.known])

    values = _kept(
        f"features {encoder().version} {COEFFICIENTS.parent.joinpath('mean.json').read_text()}", labelled.pairs, make
    )
    return Table(features.NAMES, values[:, :-1], values[:, -1] == 1)


def _plain(labelled: Labelled) -> dict[str, Floats]:
    return {name: _scores(name, labelled.pairs) for name in SCORERS if name != "mix"}


def _scores(name: str, pairs: Sequence[Pair]) -> Floats:
    chosen = scorer(name)
    return _kept(f"{name} {chosen.version}", pairs, lambda: score_pairs(chosen, pairs))


def _text_mix(found: Table) -> Floats:
    """Text alone: the packaged model has one feature, so a fit to other folds would order the pairs alike."""
    return np.where(found.known, Coefficients.load().text.probability(found.names, found.values), np.nan)


def _kept(what: str, pairs: Sequence[Pair], make: Callable[[], Floats]) -> Floats:
    """What was computed before from the same texts by the same code."""
    code = "".join(
        path.read_text(encoding="utf-8") for path in sorted(_ROOM.glob("*.py")) if path.stem not in _NO_SCORES
    )
    key = hashlib.sha256(repr((what, code, pairs)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    folder = Path(tempfile.gettempdir()) / "interviewer-repetition"
    folder.mkdir(exist_ok=True)
    path = folder / f"{key}.npy"
    if not path.exists():
        draft = path.with_suffix(".new.npy")
        np.save(draft, make())
        draft.replace(path)
    return np.asarray(np.load(path))
