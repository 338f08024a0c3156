"""A plan as a file that a person can read and change: YAML or TOML in, YAML out."""

import tomllib
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from interviewer.errors import PlanError
from interviewer.model.plan import Plan


def save_plan(plan: Plan, path: Path) -> None:
    """Write a plan as YAML. Raises PlanError if the file cannot be written."""
    text = yaml.safe_dump(plan.model_dump(mode="json"), allow_unicode=True, sort_keys=False, width=100)
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # a ValueError: no name of a file, such as one with a NUL
        raise PlanError(f"cannot write the plan {str(path)!r}: {_why(error)}") from None


def load_plan(path: Path) -> Plan:
    """The plan in a YAML or TOML file. Raises PlanError naming the file and the field that does not fit."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        loaded: Any = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    except (tomllib.TOMLDecodeError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise PlanError(f"{path} is not a plan: {error}") from None
    except RecursionError:
        raise PlanError(f"{path} is not a plan: its values lie too deep in each other") from None
    except (OSError, ValueError) as error:
        raise PlanError(f"cannot read the plan {str(path)!r}: {_why(error)}") from None
    return plan_of(loaded, str(path))


def plan_of(loaded: Any, where: str) -> Plan:
    """The plan in plain values from `where`. Raises PlanError naming that and each field that does not fit."""
    try:
        return Plan.model_validate(loaded)
    except RecursionError:
        raise PlanError(f"{where}: its values lie too deep in each other") from None
    except ValidationError as error:
        problems = [f"{'.'.join(str(part) for part in e['loc']) or 'plan'}: {e['msg']}" for e in error.errors()]
        raise PlanError(f"{where}: " + "; ".join(problems)) from None


def path_of(file: str) -> Path:
    """The path that a person wrote, ~ and all. Raises PlanError if there is none."""
    if not file.strip():
        raise PlanError("say which file, such as plan.yaml")
    try:
        return Path(file.strip()).expanduser()
    except RuntimeError as error:  # ~somebody who has no account here
        raise PlanError(f"cannot find the plan {file.strip()!r}: {error}") from None


def _why(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
