"""Where settings are given: files and the environment; and what is said of a wrong one."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from interviewer.errors import SettingsError
from interviewer.settings.group import SECRETS

ENV_PREFIX = "INTERVIEWER_"
_NOT_SETTINGS = {"INTERVIEWER_HOME", "INTERVIEWER_MINILM"}


def named(group: str, fields: Any, where: str) -> Iterable[tuple[str, Any]]:
    """The fields of a group. Raises SettingsError if it is none."""
    if not isinstance(fields, Mapping):
        raise SettingsError(f"{group} ({where}): a group of settings is a mapping, not {type(fields).__name__}")
    return fields.items()


def from_file(path: Path) -> dict[str, Any]:
    """The groups of a settings file, YAML or TOML. Raises SettingsError."""
    try:
        text = path.read_text(encoding="utf-8")
        loaded = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    except OSError as error:
        raise SettingsError(f"cannot read settings file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {path} is not valid {path.suffix or 'YAML'}: {error}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise SettingsError(f"settings file {path} must hold groups such as 'call:', not a {type(loaded).__name__}")
    return loaded


def from_env(env: Mapping[str, str]) -> dict[str, Any]:
    """The groups that the environment gives. Raises SettingsError."""
    found: dict[str, Any] = {}
    for key in sorted(env):
        if key.startswith(ENV_PREFIX) and key not in _NOT_SETTINGS:
            group, _, name = key.removeprefix(ENV_PREFIX).lower().partition("__")
            if not name:
                raise SettingsError(f"{key} (environment): settings are named {ENV_PREFIX}GROUP__NAME")
            found.setdefault(group, {})[name] = env[key]
    return found


def explain(error: ValidationError, origin: Mapping[tuple[str, ...], str]) -> str:
    """What is wrong with which setting, and where it was given; a value that may hold a key is not shown."""
    lines = []
    for item in error.errors():
        at = tuple(str(part) for part in item["loc"])
        where = origin.get(at[:2]) or origin.get(at[:1], "keyword")
        # An unknown name may hold a key put there by mistake: its value is never shown.
        unknown = item["type"] in ("extra_forbidden", "invalid_key")
        given = SECRETS.sub("...", repr(item["input"]))
        problem = "there is no such setting" if unknown else item["msg"]
        # Where a key's name belongs a key may have been put.
        if not unknown and at[1:] and at[-1] != "key_name":
            problem += f"; it was {given}"
        lines.append(f"setting {'.'.join(at)} ({where}): {problem}")
    return "\n".join(lines)
