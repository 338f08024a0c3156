import random
import time

import numpy as np
import pytest

from interviewer.audio.pcm import RATE, ms_to_bytes, silence, to_bytes
from interviewer.audio.speech import duration_ms, synthesise
from interviewer.realtime.engine import Voiced
from interviewer.simulate.ear import LONGEST_MS, Ear, Heard
from interviewer.simulate.mouth import Mouth

# Words are coded byte by byte: accents, quotes and one-letter replies are the hard cases.
SAYINGS = ("Yes.", "a", "I started in 1998, really.", "“Well” – a naïve café, über alles?", "Mm-hm.")


def speech(text: str) -> bytes:
    return to_bytes(synthesise(text))


def feed(ear: Ear, pcm: bytes, frame_ms: int = 40) -> list[Heard]:
    size = ms_to_bytes(frame_ms)
    return [heard for at in range(0, len(pcm), size) for heard in ear.feed(pcm[at : at + size])]


@pytest.mark.parametrize("frame_ms", [10, 13, 20, 40, 200, 60_000])
def test_between_digital_silence_every_edge_is_dated_to_the_millisecond(frame_ms: int) -> None:
    rng = random.Random(frame_ms)
    stream, expected, at_ms = b"", [], 0
    for text in SAYINGS:
        pause_ms = rng.randint(300, 2_000)
        begin_ms = at_ms + pause_ms
        at_ms = begin_ms + duration_ms(text)
        stream += silence(pause_ms) + speech(text)
        expected += [Heard(begin_ms, True), Heard(at_ms, False, text)]

    assert feed(Ear(), stream + silence(1_000), frame_ms) == expected


def test_a_beginning_is_known_after_40_ms_and_an_end_after_240() -> None:
    ear = Ear()
    ear.feed(silence(1_007))
    voice = speech("I left.")
    assert ear.feed(voice[: ms_to_bytes(39)]) == []
    assert ear.feed(voice[ms_to_bytes(39) : ms_to_bytes(40)]) == [Heard(1_007, True)]
    ear.feed(voice[ms_to_bytes(40) :])
    assert ear.on
    assert ear.feed(silence(220)) == []
    assert ear.feed(silence(30)) == [Heard(1_007 + 490, False, "I left.")]
    assert not ear.on


def test_a_pause_between_words_belongs_to_the_voice() -> None:
    stream = speech("I left") + silence(150) + speech(" in spring.") + silence(300)
    assert feed(Ear(), stream) == [Heard(0, True), Heard(17 * 70 + 150, False, "I left in spring.")]


def test_in_noise_the_words_are_understood_and_edges_are_right_to_20_ms() -> None:
    text = "I left in spring."
    stream = silence(1_011) + speech(text) + silence(1_000)
    noise = np.random.default_rng(1).normal(0, 40, len(stream) // 2)
    pcm = to_bytes((np.frombuffer(stream, dtype="<i2") + noise).astype(np.int16))

    began, ended = feed(Ear(), pcm)
    assert (began.on, ended.on, ended.text) == (True, False, text)
    assert abs(began.at_ms - 1_011) <= 20
    assert abs(ended.at_ms - (1_011 + duration_ms(text))) <= 20


def test_sound_that_carries_no_text_is_heard_but_not_understood() -> None:
    seconds = np.arange(RATE * 2) / RATE
    # A sung vowel: a 150 Hz voice with harmonics that fall off, swelling and fading.
    tone = sum(np.sin(2 * np.pi * 150 * k * seconds) / k for k in range(1, 12))
    pcm = to_bytes((4_000 * tone * np.sin(np.pi * seconds / 2)).astype(np.int16))
    began, ended = feed(Ear(), silence(500) + pcm + silence(500))
    assert (began.on, ended.on, ended.text) == (True, False, None)


def test_a_click_is_no_voice() -> None:
    assert feed(Ear(), silence(500) + b"\xff\x3f" * (RATE // 100) + silence(500)) == []


def test_what_is_being_said_can_be_cut_and_goes_on_as_another_stretch() -> None:
    ear = Ear()
    voice = speech("before|after")
    feed(ear, voice[: ms_to_bytes(7 * 70)])
    assert ear.cut() == "before|"
    assert feed(ear, voice[ms_to_bytes(7 * 70) :] + silence(300)) == [Heard(490, True), Heard(840, False, "after")]


def test_a_sound_that_never_ends_is_cut_so_that_memory_stays_bounded() -> None:
    noise = to_bytes(np.random.default_rng(2).normal(0, 4_000, RATE * 10).astype(np.int16))
    ear = Ear()
    heard = [edge for _ in range(2 * LONGEST_MS // 10_000 + 1) for edge in ear.feed(noise)]
    assert [edge.on for edge in heard] == [True, False, True, False, True]
    assert [edge.text for edge in heard] == [None] * 5
    assert heard[1].at_ms == LONGEST_MS


def test_an_hour_of_silence_in_one_go_costs_next_to_nothing() -> None:
    ear, began = Ear(), time.process_time()
    for _ in range(60):
        ear.feed(silence(60_000))
    assert time.process_time() - began < 3
    assert ear.fed_ms == 3_600_000


def test_the_mouth_says_the_whole_item_however_it_is_cut_and_however_its_text_grows() -> None:
    text = "“Naïve”, you said – and then?"
    item = Voiced("resp_1", "item_1", "", (), 0, 0)
    mouth, spoken = Mouth([item]), b""
    words = text.split(" ")
    total_ms, said_ms = duration_ms(text), 0
    for number in range(len(words)):
        item.text = " ".join(words[: number + 1])
        while said_ms + 200 <= duration_ms(item.text):
            spoken += mouth.say("item_1", 200)
            said_ms += 200
    spoken += mouth.say("item_1", total_ms - said_ms)
    assert spoken == speech(text)


def test_the_mouth_keeps_two_items_apart_and_is_silent_when_the_text_has_no_more() -> None:
    first, second = Voiced("resp_1", "item_1", "Yes.", (), 0, 0), Voiced("resp_1", "item_2", "No.", (), 0, 0)
    mouth = Mouth([first, second])
    halves = [mouth.say("item_1", 140), mouth.say("item_2", 210), mouth.say("item_1", 140)]
    assert halves[0] + halves[2] == speech("Yes.")
    assert halves[1] == speech("No.")
    assert mouth.say("item_2", 100) == silence(100)
