import base64
import contextlib
import http
import json
import logging
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from interviewer.errors import ConnectionFailed, FrameError, MissingKey, RealtimeError
from interviewer.realtime import connection as module
from interviewer.realtime.connection import BadFrame, Closed, Connection, Event, Failed, Frame, Opened
from interviewer.settings import VoiceSettings
from tests.patience import PATIENCE_S

KEY = "sk-test-do-not-show-me"
Handler = Callable[[ServerConnection], None]


class Client:
    """A connection and everything it reported."""

    def __init__(self, url: str, *, timeout_s: float = PATIENCE_S, key: str | None = None, **settings: Any) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        voice = VoiceSettings.model_validate({"service": "simulator", "url": url, **settings})
        self.connection = Connection(voice, on_event=self.events.put, key=key, connect_timeout_s=timeout_s)

    def start(self) -> "Client":
        self.connection.start()
        return self

    def next(self) -> Event:
        return self.events.get(timeout=PATIENCE_S)

    def opened(self) -> "Client":
        assert self.start().next() == Opened()
        return self

    def failure(self) -> RealtimeError:
        event = self.next()
        assert isinstance(event, Failed)
        self.connection.close(PATIENCE_S)
        assert self.events.empty()
        return event.error


@contextlib.contextmanager
def server(handler: Handler, **options: Any) -> Iterator[str]:
    with serve(handler, "127.0.0.1", 0, compression=None, **options) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{running.socket.getsockname()[1]}/v1"
        finally:
            running.shutdown()
            thread.join()


@contextlib.contextmanager
def mute_listener() -> Iterator[str]:
    """Takes TCP connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"ws://127.0.0.1:{listener.getsockname()[1]}/v1"


def sends(*raws: str | bytes) -> Handler:
    def handler(ws: ServerConnection) -> None:
        for raw in raws:
            ws.send(raw)

    return handler


def echo(ws: ServerConnection) -> None:
    for raw in ws:
        ws.send(raw)


def test_everything_arrives_once_and_in_order_also_what_was_sent_before_it_was_open() -> None:
    with server(echo) as url:
        client = Client(url)
        for number in range(100):
            client.connection.send({"type": "t", "number": number})
        client.opened()
        for number in range(100, 300):
            client.connection.send({"type": "t", "number": number})
        got = [client.next() for _ in range(300)]
        client.connection.close(PATIENCE_S)
        assert got == [Frame({"type": "t", "number": number}, None) for number in range(300)]
        assert client.next() == Closed(1000, "", by_us=True)


def test_frames_of_the_microphone_keep_their_place_among_the_events_however_long_those_are() -> None:
    got: list[str | bytes] = []
    ended = threading.Event()

    def handler(ws: ServerConnection) -> None:
        got.extend(ws)
        ended.set()

    with server(handler) as url:
        client = Client(url).opened()
        for number in range(30):
            client.connection.send_audio(bytes([number, 0]))
            client.connection.send({"type": "t", "text": "x" * (200_000 if number % 10 == 9 else 1)})
        client.connection.close(PATIENCE_S)
        assert ended.wait(PATIENCE_S)
    events = [json.loads(raw) for raw in got]
    assert all(isinstance(raw, str) for raw in got)  # the service takes text messages
    assert [event["type"] for event in events] == ["input_audio_buffer.append", "t"] * 30
    assert [base64.b64decode(event["audio"]) for event in events[::2]] == [bytes([n, 0]) for n in range(30)]


def test_a_frame_of_the_microphone_is_too_long_as_any_other() -> None:
    with pytest.raises(FrameError, match=r"input_audio_buffer\.append of 1[34]\d\d bytes; the limit is 1024"):
        Client("ws://127.0.0.1:1/v1", max_frame_bytes=1_024).connection.send_audio(bytes(1_000))


def test_dials_the_realtime_path_with_the_model() -> None:
    paths: list[str] = []

    def handler(ws: ServerConnection) -> None:
        assert ws.request is not None
        paths.append(ws.request.path)

    with server(handler) as url:
        client = Client(url, model="some-model").opened()
        client.next()
    assert paths == ["/v1/realtime?model=some-model"]


def test_frames_come_without_their_audio_from_text_and_binary_messages() -> None:
    raw = json.dumps({"type": "response.output_audio.delta", "delta": base64.b64encode(b"\1\0" * 240).decode()})
    with server(sends(raw, raw.encode())) as url:
        client = Client(url).opened()
        for event in (client.next(), client.next()):
            assert isinstance(event, Frame)
            assert event.pcm == b"\1\0" * 240
            assert event.frame["audio_ms"] == 10
            assert "delta" not in event.frame


@pytest.mark.parametrize(("code", "reason"), [(1000, ""), (1001, "60 minutes"), (4000, "beta_api_shape_disabled")])
def test_a_close_by_the_service_is_reported_as_theirs(code: int, reason: str) -> None:
    with server(lambda ws: ws.close(code, reason)) as url:
        assert Client(url).opened().next() == Closed(code, reason, by_us=False)


def test_a_dropped_connection_is_a_failure_worth_another_try() -> None:
    with server(lambda ws: ws.socket.shutdown(socket.SHUT_RDWR)) as url:
        error = Client(url).opened().failure()
    assert isinstance(error, ConnectionFailed)
    assert error.retryable
    assert "without closing" in str(error)


def test_bad_frames_are_reported_and_the_connection_goes_on() -> None:
    long = json.dumps({"type": "t", "text": "x" * 1_100})
    with server(sends("{nonsense", long, "[]", '{"type": "good"}')) as url:
        client = Client(url, max_frame_bytes=1_024).opened()
        bad = [client.next() for _ in range(3)]
        assert client.next() == Frame({"type": "good"}, None)
    texts = [str(event.error) for event in bad if isinstance(event, BadFrame)]
    assert [text.split()[1] for text in texts] == ["is", "of", "is"]
    assert "the limit is 1024" in texts[1]


def test_a_frame_far_too_long_ends_the_connection() -> None:
    with server(sends("x" * 3_000)) as url:
        error = Client(url, max_frame_bytes=1_024).opened().failure()
    assert isinstance(error, FrameError)


def test_a_frame_we_may_not_send_is_refused_at_once() -> None:
    client = Client("ws://127.0.0.1:9/v1", max_frame_bytes=1_024)
    with pytest.raises(FrameError, match=r"conversation\.item\.create of \d+ bytes; the limit is 1024"):
        client.connection.send({"type": "conversation.item.create", "text": "x" * 1_024})


def test_nobody_listens() -> None:
    with mute_listener() as url:
        pass
    error = Client(url).start().failure()
    assert isinstance(error, ConnectionFailed)
    assert error.retryable
    assert "ws://127.0.0.1:" in str(error)


def test_somebody_listens_and_never_answers() -> None:
    with mute_listener() as url:
        error = Client(url, timeout_s=0.1).start().failure()
    assert isinstance(error, ConnectionFailed)
    assert "within 0.1 s" in str(error)


@pytest.mark.parametrize("url", ["ws://[/v1", "ws://127.0.0.1:99999/v1", "ftp://127.0.0.1/v1", "nonsense", ""])
def test_an_impossible_address_is_a_failure_too(url: str) -> None:
    assert isinstance(Client(url).start().failure(), ConnectionFailed)


def test_closing_while_dialling_ends_at_once() -> None:
    with mute_listener() as url:
        client = Client(url).start()
        client.connection.close(PATIENCE_S)
        assert client.next() == Closed(None, "", by_us=True)


def test_closed_before_it_was_started() -> None:
    with server(echo) as url:
        client = Client(url)
        client.connection.close(PATIENCE_S)
        assert client.start().next() == Closed(None, "", by_us=True)


def test_closing_while_sending_loses_nothing_that_was_sent_before() -> None:
    got: list[int] = []

    def handler(ws: ServerConnection) -> None:
        got.extend(json.loads(raw)["number"] for raw in ws)

    with server(handler) as url:
        client = Client(url).opened()
        for number in range(2_000):
            client.connection.send({"type": "t", "number": number})
        client.connection.close(PATIENCE_S)
        client.connection.send({"type": "too late"})
        assert client.next() == Closed(1000, "", by_us=True)
    assert got == list(range(2_000))


def test_closing_from_within_a_report() -> None:
    ended = threading.Event()

    def on_event(event: Event) -> None:
        if event == Opened():
            connection.close(PATIENCE_S)
        elif event == Closed(1000, "", by_us=True):
            ended.set()

    with server(echo) as url:
        settings = VoiceSettings(url=url)
        connection = Connection(settings, on_event=on_event, connect_timeout_s=PATIENCE_S)
        connection.start()
        assert ended.wait(PATIENCE_S)


def deaf(until: threading.Event) -> Handler:
    """Reads nothing, so that sooner or later nothing more can be sent."""

    def handler(ws: ServerConnection) -> None:
        with ws.recv_messages.mutex:  # its reading thread stops at the next message
            until.wait(PATIENCE_S)
        ws.socket.shutdown(socket.SHUT_RDWR)

    return handler


def flood(client: Client) -> None:
    for _ in range(100):
        client.connection.send({"type": "t", "text": "x" * 200_000})


def test_hangs_up_on_a_service_that_takes_nothing_when_asked_to_close() -> None:
    over = threading.Event()
    with server(deaf(over)) as url:
        client = Client(url).opened()
        flood(client)
        client.connection.close(0.1)
        assert client.next() == Closed(None, "", by_us=True)
        over.set()


def test_a_service_that_takes_nothing_for_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STALLED_S", 0.2)
    over = threading.Event()
    with server(deaf(over)) as url:
        client = Client(url).opened()
        flood(client)
        assert "has taken nothing for 0.2 s" in str(client.failure())
        over.set()


def test_a_receiver_that_fails_is_logged_and_the_connection_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Event] = []
    ended = threading.Event()

    def on_event(event: Event) -> None:
        seen.append(event)
        if isinstance(event, Closed):
            ended.set()
        raise RuntimeError("receiver")

    with server(sends('{"type": "t"}')) as url:
        connection = Connection(VoiceSettings(url=url), on_event=on_event, connect_timeout_s=PATIENCE_S)
        connection.start()
        assert ended.wait(PATIENCE_S)
        connection.close(PATIENCE_S)
    assert seen == [Opened(), Frame({"type": "t"}, None), Closed(1000, "", by_us=False)]
    assert len(caplog.records) == 3


def tells_the_key(status: http.HTTPStatus) -> Callable[[ServerConnection, Request], Response]:
    """A server as careless as can be: it repeats the request's credentials."""
    return lambda ws, request: ws.respond(status, f"Incorrect: {request.headers['Authorization']}\n")


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (401, MissingKey, False),
        (403, ConnectionFailed, False),
        (429, ConnectionFailed, True),
        (503, ConnectionFailed, True),
    ],
)
def test_a_refusal_is_typed_and_never_shows_the_key(status: int, kind: type, retryable: bool) -> None:
    with server(echo, process_request=tells_the_key(http.HTTPStatus(status))) as url:
        error = Client(url, service="openai", key=KEY).start().failure()
    assert type(error) is kind
    assert error.retryable is retryable
    assert f"HTTP {status}: Incorrect: Bearer ***" in str(error)
    assert KEY not in repr(error)


def test_a_close_reason_never_shows_the_key() -> None:
    with server(lambda ws: ws.close(1008, f"bad key {KEY}")) as url:
        assert Client(url, key=KEY).opened().next() == Closed(1008, "bad key ***", by_us=False)


def test_no_log_line_shows_the_key(caplog: pytest.LogCaptureFixture) -> None:
    with server(echo) as url:
        caplog.set_level(logging.WARNING, logger="websockets.server")  # the test's own server logs the request
        caplog.set_level(logging.DEBUG)
        client = Client(url, key=KEY).opened()
        client.connection.close(PATIENCE_S)
    assert "openai" in caplog.text
    assert KEY not in caplog.text


def test_a_server_on_this_machine_is_never_given_the_users_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shown: list[str] = []

    def handler(ws: ServerConnection) -> None:
        assert ws.request is not None
        shown.append(ws.request.headers["Authorization"])

    with server(handler) as url:
        client = Client(url).opened()
        client.next()
    assert shown == ["Bearer none-needed"]


def test_the_real_service_without_a_key_is_not_even_dialled() -> None:
    error = Client("", service="openai").start().failure()
    assert isinstance(error, MissingKey)
    assert "OPENAI_API_KEY" in str(error)
