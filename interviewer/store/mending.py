"""What a killed writer left, put right as a store is opened: torn ends, rests, drafts not written."""

import contextlib
from pathlib import Path

from interviewer.errors import JournalError
from interviewer.store.home import Home
from interviewer.store.journal import mend
from interviewer.store.locks import is_held
from interviewer.store.plain import harmless
from interviewer.store.steady import rejoin, rest_prefix, rests


def mend_one(path: Path) -> None:
    """Put a torn end aside, unless the journal is being written or cannot be: then it stays as it is."""
    with contextlib.suppress(JournalError):
        if not is_held(path):
            mend(path)


def mend_all(home: Home) -> None:
    """Join rests to those journals of this home that nobody writes; what does not fit stays where it is."""
    for rest in rests():
        call_id = rest.name.removeprefix(rest_prefix("")).rpartition("-")[0]
        with contextlib.suppress(JournalError):
            path = home.journal(call_id)
            if path.exists() and not is_held(path):
                rejoin(path, rest)


def restore_draft(home: Home, call_id: str, version: int, text: str) -> None:
    """Write the file of a draft that the journal holds, unless it is there or its call is still being written."""
    with contextlib.suppress(JournalError, OSError):
        path = home.draft(call_id, version)
        if not path.exists() and not is_held(home.journal(call_id)):
            write_whole(path, harmless(text))


def write_whole(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all, whenever this process dies. Raises OSError."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
