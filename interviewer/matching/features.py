"""Named features of a pair of questions: what a combined score is made of."""

import math
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import ModelMissing
from interviewer.matching.course import COURSE, course
from interviewer.matching.deictic import asking, deictic, resolved
from interviewer.matching.form import closing, form, length, names, narrows, refers_back
from interviewer.matching.jaccard2 import Jaccard2
from interviewer.matching.minilm import Centred, MiniLM
from interviewer.matching.pairs import Context, Pair, aligned
from interviewer.matching.scorer import Scorer, Scores
from interviewer.matching.text import words
from interviewer.matching.tfidf import Tfidf, rarity
from interviewer.matching.tokens import content
from interviewer.matching.weights import FOLDER

_SCORES = ("minilm", "centred", "tfidf", "jaccard2")
_WORDED = ("rare", "names", "form", "closed", "length")
TEXT = (*_SCORES, *_WORDED, "pointed", "narrows", "closing")
CONTEXT = ("distance", "spoken", "answered", "asked_back", "uptake", "back", *COURSE)
NAMES = TEXT + CONTEXT

_WHOLE = 150

# Two texts, and whether what they point at was written before one of them.
_Option = tuple[str, str, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Features of pairs: `values` of shape (pairs, len(names)), NaN where one is unknown; `known`: can be compared."""

    names: tuple[str, ...]
    values: NDArray[np.float64]
    known: NDArray[np.bool_]

    def column(self, name: str) -> NDArray[np.float64]:
        """One feature, shape (pairs,)."""
        return np.asarray(self.values[:, self.names.index(name)])


class Features:
    """Computes the features; caches what it reads. `study`: the questions of the study, for centring.

    centred, minilm, tfidf, jaccard2: the scores of that name. rare: idf of the shared words over that of the lighter
    sentence. names: shared less unshared names and numbers over all, 0 without any. form: 1 if the same is asked
    for. closed: 1 if just one of the two is a yes-no question. length: absolute log ratio of words. pointed: 1 if
    one was completed by what it points to. narrows: 1 if the second asks for something specific or more. closing: 1
    if just one of the two is a closing question ("anything else?"). With context: distance: log(1 + turns). spoken:
    log(1 + the guest's words between the two questions). answered: the same of the answer to the first. asked_back: 1
    if that answer ends with a question. uptake: share of the second question's idf that is in that answer. back: 1
    if the second question or what leads to it refers back; and those of `course`.

    Of several sentences those that ask count: the two with the highest cosine stand for the pair. Without context,
    texts of up to 150 words count as a whole: they have to tell all that was asked. Questions that only point are
    compared with what they point to, if it agrees, else not at all. Without the sentence model, `missing` says why,
    centred and minilm are unknown and tfidf chooses the sentences.
    """

    def __init__(self, study: Iterable[str] | None = None, folder: Path | None = None) -> None:
        self.centred: Centred | None = None
        self.missing = ""
        self._minilm: MiniLM | None = None
        try:
            self._minilm, self.centred = MiniLM(folder), Centred(study, folder)
        except ModelMissing as error:
            if folder is not None or os.environ.get(FOLDER):  # somebody asked for just this model
                raise
            self.missing = str(error)
        self._words: tuple[Scorer, Scorer] = (Tfidf(), Jaccard2())

    def __call__(self, pairs: Sequence[Pair], wanted: Collection[str] = NAMES) -> Table:
        """The features of `pairs`, in their order; those that are not `wanted` may be NaN."""
        values = np.full((len(pairs), len(NAMES)), np.nan)
        kept, chosen, likeness = self._sentences(pairs)
        values[kept, : len(_SCORES)] = self._scores(chosen, likeness, wanted)
        if not _WORDED_SET.isdisjoint(wanted):
            worded = [_worded(one, other) for one, other, _ in chosen]
            values[kept, len(_SCORES) : len(_SCORES) + len(_WORDED)] = np.reshape(worded, (-1, len(_WORDED)))
        values[kept, NAMES.index("pointed")] = [pointed for *_, pointed in chosen]
        if "narrows" in wanted:
            values[:, NAMES.index("narrows")] = [narrows(pair.q2) for pair in pairs]
        if "closing" in wanted:
            values[:, NAMES.index("closing")] = [closing(pair.q1) != closing(pair.q2) for pair in pairs]
        if not _CONTEXT_SET.isdisjoint(wanted):
            for at, pair in enumerate(pairs):
                if pair.context is not None:
                    values[at, len(TEXT) :] = (*_surroundings(pair.q2, pair.context), *course(pair, pair.context))
        return Table(NAMES, values, ~np.isnan(values[:, [NAMES.index("minilm"), NAMES.index("tfidf")]]).all(axis=1))

    def by_words(self, rows: Sequence[str], columns: Sequence[str]) -> tuple[Scores, NDArray[np.bool_]]:
        """The feature tfidf of every row with every column, and where it stands: where both texts count as a whole."""
        alone = [np.array(list(map(_stands_alone, texts)), dtype=np.bool_) for texts in (rows, columns)]
        return self._words[0].matrix(rows, columns), np.logical_and.outer(*alone)

    def _sentences(self, pairs: Sequence[Pair]) -> tuple[list[int], list[_Option], NDArray[np.float64]]:
        """Places of the pairs that can be compared, what stands for each of them, and how alike that is."""
        options = [_options(pair) for pair in pairs]
        flat = [option for found in options for option in found]
        chooser = self._minilm or self._words[0]
        likeness = aligned(chooser, [one for one, *_ in flat], [other for _, other, _ in flat])
        kept = [at for at, found in enumerate(options) if found]
        if len(kept) == len(flat):
            return kept, flat, likeness
        starts = np.cumsum([0, *(len(options[at]) for at in kept)])
        ranked = np.nan_to_num(likeness, nan=-2.0)
        best = [start + int(ranked[start:end].argmax()) for start, end in pairwise(starts.tolist())]
        return kept, [flat[at] for at in best], likeness[best]

    def _scores(
        self, chosen: list[_Option], likeness: NDArray[np.float64], wanted: Collection[str]
    ) -> NDArray[np.float64]:
        one, other = [first for first, *_ in chosen], [second for _, second, _ in chosen]
        unknown = np.full(len(chosen), np.nan)
        tfidf, jaccard2 = self._words
        return np.column_stack(
            [
                likeness if self._minilm else unknown,
                aligned(self.centred, one, other) if self.centred and "centred" in wanted else unknown,
                (aligned(tfidf, one, other) if self._minilm else likeness),
                aligned(jaccard2, one, other) if "jaccard2" in wanted else unknown,
            ]
        )


def _options(pair: Pair) -> list[_Option]:
    """What can stand for a pair, and whether a lead was added; empty if all only points, to what may not agree."""
    if pair.context is None and _stands_alone(pair.q1) and _stands_alone(pair.q2):
        return [(pair.q1, pair.q2, False)]
    around = pair.context or Context(0)
    found = []
    for first, second in product(asking(pair.q1), asking(pair.q2)):
        texts = resolved(first, around.before1, second, around.before2)
        if texts is not None:
            found.append((*texts, texts != (first, second)))
    if found and pair.context is None and max(length(pair.q1), length(pair.q2)) <= _WHOLE:
        return [(pair.q1, pair.q2, False)]
    return found


@lru_cache(maxsize=16_384)
def _stands_alone(text: str) -> bool:
    """Whether a text counts as a whole and asks for something that it names: nothing around it is needed."""
    return length(text) <= _WHOLE and not all(map(deictic, asking(text)))


@lru_cache(maxsize=16_384)
def _mass(text: str) -> float:
    return math.fsum(map(rarity().of, content(text)))


def _worded(one: str, other: str) -> tuple[float, ...]:
    lighter = min(_mass(one), _mass(other))
    shared = math.fsum(map(rarity().of, content(one) & content(other)))
    named1, named2 = names(one), names(other)
    all_named = len(named1 | named2)
    kinds = form(one), form(other)
    return (
        shared / lighter if lighter else 0.0,
        (len(named1 & named2) - len(named1 ^ named2)) / all_named if all_named else 0.0,
        float(kinds[0] == kinds[1]),
        float((kinds[0] == "closed") != (kinds[1] == "closed")),
        abs(math.log(length(one) / length(other))),
    )


def _surroundings(later: str, around: Context) -> tuple[float, ...]:
    answer = around.answer
    asked = content(later)
    whole = _mass(later)
    taken_up = math.fsum(map(rarity().of, asked & content(answer)))
    return (
        math.log1p(around.distance),
        math.log1p(len(words(around.guest))),
        math.log1p(len(words(answer))),
        float(answer.rstrip().endswith("?")),
        taken_up / whole if whole else 0.0,
        float(refers_back(f"{around.before2 if around.distance else ''} {later}")),
    )


_WORDED_SET, _CONTEXT_SET = frozenset(_WORDED), frozenset(CONTEXT)
