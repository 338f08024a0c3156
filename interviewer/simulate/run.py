"""One simulated call: a setup and a dossier in, the finished core and the truth out. Keeps nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interviewer.audio.speech import duration_ms
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.llm.backend import Backend
from interviewer.llm.meter import Meter
from interviewer.realtime.engine import Faults
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.dossier import Dossier
from interviewer.simulate.guest import Disclosure, Guest
from interviewer.simulate.service import InProcess, Service
from interviewer.simulate.truth import Truth, judge
from interviewer.simulate.virtual import VirtualCall, Watcher, Write


@dataclass(frozen=True, slots=True)
class Simulated:
    """A finished simulated call. `ended_ms`: virtual time at its end, agents after the call included."""

    core: Core
    truth: Truth
    disclosures: tuple[Disclosure, ...]
    reason: str
    ended_ms: int

    def truth_records(self) -> list[tuple[str, dict[str, Any]]]:
        """The truth as (kind, data) records: what was voiced, what the guest told, the summary."""
        voiced = [("voiced", {name: getattr(q, name) for name in q.__slots__}) for q in self.truth.voiced]
        told = [("disclosure", {name: getattr(d, name) for name in d.__slots__}) for d in self.disclosures]
        return [*voiced, *told, ("summary", self.truth.summary())]


def simulate_call(
    setup: CallSetup,
    dossier: Dossier,
    backend: Backend,
    *,
    seed: int,
    service: Callable[[int], Service] | None = None,
    faults: Faults | None = None,
    write: Write | None = None,
    watcher: Watcher | None = None,
    told: Sequence[Disclosure] = (),
) -> Simulated:
    """Run a whole call on a virtual clock. `told`: what the guest told in earlier calls, and remembers.

    `service` makes the voice service for a seed; default: in this process, and it does wrong what `faults` say. A
    backend with a budget leads the call to its close once that is used up.
    """
    core = Core(setup)
    voice = service(seed) if service else InProcess(lambda: VoiceBrain(seed), seed, faults)
    guest = Guest(dossier, seed=seed, duration_ms=duration_ms, told=told)
    meter = Meter.of(backend, setup.settings.voice)
    call = VirtualCall(core, voice, guest, backend, write=write, watcher=watcher, meter=meter)
    try:
        call.run()
        truth = judge(
            core.ledger, voice.voiced, call.played, guest.disclosures, guest.details_total, setup.settings.match
        )
    finally:
        voice.close()
    return Simulated(core, truth, tuple(guest.disclosures), call.reason, call.now)
