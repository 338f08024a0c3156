"""Every test, and every notebook's kernel, gets a home of its own, no key and no network but this machine's."""

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.loopback import guards
from tests.spreading import LongestFirst

ROOT = Path(__file__).resolve().parents[1]
KERNEL_STARTUP = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.loopback import stay_on_loopback
stay_on_loopback()
sys.path.remove({str(ROOT)!r})
"""

hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


def _forget_settings(patch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("INTERVIEWER_") or name == "OPENAI_API_KEY":
            patch.delenv(name)


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the environment that the notebooks' kernels inherit: fixtures do not reach them."""
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    folder = Path(tempfile.mkdtemp(prefix="interviewer-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    startup = folder / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-loopback.py").write_text(KERNEL_STARTUP, encoding="utf-8")
    if sys.dont_write_bytecode:
        # Then each of the many processes would compile all it imports: they share a place that goes with the run.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(folder / "bytecode"))
    _forget_settings(patch)
    patch.setenv("IPYTHONDIR", str(folder / "ipython"))
    patch.setenv("INTERVIEWER_HOME", str(folder / "home"))


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are processors: many tests wait for a page, a sound in real time or another process."""
    return (yield) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongestFirst:
    """Spread the tests over processes our own way, where there are several."""
    return LongestFirst(config, log)


@pytest.fixture(autouse=True)
def _on_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _forget_settings(monkeypatch)
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    for owner, name, replacement in guards():
        monkeypatch.setattr(owner, name, replacement)


@pytest.fixture
def fresh_home(tmp_path: Path) -> Path:
    """The test's own INTERVIEWER_HOME, an empty folder."""
    home = tmp_path / "home"
    home.mkdir()
    return home
