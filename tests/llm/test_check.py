import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.agents.registry import AGENTS
from interviewer.llm.check import Finding, check_backend
from interviewer.settings import Settings
from tests.llm.scripted import Scripted, served

KEY = "secret-key-of-the-tests-4711"
TASKS = list(AGENTS.values())


@pytest.fixture(scope="module")
def server() -> Iterator[Scripted]:
    with served() as script:
        script.answer = lambda _: '{"ready": "yes"}'
        yield script


def look(server: Scripted, failure: str, way: str = "compatible", **agents: Any) -> Finding:
    server.behave = lambda _number, _body: failure
    chosen = {"backend": way, "model": "m1", "base_url": server.url, **agents}
    # Short where the time is waited out, long where a busy machine may need it.
    settings = Settings().with_(agents=chosen, wait={"connect_ms": 1_500 if failure == "time_out" else 15_000})
    (finding,) = check_backend(settings, TASKS, openai_url=server.url)
    return finding


@pytest.mark.parametrize(
    ("failure", "error", "said"),
    [
        ("wrong_key", "NoKey", "key"),
        ("unknown_model", "UnknownModel", "'m1'"),
        ("html", "NotAnEndpoint", "web page"),
        ("html_404", "NotAnEndpoint", "base_url"),
        ("too_long", "ContextTooLong", "maximum context length"),
        ("invalid_json", "AgentError", "JSON"),
        ("time_out", "BackendUnreachable", "within"),
        ("out_of_order", "BackendBusy", "500"),
    ],
)
@pytest.mark.parametrize("way", ["openai", "compatible"])
def test_what_is_wrong_is_named_before_the_call(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, way: str, failure: str, error: str, said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OTHER_KEY", KEY)
    finding = look(server, failure, way, key_name="OTHER_KEY")
    assert (finding.state, finding.error, finding.agents) == ("failed", error, tuple(AGENTS))
    assert said in finding.text
    assert KEY not in repr(finding)


def test_a_model_without_structured_output_is_named(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert look(server, "no_schema", "openai").error == "NoStructuredOutput"
    finding = look(server, "no_schema")
    assert finding.state == "warning"
    assert "only json_object" in finding.text
    assert "only text" in look(server, "no_form_at_all").text


def test_a_short_context_and_an_unknown_price_are_warnings(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = look(server, "ok")
    assert (finding.state, finding.error) == ("warning", "")
    assert "4096 tokens" in finding.text
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "price of m1 is not known" in look(server, "ok", "openai").text
    assert look(server, "ok", "openai", model="gpt-6-luna").state == "ok"


def test_no_key_is_said_without_asking_anybody(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    server.requests.clear()
    assert look(server, "ok", "openai").error == "NoKey"
    assert "set OTHER_KEY" in look(server, "ok", key_name="OTHER_KEY").text
    assert server.requests == []


def test_the_key_of_openai_goes_to_no_other_server(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.requests.clear()
    look(server, "ok")
    assert server.requests
    assert KEY not in repr(server.requests)


def test_nothing_there_is_said() -> None:
    settings = Settings().with_(agents={"backend": "compatible", "base_url": "http://127.0.0.1:9/v1"})
    (finding,) = check_backend(settings, TASKS)
    assert finding.error == "BackendUnreachable"
    assert "start the server" in finding.advice


def test_each_backend_and_model_is_looked_at_once(server: Scripted, tmp_path: Path) -> None:
    server.behave = lambda _number, _body: "ok"
    server.requests.clear()
    overrides: dict[str, Any] = {
        "writer": {"backend": "compatible", "model": "m2"},
        "analyst": {"backend": "compatible", "model": "m2"},
        "planner": {"backend": "cassette"},
    }
    chosen = {"base_url": server.url, "cassette": str(tmp_path / "absent"), "overrides": overrides}
    found = {finding.backend: finding for finding in check_backend(Settings().with_(agents=chosen), TASKS)}
    assert found["compatible"].agents == ("analyst", "writer")
    assert (found["rules"].state, found["cassette"].state) == ("ok", "failed")
    assert len(server.requests) == 1


def test_a_list_of_models_that_drips_is_not_waited_for(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "drips_models", True)
    monkeypatch.setattr("interviewer.llm.check._LIST_S", 0.5)
    began = time.monotonic()
    assert look(server, "ok").state == "ok"
    assert time.monotonic() - began < 5  # the whole list would take ten seconds
