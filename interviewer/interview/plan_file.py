"""A plan as a file that a person can read and change: YAML or TOML in, YAML out."""

import os
import tomllib
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from interviewer.errors import PlanError
from interviewer.interview.plan_mistakes import told_mistakes, unfit
from interviewer.interview.plan_yaml import read_yaml, told_problem
from interviewer.model.plan import Plan
from interviewer.store.mending import write_whole


def save_plan(plan: Plan, path: Path) -> None:
    """Write a plan as YAML, whole or not at all, over an older plan only.

    Raises PlanError if the file cannot be written, or holds something else than a plan.
    """
    text = yaml.safe_dump(plan.model_dump(mode="json"), allow_unicode=True, sort_keys=False, width=100)
    if path.suffix.lower() == ".toml":
        raise PlanError(f"{path}: a plan is written as YAML: give it a name such as {path.with_suffix('.yaml').name}")
    try:
        if path.exists() and not path.is_file():  # such as /dev/stdout
            path.write_text(text, encoding="utf-8")
            return
        whole = path.resolve()  # a link stays one
        _only_over_a_plan(whole)
        write_whole(whole, text)
    except (OSError, ValueError) as error:  # a ValueError: no name of a file, such as one with a NUL
        raise PlanError(f"cannot write the plan {str(path)!r}: {_why(error)}") from None


def load_plan(path: Path) -> Plan:
    """The plan in a YAML or TOML file. Raises PlanError naming the file and the field that does not fit."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        loaded: Any = tomllib.loads(text) if path.suffix == ".toml" else read_yaml(text)
    except yaml.YAMLError as error:
        raise PlanError(f"{path} is not a plan: {told_problem(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path} is not a plan: {error}") from None
    except RecursionError:
        raise PlanError(f"{path} is not a plan: its values lie too deep in each other") from None
    except (OSError, ValueError) as error:
        raise PlanError(f"cannot read the plan {str(path)!r}: {_why(error)}") from None
    return plan_of(loaded, str(path))


def plan_of(loaded: Any, where: str) -> Plan:
    """The plan in plain values from `where`. Raises PlanError naming that and each field that does not fit."""
    try:
        plan = Plan.model_validate(loaded)
    except RecursionError:
        raise PlanError(f"{where}: its values lie too deep in each other") from None
    except ValidationError as error:
        raise PlanError(f"{where}: {told_mistakes(error)}") from None
    if problem := unfit(plan):
        raise PlanError(f"{where}: {problem}")
    return plan


def _only_over_a_plan(path: Path) -> None:
    """Raises PlanError for a file that is there and is something else, PermissionError if it may not be written."""
    if not path.exists() or not path.stat().st_size:
        return
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "it may not be written")
    try:
        load_plan(path)
    except PlanError:
        raise PlanError(f"{path} is there and is not a plan: nothing was written; choose another name") from None


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
