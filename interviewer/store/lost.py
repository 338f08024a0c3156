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
    found = (_COUNT.search(path.name) for path in journal.parent.glob(f"{journal.name}.lost-*"))
    return max((int(match[1]) for match in found if match), default=0)
