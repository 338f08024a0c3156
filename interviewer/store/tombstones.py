"""What is left of a call that was forgotten: its id and the day, so that no copy of its journal brings it back."""

import contextlib
import json
from datetime import datetime
from pathlib import Path
from typing import Final

from interviewer.errors import Forgotten, StoreError
from interviewer.store.home import safe_id
from interviewer.store.ids import now

_FOLDER: Final = "journals"
_ENDING: Final = ".forgotten"


def bury(root: Path, call_id: str) -> Path:
    """Note that this call of the home in `root` is forgotten. Raises StoreError if that cannot be written."""
    path = _path(root, call_id)
    if not path.exists():
        told = {"call_id": call_id, "forgotten_at": now().isoformat(timespec="seconds")}
        try:
            path.write_text(json.dumps(told) + "\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}; nothing was forgotten") from None
    return path


def forgotten_at(root: Path, call_id: str) -> datetime | None:
    """When this call was forgotten; None if it was not."""
    path = _path(root, call_id)
    if not path.exists():
        return None
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return datetime.fromisoformat(json.loads(path.read_text(encoding="utf-8"))["forgotten_at"])
    return now()


def forgotten_ids(root: Path) -> frozenset[str]:
    """The ids of the calls that were forgotten."""
    return frozenset(path.name.removesuffix(_ENDING) for path in (root / _FOLDER).glob(f"*{_ENDING}"))


def forgotten_named(root: Path, call: str) -> str | None:
    """The id of the forgotten call that this is, or that alone begins with it."""
    ids = forgotten_ids(root)
    found = [call] if call in ids else [each for each in ids if call and each.startswith(call)]
    return found[0] if len(found) == 1 else None


def refuse(root: Path, call_id: str) -> None:
    """Raises Forgotten if this call is."""
    if at := forgotten_at(root, call_id):
        raise Forgotten(f"call {call_id} was forgotten on {at:%Y-%m-%d}; what is there of it can be deleted")


def is_tombstone(path: Path) -> bool:
    """Whether this file says that a call was forgotten."""
    return path.suffix == _ENDING


def _path(root: Path, call_id: str) -> Path:
    return root / _FOLDER / f"{safe_id(call_id)}{_ENDING}"
