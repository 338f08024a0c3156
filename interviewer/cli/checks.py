"""What a machine has and lacks, check by check."""

import os
import platform
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

from interviewer.cli.text import counted
from interviewer.errors import AudioError, InterviewerError, StoreError
from interviewer.store.home import Home
from interviewer.store.home import home as find_home

State = Literal["ok", "warning", "missing", "broken"]

MODELS: Final = "agents"
MICROPHONE: Final = "microphone"
LOUDSPEAKER: Final = "loudspeaker"
TRIED: Final = {MODELS, MICROPHONE, LOUDSPEAKER}
"""Names of the checks that are made only if they are asked for, and are then to succeed."""

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "firefox")
_MAC_BROWSERS = ("Google Chrome", "Chromium", "Microsoft Edge", "Firefox", "Safari")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:>=([0-9.]+))?")
_PIN = re.compile(r"([A-Za-z0-9._-]+)==(\S+)")
_ENOUGH_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `needed`: the demo does not run without it; `advice` says what to do if it is not ok."""

    name: str
    state: State
    found: str
    advice: str = ""
    needed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def checks(home: Path | None) -> Iterator[Check]:
    """Look at everything."""
    yield _python()
    yield from _packages()
    place = _home(home)
    yield place if isinstance(place, Check) else _writable(place)
    if isinstance(place, Home):
        yield _database(place)
        yield from _journals(place)
        yield from _unfinished(place)
        yield _disk(place)
    yield _dossiers()
    yield _sound()
    yield _browser()
    yield _jupyter()
    yield _key()


def _python() -> Check:
    found = f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"
    return Check("Python", "ok", found, needed=True)


def _packages() -> Iterator[Check]:
    """The package itself, and every dependency it declares against the oldest version it may have."""
    version = _installed("interviewer")
    if version is None:
        advice = "install it: `uv sync`, or `pip install -e .` in the checkout"
        yield Check("interviewer", "missing", "not installed", advice, needed=False)
        return
    wrong: list[str] = []
    right: list[str] = []
    for name, oldest in _requirements():
        has = _installed(name)
        if has is None:
            wrong.append(f"{name} is missing")
            continue
        (wrong if _numbers(has) < _numbers(oldest) else right).append(f"{name} {has}")
    yield Check("interviewer", "ok", version, needed=True)
    if wrong:
        yield Check("packages", "missing", ", ".join(wrong), "install the package again: `uv sync`", needed=True)
    else:
        yield Check("packages", "ok", ", ".join(right), _against_pins(), needed=True)


def _against_pins() -> str:
    """What differs from the versions the checkout was tested with; empty without a checkout."""
    pyproject = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if not pyproject.is_file():
        return ""
    pins = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["uv"]["constraint-dependencies"]
    pinned = [match.groups() for pin in pins if (match := _PIN.fullmatch(pin))]
    other = [
        f"{name} {has} ({version})" for name, version in pinned if (has := _installed(name)) not in (None, version)
    ]
    return f"other versions than those tested, in brackets: {', '.join(other)}" if other else ""


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _requirements() -> Iterator[tuple[str, str]]:
    for line in metadata.requires("interviewer") or ():
        match = _REQUIREMENT.match(line)
        if match and "extra ==" not in line:
            yield match[1], match[2] or "0"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _home(explicit: Path | None) -> Home | Check:
    try:
        return find_home(explicit)
    except InterviewerError as error:
        return Check("home", "broken", str(error), "give another folder: --home DIR, or INTERVIEWER_HOME", needed=True)


def _writable(place: Home) -> Check:
    return Check("home", "ok", str(place.root), needed=True)


def _database(place: Home) -> Check:
    from interviewer.store.database import Database

    if not place.database.exists():
        return Check("database", "ok", "not there yet; the first call makes it", needed=True)
    try:
        with Database(place.database, wait_ms=0).connect(writes=False) as connection:
            row = connection.execute("SELECT count(*) FROM calls").fetchone()
    except StoreError as error:
        advice = "see above; the journals hold the same calls, so the database can also be moved away and made again"
        return Check("database", "broken", f"{type(error).__name__}: {error}", advice, needed=True)
    return Check("database", "ok", f"{place.database}, {counted(row[0] if row else 0, 'call')}", needed=True)


def _journals(place: Home) -> Iterator[Check]:
    """How many journals there are, and which of them have come to harm; nothing if the database cannot tell."""
    from interviewer.store.database import Database

    files = {f"journals/{path.name}" for path in place.journals.glob("*.jsonl")}
    rows: list[tuple[str, int, str | None]] = []
    if place.database.exists():
        try:
            with Database(place.database, wait_ms=0).connect(writes=False) as connection:
                rows = connection.execute("SELECT file, damaged, problem FROM journals").fetchall()
        except StoreError:
            return
    taken = {file: (damaged, problem) for file, damaged, problem in rows if file in files}
    unreadable = sum(problem is not None for _, problem in taken.values())
    damaged = sum(places > 0 for places, _ in taken.values())
    waiting = len(files - taken.keys())
    parts = ((damaged, "damaged"), (unreadable, "unreadable"), (waiting, "not taken in yet"))
    found = ", ".join([counted(len(files), "journal"), *(f"{number} {what}" for number, what in parts if number)])
    if damaged or unreadable:
        yield Check("journals", "broken", found, "`interviewer list` names them")
    else:
        yield Check("journals", "ok", found)


def _unfinished(place: Home) -> Iterator[Check]:
    """Calls that a crash left, lines that wait in the temp folder, databases set aside, calls whose time is over."""
    from interviewer.kept.forget import due
    from interviewer.kept.recover import unfinished
    from interviewer.store.aside import set_aside
    from interviewer.store.database import Database
    from interviewer.store.steady import rests
    from interviewer.store.store import Store

    if left := rests():
        found = f"{counted(len(left), 'file')} of calls whose disk was full: {', '.join(map(str, left))}"
        yield Check("temp folder", "broken", found, "make room, then: interviewer recover CALL; it puts them back")
    if aside := set_aside(place.database):
        found = f"{_first([path.name for path in aside])}: damaged, and made again; can be deleted if nothing is missed"
        yield Check("set aside", "ok", found)
    if not place.database.exists():
        return
    store = Store(place, Database(place.database, wait_ms=0))
    try:
        interrupted, over, half = unfinished(store), due(store), store.half_forgotten()
    except StoreError:
        return
    if interrupted:
        found = f"{counted(len(interrupted), 'call')} interrupted: {_first(interrupted)}"
        yield Check("calls", "broken", found, "interviewer recover CALL --close, or interviewer call --resume CALL")
    if half:
        found = f"forgetting was interrupted of {_first(half)}; what is left of it is on this disk"
        yield Check("forgetting", "broken", found, "interviewer forget CALL")
    if over:
        found = f"{counted(len(over), 'call')} due to be forgotten: {_first([each.call_id for each in over])}"
        yield Check("retention", "broken", found, "interviewer forget --expired")


def _first(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _disk(place: Home) -> Check:
    free = shutil.disk_usage(place.root).free
    found = f"{free / 1e9:.1f} GB free"
    if free < _ENOUGH_BYTES:
        return Check("disk", "broken", found, "make room: a call takes a few megabytes, and more with its audio")
    return Check("disk", "ok", found)


def _dossiers() -> Check:
    from interviewer.simulate.dossier import load_all

    try:
        found = load_all()
    except InterviewerError as error:
        return Check("dossiers", "broken", str(error), "restore the file, or install the package again", needed=True)
    return Check("dossiers", "ok", f"{len(found)} simulated guests", needed=True)


def _sound() -> Check:
    from interviewer.audio.devices import sound_cards

    instead = "only calls at this machine's own microphone need it; notebooks use the browser's"
    try:
        cards = sound_cards()
    except AudioError as error:
        return Check("sound", "missing", str(error), instead)
    if not cards:
        return Check("sound", "missing", "PortAudio is there, but no device", instead)
    ways = ((sum(c.inputs > 0 for c in cards), "microphones"), (sum(c.outputs > 0 for c in cards), "loudspeakers"))
    return Check("sound", "ok", ", ".join(f"{count} {what}" for count, what in ways))


def _browser() -> Check:
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found is None and sys.platform == "darwin":
        apps = (Path("/Applications") / f"{name}.app" for name in _MAC_BROWSERS)
        found = next((str(app) for app in apps if app.exists()), None)
    if found is None:
        return Check("browser", "missing", "none found", "install one for notebooks on this machine, e.g. Chromium")
    return Check("browser", "ok", found)


def _jupyter() -> Check:
    if version := _installed("jupyterlab"):
        return Check("JupyterLab", "ok", version)
    return Check("JupyterLab", "missing", "not installed", "install the package again: `uv sync`")


def _key() -> Check:
    from interviewer import keys

    if keys.api_key() is None:
        advice = f"only calls with the real voice need it: set {keys.VARIABLE}"
        return Check("OpenAI key", "missing", "none in the environment or the keyring", advice)
    source = f"the environment ({keys.VARIABLE})" if os.environ.get(keys.VARIABLE, "").strip() else "the keyring"
    return Check("OpenAI key", "ok", f"there, from {source}")
