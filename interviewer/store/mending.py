"""What a killed writer left, put right as a store is opened: torn ends, and rests in the temp folder."""

import contextlib
from pathlib import Path

from interviewer.errors import JournalError
from interviewer.store.home import Home
from interviewer.store.journal import mend
from interviewer.store.locks import is_held
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
