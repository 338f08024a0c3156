"""A whole short call through a page: the guest is a file in the browser's microphone, the service is simulated."""

from pathlib import Path

from playwright.sync_api import expect

from evals.browser.chromium import chromium
from evals.browser.lab import Lab
from evals.browser.notebook import Notebook
from interviewer.audio import wav
from interviewer.audio.pcm import silence, to_bytes
from interviewer.audio.speech import synthesise

SAID = "We kept the audit log on paper."
# The browser's own cleaning of the sound needs several sentences to get used to the synthetic voice.
START = """
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.server import SimulatorServer
from interviewer.widgets.audio import BrowserAudio

settings = Settings.load(env={}, call={"target_ms": 60_000})
backend = Rules(settings.agents, 0)
plan = plan_call("Audits of medical devices", "", 60_000, "en", backend).plan
core = Core(CallSetup(plan=plan, world="simulated", settings=settings))
hosted = Hosted(SimulatorServer(seed=0)).start()
lines = []
audio = BrowserAudio(noise_suppression=False)
call = LiveCall(
    core,
    voice=settings.voice.model_copy(update={"url": hosted.server.url}),
    microphone=audio.microphone,
    speaker=audio.speaker,
    backend=backend,
    write=lambda kind, t_ms, data: lines.append((kind, t_ms, data)),
)
audio
"""
COMPUTE = "import time\nuntil = time.time() + 40\nwhile time.time() < until: sum(range(1000))"


def test_a_call_is_held_through_the_page_while_the_kernel_computes(lab: Lab, tmp_path: Path) -> None:
    guest = tmp_path / "guest.wav"
    wav.write(guest, silence(9_000) + to_bytes(synthesise(SAID)) + silence(3_000))
    with chromium(voice=guest) as browser:
        notebook = Notebook(lab, browser.new_page(), "call")
        notebook.run(START)
        widget = notebook.page.locator(".iv-audio")
        widget.get_by_role("button", name="Start sound").click()
        expect(widget.get_by_role("status")).to_have_text("Ready", timeout=15_000)
        notebook.run("call.start()")
        expect(widget.get_by_role("status")).to_have_text("The voice is speaking", timeout=15_000)
        notebook.run(COMPUTE)
        notebook.wait_until(lambda: notebook.value("call.wait(0)"), 90_000)
        notebook.run("call.join(); hosted.close()")
        expect(widget.get_by_role("status")).to_have_text("The sound is off.")

        assert notebook.value("str(call.error), audio.dropped_frames, audio.problem_code") == ["None", 0, ""]
        said = notebook.value("[turn.text for turn in core.turns if turn.speaker == 'guest']")
        assert SAID in said
        records = notebook.value("[data['kind'] for kind, t, data in lines if kind == 'rec']")
        assert {"goodbye", "essay"} <= set(records)
        assert "delivered" in notebook.value("[data['kind'] for kind, t, data in lines if kind == 'ev']")
        played = notebook.value("[data['played_ms'] for kind, t, data in lines if data.get('type') == 'playback']")
        assert max(played) > 1_000
