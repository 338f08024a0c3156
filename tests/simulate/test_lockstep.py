import json
from typing import Any

import pytest

from interviewer.audio.speech import duration_ms
from interviewer.call.setup import CallSetup
from interviewer.errors import ConnectionFailed
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.realtime.engine import BrainRequest, Spoken
from interviewer.settings import Settings
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.service import InProcess, Service
from interviewer.simulate.socket_service import OverSocket

Record = tuple[str, int, dict[str, Any]]
SERVER_VAD = {"type": "server_vad", "silence_duration_ms": 1_200, "create_response": False, "interrupt_response": False}
LISTENING = {"turn_detection": SERVER_VAD, "transcription": {"model": "gpt-transcribe"}}


class Parrot:
    """Says back what the guest said."""

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        return (Spoken(request.lines[-1].text if request.lines else "Well?", ()),)


def call(seed: int, minutes: float, *, over_socket: bool) -> tuple[Simulated, list[Record]]:
    """A whole call and all that was written of it, without the digests of sound that only a socket has."""
    dossier = load_all()[seed % len(load_all())]
    settings = Settings.load(env={}, call={"target_ms": round(minutes * 60_000)})
    backend = Rules(settings.agents, seed)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    written: list[Record] = []

    def write(kind: str, t_ms: int, data: dict[str, Any]) -> None:
        kept = json.loads(json.dumps(data))
        kept.get("frame", {}).pop("digest", None)
        written.append((kind, t_ms, kept))

    def service(number: int) -> Service:
        made = OverSocket if over_socket else InProcess
        return made(lambda: VoiceBrain(number), number)

    return simulate_call(setup, dossier, backend, seed=seed, service=service, write=write), written


@pytest.mark.parametrize(("seed", "minutes"), [(3, 2.0), (6, 2.0)])
def test_a_call_over_a_socket_is_the_call_in_one_process_record_for_record(seed: int, minutes: float) -> None:
    coupled, expected = call(seed, minutes, over_socket=False)
    socketed, written = call(seed, minutes, over_socket=True)
    assert written == expected
    assert [turn.text for turn in socketed.core.turns] == [turn.text for turn in coupled.core.turns]
    assert socketed.truth == coupled.truth
    assert len(coupled.core.turns) > 4


class Bench:
    """Two services told the same at the same times."""

    def __init__(self) -> None:
        self.coupled = InProcess(Parrot, 5)
        self.socketed = OverSocket(Parrot, 5)
        self.both: tuple[Service, ...] = (self.coupled, self.socketed)
        self.now_ms = 0

    def run(self, ms: int) -> list[dict[str, Any]]:
        """Let time pass; gives the frames of that time, the same from both, at the same times."""
        frames: list[list[tuple[int, dict[str, Any]]]] = [[], []]
        for service, mine in zip(self.both, frames, strict=True):
            now_ms = self.now_ms
            while (due_ms := service.deadline) is not None and due_ms <= self.now_ms + ms:
                now_ms = max(now_ms, due_ms)
                service.advance(now_ms)
                mine += [(now_ms, {k: v for k, v in frame.items() if k != "digest"}) for frame in service.take()]
        self.now_ms += ms
        assert frames[0] == frames[1]
        return [frame for _, frame in frames[0]]

    def speak(self, text: str) -> list[dict[str, Any]]:
        for service in self.both:
            service.voice(self.now_ms, True, text)
        frames = self.run(duration_ms(text))
        for service in self.both:
            service.voice(self.now_ms, False, text)
        return frames

    def send(self, kind: str, **fields: Any) -> None:
        for service in self.both:
            service.receive(self.now_ms, {"type": kind, **fields})

    def connect(self) -> None:
        for service in self.both:
            service.connect(self.now_ms)
        self.send("session.update", session={"type": "realtime", "audio": {"input": LISTENING}})
        self.run(200)


def test_edges_pauses_and_replies_are_told_at_the_same_milliseconds() -> None:
    bench = Bench()
    try:
        bench.connect()
        bench.run(333)
        frames = bench.speak("I left in spring. ")
        bench.run(1_111)  # Shorter than the silence that ends a turn.
        frames += bench.speak("Or was it autumn?")
        frames += bench.run(5_000)
        bench.send("response.create")
        frames += bench.run(301)
        bench.send("session.update", session={"type": "realtime", "instructions": "Be brief."})
        frames += bench.speak("Wait.")  # Breaks in while an update is being worked on.
        frames += bench.run(8_000)
        assert bench.socketed.voiced == bench.coupled.voiced
    finally:
        bench.socketed.close()
    transcripts = [frame["transcript"] for frame in frames if frame["type"].endswith("transcription.completed")]
    assert transcripts == ["I left in spring.  Or was it autumn?", "Wait."]
    assert [frame["response"]["status"] for frame in frames if frame["type"] == "response.done"] == ["completed"]


def test_a_new_connection_is_a_new_session_on_the_same_clock() -> None:
    bench = Bench()
    try:
        bench.connect()
        bench.send("response.create")
        bench.run(1_000)
        bench.connect()
        bench.speak("Again.")
        frames = bench.run(4_000)
        assert bench.socketed.voiced == bench.coupled.voiced
        assert len(bench.socketed.voiced) == 1
    finally:
        bench.socketed.close()
    assert [frame["transcript"] for frame in frames if frame["type"].endswith("completed")] == ["Again."]


class Broken:
    """Fails."""

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        raise LookupError("no words")


@pytest.mark.parametrize("step_ms", [1, 1_000])
def test_a_service_that_fails_fails_its_driver_and_does_not_hang(step_ms: int) -> None:
    service = OverSocket(Broken, 1)
    try:
        service.connect(0)
        service.take()
        service.receive(0, {"type": "response.create"})
        with pytest.raises((LookupError, ConnectionFailed)):
            fail(service, step_ms)
    finally:
        service.close()


def fail(service: Service, step_ms: int) -> None:
    for number in range(1_000):
        service.receive(number * step_ms, {"type": "response.cancel", "response_id": "nobody"})
        service.take()
