"""A minute of this package's live path: `python -m evals.performance.live_minute PLAN`; see `clients_cpu`."""

import json
import resource
import sys
import time
from pathlib import Path

from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.store.journal import Journal, read

_CALL_MS = 360_000  # long enough that nobody thinks of the end within a minute


def main() -> None:
    """Hold the call for as long as the plan says and print what it used."""
    # The socket's library loads its parts on first use; the others load it with the rest.
    from openai import AsyncOpenAI

    assert callable(AsyncOpenAI(api_key="none").realtime.connect)
    path = Path(sys.argv[1])
    plan = json.loads(path.read_text(encoding="utf-8"))
    settings = Settings.load(env={}, call={"target_ms": _CALL_MS}, voice={"url": plan["url"], "silence_ms": 600})
    backend = Rules(settings.agents, 1)
    setup = CallSetup(
        plan=plan_call("keeping bees on a roof", "", _CALL_MS, "en", backend).plan, world="simulated", settings=settings
    )
    journal_path = path.parent / "call.jsonl"
    with Journal.create(journal_path, {"call": "minute"}) as journal:
        call = LiveCall(
            Core(setup),
            voice=settings.voice,
            microphone=FileMicrophone(path.parent / "recording.wav"),
            speaker=FileSpeaker(),
            backend=backend,
            write=journal.write,
        )
        call.start()
        # It is the interviewer who opens: what is counted begins when that is over, with the recording.
        time.sleep(plan["lead_s"])
        before = _cpu_s()
        time.sleep(plan["seconds"])
        used = _cpu_s() - before
        call.stop()
        call.join()
    came = [line.data for line in read(journal_path).lines if line.t_ms > plan["lead_s"] * 1_000]
    heard = sum(line["frame"].get("audio_ms", 0) for line in came if "frame" in line)
    errors = [str(call.error)] if call.error else []
    print(json.dumps({"cpu_s": used, "heard_ms": heard, "errors": errors, "problem": ""}))


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
