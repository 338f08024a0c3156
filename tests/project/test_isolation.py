import os
import socket
from pathlib import Path

import pytest

from tests.loopback import OutsideNetwork

# An address set aside for documentation: nothing is ever there.
ELSEWHERE = "192.0.2.1"


def test_a_test_has_a_home_of_its_own_and_no_key(fresh_home: Path) -> None:
    assert {name: os.environ[name] for name in os.environ if name.startswith("INTERVIEWER_")} == {
        "INTERVIEWER_HOME": str(fresh_home)
    }
    assert "OPENAI_API_KEY" not in os.environ
    assert list(fresh_home.iterdir()) == []


def test_a_test_cannot_reach_another_machine() -> None:
    with socket.socket() as outward, pytest.raises(OutsideNetwork, match=ELSEWHERE):
        outward.connect((ELSEWHERE, 9))
    with socket.socket() as outward, pytest.raises(OutsideNetwork, match=ELSEWHERE):
        outward.connect_ex((ELSEWHERE, 9))
    with pytest.raises(OutsideNetwork, match="example"):
        socket.create_connection(("service.example", 9))


def test_a_test_can_reach_its_own_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
