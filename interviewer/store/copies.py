"""Files that hold a call's journal, or a piece of it, whatever they are called."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from interviewer.store.lines import HEAD, call_seal, fits

_LOOKED_AT: Final = 262_144  # bytes: the head, and lines enough to tell whose they are


def copies_of(root: Path, call_id: str) -> Iterator[Path]:
    """Every file under `root` that begins as this call's journal does, or with lines that bear its checksums."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and _is_of(path, call_id):
            yield path


def _is_of(path: Path, call_id: str) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(len(HEAD))
            if start[:5] != HEAD[:5]:
                return False
            lines = (start + file.read(_LOOKED_AT)).split(b"\n")
    except OSError:
        return False
    if lines[0].startswith(HEAD) and f'"call_id":"{call_id}"'.encode() in lines[0]:
        return True
    seal = call_seal(call_id)
    return any(fits(line, seal) for line in lines)
