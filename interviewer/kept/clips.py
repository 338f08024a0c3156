"""The sound of a call that was kept: the moment of a turn, or all of it to take away."""

import shutil
from pathlib import Path
from typing import Literal

from interviewer.audio import flac, wav
from interviewer.audio.pcm import to_bytes
from interviewer.errors import AudioError, NotFound
from interviewer.settings import Settings
from interviewer.store import exported
from interviewer.store.store import Store

_TURN = "SELECT speaker, started_ms, coalesce(ended_ms, -1) AS ended_ms FROM turns WHERE call_id = ? AND turn_id = ?"
_CHANNEL = {"guest": 0, "interviewer": 1}


def recordings(store: Store, call: str) -> list[Path]:
    """The FLAC files with a call's sound: guest left, interviewer right, from the call's beginning; none if none is.

    There are several if the call was interrupted and resumed: each goes on where the one before it ends, after as much
    silence.
    """
    first = store.home.recording(store.resolve(call))
    more = [path for path in first.parent.glob(f"{first.stem}.*.flac") if path.suffixes[-2][1:].isdecimal()]
    more.sort(key=lambda path: int(path.suffixes[-2][1:]))
    return [path for path in (first, *more) if path.is_file()]


def clip(store: Store, call: str, turn_id: str, *, settings: Settings | None = None) -> bytes:
    """What was heard of a turn, as a WAV file: its speaker's side alone, 24 kHz mono.

    A guest's begins a little before the turn (setting audio.clip_lead_ms), since a service notices speech late.
    Raises NotFound if there is no such call or turn or its sound was not kept, AudioError if that cannot be read.
    """
    call_id = store.resolve(call)
    paths = _kept(store, call_id)
    found = store.sql(_TURN, [call_id, turn_id])
    if found.empty:
        raise NotFound(f"call {call_id} has no turn {turn_id!r}")
    speaker, started_ms, ended_ms = found.iloc[0]
    lead_ms = (settings or Settings()).audio.clip_lead_ms if speaker == "guest" else 0
    path = next((path for path in paths if flac.length_ms(path) > started_ms), None)
    if path is None:
        raise NotFound(f"the sound of call {call_id} ends before turn {turn_id}: {paths[-1]}")
    sound = flac.read(path, int(started_ms) - lead_ms, None if ended_ms < 0 else int(ended_ms))
    return wav.encoded(to_bytes(sound[:, _CHANNEL[speaker]]))


def take_away(store: Store, call: str, to: Literal["flac", "wav"], out: Path) -> list[Path]:
    """Write a call's sound to `out` if it has that ending, else to `<call id>.<to>` in the folder `out`.

    A resumed call's further files have a number before the ending. Raises NotFound if the sound was not kept,
    AudioError if a file cannot be read or written.
    """
    call_id = store.resolve(call)
    first = out if out.suffix == f".{to}" else out / f"{call_id}.{to}"
    written = []
    for number, path in enumerate(_kept(store, call_id), start=1):
        target = first if number == 1 else first.with_suffix(f".{number}.{to}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if to == "flac":
                shutil.copyfile(path, target)
            else:
                flac.to_wav(path, target)
        except OSError as error:
            raise AudioError(f"{target}: cannot be written: {error.strerror or error}") from None
        written.append(target)
    exported.note(store.home.root, call_id, written)
    return written


def _kept(store: Store, call_id: str) -> list[Path]:
    if not (paths := recordings(store, call_id)):
        raise NotFound(f"the sound of call {call_id} was not kept; `interviewer call --keep-audio` keeps it")
    return paths
