"""The checkout the house rules are held over."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("interviewer", "evals", "tests")


def python(*arguments: str) -> str:
    """What `python ...` prints when run at the root; a failure shows it all."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}{done.stderr}"
    return done.stdout


def files(*patterns: str) -> list[Path]:
    """The project's own files, those that git tracks; skips where there is no git checkout."""
    command = ["git", "ls-files", "-z", "--", *patterns]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: which files belong to the project is not known")
    listed = (ROOT / name for name in sorted(set(done.stdout.split("\0")) - {""}))
    return [path for path in listed if path.is_file()]
