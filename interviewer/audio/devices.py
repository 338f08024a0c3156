"""Which sound cards there are."""

from dataclasses import dataclass

from interviewer.errors import AudioError


@dataclass(frozen=True, slots=True)
class SoundCard:
    """A device as PortAudio names it, with the channels it has each way; `default`: what the system takes by itself."""

    number: int
    name: str
    inputs: int
    outputs: int
    default_input: bool = False
    default_output: bool = False


def sound_cards() -> list[SoundCard]:
    """Every device. Raises AudioError if PortAudio is missing or fails; an empty list: it is there, devices are not."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise AudioError(
            f"PortAudio is not installed ({error}); install it, for example the package libportaudio2"
        ) from None
    try:
        found = sounddevice.query_devices()
        first, last = sounddevice.default.device
    except sounddevice.PortAudioError as error:
        raise AudioError(f"PortAudio cannot list devices: {error}") from None
    return [
        SoundCard(n, str(d["name"]), int(d["max_input_channels"]), int(d["max_output_channels"]), n == first, n == last)
        for n, d in enumerate(found)
    ]
