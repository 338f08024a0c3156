"""What `doctor --audio` tries: the devices, a microphone's level, a loudspeaker's tone."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from interviewer.audio.devices import SoundCard, sound_cards
from interviewer.audio.level import TONE_DBFS, TONE_HZ, Level, listen, play, tone
from interviewer.cli.checks import LOUDSPEAKER, MICROPHONE, Check
from interviewer.cli.ends import microphone, speaker
from interviewer.errors import AudioError

if TYPE_CHECKING:
    from interviewer.settings import Settings

_TONE_MS: Final = 1_000
_ADVICE: Final = {
    "ok": "",
    "clipped": "it is too loud and its peaks are cut off: turn the input down, or move away from the microphone",
    "too quiet": "it is too faint to be noticed: turn the input up, or move closer (setting voice.vad_threshold)",
    "silent": "nothing at all was heard: it is muted, not the one meant, or withheld from this program by the system",
}


def sound_checks(
    settings: "Settings", mic: str | None, loudspeaker: str | None, say: Callable[[str], None]
) -> Iterator[Check]:
    """Try both ends; `say` tells the person what to do and when."""
    yield _cards()
    seconds = settings.audio.check_ms / 1_000
    say(f"Speak as you will in the call, for {seconds:g} s ...")
    yield _microphone(settings, mic)
    say(f"A tone of {TONE_HZ} Hz is played ...")
    yield _loudspeaker(settings, loudspeaker, mic)


def _cards() -> Check:
    try:
        cards = sound_cards()
    except AudioError as error:
        return Check("devices", "missing", str(error), "a notebook uses the browser's own sound and needs none of this")
    if not cards:
        return Check("devices", "missing", "PortAudio is there, but no device", "plug one in, or use a notebook")
    listed = "\n".join(map(_described, cards))
    return Check("devices", "ok", listed, "give one by number or by a part of its name: --mic 3 --speaker Headphones")


def _described(card: SoundCard) -> str:
    ways = [way for way, count in (("in", card.inputs), ("out", card.outputs)) if count]
    chosen = [f"default {way}" for way, yes in (("in", card.default_input), ("out", card.default_output)) if yes]
    return f"{card.number}: {card.name} ({', '.join([*ways, *chosen])})"


def _microphone(settings: "Settings", name: str | None) -> Check:
    audio = settings.audio
    try:
        level = Level.of(listen(microphone(name, audio), audio.check_ms))
    except AudioError as error:
        return Check(MICROPHONE, "missing", str(error))
    verdict = level.verdict(
        vad_threshold=settings.voice.vad_threshold, silent_dbfs=audio.silent_dbfs, clipped=audio.clipped_share
    )
    found = f"{verdict}: speech {level.speech_dbfs:g} dB, pauses {level.noise_dbfs:g} dB, peak {level.peak_dbfs:g} dB"
    if level.clipped:
        found += f", {level.clipped:.2%} at full scale"
    return Check(MICROPHONE, "ok" if verdict == "ok" else "broken", found, _ADVICE[verdict])


def _loudspeaker(settings: "Settings", name: str | None, mic: str | None) -> Check:
    try:
        play(speaker(name, settings.audio, mic), tone(_TONE_MS))
    except AudioError as error:
        return Check(LOUDSPEAKER, "missing", str(error))
    return Check(
        LOUDSPEAKER,
        "ok",
        f"played {_TONE_MS / 1_000:g} s at {TONE_DBFS} dB",
        "if you heard nothing, choose another with --speaker, or turn it up",
    )
