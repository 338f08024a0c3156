"""Live calls of this package's own client against somebody else's server, and what must have come of them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interviewer.audio.speech import duration_ms
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.ledger.fold import Ledger, fold
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.guest import Guest
from interviewer.simulate.spoken_guest import SpokenGuest
from interviewer.store.journal import Journal, JournalContents, read

_DOSSIER = "medical-device-audits"
_SEED = 2
_LIMIT_S = 100.0
_BUSY_MS = 20_000  # a busy machine needs longer than the service does


@dataclass(slots=True)
class Held:
    """A finished live call, its journal read back."""

    call: LiveCall
    journal: JournalContents
    wrong: list[str] = field(default_factory=list)

    @property
    def ledger(self) -> Ledger:
        """The ledger at the end."""
        return self.call.core.ledger

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """The journal's lines of a kind."""
        return [line.data for line in self.journal.lines if line.kind == kind]

    def frames(self, type_: str) -> list[dict[str, Any]]:
        """The frames of a type that came."""
        return [line["frame"] for line in self.lines("in") if line.get("frame", {}).get("type") == type_]

    def outcomes(self) -> dict[str, int]:
        """How many attempts ended how."""
        found: dict[str, int] = {}
        for attempt in self.ledger.attempts.values():
            found[attempt.outcome] = found.get(attempt.outcome, 0) + 1
        return found

    def transcript(self) -> list[dict[str, str]]:
        """The turns, as `items` of a report."""
        return [{"role": turn.speaker, "text": turn.text or f"[{turn.state}]"} for turn in self.call.core.turns]


def prepare(url: str, *, minutes: float = 1.0) -> CallSetup:
    """What the call with the service at `url` will be, its plan made."""
    dossier = by_name(_DOSSIER)
    waits = dict.fromkeys(("connect_ms", "ack_ms", "ack_after_turn_ms", "created_ms", "playback_over_ms"), _BUSY_MS)
    settings = Settings.load(env={}, call={"target_ms": round(minutes * 60_000)}, wait=waits, voice={"url": url})
    backend = Rules(settings.agents, _SEED)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    return CallSetup(plan=plan, context=dossier.context, world="simulated", settings=settings)


def hold_spoken(
    setup: CallSetup, folder: Path, *, speed: float, key: str, look: Callable[[LiveCall, Core], None] | None = None
) -> Held:
    """A call of the simulated guest, by sound alone; it must end by itself, all in order.

    `look` is called after every step that did something.
    """
    settings = setup.settings
    backend = Rules(settings.agents, _SEED)
    guest = SpokenGuest(Guest(by_name(_DOSSIER), seed=_SEED, duration_ms=duration_ms), speed=speed)
    path = folder / "call.jsonl"
    held: list[LiveCall] = []
    with Journal.create(path, {"call": "clients"}) as journal:
        call = LiveCall(
            Core(setup),
            voice=settings.voice,
            microphone=guest.microphone,
            speaker=guest.speaker,
            backend=backend,
            write=journal.write,
            key=key,
            speed=speed,
            on_actions=lambda core, _: look(held[0], core) if look else None,
            wait=settings.wait,
        )
        held.append(call)
        call.start()
        ended = call.wait(_LIMIT_S)
        if not ended:
            call.stop()
        call.join()
    result = Held(call, read(path))
    result.wrong += _wrong(result, ended=ended, threads=threading.enumerate())
    return result


def _wrong(held: Held, *, ended: bool, threads: list[threading.Thread]) -> list[str]:
    """What no server may bring about."""
    call, ledger = held.call, held.ledger
    wrong = [] if ended and call.core.ended else ["the call did not end by itself"]
    wrong += [f"{type(error).__name__}: {error}" for error in (call.error, call.journal_error) if error is not None]
    wrong += [f"anomaly {seq}: {what}" for seq, what in ledger.anomalies]
    wrong += [f"{a.id} is still open" for a in ledger.attempts.values() if a.outcome == "open"]
    if held.journal.damaged or held.journal.torn:
        wrong.append("the journal is damaged")
    if [event.to_dict() for event in ledger.events] != held.lines("ev"):
        wrong.append("the journal's ledger is another")
    if fold(ledger.events).snapshot() != ledger.snapshot():
        wrong.append("the events fold to another ledger")
    return wrong + [f"thread {t.name} is left" for t in threads if t.name in ("live-call", "voice-connection")]
