"""What a service and our microphone would tell of a sound: where speech is in it, and what was said."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from evals.clients import environment
from evals.sieve.recordings import RATE, Sound
from interviewer.audio.pcm import to_bytes
from interviewer.audio.vad import VoiceActivity

_HERE: Final = Path(__file__).parent
_SERVICE_THRESHOLD: Final = 0.25  # -48 dBFS, see `interviewer.audio.vad.level_dbfs`
_TAIL: Final = np.zeros(RATE // 2, dtype=np.float32)


def written_down(folder: Path, program: str, requirements: tuple[str, ...], sounds: Mapping[str, Sound]) -> Any:
    """What `program`, beside this file, makes of each sound, by name; it runs in an environment of its own.

    It is given a folder of `.raw` files (16 kHz, 16-bit mono) and prints JSON. Raises CannotInstall.
    """
    python = environment.make(folder / f"{program}_venv", *requirements)
    place = folder / f"{program}_raw"
    place.mkdir()
    for name, sound in sounds.items():
        at = np.arange(len(sound) * 2 // 3) * 1.5
        slower = np.interp(at, np.arange(len(sound)), sound)
        (place / f"{name}.raw").write_bytes(_pcm(slower.astype(np.float32)))
    command = [str(python), "-I", str(_HERE / f"{program}.py"), str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def edges(sound: Sound, threshold: float) -> list[tuple[int, bool]]:
    """Where speech begins and ends by its energy, in ms; as our microphone does with a threshold of 0.5."""
    activity = VoiceActivity(threshold)
    return [(edge.at_ms, edge.on) for edge in activity.feed(_pcm(np.concatenate([sound, _TAIL])))]


def stretches(sound: Sound) -> tuple[tuple[int, int], ...]:
    """The service's stretches of speech: what lies less than its silence apart is one."""
    found = [ms for ms, _ in edges(sound, _SERVICE_THRESHOLD)]
    pairs = list(zip(found[::2], found[1::2], strict=False))
    joined: list[tuple[int, int]] = []
    for start, end in pairs:
        if joined and start - joined[-1][1] < 1_200:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def _pcm(sound: Sound) -> bytes:
    return to_bytes((sound * 32_767).astype(np.int16))
