"""Simulated calls over a real socket: on a virtual clock in lock-step, or live, with a guest who hears and speaks."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from interviewer.audio.speech import duration_ms
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.live.call import LiveCall
from interviewer.llm.backend import Backend
from interviewer.llm.meter import Meter
from interviewer.realtime.engine import Faults, Voiced
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.dossier import Dossier
from interviewer.simulate.guest import Disclosure, Guest
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.server import SimulatorServer
from interviewer.simulate.socket_service import OverSocket
from interviewer.simulate.spoken_guest import SpokenGuest
from interviewer.simulate.truth import judge
from interviewer.simulate.virtual import Watcher, Write

_GLANCE_S = 0.2  # on the main thread, so that Ctrl-C is noticed


def lock_step(
    setup: CallSetup, dossier: Dossier, backend: Backend, *, seed: int, faults: Faults | None = None, **ends: Any
) -> Simulated:
    """`simulate_call` with the service at the other end of a socket; time stands while a message is on its way."""

    def service(seed: int) -> OverSocket:
        return OverSocket(lambda: VoiceBrain(seed), seed, faults)

    return simulate_call(setup, dossier, backend, seed=seed, service=service, **ends)


def speak_call(
    setup: CallSetup,
    dossier: Dossier,
    backend: Backend,
    *,
    seed: int,
    speed: float,
    faults: Faults | None = None,
    write: Write,
    watcher: Watcher | None = None,
    told: Sequence[Disclosure] = (),
) -> Simulated:
    """Run a whole call with sound over a socket of this machine, at `speed` times real time.

    Not repeatable to the letter, for the wall's clock has its say. Raises what the call failed with.
    """
    core = Core(setup)
    person = Guest(dossier, seed=seed, duration_ms=duration_ms, told=told)
    guest = SpokenGuest(person, speed=speed)
    with Hosted(SimulatorServer(seed=seed, clock=WallClock(speed), faults=faults)) as hosted:
        witness = _Witness(hosted.server, write, watcher)
        call = LiveCall(
            core,
            voice=setup.settings.voice.model_copy(update={"url": hosted.server.url}),
            microphone=guest.microphone,
            speaker=guest.speaker,
            backend=backend,
            write=witness.write,
            speed=speed,
            on_actions=witness.saw,
            wait=setup.settings.wait,
            meter=Meter.of(backend, setup.settings.voice),
        )
        _run(call)
    truth = judge(
        core.ledger, witness.voiced, witness.played, person.disclosures, person.details_total, setup.settings.match
    )
    return Simulated(core, truth, tuple(person.disclosures), call.reason, witness.ended_ms)


def _run(call: LiveCall) -> None:
    call.start()
    try:
        while not call.wait(_GLANCE_S):
            pass
    finally:
        call.stop()
        call.join()
    for error in (call.error, call.journal_error):
        if error is not None:
            raise error


class _Witness:
    """Notes what was voiced, on each connection, and what was played: neither is the core's own word."""

    def __init__(self, server: SimulatorServer, write: Write, watcher: Watcher | None) -> None:
        self._server = server
        self._write = write
        self._watcher = watcher
        self._lines: list[Sequence[Voiced]] = []
        self.played: dict[str, int] = {}
        self.ended_ms = 0

    def write(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        """Pass a line on to the journal."""
        self._write(kind, t_ms, data)
        self.ended_ms = t_ms
        if kind == "in" and data["type"] == "playback":
            self.played[data["response_id"]] = data["played_ms"]

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Pass it on; keep hold of a new connection's truth, for the server forgets those that have ended."""
        if line := self._server.line(len(self._lines)):
            self._lines.append(line.voiced)
        if self._watcher:
            self._watcher.saw(core, actions)

    @property
    def voiced(self) -> list[Voiced]:
        """What was voiced, in order."""
        return list(chain.from_iterable(self._lines))
