"""The sound of a call that was kept: the moment of a turn, or all of it to take away."""

import shutil
from pathlib import Path
from typing import Literal

from interviewer.audio import flac, wav
from interviewer.audio.pcm import to_bytes
from interviewer.errors import AudioError, NotFound
from interviewer.settings import Settings
from interviewer.store.store import Store

_TURN = "SELECT speaker, started_ms, coalesce(ended_ms, -1) AS ended_ms FROM turns WHERE call_id = ? AND turn_id = ?"
_CHANNEL = {"guest": 0, "interviewer": 1}


def recording(store: Store, call: str) -> Path | None:
    """The FLAC file with a call's sound: guest left, interviewer right, from the call's beginning; None if none is."""
    path = store.home.recording(store.resolve(call))
    return path if path.is_file() else None


def clip(store: Store, call: str, turn_id: str, *, settings: Settings | None = None) -> bytes:
    """What was heard of a turn, as a WAV file: its speaker's side alone, 24 kHz mono.

    A guest's begins a little before the turn (setting audio.clip_lead_ms), since a service notices speech late.
    Raises NotFound if there is no such call or turn or its sound was not kept, AudioError if that cannot be read.
    """
    call_id = store.resolve(call)
    path = _kept(store, call_id)
    found = store.sql(_TURN, [call_id, turn_id])
    if found.empty:
        raise NotFound(f"call {call_id} has no turn {turn_id!r}")
    speaker, started_ms, ended_ms = found.iloc[0]
    lead_ms = (settings or Settings()).audio.clip_lead_ms if speaker == "guest" else 0
    sound = flac.read(path, int(started_ms) - lead_ms, None if ended_ms < 0 else int(ended_ms))
    if not len(sound):
        raise NotFound(f"the sound of call {call_id} ends before turn {turn_id}: {path}")
    return wav.encoded(to_bytes(sound[:, _CHANNEL[speaker]]))


def take_away(store: Store, call: str, to: Literal["flac", "wav"], out: Path) -> Path:
    """Write a call's sound to `out` if it has that ending, else to `<call id>.<to>` in the folder `out`.

    Raises NotFound if it was not kept, AudioError if a file cannot be read or written.
    """
    call_id = store.resolve(call)
    path = _kept(store, call_id)
    target = out if out.suffix == f".{to}" else out / f"{call_id}.{to}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if to == "flac":
            shutil.copyfile(path, target)
        else:
            flac.to_wav(path, target)
    except OSError as error:
        raise AudioError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def _kept(store: Store, call_id: str) -> Path:
    if (path := recording(store, call_id)) is None:
        raise NotFound(f"the sound of call {call_id} was not kept; `interviewer call --keep-audio` keeps it")
    return path
