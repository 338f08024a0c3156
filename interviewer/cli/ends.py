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


def speaker(name: str | None, settings: "AudioSettings") -> "SpeakerSink":
    """The end that `--speaker` names; None: the system's default."""
    if name is not None and is_file(name):
        from interviewer.audio.file import FileSpeaker

        return FileSpeaker(Path(name))
    from interviewer.audio.device import Speaker

    return Speaker(_device(name), settings)


def is_file(name: str | None) -> bool:
    """Whether it is a WAV file that is named."""
    return name is not None and Path(name).suffix.lower() == ".wav"


def _device(name: str | None) -> str | int | None:
    return int(name) if name is not None and name.isdigit() else name
