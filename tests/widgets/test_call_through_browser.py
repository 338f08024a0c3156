"""A whole short call through a page: the guest is a file in the browser's microphone, the service is simulated."""

import json
from pathlib import Path

from playwright.sync_api import Locator, Playwright, expect

from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.listener import TAP, take
from evals.browser.notebook import Notebook
from interviewer.audio import flac, wav
from interviewer.audio.pcm import samples, silence, to_bytes
from interviewer.audio.speech import Transcriber, synthesise
from interviewer.kept.reading import CallLog
from interviewer.kept.said import turn_records

SAID = "We kept the audit log on paper."
KEY = "not-a-real-key-but-it-must-not-be-seen"
ASKED = "Where did you keep the audit log?"
# The browser's own cleaning of the sound needs several sentences to get used to the synthetic voice.
START = """
import os
os.environ["OPENAI_API_KEY"] = {key!r}
from interviewer import Interview
from interviewer.settings import Settings
from interviewer.widgets.audio import BrowserAudio

settings = Settings.load(env={{}}, voice={{"service": "simulator"}})
audio = BrowserAudio(noise_suppression=False)
interview = Interview("Audits of medical devices", minutes=1, home={home!r}, settings=settings, audio=audio)
"""
COMPUTE = "import time\nuntil = time.time() + 25\nwhile time.time() < until: sum(range(1000))"
NOTE_PLAY = "HTMLMediaElement.prototype.play = function () { window.playedClip = this.src; return Promise.resolve(); };"
PATIENCE_MS = 30_000


def test_a_call_is_held_through_the_page_while_the_kernel_computes(
    lab: Lab, playwright: Playwright, tmp_path: Path
) -> None:
    guest_voice, home = tmp_path / "guest.wav", tmp_path / "home"
    wav.write(guest_voice, silence(4_000) + to_bytes(synthesise(SAID)) + silence(3_000))
    with chromium(voice=guest_voice, playwright=playwright) as browser:
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.add_init_script(TAP)
        page.add_init_script(NOTE_PLAY)
        notebook = Notebook(lab, page, "call")
        notebook.run(START.format(key=KEY, home=str(home)))
        views = page.locator(".iv")
        notebook.begin("interview.show()")
        guest = views.first
        plan_it(guest)
        notebook.begin("interview.researcher()")
        researcher = views.nth(1)
        expect(researcher.get_by_text(ASKED)).to_be_visible()

        guest.get_by_role("button", name="Start the call").click()
        notebook.begin(COMPUTE)
        cut_in(guest)
        expect(researcher.get_by_role("log").get_by_text(SAID)).to_be_visible(timeout=PATIENCE_MS)
        expect(guest.get_by_label("Your words").get_by_text(SAID)).to_be_visible()
        assert abs(samples(take(page)).astype(int)).max() > 1_000  # the interviewer was heard
        assert "What " not in guest.inner_text()  # nothing of the plan is before the guest's eyes
        pause_and_go_on(guest, researcher)
        researcher.get_by_role("button", name="Wrap up now").click()
        expect(researcher.get_by_text("Wrap-up, locked")).to_be_visible()

        essay = guest.get_by_role("article")
        expect(essay).to_contain_text("audit log on paper", timeout=60_000)
        another_draft(guest)
        guest.get_by_role("button", name="Play the moment of").first.click()
        page.wait_for_function("window.playedClip?.startsWith('blob:')")
        guest.get_by_role("button", name="vtt", exact=True).click()
        expect(guest.get_by_text(".vtt")).to_be_visible()

        assert notebook.value("[interview.session.problem, audio.dropped_frames, audio.problem_code]") == ["", 0, ""]
        assert [path.suffix for path in (home / "exports").glob("*/*")] == [".vtt"]
        what_was_recorded(home)
        saved_without_anything_alive(notebook)


def plan_it(guest: Locator) -> None:
    guest.get_by_role("button", name="Draw up a plan").click()
    question = guest.get_by_role("group", name="Question q1", exact=True).get_by_label("Question", exact=True)
    question.fill(ASKED)
    guest.get_by_label("Keep the sound").check()
    guest.get_by_role("button", name="Start sound").click()
    expect(guest.get_by_role("button", name="Mute")).to_be_visible(timeout=PATIENCE_MS)
    guest.get_by_role("button", name="Mute").click()
    start = guest.get_by_role("button", name="Start the call")
    expect(guest.get_by_text("Still missing: the guest's consent.")).to_be_visible()
    expect(start).to_be_disabled()
    guest.get_by_label("Whoever speaks knows this and agrees").check()
    expect(start).to_be_enabled()


def cut_in(guest: Locator) -> None:
    """The guest, muted until now, begins while the voice is still at its opening."""
    expect(guest.get_by_text("The interviewer is speaking")).to_be_visible(timeout=PATIENCE_MS)
    guest.get_by_role("button", name="Unmute").click()
    expect(guest.get_by_text("You are speaking")).to_be_visible(timeout=PATIENCE_MS)


def pause_and_go_on(guest: Locator, researcher: Locator) -> None:
    guest.get_by_role("button", name="Pause").click()
    expect(guest.get_by_text("Paused")).to_be_visible()
    expect(researcher.get_by_text("Paused")).to_be_visible()
    clock = researcher.locator(".iv-time").first
    stopped = clock.inner_text()
    guest.page.wait_for_timeout(1_500)
    assert clock.inner_text() == stopped
    guest.get_by_role("button", name="Go on").click()
    expect(researcher.locator(".iv-facts")).to_contain_text("Live")


def another_draft(guest: Locator) -> None:
    punchy = guest.get_by_role("button", name="Write a punchy draft")
    expect(punchy).to_be_enabled(timeout=PATIENCE_MS)
    punchy.click()
    drafts = guest.get_by_role("group", name="Drafts")
    expect(drafts.get_by_role("button")).to_have_text(["1 · standard", "2 · punchy"], timeout=PATIENCE_MS)
    expect(drafts.get_by_role("button", name="2 · punchy")).to_have_attribute("aria-pressed", "true")


def what_was_recorded(home: Path) -> None:
    (journal,) = (home / "journals").glob("*.jsonl")
    log = CallLog.read(journal)
    assert {("guest", 1), ("researcher", 1)} <= {(view["view"], view["open"]) for _, view in log.records("view")}
    opening = next(reply for _, reply in log.records("reply") if reply["kind"] == "opening")
    assert 0 < opening["played_ms"] < opening["total_ms"]  # the guest cut in
    assert all(log.records(kind) for kind in ("goodbye", "analysis", "follow_up", "essay"))
    assert log.setup.consent is not None
    assert log.setup.plan.questions[0].text == ASKED
    guest_side, voice_side = flac.read(home / "audio" / f"{log.call_id}.flac").T
    ear = Transcriber()
    ear.feed(to_bytes(guest_side))
    # What the service made of the sound it got, in order: the file has that sound, and what a pause made it forget.
    # What was said last it may lack.
    heard = [turn["text"] for turn in turn_records(log) if turn["speaker"] == "guest"]
    assert any("audit log on paper" in text for text in heard)
    in_the_file = iter(letters(ear.take() or ""))
    assert all(letter in in_the_file for text in heard[:-1] for letter in letters(text))
    ear.feed(to_bytes(voice_side))
    assert (ear.take() or "").startswith(opening["text"][:10])


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def saved_without_anything_alive(notebook: Notebook) -> None:
    notebook.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    notebook.wait_until(lambda: "iv-still" in notebook.path.read_text(encoding="utf-8"))
    saved = json.loads(notebook.path.read_text(encoding="utf-8"))
    outputs = [output["data"] for cell in saved["cells"] for output in cell.get("outputs", ()) if "data" in output]
    text = json.dumps([outputs, saved["metadata"]])
    shown = ["".join(data["text/html"]) for data in outputs if "text/html" in data]
    assert [set(data) for data in outputs] == [{"text/html", "text/plain"}] * 2
    assert all(SAID in page for page in shown)
    assert "widget-" not in text
    assert KEY not in text
