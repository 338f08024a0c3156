import base64
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from interviewer.audio.pcm import ms_to_bytes, silence, to_bytes
from interviewer.audio.speech import Transcriber, synthesise
from interviewer.errors import PortInUse
from interviewer.realtime.connection import Connection, Event, Frame
from interviewer.settings import VoiceSettings
from interviewer.simulate.clocks import HandedClock, WallClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.server import SimulatorServer
from tests.patience import PATIENCE_S
from tests.project.checkout import ROOT
from tests.realtime.engine_bench import validate

KEY = {"Authorization": "Bearer any key will do"}
SPEED = 20.0
VAD = {"type": "server_vad", "silence_duration_ms": 300, "create_response": True, "interrupt_response": True}


@pytest.fixture(scope="module")
def served() -> Iterator[SimulatorServer]:
    with Hosted(SimulatorServer(seed=1, clock=WallClock(SPEED))) as hosted:
        yield hosted.server


@contextlib.contextmanager
def client(server: SimulatorServer, query: str = "?model=gpt-realtime-2.1", **more: Any) -> Iterator[ClientConnection]:
    url = f"{server.url}/realtime{query}"
    with connect(url, proxy=None, compression=None, **{"additional_headers": KEY, "max_size": None, **more}) as wire:
        yield wire


def receive(wire: ClientConnection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(wire.recv(timeout=PATIENCE_S))
    return frame


def until(wire: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Frames up to the next of a type."""
    frames = [receive(wire)]
    while frames[-1]["type"] != kind:
        frames.append(receive(wire))
    return frames


def send(wire: ClientConnection, kind: str, **fields: Any) -> None:
    wire.send(json.dumps({"type": kind, **fields}))


def speak(wire: ClientConnection, text: str) -> None:
    """Say a text and be silent for a second, a frame at a time, as fast as the server's clock runs."""
    pcm = to_bytes(synthesise(text)) + silence(1_000)
    for at in range(0, len(pcm), ms_to_bytes(40)):
        send(wire, "input_audio_buffer.append", audio=base64.b64encode(pcm[at : at + ms_to_bytes(40)]).decode())
        time.sleep(0.04 / SPEED)


def configure(wire: ClientConnection) -> None:
    heard = {"turn_detection": VAD, "transcription": {"model": "gpt-transcribe"}}
    send(wire, "session.update", session={"type": "realtime", "audio": {"input": heard}})
    until(wire, "session.updated")


def error_after(wire: ClientConnection, message: str | bytes) -> dict[str, Any]:
    wire.send(message)
    frame = until(wire, "error")[-1]
    validate(frame)
    error: dict[str, Any] = frame["error"]
    return error


def test_a_spoken_turn_is_answered_in_a_voice_that_says_its_transcript(served: SimulatorServer) -> None:
    with client(served) as wire:
        configure(wire)
        speak(wire, "I have kept bees for nine years.")
        frames = until(wire, "response.done")
        until(wire, "rate_limits.updated")
    for frame in frames:
        validate(frame)
    kinds = [frame["type"] for frame in frames]
    assert kinds[0] == "input_audio_buffer.speech_started"
    assert len({frame["event_id"] for frame in frames}) == len(frames)

    deltas = [base64.b64decode(f["delta"]) for f in frames if f["type"] == "response.output_audio.delta"]
    (said,) = [f["transcript"] for f in frames if f["type"] == "response.output_audio_transcript.done"]
    assert b"".join(deltas) == to_bytes(synthesise(said))
    assert {len(delta) for delta in deltas[:-1]} == {ms_to_bytes(200)}


def test_the_guest_is_transcribed_from_the_sound_alone(served: SimulatorServer) -> None:
    with client(served) as wire:
        configure(wire)
        speak(wire, "Naïve, “they” said.")
        done = until(wire, "conversation.item.input_audio_transcription.completed")[-1]
    assert done["transcript"] == "Naïve, “they” said."


def test_a_client_may_commit_in_the_middle_of_the_sound(served: SimulatorServer) -> None:
    with client(served) as wire:
        by_hand = {"turn_detection": None, "transcription": {"model": "gpt-transcribe"}}
        send(wire, "session.update", session={"type": "realtime", "audio": {"input": by_hand}})
        pcm = to_bytes(synthesise("Push to talk."))
        for part in ("Push to talk.", "Again."):
            pcm = to_bytes(synthesise(part))
            send(wire, "input_audio_buffer.append", audio=base64.b64encode(pcm).decode())
            send(wire, "input_audio_buffer.commit")
            frames = until(wire, "conversation.item.input_audio_transcription.completed")
            assert frames[-1]["transcript"] == part


def test_breaking_in_cancels_the_reply(served: SimulatorServer) -> None:
    with client(served) as wire:
        configure(wire)
        send(wire, "response.create")
        until(wire, "response.output_audio.delta")
        speak(wire, "Wait.")
        done = until(wire, "response.done")[-1]
        until(wire, "response.done")
    assert done["response"]["status_details"] == {"type": "cancelled", "reason": "turn_detected"}


def test_the_subprotocol_is_realtime_for_those_who_ask_for_one(served: SimulatorServer) -> None:
    offered = [Subprotocol("realtime"), Subprotocol("openai-insecure-api-key.any")]
    with client(served, subprotocols=offered, additional_headers={}) as wire:
        assert wire.subprotocol == "realtime"
        assert receive(wire)["type"] == "session.created"
    with client(served) as wire:
        assert wire.subprotocol is None


def test_the_session_names_the_model_asked_for(served: SimulatorServer) -> None:
    with client(served, "?model=gpt-realtime-2.1-mini") as wire:
        assert receive(wire)["session"]["model"] == "gpt-realtime-2.1-mini"


@pytest.mark.parametrize("path", ["/v1/realtimes?model=m", "/realtime?model=m", "/"])
def test_other_paths_are_not_found(served: SimulatorServer, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://127.0.0.1:{served.port}{path}", proxy=None):
        pass
    assert refused.value.response.status_code == 404
    assert json.loads(refused.value.response.body or b"")["error"]["type"] == "invalid_request_error"


def test_a_client_without_a_key_is_told_so(served: SimulatorServer) -> None:
    with pytest.raises(InvalidStatus) as refused, client(served, additional_headers={}):
        pass
    assert refused.value.response.status_code == 401


def test_a_browser_is_told_to_upgrade(served: SimulatorServer) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{served.port}/v1/realtime?model=m", timeout=PATIENCE_S)
    refused.value.close()
    assert refused.value.code == 426


@pytest.mark.parametrize(
    ("query", "headers", "code"),
    [
        ("?model=m", {"OpenAI-Beta": "realtime=v1"}, "beta_api_shape_disabled"),
        ("", {}, "missing_model"),
    ],
)
def test_the_beta_shape_and_a_missing_model_end_with_4000(
    served: SimulatorServer, query: str, headers: dict[str, str], code: str
) -> None:
    with client(served, query, additional_headers={**KEY, **headers}) as wire:
        frame = receive(wire)
        validate(frame)
        assert frame["error"]["code"] == code
        with pytest.raises(ConnectionClosedError) as closed:
            wire.recv(timeout=PATIENCE_S)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4000, f"invalid_request_error.{code}")


@pytest.mark.parametrize(
    ("message", "code", "param"),
    [
        ("{nonsense", "invalid_json", None),
        ("[" * 100_000, "invalid_json", None),
        ('{"type": "response.create", "x": NaN}', "invalid_json", None),
        ("[]", "invalid_json", None),
        (b"\x00\x01", "invalid_event", None),
        ("{}", "missing_required_parameter", "type"),
        ('{"type": 3}', "invalid_type", "type"),
        ('{"type": "response.sing"}', "invalid_value", "type"),
        ('{"type": "input_audio_buffer.append"}', "missing_required_parameter", "audio"),
        ('{"type": "input_audio_buffer.append", "audio_ms": 40}', "missing_required_parameter", "audio"),
        ('{"type": "input_audio_buffer.append", "audio": "%%%"}', "invalid_value", "audio"),
        ('{"type": "input_audio_buffer.append", "audio": "AAAA"}', "invalid_value", "audio"),
        ('{"type": "input_audio_buffer.append", "audio": 7}', "invalid_value", "audio"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_and_the_connection_goes_on(
    served: SimulatorServer, message: str | bytes, code: str, param: str | None
) -> None:
    with client(served) as wire:
        error = error_after(wire, message)
        assert (error["code"], error["param"]) == (code, param)
        configure(wire)


def test_an_error_names_the_event_that_caused_it(served: SimulatorServer) -> None:
    with client(served) as wire:
        event = {"type": "input_audio_buffer.append", "event_id": "mine", "audio": "%"}
        assert error_after(wire, json.dumps(event))["event_id"] == "mine"


def test_a_format_of_sound_without_ear_or_mouth_is_refused_and_nothing_changes(served: SimulatorServer) -> None:
    with client(served) as wire:
        before = receive(wire)["session"]
        output = {"type": "realtime", "audio": {"output": {"format": {"type": "audio/pcmu"}}}}
        error = error_after(wire, json.dumps({"type": "session.update", "session": output}))
        assert error["param"] == "session.audio.output.format.type"
        send(wire, "session.update", session={"type": "realtime"})
        assert until(wire, "session.updated")[-1]["session"] == before


def test_a_message_of_15_mib_is_taken_and_a_longer_one_closes_with_1009(served: SimulatorServer) -> None:
    limit = VoiceSettings().max_frame_bytes
    shell = len('{"type": "x", "pad": ""}')
    with client(served) as wire:
        error = error_after(wire, json.dumps({"type": "x", "pad": "a" * (limit - shell)}))
        assert error["param"] == "type"
        with contextlib.suppress(ConnectionClosed):
            wire.send(json.dumps({"type": "x", "pad": "a" * (limit - shell + 1)}))
        with pytest.raises(ConnectionClosedError) as closed:
            until(wire, "never")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_two_clients_at_once_have_sessions_of_their_own(served: SimulatorServer) -> None:
    with client(served) as first, client(served) as second:
        sessions = {receive(wire)["session"]["id"] for wire in (first, second)}
        for wire in (first, second):
            configure(wire)
        speak(first, "Only the first one speaks.")
        assert until(first, "conversation.item.input_audio_transcription.completed")[-1]["transcript"]
        send(second, "response.create")
        heard = until(second, "response.done")
    assert len(sessions) == 2
    assert not [frame for frame in heard if frame["type"].startswith("input_audio_buffer")]


def test_a_client_that_vanishes_leaves_the_others_alone(served: SimulatorServer) -> None:
    with client(served) as staying:
        with client(served) as vanishing:
            send(vanishing, "response.create")
            until(vanishing, "response.created")
            vanishing.socket.shutdown(socket.SHUT_RDWR)
        configure(staying)
        speak(staying, "Still here?")
        assert until(staying, "response.done")[-1]["response"]["status"] == "completed"


def test_a_client_that_does_not_read_holds_up_nobody_else(served: SimulatorServer) -> None:
    # Every message is answered by an error: soon the answers fill all there is between the server and this client.
    with client(served, max_queue=1) as deaf, client(served) as other:
        stopped = threading.Event()

        def shout() -> None:
            with contextlib.suppress(ConnectionClosed, OSError):
                while not stopped.is_set():
                    send(deaf, "nonsense", pad="a" * 100_000)

        shouting = threading.Thread(target=shout)
        shouting.start()
        configure(other)
        speak(other, "Can you hear me?")
        assert until(other, "response.done")[-1]["response"]["status"] == "completed"
        stopped.set()
        deaf.socket.shutdown(socket.SHUT_RDWR)
        shouting.join(PATIENCE_S)
        assert not shouting.is_alive()


def test_connections_of_one_seed_are_told_apart_and_servers_of_one_seed_are_alike() -> None:
    def spoken(server: SimulatorServer) -> str:
        with client(server) as wire:
            send(wire, "response.create")
            done = until(wire, "response.done")[-1]
        return str(done["response"]["output"][0]["id"])

    told = []
    for _ in range(2):
        with Hosted(SimulatorServer(seed=7, clock=WallClock(SPEED))) as hosted:
            told.append([spoken(hosted.server) for _ in range(2)])
    assert told[0] == told[1]
    assert told[0][0] != told[0][1]


def test_a_taken_port_is_named() -> None:
    with Hosted(SimulatorServer()) as hosted, pytest.raises(PortInUse, match=str(hosted.server.port)):
        Hosted(SimulatorServer(port=hosted.server.port)).start()


def test_a_stopping_server_says_goodbye() -> None:
    with Hosted(SimulatorServer()) as hosted, client(hosted.server) as wire:
        receive(wire)
        threading.Thread(target=hosted.close).start()
        with pytest.raises(ConnectionClosed) as closed:
            until(wire, "never")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001


def test_time_that_is_handed_in_stands_until_then() -> None:
    clock = HandedClock()
    with Hosted(SimulatorServer(clock=clock)) as hosted, client(hosted.server) as wire:
        receive(wire)
        send(wire, "session.update", session={"type": "realtime"})
        line = hosted.server.line(0)
        assert line is not None
        progress = hosted.run(line.settle(1))
        assert progress.sent == 1
        assert progress.deadline is not None
        clock.hand(progress.deadline)
        assert hosted.run(line.settle(1)).sent == 2
        assert receive(wire)["type"] == "session.updated"


def test_our_own_client_hears_what_the_transcript_says(served: SimulatorServer) -> None:
    done = threading.Event()
    ear, said = Transcriber(), []

    def note(event: Event) -> None:
        if isinstance(event, Frame) and event.pcm:
            ear.feed(event.pcm)
        if isinstance(event, Frame) and event.frame["type"] == "response.output_audio_transcript.done":
            said.append(event.frame["transcript"])
        if isinstance(event, Frame) and event.frame["type"] == "response.done":
            done.set()

    connection = Connection(VoiceSettings(url=served.url), on_event=note, connect_timeout_s=PATIENCE_S)
    connection.start()
    connection.send({"type": "response.create"})
    assert done.wait(PATIENCE_S)
    connection.close(PATIENCE_S)
    assert [ear.take()] == said


RUN = """
import sys
from interviewer.simulate.server import run_server
run_server(0, seed=3, speed=20.0, on_ready=lambda url: print(url, flush=True))
print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process there cannot be asked to end by a signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_stop_it_cleanly(number: signal.Signals) -> None:
    command = [sys.executable, "-c", RUN]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with connect(f"{url}/realtime?model=m", proxy=None, additional_headers=KEY) as wire:
            assert receive(wire)["type"] == "session.created"
            os.kill(process.pid, number)
            with pytest.raises(ConnectionClosed) as closed:
                wire.recv(timeout=PATIENCE_S)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001
    assert (process.returncode, out, err) == (0, "stopped\n", "")
