import http
import json
import logging
import threading
from typing import Any

import pytest
from pydantic import BaseModel
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection

from interviewer.audio.pcm import from_base64, silence, to_bytes
from interviewer.audio.ports import OnProblem
from interviewer.audio.speech import synthesise
from interviewer.call.actions import Action, CloseConnection, Connect, Microphone, StopPlayback
from interviewer.call.core import Core
from interviewer.errors import (
    AudioError,
    ConnectionFailed,
    InterviewerError,
    JournalError,
    MissingKey,
    SettingsError,
)
from interviewer.llm.backend import Ran, Task
from tests.live.service import HandMicrophone, HandSpeaker, Rig, Talk, service
from tests.patience import PATIENCE_S

KEY = "sk-test-do-not-show-me"
VOICE = to_bytes(synthesise("a guest who speaks"))
FRAME = 1_920  # bytes of 40 ms


def ordinary(talk: Talk) -> None:
    talk.created()
    talk.go_on()


def test_a_call_begins_at_once_asks_its_first_question_and_ends_when_told_to() -> None:
    with service(ordinary) as (url, talks):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.call.error is None
    assert rig.call.reason == "ended at the screen"
    assert rig.call.core.ledger.questions["q1"].status == "delivered"
    stages = ["selected", "accepted", "started", "generated", "delivered"]
    assert [event["kind"] for event in rig.of("ev") if event["kind"] in stages] == stages
    assert rig.of("end") == [{"reason": "ended at the screen"}]
    assert len(talks) == 1


def test_the_journal_folds_to_the_same_ledger() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.folded_again() == rig.of("ev")
    assert [t for kind, t, _ in rig.lines if kind == "in"] == sorted(t for kind, t, _ in rig.lines if kind == "in")


def test_an_input_is_written_before_what_it_leads_to() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    kinds = [(kind, data.get("type")) for kind, _, data in rig.lines]
    assert kinds[0] == ("in", "begin")
    created = next(
        i for i, (_, _, data) in enumerate(rig.lines) if data.get("frame", {}).get("type") == "session.created"
    )
    assert created < kinds.index(("out", "session.update"))


def test_sound_is_neither_in_the_journal_nor_held_back_by_the_core() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until(lambda action: isinstance(action, Microphone) and action.on)
        rig.microphone.hear(VOICE[:FRAME])
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.speaker.got == {"resp_1_1": 400}
    deltas = [d["frame"] for d in rig.of("in") if d.get("frame", {}).get("type") == "response.output_audio.delta"]
    assert [(d["audio_ms"], "delta" in d) for d in deltas] == [(400, False)]
    assert "input_audio_buffer.append" not in json.dumps(rig.lines)


# -- the service is a setting ----------------------------------------------------------------------------------


def demands_key(_: ServerConnection, request: Request) -> Response | None:
    if request.headers.get("Authorization") == f"Bearer {KEY}":
        return None
    body = f"Incorrect API key provided: {request.headers.get('Authorization')}".encode()
    status = http.HTTPStatus.UNAUTHORIZED
    return Response(status.value, status.phrase, Headers({"Content-Length": str(len(body))}), body)


def test_the_real_service_differs_by_address_and_key_alone() -> None:
    voice = {"service": "openai", "model": "gpt-realtime-2.1", "silence_ms": 900, "vad_threshold": 0.6}
    with service(ordinary, process_request=demands_key) as (url, talks):
        rig = Rig(url, key=KEY, voice=voice).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.call.error is None
    assert talks[0].ws.request is not None
    assert talks[0].ws.request.path == "/v1/realtime?model=gpt-realtime-2.1"
    update = talks[0].received[0]
    assert update["type"] == "session.update"
    assert update["session"]["audio"]["input"]["turn_detection"] == {
        "type": "server_vad",
        "threshold": 0.6,
        "prefix_padding_ms": 300,
        "silence_duration_ms": 900,
        "idle_timeout_ms": None,
        "create_response": False,
        "interrupt_response": False,
    }
    assert update["session"]["truncation"] == {
        "type": "retention_ratio",
        "retention_ratio": 0.8,
        "token_limits": {"post_instructions": 8_000},
    }
    create = next(event for event in talks[0].received if event["type"] == "response.create")
    for text in (update["session"]["instructions"], create["response"]["instructions"]):
        assert "Learn why some bridges last" in text
        assert "How did you come to build bridges?" in text
    assert KEY not in json.dumps(rig.lines)


def test_a_key_that_is_refused_ends_the_call_and_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = "sk-wrong-and-secret"
    with service(ordinary, process_request=demands_key) as (url, talks):
        rig = Rig(url, key=wrong, voice={"service": "openai"}).start().over()
    assert isinstance(rig.call.error, MissingKey)
    assert "OPENAI_API_KEY" in str(rig.call.error)
    assert talks == []
    assert wrong not in str(rig.call.error) + json.dumps(rig.lines) + caplog.text
    # Dialling again would not help.
    assert sum(line["type"] == "disconnected" for line in rig.of("in")) <= 2


def test_without_a_key_the_real_service_is_not_even_dialled() -> None:
    rig = Rig("", voice={"service": "openai"})
    before = threading.active_count()
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        rig.call.start()
    assert threading.active_count() == before
    assert rig.lines == []
    assert rig.microphone.on_frame is None


# -- what can go wrong -----------------------------------------------------------------------------------------


def test_a_dropped_connection_is_dialled_again_and_the_call_goes_on() -> None:
    heard = threading.Event()

    def script(talk: Talk) -> None:
        talk.created()
        if talk.number == 1:
            talk.updated(talk.wait_for("session.update"))
            talk.reply(talk.wait_for("response.create"), "How did you come to build bridges?")
            assert heard.wait(PATIENCE_S)
            talk.guest_said("item_g1", "My father took me to one.")
            talk.begin(talk.wait_for("response.create"))
            talk.abort()
        talk.go_on()

    with service(script) as (url, talks):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        heard.set()
        rig.until_record("reply", kind="resume")
        rig.end()
    assert rig.call.error is None
    assert len(talks) == 2
    again = [
        event["item"]["content"][0]["text"] for event in talks[1].received if event["type"].endswith("item.create")
    ]
    assert again == ["How did you come to build bridges?", "My father took me to one."]
    assert talks[1].received[0]["type"] == "session.update"
    assert rig.call.core.ledger.questions["q1"].status == "delivered"
    assert rig.folded_again() == rig.of("ev")


def unanswered(talk: Talk) -> None:
    """Opens the socket and never says a word."""
    talk.wait_for("nothing")


def test_a_service_that_never_answers_ends_the_call_with_an_error_that_says_so() -> None:
    with service(unanswered) as (url, talks):
        rig = Rig(url, wait={"connect_ms": 2_000}, call={"reconnect_tries": 1}).start().over()
    assert isinstance(rig.call.error, ConnectionFailed)
    assert "no session within 2 s" in str(rig.call.error)
    assert len(talks) == 2
    assert rig.of("end") != []


def test_a_service_that_is_not_there_is_named() -> None:
    with service(ordinary) as (url, _):
        pass
    rig = Rig(url, call={"reconnect_tries": 1}).start().over()
    assert isinstance(rig.call.error, ConnectionFailed)
    assert url.removesuffix("/v1") in str(rig.call.error)
    assert sum(line["type"] == "disconnected" for line in rig.of("in")) >= 2


def test_a_microphone_that_fails_ends_the_call_before_anybody_is_dialled() -> None:
    with service(ordinary) as (url, talks):
        rig = Rig(url, microphone=HandMicrophone("no microphone: plug one in")).start().over()
    assert isinstance(rig.call.error, AudioError)
    assert str(rig.call.error) == "no microphone: plug one in"
    assert talks == []
    assert rig.speaker.on_played is None
    assert [kind for kind, _, _ in rig.lines][-1] == "end"


def test_a_full_disk_costs_the_record_and_not_the_call() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url, disk_full_after=12).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.call.error is None
    assert isinstance(rig.call.journal_error, JournalError)
    assert "No space left" in str(rig.call.journal_error)
    assert len(rig.lines) == 12
    assert rig.call.core.ledger.questions["q1"].status == "delivered"


def test_an_onlooker_or_a_backend_that_raises_does_not_stop_the_call(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
            raise ValueError("a fault in a backend")

    def look(core: Core, actions: list[Action]) -> None:
        raise ValueError("a fault in a view")

    with service(ordinary) as (url, _):
        rig = Rig(url, backend=Broken(), on_actions=look).start()
        rig.until_record("reply", kind="opening")
        rig.call.command("type", "My father took me to a bridge when I was six.")
        rig.until_record("job", outcome="error")
        rig.end()
    assert rig.call.error is None
    errors = {record["data"]["error"] for record in rig.of("rec") if record["kind"] == "job"}
    assert errors <= {"ValueError: a fault in a backend", "deadline missed"}
    assert "a fault in a view" in caplog.text


def test_a_fault_of_the_core_releases_the_microphone_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> list[Action]:
        raise KeyError("a fault")

    with service(ordinary) as (url, _):
        rig = Rig(url)
        monkeypatch.setattr(rig.call.core, "step", broken)
        rig.start().over()
    assert isinstance(rig.call.error, InterviewerError)
    assert "KeyError" in str(rig.call.error)
    assert rig.microphone.on_frame is None
    assert [line["type"] for line in rig.of("in")] == ["begin"]


# -- the two ends ----------------------------------------------------------------------------------------------


def appended(talk: Talk) -> list[bytes]:
    events = [event for event in talk.received if event["type"] == "input_audio_buffer.append"]
    return [from_base64(event["audio"]) for event in events]


def all_arrived(rig: Rig) -> None:
    """A reply to what is sent now comes when all before it has arrived."""
    rig.call.command("type", "I see.")
    rig.until_record("reply", number=2)


def test_the_service_hears_the_guest_only_while_the_microphone_is_open() -> None:
    first, second, third = VOICE[:FRAME], VOICE[FRAME : 2 * FRAME], VOICE[2 * FRAME : 3 * FRAME]
    too_early = threading.Event()

    def late(talk: Talk) -> None:
        assert too_early.wait(PATIENCE_S)
        ordinary(talk)

    with service(late) as (url, talks):
        rig = Rig(url)
        rig.start()
        rig.until(lambda action: isinstance(action, Connect))
        rig.microphone.hear(first)  # the session has not our settings yet
        too_early.set()
        rig.until_record("reply", kind="opening")
        rig.microphone.hear(second)
        rig.call.command("mute")
        rig.until(lambda action: isinstance(action, Microphone) and not action.on)
        rig.microphone.hear(third)
        all_arrived(rig)
        rig.end()
    assert appended(talks[0]) == [second]


def test_edges_of_speech_reach_the_core_and_a_mute_ends_the_speech() -> None:
    frames = [VOICE[at : at + FRAME] for at in range(0, 10 * FRAME, FRAME)]
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.microphone.hear(*frames)
        rig.call.command("mute")
        rig.until(lambda action: isinstance(action, Microphone) and not action.on)
        rig.microphone.hear(*frames)
        rig.end()
    assert [line["on"] for line in rig.of("in") if line["type"] == "mic"] == [False, True, False]


def test_that_nobody_speaks_is_known_from_the_microphones_first_frame_on() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        before = [line for line in rig.of("in") if line["type"] == "mic"]
        rig.microphone.hear(*[silence(40)] * 3)
        all_arrived(rig)
        rig.end()
    assert before == []
    assert [line["on"] for line in rig.of("in") if line["type"] == "mic"] == [False]


class Unplugged(HandMicrophone):
    """One that can tell what is wrong with it."""

    def report_to(self, on_problem: OnProblem) -> None:
        self.on_problem = on_problem


def test_a_microphone_lost_on_the_way_is_told_and_written_down_and_the_call_goes_on() -> None:
    microphone = Unplugged()
    with service(ordinary) as (url, _):
        rig = Rig(url, microphone=microphone).start()
        rig.until_record("reply", kind="opening")
        microphone.on_problem("the microphone is lost")
        seen = rig.call.sound_problem
        microphone.on_problem("")
        all_arrived(rig)
        rig.end()
    assert (seen, rig.call.sound_problem) == ("the microphone is lost", "")
    told = [record["data"]["problem"] for record in rig.of("rec") if record["kind"] == "sound"]
    assert told == ["the microphone is lost", ""]
    assert rig.call.error is None


def test_half_duplex_sends_silence_until_the_voice_was_played_and_its_echo_is_gone() -> None:
    speaker = HandSpeaker(slow=True)
    frame = VOICE[:FRAME]
    with service(ordinary) as (url, talks):
        rig = Rig(url, speaker=speaker, half_duplex=True).start()
        rig.until(lambda action: isinstance(action, Microphone) and action.on)
        rig.until(lambda action: getattr(getattr(action, "event", None), "kind", "") == "generated")
        rig.microphone.hear(frame)  # all of it arrived, nothing was played
        speaker.report("resp_1_1", 250)
        rig.microphone.hear(frame)
        speaker.finish("resp_1_1")
        rig.microphone.hear(*[frame] * 6)
        speaker.slow = False
        all_arrived(rig)
        rig.end()
    assert [sent == frame for sent in appended(talks[0])] == [False] * 7 + [True]
    assert appended(talks[0])[0] == silence(40)


def test_a_response_that_nobody_asked_for_is_not_played() -> None:
    def script(talk: Talk) -> None:
        talk.created()
        talk.updated(talk.wait_for("session.update"))
        talk.reply(talk.wait_for("response.create"), "How did you come to build bridges?")
        talk.speak(talk.begin(None), "Buy our bridges!")
        talk.go_on()

    with service(script) as (url, talks):
        rig = Rig(url).start()
        rig.until(lambda action: isinstance(action, StopPlayback))
        all_arrived(rig)
        rig.end()
    assert set(rig.speaker.got) == {"resp_1_1", "resp_1_3"}
    assert {"type": "response.cancel", "response_id": "resp_1_2"} in talks[0].received


# -- commands --------------------------------------------------------------------------------------------------


def test_a_typed_answer_gets_a_reply() -> None:
    with service(ordinary) as (url, talks):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.call.command("type", "My father took me to one.")
        rig.until_record("reply", number=2)
        rig.end()
    assert "My father took me to one." in json.dumps(talks[0].received)


@pytest.mark.parametrize(("name", "value"), [("dance", ""), ("extend", "a while"), ("extend", "")])
def test_a_command_that_makes_no_sense_is_refused_where_it_is_given(name: Any, value: str) -> None:
    with pytest.raises(InterviewerError, match=name):
        Rig("ws://127.0.0.1:1/v1").call.command(name, value)


def test_stop_hangs_up_at_once_whatever_the_call_is_waiting_for() -> None:
    with service(ordinary) as (url, _):
        rig = Rig(url).start()
        rig.until_record("reply", kind="opening")
        rig.call.stop()
        rig.over()
    assert rig.call.error is None
    assert rig.microphone.on_frame is None
    assert rig.of("end") == []
    assert rig.folded_again() == rig.of("ev")


def test_devices_are_free_while_the_essay_is_still_being_written() -> None:
    free: list[bool] = []

    def look(core: Core, actions: list[Action]) -> None:
        if any(isinstance(action, CloseConnection) for action in actions):
            free.append(rig.microphone.on_frame is None and rig.speaker.on_played is None)

    with service(ordinary) as (url, _):
        rig = Rig(url, on_actions=look).start()
        rig.until_record("reply", kind="opening")
        rig.call.command("type", "My father took me to one.")
        rig.until_record("reply", number=2)
        rig.end()
    assert free == [True]
    assert [data["kind"] for data in rig.of("rec") if data["kind"] in ("analysis", "essay")] == ["analysis", "essay"]


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_call_does_not_run_backwards(speed: float) -> None:
    with pytest.raises(SettingsError, match="speed"):
        Rig("ws://127.0.0.1:1/v1", speed=speed)
