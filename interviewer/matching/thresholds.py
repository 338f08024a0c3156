"""Thresholds with what they were chosen by; one belongs to one version of one scorer."""

import os
from datetime import date
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from interviewer.errors import MatchError, SettingsError
from interviewer.matching.scorer import Scorer

PACKAGED = Path(__file__).parent / "data" / "thresholds.json"
FILE = "thresholds.json"
"""The name of a home's own file; the home's folder comes from the caller."""

_Finite = Annotated[float, Field(allow_inf_nan=False)]


class Threshold(BaseModel):
    """A match is a score above `value`. `low` and `high`: its interval, or the ends of a grey band.

    `prevalence`: share of positives it was chosen for, 0 to 1. `cost_ratio`: cost of a miss in false flags.
    `fold_spread`: highest less lowest choice over the outer folds; None if it was chosen by hand. `corpus`: what it was
    chosen on, in words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9._-]{0,63}$")
    scorer: str
    version: str
    value: _Finite
    low: _Finite
    high: _Finite
    corpus: str
    prevalence: float = Field(gt=0, lt=1)
    cost_ratio: float = Field(gt=0, allow_inf_nan=False)
    fold_spread: float | None = Field(ge=0, allow_inf_nan=False)
    created: date

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"value {self.value} must lie between low {self.low} and high {self.high}")
        return self

    def for_(self, scorer: Scorer) -> float:
        """The value, for the scorer it was chosen with. Raises SettingsError naming both if it is another."""
        if (scorer.name, scorer.version) != (self.scorer, self.version):
            raise SettingsError(
                f"the threshold {self.name!r} was chosen for the scorer {self.scorer}/{self.version}, not for "
                f"{scorer.name}/{scorer.version}: choose another threshold, or tune one for this scorer"
            )
        return self.value


_LIST = TypeAdapter(list[Threshold])


def load_all(folder: Path | None = None) -> dict[str, Threshold]:
    """All stored thresholds by name; those of `folder`, a home's, come before those of the package.

    Raises MatchError naming a file that cannot be read.
    """
    found = {threshold.name: threshold for threshold in _read(PACKAGED)}
    if folder is not None and (folder / FILE).exists():
        found |= {threshold.name: threshold for threshold in _read(folder / FILE)}
    return found


def load(name: str, folder: Path | None = None) -> Threshold:
    """The threshold of this name. Raises SettingsError listing the names there are."""
    found = load_all(folder)
    if name not in found:
        raise SettingsError(f"there is no threshold {name!r}; known: {', '.join(sorted(found))}")
    return found[name]


def free(name: str, folder: Path, *, replace: bool = False) -> None:
    """Refuse a name that a threshold of the package has, or one of `folder` unless it is to be replaced.

    Raises MatchError saying what to do. One of the package under another's name would change what settings mean.
    """
    if name in load_all():
        raise MatchError(f"--name {name}: a threshold of that name comes with the package; choose another name")
    if not replace and name in load_all(folder):
        raise MatchError(f"--name {name}: there is one of that name in {folder / FILE}; add --replace to write over it")


def save(threshold: Threshold, folder: Path) -> Path:
    """Keep a threshold in `folder`, a home's or the package's data; one of the same name is replaced.

    The file is written whole or not at all; of two processes that write at once one may lose, see
    `interview.threshold_file`. Raises MatchError naming it.
    """
    path = folder / FILE
    kept = [other for other in (_read(path) if path.exists() else []) if other.name != threshold.name]
    kept = sorted([*kept, threshold], key=lambda one: one.name)
    draft = path.with_suffix(f".{os.getpid()}.new")
    try:
        draft.write_bytes(_LIST.dump_json(kept, indent=2) + b"\n")
        draft.replace(path)
    except OSError as error:
        raise MatchError(f"cannot write {path}: {error.strerror}") from None
    return path


def value(given: float | str, scorer: Scorer, folder: Path | None = None) -> float:
    """What a setting means: a number as it is, a name the stored threshold, if it is one for this scorer."""
    return load(given, folder).for_(scorer) if isinstance(given, str) else given


def _read(path: Path) -> list[Threshold]:
    try:
        return _LIST.validate_json(path.read_bytes())
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MatchError(f"{path} holds no thresholds: {where}: {first['msg']}") from None
