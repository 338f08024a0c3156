"""Which files were written for whom to take away: so that forgetting a call finds them."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_FILE: Final = "exports.jsonl"
_TOLD: Final = ("call_id", "file", "sha256")  # without a sha256 it cannot be known whose a file is


def note(root: Path, call_id: str, files: Sequence[Path]) -> None:
    """Remember that these files, as they are now, hold this call; a home that cannot be written remembers nothing."""
    told = ({"call_id": call_id, "file": str(path.absolute()), "sha256": _sha256(path)} for path in files)
    with contextlib.suppress(OSError), (root / _FILE).open("a", encoding="utf-8") as book:
        book.writelines(json.dumps(each) + "\n" for each in told)


def files_of(root: Path, call_id: str) -> list[Path]:
    """Files that hold this call and are still what was written; of one written several times the last counts."""
    return [path for path, unchanged in _there(root, call_id) if unchanged]


def changed_of(root: Path, call_id: str) -> list[Path]:
    """Files under a name that this call was written to, which hold something else by now: somebody's own work."""
    return [path for path, unchanged in _there(root, call_id) if not unchanged]


def _there(root: Path, call_id: str) -> list[tuple[Path, bool]]:
    told = _read(root)
    last = {each["file"]: each["sha256"] for each in told}  # a file may hold several calls, noted with the same bytes
    mine = {each["file"] for each in told if each["call_id"] == call_id and each["sha256"] == last[each["file"]]}
    paths = [Path(file) for file in last if file in mine and Path(file).is_file()]
    return [(path, bool(last[str(path)]) and last[str(path)] == _sha256(path)) for path in paths]


def drop(root: Path, call_id: str) -> None:
    """Remember nothing of this call any more. Raises OSError."""
    if (root / _FILE).exists():
        left = [json.dumps(told) for told in _read(root) if told["call_id"] != call_id]
        (root / _FILE).write_text("".join(f"{line}\n" for line in left), encoding="utf-8")


def _read(root: Path) -> list[dict[str, str]]:
    found = []
    with contextlib.suppress(FileNotFoundError):
        for line in (root / _FILE).read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                found.append({name: str(told.get(name, "") if name == "sha256" else told[name]) for name in _TOLD})
    return found


def _sha256(path: Path) -> str:
    """Of a file's bytes, in hexadecimal; empty if it cannot be read."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
