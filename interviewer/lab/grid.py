"""Which configurations a sweep goes through: named ones, and all combinations of values of some settings."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from interviewer.errors import SettingsError
from interviewer.replay.outcome import Kind
from interviewer.settings import BackendName, Settings

_PARTS = {"kind", "backend", "seed", "settings", "configurations", "vary"}
_MOST = 1_000


_Groups = dict[str, dict[str, Any]]


class _File(BaseModel):
    """A grid as it stands in a file."""

    model_config = ConfigDict(strict=True)

    configurations: dict[str, _Groups | None] | None = None
    vary: dict[str, Any] | None = None
    settings: _Groups | None = None
    kind: Kind = "teacher-forced"
    backend: BackendName | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """What a sweep is to try. `configurations`: name and settings, in order; `backend` None: as the settings say."""

    configurations: tuple[tuple[str, Settings], ...]
    kind: str = "teacher-forced"
    backend: str | None = None
    seed: int = 0

    @classmethod
    def of(
        cls,
        configurations: Mapping[str, Mapping[str, Any] | None] | None = None,
        vary: Mapping[str, list[Any]] | None = None,
        *,
        base: Settings | None = None,
        **rest: Any,
    ) -> Self:
        """`configurations`: by name the groups that differ from `base`; `vary`: values by dotted name, all combined.

        With both each configuration is varied. Raises SettingsError naming what does not fit.
        """
        start = base or Settings.load()
        found = {
            name: _changed(start, dict(groups or {}), name) for name, groups in (configurations or {"": None}).items()
        }
        varied = [
            (", ".join(filter(None, (name, told))), _changed(settings, groups, told))
            for name, settings in found.items()
            for told, groups in _varied(vary or {})
        ]
        if len(varied) > _MOST:
            raise SettingsError(f"a grid of {len(varied)} configurations; {_MOST} are the most")
        named = tuple((name or "default", settings) for name, settings in varied)
        twice = [name for name, count in Counter(name for name, _ in named).items() if count > 1]
        if twice:
            raise SettingsError(f"there are two configurations {twice[0]!r}: give each value and name once")
        return cls(named, **rest)

    @classmethod
    def load(cls, path: Path, base: Settings | None = None) -> Self:
        """A grid from a YAML file with `configurations`, `vary`, `kind`, `backend`, `seed` and `settings` for all.

        Raises SettingsError naming the file.
        """
        try:
            told = yaml.safe_load(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(f"cannot read {path}: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            raise SettingsError(f"{path} is not valid YAML: {error}") from None
        if not isinstance(told, dict) or not told.keys() <= _PARTS or not told.keys() & {"configurations", "vary"}:
            raise SettingsError(f"{path}: a grid has configurations or vary, and may have {', '.join(sorted(_PARTS))}")
        try:
            file = _File.model_validate(told)
            start = (base or Settings.load()).with_(**(file.settings or {}))
            rest = {"kind": file.kind, "backend": file.backend, "seed": file.seed}
            return cls.of(file.configurations, file.vary, base=start, **rest)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            at = ".".join(map(str, first["loc"]))
            raise SettingsError(f"{path}: {at}: {first['msg']}") from None
        except SettingsError as error:
            raise SettingsError(f"{path}: {error}") from None


def _varied(vary: Mapping[str, list[Any]]) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    for name, values in vary.items():
        if name.count(".") != 1 or not isinstance(values, list) or not values:
            raise SettingsError(f"vary: {name}: give group.setting and a list of values")
    for chosen in itertools.product(*vary.values()):
        groups: dict[str, dict[str, Any]] = {}
        for name, value in zip(vary, chosen, strict=True):
            group, _, setting = name.partition(".")
            groups.setdefault(group, {})[setting] = value
        yield ", ".join(f"{name}={value}" for name, value in zip(vary, chosen, strict=True)), groups


def _changed(settings: Settings, groups: Mapping[str, Mapping[str, Any]], name: str) -> Settings:
    try:
        return settings.with_(**groups)
    except SettingsError as error:
        raise SettingsError(f"{name}: {error}" if name else str(error)) from None
