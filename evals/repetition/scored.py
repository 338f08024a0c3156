"""Every scorer's scores of every set; kept in a temporary folder for the next run."""

import hashlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.repetition import fitting
from evals.repetition.sets import Labelled, asked, in_interview, injected, public
from interviewer.matching import features
from interviewer.matching.encoder import encoder
from interviewer.matching.features import Features, Table
from interviewer.matching.logistic import Floats
from interviewer.matching.mix import COEFFICIENTS, Coefficients
from interviewer.matching.pairs import Pair
from interviewer.matching.scorer import scorer
from interviewer.matching.studies import score_by_study

SCORERS = ("jaccard", "jaccard2", "tfidf", "minilm", "centred", "mix")
PUBLIC = ("banking77", "clinc150")
RUNNING, WORDS, ALONE = "running mean", "without the model", "without context"
VARIANTS = tuple(
    f"{name}, {how}" for name, how in (("centred", RUNNING), *(("mix", h) for h in (RUNNING, WORDS, ALONE)))
)
"""What a scorer does with less: pairs of interviews only."""
_ROOM = Path(features.__file__).parent
_NO_SCORES = frozenset("curve figures interview_file pair_file pair_labels placing split thresholds tuning".split())


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
    """All sets, and what the mix is fitted to."""

    real: Scored
    placed: Scored
    texts: dict[str, Scored]
    text_tables: dict[str, Table]
    material: fitting.Material

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
    material = fitting.material(
        real, placed, [table(one) for one in (real, placed)], [table(one, by_study=False) for one in (real, placed)]
    )
    mixed = {
        "mix": fitting.outer(material, "context", material.table),
        f"mix, {RUNNING}": fitting.outer(material, "context", material.running),
        f"mix, {WORDS}": fitting.outer(material, "context by words", material.table),
        f"mix, {ALONE}": fitting.outer(material, "study", material.table),
    }
    texts = {name: public(name) for name in PUBLIC}
    text_tables = {name: table(labelled, by_study=False) for name, labelled in texts.items()}
    return Everything(
        Scored(real, _plain(real) | {name: scores[: len(real)] for name, scores in mixed.items()}),
        Scored(placed, _plain(placed) | {name: scores[len(real) :] for name, scores in mixed.items()}),
        {name: Scored(one, _plain(one) | {"mix": _text_mix(text_tables[name])}) for name, one in texts.items()},
        text_tables,
        material,
    )


def table(labelled: Labelled, by_study: bool = True) -> Table:
    """The features of the pairs, with the mean question of their own study or of other studies."""

    def make() -> Floats:
        values = np.full((len(labelled), len(features.NAMES) + 1), np.nan)
        sources = np.array(labelled.sources)
        for study in dict.fromkeys(labelled.sources) if by_study else [""]:
            rows = np.flatnonzero(sources == study) if by_study else np.arange(len(labelled))
            found = Features(asked()[study] if by_study else None)([labelled.pairs[row] for row in rows])
            values[rows] = np.column_stack([found.values, found.known])
        return values

    what = f"features {by_study} {encoder().version} {COEFFICIENTS.parent.joinpath('mean.json').read_text()}"
    values = _kept(what, labelled.pairs, make)
    return Table(features.NAMES, values[:, :-1], values[:, -1] == 1)


def _plain(labelled: Labelled) -> dict[str, Floats]:
    """Scores of the plain scorers; pairs of interviews by what their study asks, and without."""
    found = {name: _scores(name, labelled, {}) for name in SCORERS if name != "mix"}
    if labelled.name in PUBLIC:
        return found
    return found | {"centred": _scores("centred", labelled, asked()), f"centred, {RUNNING}": found["centred"]}


def _scores(name: str, labelled: Labelled, studies: Mapping[str, Sequence[str]]) -> Floats:
    chosen = scorer(name)
    return _kept(
        f"{name} {chosen.version} {sorted(studies)}",
        labelled.pairs,
        lambda: score_by_study(chosen, labelled.pairs, labelled.sources, studies).scores,
    )


def _text_mix(found: Table) -> Floats:
    """Text alone: the packaged model has one feature, so a fit to other folds would order the pairs alike."""
    text = Coefficients.load().cases["text"]
    return np.where(found.known, text.probability(found.names, found.values), np.nan)


def _kept(what: str, pairs: Sequence[Pair], make: Callable[[], Floats]) -> Floats:
    """What was computed before from the same texts by the same code."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted(_ROOM.glob("*.py"))
        if path.stem not in _NO_SCORES and not path.stem.startswith(("contains", "judge"))
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
