"""The exact version of everything this project installs, kept in two places that must agree.

`constraints.txt` serves pip, `[tool.uv] constraint-dependencies` in pyproject.toml serves uv. Both are written by

    uv run python -m tests.project.pins --write            # after adding or dropping a dependency
    uv run python -m tests.project.pins --write --upgrade  # to move everything to its newest version

A pin holds for Linux, macOS and Windows and for every Python that pyproject.toml allows; where versions must differ
it carries an environment marker.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from typing import Any

from tests.project.checkout import ROOT

CONSTRAINTS = ROOT / "constraints.txt"
PYPROJECT = ROOT / "pyproject.toml"

_BLOCK = re.compile(r"^constraint-dependencies = \[\n.*?^\]\n", re.MULTILINE | re.DOTALL)


def project() -> dict[str, Any]:
    """The parsed pyproject.toml."""
    return tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))


def requirements() -> list[str]:
    """What pyproject.toml asks for: the dependencies and every extra, without extras that name each other."""
    table = project()["project"]
    extras = [line for lines in table["optional-dependencies"].values() for line in lines]
    return sorted(line for line in {*table["dependencies"], *extras} if not line.startswith(f"{table['name']}["))


def in_constraints() -> list[str]:
    """The pins of constraints.txt, in its order."""
    return CONSTRAINTS.read_text(encoding="utf-8").splitlines()


def in_pyproject() -> list[str]:
    """The pins of pyproject.toml, in its order."""
    return list(project()["tool"]["uv"]["constraint-dependencies"])


def resolve(*, upgrade: bool) -> list[str]:
    """Pins of all direct and transitive dependencies, by name; those already pinned stay unless `upgrade`."""
    lowest = project()["project"]["requires-python"].removeprefix(">=")
    command = ["uv", "pip", "compile", "--no-config", "--universal", "--python-version", lowest]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--quiet", "-"]
    if not upgrade:
        command += ["--constraint", str(CONSTRAINTS)]
    asked = "\n".join(requirements())
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def write(pins: list[str]) -> None:
    """Put `pins` into both files."""
    listed = "".join(f"    {json.dumps(pin)},\n" for pin in pins)
    text = PYPROJECT.read_text(encoding="utf-8")
    if not _BLOCK.search(text):
        raise SystemExit(f"{PYPROJECT.name} has no constraint-dependencies list under [tool.uv]")
    block = f"constraint-dependencies = [\n{listed}]\n"
    PYPROJECT.write_text(_BLOCK.sub(lambda _: block, text, count=1), encoding="utf-8", newline="\n")
    CONSTRAINTS.write_text("".join(f"{pin}\n" for pin in pins), encoding="utf-8", newline="\n")


def main() -> None:
    """Show what a new resolution would pin, or write it with --write."""
    parser = argparse.ArgumentParser(description="Pin every dependency in constraints.txt and pyproject.toml.")
    parser.add_argument("--write", action="store_true", help="write both files instead of showing the pins")
    parser.add_argument("--upgrade", action="store_true", help="leave the present versions behind")
    given = parser.parse_args()
    pins = resolve(upgrade=given.upgrade)
    if given.write:
        write(pins)
    else:
        sys.stdout.writelines(f"{pin}\n" for pin in pins)


if __name__ == "__main__":
    main()
