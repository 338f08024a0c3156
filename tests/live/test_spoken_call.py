"""A whole call over a socket, by sound alone, twenty times faster than life."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.audio.speech import duration_ms
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.live.call import LiveCall
from interviewer.llm.rules import Rules
from interviewer.realtime.engine import Voiced
from interviewer.settings import Settings
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.dossier import by_name
from interviewer.simulate.guest import Guest
from interviewer.simulate.server import SimulatorServer
from interviewer.simulate.spoken_guest import SpokenGuest
from interviewer.simulate.truth import judge
from interviewer.store.journal import Journal, JournalContents, read
from tests.live.service import fold

SPEED = 10.0
SEED = 2
STAGES = ["selected", "accepted", "started", "generated", "delivered"]


@contextlib.contextmanager
def simulator(server: SimulatorServer) -> Iterator[SimulatorServer]:
    """The server on a loop and thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        yield server
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class Spoken:
    """A finished call and everything that is known about it."""

    def __init__(self, folder: Path) -> None:
        dossier = by_name("medical-device-audits")
        # At this speed a busy machine needs longer than the service does.
        waits = dict.fromkeys(("connect_ms", "ack_ms", "ack_after_turn_ms", "created_ms", "playback_over_ms"), 30_000)
        self.settings = Settings.load(env={}, call={"target_ms": 60_000}, wait=waits)
        backend = Rules(self.settings.agents, SEED)
        plan = plan_call(dossier.topic, dossier.context, 60_000, dossier.language, backend).plan
        self.setup = CallSetup(plan=plan, context=dossier.context, world="simulated", settings=self.settings)
        self.guest = Guest(dossier, seed=SEED, duration_ms=duration_ms)
        self.voiced: tuple[Voiced, ...] = ()
        path = folder / "call.jsonl"
        with (
            simulator(SimulatorServer(seed=SEED, clock=WallClock(SPEED))) as server,
            Journal.create(path, {"call": "spoken"}) as journal,
        ):
            self._run(server, backend, journal)
        self.journal: JournalContents = read(path)

    def _run(self, server: SimulatorServer, backend: Rules, journal: Journal) -> None:
        def look(core: Core, actions: list[Action]) -> None:
            line = server.line(0)
            self.voiced = self.voiced if line is None else tuple(line.voiced)

        self.spoken = SpokenGuest(self.guest, speed=SPEED)
        self.call = LiveCall(
            Core(self.setup),
            voice=self.settings.voice.model_copy(update={"url": server.url}),
            microphone=self.spoken.microphone,
            speaker=self.spoken.speaker,
            backend=backend,
            write=journal.write,
            speed=SPEED,
            on_actions=look,
            wait=self.settings.wait,
        )
        before = set(threading.enumerate())
        self.call.start()
        assert self.call.wait(30)
        self.call.join()
        self.threads_left = [thread.name for thread in set(threading.enumerate()) - before]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line.data for line in self.journal.lines if line.kind == kind]


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    return Spoken(tmp_path_factory.mktemp("spoken"))


def test_it_ends_by_itself_with_an_essay_in_the_guests_words(spoken: Spoken) -> None:
    assert spoken.call.error is None
    assert spoken.call.journal_error is None
    assert spoken.call.core.ended
    assert {"goodbye", "analysis", "follow_up", "essay"} <= {record["kind"] for record in spoken.of("rec")}
    assert spoken.journal.lines[-1].kind == "end"
    assert len(spoken.spoken.heard) >= 2


def test_guest_and_service_understood_each_other_by_sound_alone(spoken: Spoken) -> None:
    said = {voiced.response_id: voiced.text for voiced in spoken.voiced}
    assert spoken.spoken.heard
    assert all(said[response_id].startswith(text) and text for response_id, text in spoken.spoken.heard)
    # The microphone may close in the guest's last words, so only what was told before the last counts.
    guest = " ".join(turn.text for turn in spoken.call.core.turns if turn.speaker == "guest")
    details = {detail.id: detail.text for detail in by_name("medical-device-audits").details}
    told = [details[disclosure.detail_id] for disclosure in spoken.guest.disclosures]
    assert told
    assert all(text in guest for text in told[:-1])


def test_what_was_delivered_went_through_all_stages_and_nothing_is_left_open(spoken: Spoken) -> None:
    events = spoken.of("ev")
    ledger = spoken.call.core.ledger
    delivered = [event["attempt_id"] for event in events if event["kind"] == "delivered"]
    assert delivered
    for attempt in delivered:
        assert [e["kind"] for e in events if e["attempt_id"] == attempt and e["kind"] in STAGES] == STAGES
    assert all(attempt.outcome for attempt in ledger.attempts.values())
    assert "pending" not in {question.status for question in ledger.questions.values()}


def test_the_ledger_credits_nothing_that_was_not_heard(spoken: Spoken) -> None:
    played = {line["response_id"]: line["played_ms"] for line in spoken.of("in") if line["type"] == "playback"}
    ledger, guest = spoken.call.core.ledger, spoken.guest
    truth = judge(ledger, spoken.voiced, played, guest.disclosures, guest.details_total)
    assert truth.false_deliveries == ()


def test_the_journal_is_whole_and_folds_to_the_same_ledger(spoken: Spoken) -> None:
    assert not spoken.journal.damaged
    assert not spoken.journal.torn
    assert fold(spoken.setup, spoken.of("in")) == spoken.of("ev")
    assert "input_audio_buffer.append" not in json.dumps(spoken.of("out"))
    audio = [f for line in spoken.of("in") if (f := line.get("frame", {})).get("type") == "response.output_audio.delta"]
    assert audio
    assert all(frame["audio_ms"] > 0 and frame["digest"] and "delta" not in frame for frame in audio)


def test_agents_take_the_time_they_would_take(spoken: Spoken) -> None:
    jobs = [record["data"] for record in spoken.of("rec") if record["kind"] == "job"]
    answered = [job for job in jobs if job["outcome"] == "ok"]
    assert answered
    low = spoken.settings.agents.latency_low_ms
    assert all(job["ended_ms"] - job["started_ms"] >= job["latency_ms"] >= low for job in answered)


def test_it_takes_its_threads_with_it(spoken: Spoken) -> None:
    assert spoken.threads_left == []
