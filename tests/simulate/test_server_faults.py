"""The faults on a real socket: what a client sees of a connection that fails."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from interviewer.interview.demo import run_demo
from interviewer.interview.socket_demo import lock_step
from interviewer.realtime.engine import Faults
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.server import SimulatorServer
from tests.patience import PATIENCE_S

UPDATE = json.dumps({"type": "session.update", "session": {"type": "realtime", "instructions": "Ask."}})


@contextmanager
def served(spec: str) -> Iterator[str]:
    with Hosted(SimulatorServer(clock=WallClock(20), faults=Faults.parse(spec))) as hosted:
        yield f"{hosted.server.url}/realtime?model=any"


def dial(url: str) -> ClientConnection:
    return connect(url, additional_headers={"Authorization": "Bearer any"}, proxy=None, max_size=2**26)


def until_closed(url: str) -> tuple[list[dict[str, Any]], ConnectionClosed]:
    """All frames that follow an update, and how the connection ended."""
    frames = []
    with dial(url) as client:
        client.send(UPDATE)
        try:
            while True:
                frames.append(json.loads(client.recv(timeout=PATIENCE_S)))
        except ConnectionClosed as end:
            return frames, end


def test_a_connection_is_refused_once() -> None:
    with served("refused_connect") as url:
        with pytest.raises(InvalidStatus) as refusal:
            dial(url)
        assert refusal.value.response.status_code == 503
        with dial(url) as client:
            assert json.loads(client.recv(timeout=PATIENCE_S))["type"] == "session.created"


@pytest.mark.parametrize("name", ["drop", "no_close_frame"])
def test_a_connection_breaks_without_a_word(name: str) -> None:
    with served(f"{name}@accepted") as url:
        _, end = until_closed(url)
    assert isinstance(end, ConnectionClosedError)
    assert end.rcvd is None


def test_the_cap_closes_with_1001_after_an_error() -> None:
    with served("session_cap@accepted") as url:
        frames, end = until_closed(url)
    assert frames[-1]["error"]["code"] == "session_expired"
    assert end.rcvd is not None
    assert (end.rcvd.code, end.rcvd.reason) == (1001, "session_expired")


def test_messages_are_too_large_or_no_json() -> None:
    with served("garbled_frame@selected#1") as url, dial(url) as client:
        client.send(UPDATE)
        client.recv(timeout=PATIENCE_S)
        with pytest.raises(json.JSONDecodeError):
            json.loads(client.recv(timeout=PATIENCE_S))
    with served("oversized_frame@selected#1") as url, dial(url) as client:
        client.send(UPDATE)
        client.recv(timeout=PATIENCE_S)
        assert len(client.recv(timeout=PATIENCE_S)) > 15 * 2**20


def test_a_call_over_a_socket_survives_a_drop(tmp_path: Any) -> None:
    faults = Faults.parse("drop@started#1,garbled_frame=0.05")
    done = run_demo(minutes=0.5, home=tmp_path, simulate=lock_step, faults=faults)
    assert done.call.core.ended
    assert done.call.truth.false_deliveries == ()
    again = run_demo(minutes=0.5, home=tmp_path, faults=faults)
    assert [a.outcome for a in again.call.core.ledger.attempts.values()][:1] == ["released"]
