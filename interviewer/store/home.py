"""Where everything lives: one folder for the database, the journals and the essays."""

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from interviewer.errors import JournalError, NotFound, StoreReadOnly

_NAME = "interviewer"
_CALL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Home:
    """The home folder and the names of what is in it."""

    root: Path

    @property
    def database(self) -> Path:
        """The DuckDB file; it can be built again from the journals."""
        return self.root / "interviewer.duckdb"

    @property
    def journals(self) -> Path:
        """The folder with one journal a call."""
        return self.root / "journals"

    @property
    def drafts(self) -> Path:
        """The folder for essays."""
        return self.root / "drafts"

    @property
    def audio(self) -> Path:
        """The folder for the sound of calls that was kept; made when the first is."""
        return self.root / "audio"

    @property
    def runs(self) -> Path:
        """The folder with one folder a run of a replay; made when the first is."""
        return self.root / "runs"

    @property
    def workspace(self) -> Path:
        """The journal of what people make beside calls: labels, judgements, thresholds, plans."""
        return self.root / "workspace.jsonl"

    def journal(self, call_id: str) -> Path:
        """Where the journal of this call is, or will be. Raises JournalError if the id is no safe file name."""
        return self.journals / f"{safe_id(call_id)}.jsonl"

    def draft(self, call_id: str, version: int) -> Path:
        """Where a draft of this call is, the first one being version 1. Raises JournalError as `journal` does."""
        return self.drafts / (f"{safe_id(call_id)}.md" if version == 1 else f"{safe_id(call_id)}.v{version}.md")

    def recording(self, call_id: str) -> Path:
        """Where the sound of this call is, if it was kept. Raises JournalError as `journal` does."""
        return self.audio / f"{safe_id(call_id)}.flac"


def home(explicit: Path | None = None, *, make: bool = True) -> Home:
    """The home to use, made if it is not there yet.

    With `make=False` it is only looked at: one that `explicit` or the environment names must be there, else NotFound.

    `explicit`, else the environment's INTERVIEWER_HOME, else `data/home` of the checkout this package runs from,
    else the user's data folder. Raises StoreReadOnly naming the folder if it cannot be made or written.
    """
    found = Home(_root(explicit).expanduser().absolute())
    if not make and (found.journals.is_dir() or found.database.exists()):
        return found
    if not make and (explicit is not None or os.environ.get("INTERVIEWER_HOME")):
        raise NotFound(f"there is no home in {found.root} yet; `interviewer demo` with the same home makes one")
    for folder in (found.root, found.journals, found.drafts):
        _make(folder)
    return found


def safe_id(call_id: object) -> str:
    """`call_id`, if it can be a file name everywhere. Raises JournalError if not: ids come from files."""
    if not isinstance(call_id, str) or not _CALL_ID.fullmatch(call_id):
        raise JournalError(f"{call_id!r} cannot be a call id: letters, digits, dots, dashes and underscores only")
    return call_id


def _root(explicit: Path | None) -> Path:
    if explicit is not None:
        return explicit
    if given := os.environ.get("INTERVIEWER_HOME"):
        return Path(given)
    checkout = Path(__file__).resolve().parents[2]
    return checkout / "data" / "home" if _is_ours(checkout / "pyproject.toml") else platformdirs.user_data_path(_NAME)


def _is_ours(pyproject: Path) -> bool:
    try:
        project = tomllib.loads(pyproject.read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError):
        return False
    return bool(project.get("name") == _NAME)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnly(f"cannot make the folder {folder}: {error.strerror}; choose another home") from None
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise StoreReadOnly(f"the folder {folder} cannot be written; choose another home")
