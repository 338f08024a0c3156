"""The sound of a real page: JupyterLab in a headless Chromium whose microphone is a file."""

from itertools import pairwise
from statistics import median

import numpy as np
import pytest

from evals.browser import listener
from evals.browser.notebook import Notebook
from interviewer.audio.pcm import bytes_to_ms, samples
from interviewer.audio.speech import Transcriber, duration_ms
from tests.widgets.conftest import SAID, OpenNotebook, shown

# Longer than what the page is sent ahead, so that the rest must follow what was played.
VOICE = "What did you write down first, and who read it?"
# A voice that is stopped would go on for longer. How soon it is on a quiet machine is nothing that a busy one can tell.
SOON_S = 6.0
SETUP = f"""
import threading, time
from interviewer.audio.pcm import to_bytes
from interviewer.audio.speech import Transcriber, synthesise
from interviewer.widgets.audio import BrowserAudio

frames, reports = [], []
voice = to_bytes(synthesise({VOICE!r}))

def heard(frame):
    frames.append((time.time(), frame))

def played(response_id, ms, ended):
    reports.append((response_id, ms, ended))

def play(response_id, sound=voice):
    for at in range(0, len(sound), 9600):
        audio.speaker.play(response_id, sound[at : at + 9600])
    audio.speaker.end(response_id)

def until(true, meanwhile=lambda: time.sleep(0.01)):
    end = time.time() + 20
    while not true() and time.time() < end:
        meanwhile()

def reported(response_id):
    return [ms for name, ms, ended in reports if name == response_id]

def over(response_id):
    return any(name == response_id and ended for name, ms, ended in reports)

def understood():
    ear = Transcriber()
    ear.feed(b"".join(frame for t, frame in frames[-250:]))
    return ear.take()

audio = BrowserAudio()
audio.microphone.start(heard)
audio.speaker.start(played)
audio
"""


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> Notebook:
    opened = open_notebook("sound")
    opened.run(SETUP)
    opened.page.get_by_role("button", name="Start sound").click()
    opened.page.get_by_text("Listening").wait_for()
    return opened


def text_of(pcm: bytes) -> str:
    ear = Transcriber()
    ear.feed(pcm)
    return ear.take() or ""


def ended(notebook: Notebook, response_id: str) -> list[int]:
    """The played milliseconds as they were reported, once the response is over."""
    notebook.wait_until(lambda: notebook.value(f"over({response_id!r})"), 30_000)
    return list(notebook.value(f"reported({response_id!r})"))


def test_what_is_said_into_the_microphone_arrives_in_the_kernel(notebook: Notebook) -> None:
    # The browser's noise suppression has to get used to the voice: the first times need not be understood.
    notebook.wait_until(lambda: SAID in (notebook.value("understood()") or ""), 30_000)
    assert notebook.value("{len(frame) for t, frame in frames} == {1920}")
    found = notebook.value("audio.problem_code, audio.dropped_frames, audio.device")
    assert found == ["", 0, "Fake Default Audio Input"]


def test_a_voice_is_heard_whole_and_reported_as_it_is_heard(notebook: Notebook) -> None:
    listener.take(notebook.page)
    notebook.run("play('whole')")
    notebook.page.get_by_text("The voice is speaking").wait_for()
    reported = ended(notebook, "whole")
    assert reported == sorted(reported)
    assert reported[-1] == duration_ms(VOICE)
    steps = [later - sooner for sooner, later in pairwise(reported)]
    assert median(steps) <= 350
    assert text_of(listener.take(notebook.page)) == VOICE


def test_a_stop_from_the_kernel_falls_silent_at_once_and_says_what_was_heard(notebook: Notebook) -> None:
    listener.take(notebook.page)
    # In one cell, for the page takes its time over running another.
    play = "play('cut', voice * 3), until(lambda: reported('cut') and reported('cut')[-1] > 1_000), time.time()"
    at = float(notebook.value(f"({play}, audio.speaker.stop('cut'))[2]"))
    [*_, heard_ms] = ended(notebook, "cut")
    assert listener.loud_at(notebook.page) - at < SOON_S
    loud = np.flatnonzero(np.abs(samples(listener.take(notebook.page))) > 60)
    sounded_ms = bytes_to_ms(2 * int(loud[-1] - loud[0]))
    assert 1_000 < heard_ms < 3 * duration_ms(VOICE)
    assert abs(sounded_ms - heard_ms) < 60


def test_the_stop_button_works_while_the_kernel_computes(notebook: Notebook) -> None:
    page = notebook.page
    notebook.begin("play('mine', voice * 3); until(lambda: over('mine'), lambda: sum(range(1_000)))")
    page.get_by_text("The voice is speaking").wait_for()
    page.wait_for_function("Date.now() - heardSound.loudAt < 100")
    press = "button => { const at = Date.now(); button.click(); return at / 1000; }"
    pressed = page.get_by_role("button", name="Stop voice").evaluate(press)
    assert ended(notebook, "mine")[-1] < 3 * duration_ms(VOICE)
    assert listener.loud_at(page) - pressed < SOON_S
    # What was on its way then comes to nothing: nobody is said to speak, and there is nothing to stop.
    notebook.run("audio.speaker._tell('play', 'mine', voice[:9600]); audio.speaker._tell('play', 'next', voice[:9600])")
    page.get_by_text("The voice is speaking").wait_for()
    notebook.run("audio.speaker._tell('stop', 'next', None)")
    page.get_by_text("Listening").wait_for()


def test_sound_flows_both_ways_while_a_cell_computes(notebook: Notebook) -> None:
    busy = "while time.time() < began + 4: sum(range(1000))"
    notebook.begin(f"began = time.time()\nplay('busy')\n{busy}\ndone = time.time()")
    notebook.page.wait_for_timeout(4_500)
    # Held back until the cell is done, none would be dated inside it; all of them are 100. How even they come is
    # measured by evals.performance.browser_audio.
    assert notebook.value("len([t for t, frame in frames if began < t < done])") > 50
    assert ended(notebook, "busy")[-1] == duration_ms(VOICE)
    assert notebook.value("audio.dropped_frames") == 0


def test_a_muted_microphone_gives_silence(notebook: Notebook) -> None:
    button = notebook.page.get_by_role("button", name="Mute", exact=True)
    button.click()
    notebook.wait_until(lambda: notebook.value("audio.muted"))
    # The voice in the microphone is never silent for so long, 2.4 s.
    notebook.run("frames.clear()")
    notebook.wait_until(lambda: notebook.value("len(frames) > 60 and not any(any(f) for t, f in frames[-60:])"))
    notebook.page.get_by_role("button", name="Unmute").click()
    notebook.wait_until(lambda: notebook.value("not audio.muted and any(any(frame) for t, frame in frames)"))


def test_the_sound_goes_off_with_the_call(notebook: Notebook) -> None:
    notebook.run("audio.microphone.stop(); audio.speaker.close()")
    notebook.page.get_by_text("The sound is off.").wait_for()
    assert notebook.value("[t.name for t in threading.enumerate() if t.name == 'browser-audio']") == []


def test_the_sound_can_be_started_while_the_next_cell_already_computes(notebook: Notebook) -> None:
    widget = shown(notebook, "late = BrowserAudio()\ndisplay(late)")
    # The cell goes on until the sound is there; were that to wait for the cell, it would be in vain.
    notebook.begin("until = time.time() + 20\nwhile not late.is_open and time.time() < until: sum(range(1000))")
    widget.get_by_role("button", name="Start sound").click()
    widget.get_by_text("Ready", exact=True).wait_for()
    assert not widget.get_by_role("alert").is_visible()
    assert notebook.value("late.is_open and time.time() < until")
