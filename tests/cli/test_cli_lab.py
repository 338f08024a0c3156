import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.cli import lab


def test_an_installed_package_lends_its_notebooks_and_keeps_own_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "interviewer"
    kept = package / "_data" / "notebooks"
    kept.mkdir(parents=True)
    (kept / "01.ipynb").write_text("first")
    monkeypatch.setattr(lab, "__file__", str(package / "cli" / "lab.py"))
    home = tmp_path / "home"
    assert lab.notebooks(home) == home / "notebooks"
    (home / "notebooks" / "01.ipynb").write_text("mine")
    (kept / "02.ipynb").write_text("second")
    lab.notebooks(home)
    assert [(p.name, p.read_text()) for p in sorted((home / "notebooks").iterdir())] == [
        ("01.ipynb", "mine"),
        ("02.ipynb", "second"),
    ]


def test_jupyterlab_gets_what_stands_behind_the_dashes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interviewer", "lab", "--no-browser", "--home", str(tmp_path), "--", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()[0].isdigit()
