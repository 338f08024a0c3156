"""Other people's servers, each with what it needs, and what a live call of ours must come to with them."""

import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evals.clients import environment
from evals.clients.calls import Held, hold_spoken, prepare
from evals.clients.clients import ROOT
from evals.clients.exchange import Outcome
from interviewer.call.core import Core
from interviewer.call.guidance import clean
from interviewer.live.call import LiveCall
from interviewer.matching.text import questions
from interviewer.model.plan import Plan
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.line import Line
from interviewer.simulate.server import SimulatorServer

AIMOCK: Final = "@copilotkit/aimock@1.43.0"
LITELLM: Final = "litellm[proxy]==1.108.7"
SPEECH_TO_SPEECH: Final = "speech-to-speech==1.1.0"
_S2S_NEEDS: Final = (
    "openai==2.28.0",
    "fastapi==0.165.0",
    "uvicorn==0.54.0",
    "websockets==15.0.1",
    "numpy==2.4.6",
    "scipy==1.17.1",
    "soxr==1.1.0",
)

_SPEED: Final = 6.0
_START_S: Final = 120.0
_FAST: Final = 15.0  # nobody speaks there


# -- aimock: text only, no metadata, events nobody knows -----------------------------------------------------------

_ANSWERS: Final = (
    "I began in a laboratory, and the audits came later.",
    "Mostly people tell me what they think I want to hear.",
    "The one that surprised me was a factory without a single written procedure.",
    "We settled on photographs of every shelf.",
    "I would do it again, with fewer forms.",
)
_THINKS_S: Final = 9.0
_CLOSING: Final = "Thank you so much for your time. Goodbye."
_EVASION: Final = "Let us leave that for another day."
_FREE: Final = "That is good to know. And what came of it in the end?"


def aimock() -> Outcome:
    """The call completes, questions earn credit as inferred and displayed, and as many are heard as it really sent."""
    with tempfile.TemporaryDirectory(prefix="interviewer-server-") as name:
        folder = Path(name)
        place = environment.make_node(folder / "node", AIMOCK)
        fixtures = folder / "fixtures.json"
        typing = _Typing()
        fixtures.write_text(json.dumps(_fixtures(prepare("", minutes=1.5).plan)), encoding="utf-8")
        command = ["node", str(place / "node_modules/@copilotkit/aimock/dist/cli.js"), "--fixtures", str(fixtures)]
        with _running([*command, "--chunk-size", "200"], folder) as port:
            setup = prepare(f"ws://127.0.0.1:{port}/v1", minutes=1.5)
            held = hold_spoken(setup, folder, speed=_FAST, key="any-key", look=typing)
    sent = [frame["text"] for frame in held.frames("response.output_text.done")]
    asked = [span.text for text in sent for span in questions(text)]
    heard = [one.text for one in held.ledger.heard]
    delivered = [a for a in held.ledger.attempts.values() if a.outcome == "delivered"]
    wrong = list(held.wrong)
    if heard != asked:
        wrong.append(f"it sent {len(asked)} questions, and {len(heard)} are remembered")
    if not delivered:
        wrong.append("nothing was delivered")
    for attempt in delivered:
        if attempt.evidence["started"].basis != "inferred" or not attempt.value("delivered", "displayed"):
            wrong.append(f"{attempt.id} is not said to be inferred and displayed")
        if not any(str(attempt.value("generated", "sentence")) in text for text in sent):
            wrong.append(f"{attempt.id} was never sent")
    more = {"questions_sent": len(asked), "questions_heard": len(heard), "typed": typing.count}
    return _outcome(AIMOCK, held, wrong, **more)


class _Typing:
    """A guest who reads every reply that was shown, thinks, and types an answer."""

    def __init__(self) -> None:
        self.count = 0
        self._replies = 0

    def __call__(self, call: LiveCall, core: Core) -> None:
        shown = [turn for turn in core.turns if turn.speaker == "interviewer" and turn.heard]
        if len(shown) > self._replies and self.count < len(_ANSWERS):
            thinking = threading.Timer(_THINKS_S / _FAST, call.command, ("type", _ANSWERS[self.count]))
            thinking.daemon = True
            thinking.start()
            self.count += 1
        self._replies = len(shown)


def _fixtures(plan: Plan) -> dict[str, Any]:
    """What it says, by the marks in our instructions: every question of the plan but the last, which it evades."""
    asked = [question.text for question in plan.questions][:-1]
    said = [(f">{clean(text)}</ask>", f"I see. {text}") for text in asked]
    said += [("<reply>closing</reply>", _CLOSING), ("<reply>nudge</reply>", "Take your time.")]
    said += [("<reply>question</reply>", _EVASION), ("<reply>free</reply>", _FREE)]
    return {"fixtures": [{"match": {"systemMessage": mark}, "response": {"content": text}} for mark, text in said]}


# -- litellm: a proxy in between -----------------------------------------------------------------------------------


def litellm() -> Outcome:
    """A spoken call through the proxy to the simulated service, as if the proxy were not there."""
    with (
        tempfile.TemporaryDirectory(prefix="interviewer-server-") as name,
        Hosted(SimulatorServer(seed=2, clock=WallClock(_SPEED))) as hosted,
    ):
        folder = Path(name)
        python = environment.make(folder / "venv", LITELLM)
        model = {"model": "openai/gpt-realtime-2.1", "api_base": hosted.server.url.replace("ws://", "http://")}
        config = {"model_list": [{"model_name": "gpt-realtime-2.1", "litellm_params": {**model, "api_key": "any-key"}}]}
        (folder / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
        key = f"sk-{secrets.token_urlsafe(32)}"
        env = {"LITELLM_MASTER_KEY": key, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
        command = [str(python.parent / "litellm"), "--config", str(folder / "config.yaml"), "--host", "127.0.0.1"]
        lines: dict[int, Line] = {}

        def look(_call: LiveCall, _core: Core) -> None:
            # A connection is forgotten as it closes; the truth of what was voiced on it is wanted afterwards.
            lines.update({n: line for n in range(4) if (line := hosted.server.line(n)) is not None})

        with _running(command, folder, env) as port:
            held = hold_spoken(prepare(f"ws://127.0.0.1:{port}/v1"), folder, speed=_SPEED, key=key, look=look)
        voiced: dict[str, str] = {}
        for item in (item for line in lines.values() for item in line.voiced):
            voiced[item.response_id] = f"{voiced.get(item.response_id, '')} {item.text}"
    return _outcome(LITELLM, held, [*held.wrong, *_spoken(held, voiced)])


def _spoken(held: Held, voiced: Mapping[str, str]) -> Iterator[str]:
    """A call by sound: questions delivered as the protocol proves it, each really voiced."""
    delivered = [a for a in held.ledger.attempts.values() if a.outcome == "delivered"]
    if not delivered:
        yield "nothing was delivered"
    for attempt in delivered:
        said = voiced.get(str(attempt.value("started", "response_id")), "")
        if str(attempt.value("generated", "sentence")) not in said:
            yield f"{attempt.id} was never voiced"
    if not any(turn.speaker == "guest" and turn.text for turn in held.call.core.turns):
        yield "nothing was heard of the guest"


# -- speech-to-speech: its server over a pipeline without models ------------------------------------------------------


def speech_to_speech() -> Outcome:
    """A call by sound with its websocket layer; what it would have models for is scripted, see the program."""
    with tempfile.TemporaryDirectory(prefix="interviewer-server-") as name:
        folder = Path(name)
        python = environment.make(folder / "venv", *_S2S_NEEDS)
        environment.add(python, SPEECH_TO_SPEECH)
        command = [str(python), "-E", "-s", "-m", "evals.clients.programs.speech_to_speech_server"]
        with _running(command, ROOT) as port:
            setup = prepare(f"ws://127.0.0.1:{port}/v1", minutes=1.0)
            held = hold_spoken(setup, folder, speed=1.0, key="any-key")
    said = {f["response_id"]: f["transcript"] for f in held.frames("response.output_audio_transcript.done")}
    return _outcome(SPEECH_TO_SPEECH, held, [*held.wrong, *_spoken(held, said)])


# -- in common -----------------------------------------------------------------------------------------------------


def _outcome(package: str, held: Held, wrong: Sequence[str], **more: Any) -> Outcome:
    bases = sorted({a.evidence["started"].basis for a in held.ledger.attempts.values() if a.started})
    unknown = sorted({line["data"]["what"] for line in held.lines("rec") if line["kind"] == "ignored"})
    summary = {
        "items": held.transcript(),
        "ended_by": held.call.reason,
        "attempts": held.outcomes(),
        "responses_bound_by": bases,
        "ignored": unknown,
        **more,
    }
    return Outcome(package, summary, tuple(wrong))


@contextlib.contextmanager
def _running(command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None) -> Iterator[int]:
    """A server in a process of its own, listening on a free port of this machine."""
    port = _free_port()
    environ = {**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", **(env or {})}
    log = Path(tempfile.mkstemp(prefix="interviewer-server-", suffix=".log")[1])
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            [*command, "--port", str(port)], cwd=folder, env=environ, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(port, process, log)
            yield port
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until somebody listens there. Raises CannotInstall if the server ends, or takes too long."""
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    said = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(encoding="utf-8", errors="replace"))
    raise environment.CannotInstall(f"its server did not come up: {said[-800:]}")


SERVERS: Final[Mapping[str, Callable[[], Outcome]]] = {
    "aimock": aimock,
    "litellm": litellm,
    "speech-to-speech": speech_to_speech,
}
