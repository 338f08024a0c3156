import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NOBODY = 65_534


@pytest.fixture
def unprivileged() -> Iterator[Callable[[Path], Path]]:
    """A function that forbids writing to a file or folder; root counts as nobody from then on."""
    if not hasattr(os, "geteuid"):
        pytest.skip("file permissions work otherwise here")

    def forbid(path: Path) -> Path:
        path.chmod(0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.seteuid(NOBODY)
        return path

    yield forbid
    if os.getuid() == 0:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of this machine can reach."""
    folder = Path(tempfile.mkdtemp(prefix="interviewer-store-"))
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)
    shutil.rmtree(folder)
