"""What `--mic` and `--speaker` name: a sound card by number or name, or a WAV file."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interviewer.audio.ports import MicrophoneSource, SpeakerSink
    from interviewer.settings import AudioSettings


def microphone(name: str | None, settings: "AudioSettings") -> "MicrophoneSource":
    """The end that `--mic` names; None: the system's default. Raises AudioError for a file that cannot be used."""
    if name is not None and is_file(name):
        from interviewer.audio.file import FileMicrophone

        return FileMicrophone(Path(name))
    from interviewer.audio.device import Microphone

    return Microphone(_device(name), settings)


def speaker(name: str | None, settings: "AudioSettings", mic: str | None = None) -> "SpeakerSink":
    """The end that `--speaker` names; None: the system's default. `mic`: what `--mic` names.

    Raises AudioError for a file that must not be written over: the microphone's own, and one that holds no sound.
    """
    if name is not None and is_file(name):
        from interviewer.audio.file import FileSpeaker

        _is_free(Path(name), mic)
        return FileSpeaker(Path(name))
    from interviewer.audio.device import Speaker

    return Speaker(_device(name), settings)


def is_file(name: str | None) -> bool:
    """Whether it is a WAV file that is named."""
    return name is not None and Path(name).suffix.lower() == ".wav"


def _is_free(path: Path, mic: str | None) -> None:
    from interviewer.audio import wav
    from interviewer.errors import AudioError

    if mic is not None and is_file(mic) and path.resolve() == Path(mic).resolve():
        raise AudioError(f"--speaker {path}: that is the microphone's file, and would be written over; name another")
    if path.exists() and not wav.is_sound(path):
        raise AudioError(f"--speaker {path}: that is there and is no WAV file: it is not written over; name another")


def _device(name: str | None) -> str | int | None:
    return int(name) if name is not None and name.isdigit() else name
