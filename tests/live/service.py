"""A scripted voice service on a real socket, and the two ends of a call that need no device."""

import base64
import contextlib
import json
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from interviewer.audio.pcm import bytes_to_ms, silence
from interviewer.audio.ports import MicrophoneSource, OnFrame, OnPlayed, SpeakerSink
from interviewer.audio.recording import Recording
from interviewer.call.actions import Action, Record
from interviewer.call.core import Core
from interviewer.call.inputs import decode
from interviewer.call.setup import CallSetup
from interviewer.errors import AudioError, JournalError
from interviewer.live.call import LiveCall
from interviewer.llm.backend import Backend
from interviewer.llm.meter import Meter
from interviewer.llm.rules import Rules
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings
from tests.patience import PATIENCE_S

_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)

PLAN = Plan(
    topic="Bridges",
    goal="Learn why some bridges last",
    sections=(
        Section(
            id="s1",
            title="Beginnings",
            questions=(
                Question(id="q1", text="How did you come to build bridges?", priority=1),
                Question(id="q2", text="What broke on your first river crossing?", priority=1),
            ),
        ),
    ),
)


class Talk:
    """One connection to the scripted service: speaks the protocol as far as a test needs it."""

    def __init__(self, ws: ServerConnection, number: int) -> None:
        self.ws, self.number = ws, number
        self.received: list[dict[str, Any]] = []
        self.responses = 0

    def send(self, kind: str, **fields: Any) -> None:
        self.ws.send(json.dumps({"type": kind, "event_id": f"e{id(fields)}", **fields}))

    def get(self) -> dict[str, Any]:
        event: dict[str, Any] = json.loads(self.ws.recv(timeout=PATIENCE_S))
        self.received.append(event)
        return event

    def wait_for(self, kind: str) -> dict[str, Any]:
        """The next event of this type; updates before it are accepted."""
        while (event := self.get())["type"] != kind:
            if event["type"] == "session.update":
                self.updated(event)
        return event

    def created(self) -> None:
        self.send("session.created", session={"type": "realtime"})

    def updated(self, event: dict[str, Any]) -> None:
        self.send("session.updated", session=event["session"])

    def begin(self, event: dict[str, Any] | None) -> str:
        """A response for a `response.create`, or one that nobody asked for."""
        self.responses += 1
        response_id = f"resp_{self.number}_{self.responses}"
        metadata = event["response"]["metadata"] if event else None
        self.send("response.created", response={"id": response_id, "status": "in_progress", "metadata": metadata})
        return response_id

    def speak(self, response_id: str, text: str, ms: int = 400) -> None:
        names = {"response_id": response_id, "item_id": f"item_{response_id}", "output_index": 0, "content_index": 0}
        audio = base64.b64encode(silence(ms)).decode()
        self.send("response.output_audio.delta", delta=audio, **names)
        self.send("response.output_audio_transcript.done", transcript=text, **names)

    def done(self, response_id: str, event: dict[str, Any] | None) -> None:
        metadata = event["response"]["metadata"] if event else None
        response: dict[str, Any] = {"id": response_id, "status": "completed", "metadata": metadata, "output": []}
        self.send("response.done", response=response)

    def reply(self, event: dict[str, Any], text: str) -> None:
        response_id = self.begin(event)
        self.speak(response_id, text)
        self.done(response_id, event)

    def guest_said(self, item_id: str, text: str) -> None:
        """What a service reports of a guest's turn."""
        self.send("input_audio_buffer.speech_started", item_id=item_id, audio_start_ms=0)
        self.send("input_audio_buffer.speech_stopped", item_id=item_id, audio_end_ms=900)
        self.send("input_audio_buffer.committed", item_id=item_id, previous_item_id=None)
        self.send("conversation.item.input_audio_transcription.completed", item_id=item_id, transcript=text)

    def go_on(self) -> None:
        """Answer everything until the client hangs up."""
        while True:
            event = self.get()
            if event["type"] == "session.update":
                self.updated(event)
            elif event["type"] == "response.create":
                self.reply(event, "Tell me: how did you come to build bridges?")

    def abort(self) -> None:
        """Drop the TCP connection without a word."""
        self.ws.socket.shutdown(2)


@contextlib.contextmanager
def service(script: Callable[[Talk], None], **options: Any) -> Iterator[tuple[str, list[Talk]]]:
    """The address of a service that follows `script`, and its connections so far."""
    talks: list[Talk] = []
    threads: list[threading.Thread] = []

    def handler(ws: ServerConnection) -> None:
        threads.append(threading.current_thread())
        talk = Talk(ws, len(talks) + 1)
        talks.append(talk)
        with contextlib.suppress(ConnectionClosed):
            script(talk)

    with serve(handler, "127.0.0.1", 0, compression=None, logger=_quiet, ping_interval=None, **options) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{running.socket.getsockname()[1]}/v1", talks
        finally:
            for rig in _STARTED:
                rig.call.stop()
                rig.over()
            _STARTED.clear()
            running.shutdown()
            for one in [thread, *threads]:
                one.join()


class HandMicrophone:
    """A microphone that hears what the test gives it."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.on_frame: OnFrame | None = None

    def start(self, on_frame: OnFrame) -> None:
        if self.broken:
            raise AudioError(self.broken)
        self.on_frame = on_frame

    def stop(self) -> None:
        self.on_frame = None

    def hear(self, *frames: bytes) -> None:
        assert self.on_frame is not None
        for frame in frames:
            self.on_frame(frame)


class HandSpeaker:
    """A loudspeaker that plays all it gets in no time, or, if `slow`, only when the test says so."""

    def __init__(self, *, slow: bool = False) -> None:
        self.slow = slow
        self.on_played: OnPlayed | None = None
        self.got: dict[str, int] = {}
        self.over: set[str] = set()

    def start(self, on_played: OnPlayed) -> None:
        self.on_played = on_played

    def play(self, response_id: str, pcm: bytes) -> None:
        if response_id not in self.over:
            self.got[response_id] = self.got.get(response_id, 0) + bytes_to_ms(len(pcm))
            self.report(response_id, 0 if self.slow else self.got[response_id])

    def end(self, response_id: str) -> None:
        if not self.slow:
            self.finish(response_id)

    def stop(self, response_id: str) -> None:
        self.finish(response_id)

    def close(self) -> None:
        self.on_played = None

    def finish(self, response_id: str) -> None:
        if response_id not in self.over:
            self.over.add(response_id)
            self.report(response_id, self.got.get(response_id, 0), ended=True)

    def report(self, response_id: str, played_ms: int, *, ended: bool = False) -> None:
        if self.on_played is not None:
            self.on_played(response_id, played_ms, ended)


_LONG = 600_000
_WAITS = "connect_ms ack_ms ack_after_turn_ms created_ms first_audio_ms audio_gap_ms playback_over_ms transcript_ms"
_DEADLINES = "note_taker_ms researcher_ms orchestrator_ms after_call_ms"
# What has to be waited out is short; what must not run out, however slow the machine, is long.
SURE: dict[str, dict[str, Any]] = {
    "match": {"fastest_ms_per_char": 1},  # replies of a few hundred milliseconds
    "agents": {"latency_low_ms": 0, "latency_high_ms": 0},
    "call": {"reconnect_ms": 100, "nudge_after_ms": _LONG, "silence_ends_ms": 2 * _LONG},
    "wait": dict.fromkeys(_WAITS.split(), _LONG),
    "cycle": dict.fromkeys(_DEADLINES.split(), _LONG),
}


class Rig:
    """A live call with everything around it that a test looks at; one `after` another goes on with its call."""

    def __init__(
        self,
        url: str,
        *,
        speed: float = 4.0,
        key: str | None = None,
        microphone: HandMicrophone | None = None,
        speaker: HandSpeaker | None = None,
        ends: tuple[MicrophoneSource, SpeakerSink] | None = None,
        backend: Backend | None = None,
        half_duplex: bool = False,
        disk_full_after: int | None = None,
        on_actions: Callable[[Core, list[Action]], None] | None = None,
        meter: Meter | None = None,
        on_text: Callable[[str], object] | None = None,
        recording: Recording | None = None,
        after: "Rig | None" = None,
        **groups: Any,
    ) -> None:
        voice = {"service": "simulator", "url": url, **groups.pop("voice", {})}
        self.settings = Settings().with_(**SURE).with_(voice=voice, **groups)
        self.setup = CallSetup(plan=PLAN, settings=self.settings)
        self.microphone = microphone or HandMicrophone()
        self.speaker = speaker or HandSpeaker()
        self.lines: list[tuple[str, int, dict[str, Any]]] = []
        self.happened: queue.SimpleQueue[Action] = queue.SimpleQueue()
        self._room = disk_full_after
        self._watch = on_actions
        core, resumes_ms = Core(self.setup), None
        if after is not None:
            for data in after.of("in"):
                core.step(decode(data))
            self.lines += after.lines
            resumes_ms = max(t_ms for kind, t_ms, _ in after.lines if kind == "in")
        self.call = LiveCall(
            core,
            voice=self.settings.voice,
            microphone=ends[0] if ends else self.microphone,
            speaker=ends[1] if ends else self.speaker,
            backend=backend or Rules(self.settings.agents, 1),
            write=self._write,
            key=key,
            speed=speed,
            on_actions=self._saw,
            half_duplex=half_duplex,
            wait=self.settings.wait,
            meter=meter,
            on_text=on_text,
            recording=recording,
            resumes_ms=resumes_ms,
        )

    def _write(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        if self._room is not None and len(self.lines) >= self._room:
            raise JournalError("call.jsonl, line 9: cannot be written: No space left on device")
        self.lines.append((kind, t_ms, json.loads(json.dumps(data))))

    def _saw(self, core: Core, actions: list[Action]) -> None:
        for action in actions:
            self.happened.put(action)
        if self._watch:
            self._watch(core, actions)

    def start(self) -> "Rig":
        self.call.start()
        _STARTED.append(self)
        return self

    def until(self, wanted: Callable[[Action], bool]) -> Action:
        """Wait until the core asked for something."""
        while not wanted(action := self.happened.get(timeout=PATIENCE_S)):
            pass
        return action

    def until_record(self, what: str, /, **fields: Any) -> dict[str, Any]:
        """Wait until something was written down that has these fields."""

        def fits(action: Action) -> bool:
            if not isinstance(action, Record) or action.kind != what:
                return False
            return all(action.data.get(name) == value for name, value in fields.items())

        found = self.until(fits)
        assert isinstance(found, Record)
        return dict(found.data)

    def end(self) -> "Rig":
        """Click on "end" and wait until everything is over."""
        self.call.command("end")
        return self.over()

    def over(self) -> "Rig":
        assert self.call.wait(PATIENCE_S)
        self.call.join()
        return self

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [data for line, _, data in self.lines if line == kind]

    def folded_again(self) -> list[dict[str, Any]]:
        """The ledger events that the journal's inputs give."""
        return fold(self.setup, self.of("in"))


_STARTED: list[Rig] = []


def fold(setup: CallSetup, inputs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    core = Core(setup)
    for record in inputs:
        core.step(decode(record))
    events: list[dict[str, Any]] = json.loads(json.dumps([event.to_dict() for event in core.ledger.events]))
    return events
