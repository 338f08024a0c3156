"""Which files were written for whom to take away: so that forgetting a call finds them."""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_FILE: Final = "exports.jsonl"


def note(root: Path, call_id: str, files: Sequence[Path]) -> None:
    """Remember that these files hold this call; a home that cannot be written remembers nothing."""
    lines = (json.dumps({"call_id": call_id, "file": str(path.absolute())}) + "\n" for path in files)
    with contextlib.suppress(OSError), (root / _FILE).open("a", encoding="utf-8") as book:
        book.writelines(lines)


def files_of(root: Path, call_id: str) -> list[Path]:
    """Files that hold this call still: of a file written for several calls, one after the other, the last counts."""
    last = {file: owner for owner, file in _read(root)}
    return [Path(file) for file, owner in last.items() if owner == call_id and Path(file).is_file()]


def drop(root: Path, call_id: str) -> None:
    """Remember nothing of this call any more. Raises OSError."""
    if (root / _FILE).exists():
        left = [json.dumps({"call_id": owner, "file": file}) for owner, file in _read(root) if owner != call_id]
        (root / _FILE).write_text("".join(f"{line}\n" for line in left), encoding="utf-8")


def _read(root: Path) -> list[tuple[str, str]]:
    found = []
    with contextlib.suppress(FileNotFoundError):
        for line in (root / _FILE).read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                found.append((str(told["call_id"]), str(told["file"])))
    return found
