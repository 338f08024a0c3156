"""Lines that no disk took: an empty file beside the journal tells of them; its name has room where nothing else has."""

import contextlib
import re
from pathlib import Path
from typing import Final

_COUNT: Final = re.compile(r"\.lost-(\d+)$")


def note_lost(journal: Path, count: int) -> None:
    """Note that so many lines of this journal are lost; not at all if not even a name can be written."""
    with contextlib.suppress(OSError):
        journal.with_name(f"{journal.name}.lost-{lost_lines(journal) + count}").touch()


def lost_lines(journal: Path) -> int:
    """How many lines of this journal are known to be lost."""
    return lost_in(journal.parent, journal.name).get(journal.name, 0)


def lost_in(folder: Path, name: str = "*") -> dict[str, int]:
    """How many lines are known to be lost of each journal in a folder, by file name; only those that lost some."""
    found: dict[str, int] = {}
    for path in folder.glob(f"{name}.lost-*"):
        if match := _COUNT.search(path.name):
            of = path.name[: match.start()]
            found[of] = max(found.get(of, 0), int(match[1]))
    return found
