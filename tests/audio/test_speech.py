import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.audio.pcm import Samples, to_bytes
from interviewer.audio.speech import SPEECH_MS_PER_BYTE, Transcriber, duration_ms, synthesise
from interviewer.audio.vad import VoiceActivity

RATE = 24_000
SENTENCE = "What happened on the night the “Kranhaus” stopped, and who — if anyone — called you first?"


def heard(sound: Samples, frame_bytes: int = 1_920) -> str | None:
    ear, pcm = Transcriber(), to_bytes(sound)
    for at in range(0, len(pcm), frame_bytes):
        ear.feed(pcm[at : at + frame_bytes])
    return ear.take()


def silence(samples: int) -> Samples:
    return np.zeros(samples, dtype=np.int16)


def noise(samples: int, rms: float, seed: int = 1) -> Samples:
    return np.random.default_rng(seed).normal(0, rms, samples).astype(np.int16)


def rms(sound: Samples) -> float:
    return float(np.sqrt((sound.astype(float) ** 2).mean()))


def human(seconds: int, seed: int) -> Samples:
    """A voice as people have one: glottal pulses of wandering pitch through three wandering formants."""
    rng = np.random.default_rng(seed)
    count = seconds * RATE
    marks = np.arange(0, count + 2_400, 2_400)
    pitch = 120 * np.exp(np.interp(np.arange(count), marks, rng.normal(0, 0.15, len(marks))))
    pulses = np.diff(np.floor(np.cumsum(pitch) / RATE), prepend=0.0)
    ring = np.arange(1_200) / RATE
    voiced = np.zeros(count)
    for low, high, width, loud in ((300, 800, 80, 1.0), (900, 2_200, 100, 0.6), (2_300, 3_000, 150, 0.3)):
        for at in np.flatnonzero(pulses).tolist():
            formant = low + (high - low) * (0.5 + 0.5 * np.sin(at / 3_000 + low))
            ringing = loud * np.exp(-np.pi * width * ring) * np.sin(2 * np.pi * formant * ring)
            end = min(count, at + len(ring))
            voiced[at:end] += ringing[: end - at]
    loudest: float = np.abs(voiced).max()
    return np.asarray(voiced / loudest * 12_000, dtype=np.int16)


def test_length_is_70_ms_a_byte() -> None:
    assert SPEECH_MS_PER_BYTE == 70
    assert duration_ms("") == len(synthesise("")) == 0
    assert duration_ms("Zoë") == 280  # ë is two bytes
    assert len(synthesise("Zoë")) == 280 * 24


def test_pace_is_that_of_a_speaker() -> None:
    words = "so we walked down to the harbour and there was nobody left who could tell us what had happened"
    minutes = duration_ms(words) / 60_000
    assert 130 < len(words.split()) / minutes < 200


def test_it_is_neither_silent_nor_ear_splitting() -> None:
    sound = synthesise(SENTENCE)
    assert -24 < 20 * np.log10(rms(sound) / 32_768) < -16
    assert np.abs(sound).max() < 32_768 / 2


@settings(max_examples=40)
@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=25).filter(lambda t: t[0] != "\ufffd"),
    before=st.integers(0, 5_000),
    after=st.integers(0, 5_000),
    frame_bytes=st.integers(100, 4_000),
)
def test_any_text_is_read_back_wherever_it_starts_and_however_it_is_cut(
    text: str, before: int, after: int, frame_bytes: int
) -> None:
    sound = np.concatenate([silence(before), synthesise(text), silence(after)])
    assert heard(sound, frame_bytes) == text


@pytest.mark.parametrize("before", range(0, 840, 97))
def test_noise_20_db_below_the_voice_does_no_harm(before: int) -> None:
    sound = np.concatenate([silence(7_200 + before), synthesise(SENTENCE), silence(28_800)])
    noisy = sound + noise(len(sound), rms(synthesise(SENTENCE)) / 10, seed=before)
    assert heard(noisy) == SENTENCE


def test_minutes_of_background_noise_and_a_bang_around_a_sentence() -> None:
    sound = np.concatenate([silence(120 * RATE), synthesise(SENTENCE), silence(RATE)])
    sound += noise(len(sound), rms(synthesise(SENTENCE)) / 10)
    sound[RATE : RATE + 1_000] = 30_000
    assert heard(sound) == SENTENCE


def test_human_speech_around_a_sentence_makes_it_unintelligible() -> None:
    assert heard(np.concatenate([human(6, 1), synthesise("Yes."), human(6, 2)])) is None


@pytest.mark.parametrize("gain", [0.05, 2.5])
def test_a_far_or_a_near_voice(gain: float) -> None:
    assert heard((synthesise(SENTENCE) * gain).astype(np.int16)) == SENTENCE


@pytest.mark.parametrize("share", [0.1, 0.33, 0.5, 0.77, 0.99])
def test_cut_off_speech_gives_what_was_played(share: float) -> None:
    sound = synthesise(SENTENCE)
    cut = int(len(sound) * share)
    text = heard(sound[:cut])
    assert text is not None
    assert SENTENCE.startswith(text)
    # At most a character of three bytes is missing, one byte of it being cut.
    assert cut / 1_680 - 3 <= len(text.encode()) <= cut / 1_680 + 0.3


def test_a_character_is_not_given_in_part() -> None:
    assert heard(synthesise("Zoë")[: 1_680 * 3]) == "Zo"
    assert heard(synthesise("Zoë")[1_680 * 2 :]) == "ë"
    assert heard(synthesise("ëA")[1_680:]) == "A"


def test_a_stretch_that_begins_8_ms_late_is_complete() -> None:
    assert heard(synthesise("What")[192:]) == "What"


def test_a_pause_or_a_lost_frame_costs_only_the_syllables_it_hits() -> None:
    sound = synthesise("one two three")
    at = 1_680 * 4
    assert heard(np.concatenate([sound[:at], silence(5_003), sound[at:]])) == "one two three"
    text = heard(np.concatenate([sound[:at], sound[at + 960 :]]))
    assert text == "one wo three"


def test_a_new_stretch_begins_after_take() -> None:
    ear = Transcriber()
    for text in ("first", "second"):
        ear.feed(to_bytes(synthesise(text)))
        assert ear.take() == text
    assert ear.take() is None


def tone(hertz: float) -> Samples:
    return (8_000 * np.sin(2 * np.pi * hertz * np.arange(3 * RATE) / RATE)).astype(np.int16)


@pytest.mark.parametrize(
    "sound",
    [
        silence(0),
        silence(RATE),
        noise(10 * RATE, 10),
        noise(10 * RATE, 3_000),
        np.cumsum(noise(10 * RATE, 20)).clip(-30_000, 30_000).astype(np.int16),
        tone(440),
        tone(314.2857) + tone(971.4286),
        human(6, 1),
        human(6, 2),
    ],
    ids=["nothing", "silence", "hiss", "loud noise", "rumble", "tone", "two of its own tones", "human", "human 2"],
)
def test_any_other_sound_is_not_understood(sound: Samples) -> None:
    assert heard(sound) is None


def test_two_voices_at_once_are_not_taken_for_one() -> None:
    both = synthesise("I was there the whole night")[:40_000] + synthesise("And what did you do next, Anna?")[:40_000]
    assert heard(both) is None


def test_a_listener_who_hears_all_and_stops_at_every_pause_reads_every_turn() -> None:
    turns = ["Yes, I was.", "Then the phone rang — at two!", "Hm."]
    sound = np.concatenate([part for turn in turns for part in (silence(20_000), synthesise(turn))] + [silence(20_000)])
    pcm = to_bytes(sound + noise(len(sound), 100))
    ear, activity, got = Transcriber(), VoiceActivity(), []
    for at in range(0, len(pcm), 1_920):
        ear.feed(pcm[at : at + 1_920])
        got += [ear.take() for edge in activity.feed(pcm[at : at + 1_920]) if not edge.on]
    assert got == turns
