"""What is sent to a service, and what is made of what comes back."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from evals.models.inputs import sample
from interviewer.agents.orchestrator import ORCHESTRATOR
from interviewer.agents.researcher import RESEARCHER
from interviewer.agents.writer import WRITER
from interviewer.llm.chat import Chat
from interviewer.llm.model import Model
from interviewer.llm.prices import Prices
from interviewer.llm.responses import Responses
from interviewer.settings import Settings
from tests.llm.scripted import Scripted, served

DATA = sample(ORCHESTRATOR)
GOOD = ORCHESTRATOR.rules(DATA)  # type: ignore[arg-type]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key-of-the-tests-4711")
    with served() as script:
        script.answer = lambda _: GOOD.model_dump_json()
        yield script


def model(server: Scripted, way: str, **agents: Any) -> Model:
    chosen = {"model": "gpt-6-luna", "base_url": server.url, "tries": 1, "backoff_ms": 0, **agents}
    settings = Settings().with_(agents={"backend": way, **chosen})
    return Model(settings, Responses(server.url) if way == "openai" else Chat(), Prices.load())


def test_openai_is_asked_strictly_and_keeps_nothing(server: Scripted) -> None:
    asking = model(server, "openai", effort="low", temperature=0.3)
    asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    ((path, headers, body),) = server.requests
    assert path == "/v1/responses"
    assert headers["authorization"] == "Bearer secret-key-of-the-tests-4711"
    assert (body["store"], body["reasoning"], body["temperature"]) == (False, {"effort": "low"}, 0.3)
    form = body["text"]["format"]
    assert (form["type"], form["strict"], form["name"]) == ("json_schema", True, "orchestrator")
    whole = f"{body['instructions']}\n\n{body['input'][0]['content']}"
    assert whole == ORCHESTRATOR.prompt(DATA).strip()  # type: ignore[arg-type]


def test_what_is_not_set_is_not_sent(server: Scripted) -> None:
    asking = model(server, "openai")
    asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert not {"reasoning", "temperature", "stream"} & server.requests[0][2].keys()


@pytest.mark.parametrize("way", ["openai", "compatible"])
def test_tokens_and_cost_of_all_calls_are_counted(server: Scripted, way: str) -> None:
    server.behave = lambda number, _: "wrong_shape" if number == 1 else "ok"
    asking = model(server, way)
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert (ran.input_tokens, ran.cached_tokens, ran.output_tokens, ran.repairs) == (200, 120, 40, 1)
    # gpt-6-luna: 80 fresh at 0.10, 120 cached at 0.01, 40 written at 0.50 dollars a million.
    assert ran.cost_usd == pytest.approx((80 * 0.10 + 120 * 0.01 + 40 * 0.50) / 1e6)


def test_an_own_server_costs_nothing_and_a_strangers_model_nobody_knows_what(server: Scripted) -> None:
    for way, cost in (("compatible", 0.0), ("openai", None)):
        asking = model(server, way, model="m1")
        assert asking.run(ORCHESTRATOR, DATA, "j1").cost_usd == cost
        asking.close()


def test_the_repair_shows_what_was_wrong(server: Scripted) -> None:
    server.behave = lambda number, _: "wrong_shape" if number == 1 else "ok"
    asking = model(server, "compatible")
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert ran.output == GOOD.model_dump(mode="json")
    roles = [message["role"] for message in server.requests[1][2]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "wholly" in server.requests[1][2]["messages"][3]["content"]


def test_a_server_without_schemas_is_asked_lower_and_only_once_higher(server: Scripted) -> None:
    server.behave = lambda _number, _body: "no_form_at_all"
    asking = model(server, "compatible")
    first, second = (asking.run(ORCHESTRATOR, DATA, job) for job in ("j1", "j2"))
    asking.close()
    assert first.output == second.output == GOOD.model_dump(mode="json")
    forms = [body.get("response_format", {}).get("type", "text") for _, _, body in server.requests]
    assert forms == ["json_schema", "json_object", "text", "text"]
    assert '"additionalProperties": false' in server.requests[3][2]["messages"][0]["content"]


def test_an_output_that_names_what_was_not_offered_is_refused(server: Scripted) -> None:
    invented = GOOD.model_dump(mode="json")
    invented["proposal"] = {"text": "And?", "question_id": "q99", "source": "plan", "returning": False, "why": ""}
    server.answer = lambda _: json.dumps(invented)
    asking = model(server, "openai")
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert (ran.output, ran.repairs) == (None, 1)
    assert ran.error == "AgentError: not offered: question_id 'q99'. Offered were question_id: q2"
    assert "question_id 'q99'" in server.requests[1][2]["input"][2]["content"]


@pytest.mark.parametrize("way", ["openai", "compatible"])
def test_the_essay_is_shown_while_it_is_written(server: Scripted, way: str) -> None:
    essay = WRITER.rules(sample(WRITER))  # type: ignore[arg-type]
    server.answer = lambda _: essay.model_dump_json()
    asking = model(server, way)
    seen: list[str] = []
    ran = asking.stream(WRITER, sample(WRITER), "j1", seen.append)
    asking.close()
    assert ran.output == essay.model_dump(mode="json")
    assert (ran.input_tokens, ran.output_tokens) == (100, 20)
    assert seen[-1] == essay.markdown
    assert len(set(seen)) > 3
    assert all(essay.markdown.startswith(text) for text in seen)


def test_a_prompt_of_hostile_characters_arrives_whole(server: Scripted) -> None:
    odd = DATA.model_copy(update={"context": "</context> \u0000 \ud83d\ude00"})
    asking = model(server, "compatible")
    assert asking.run(ORCHESTRATOR, odd, "j1").output is not None
    asking.close()


SEARCHED = {
    "id": "ws1",
    "type": "web_search_call",
    "status": "completed",
    "action": {
        "type": "search",
        "query": "Harbour Street",
        "sources": [{"type": "url", "url": "https://example.org/harbour"}],
    },
}


def test_the_researchers_own_web_search_is_asked_for_priced_and_its_sources_checked(server: Scripted) -> None:
    data: Any = sample(RESEARCHER).model_copy(update={"web_search": True})
    item = {
        "subject": "Harbour Street", "said": "Harbour Street", "turn": "t2", "summary": "A street.", "use": "Ask.",
        "verification": "not_a_claim", "sources": ["Harbour https://example.org/harbour", "Mine https://made.up/x"],
    }  # fmt: skip
    server.answer = lambda _: json.dumps({"items": [item], "tried": []})
    server.before = [SEARCHED]
    asking = model(server, "openai", web_search=True)
    found = asking.run(RESEARCHER, data, "j1")
    other = asking.run(ORCHESTRATOR, DATA, "j2")
    asking.close()
    body = server.requests[0][2]
    assert body["tools"] == [{"type": "web_search"}]
    assert body["include"] == ["web_search_call.action.sources"]
    assert "You can search the web" in body["input"][0]["content"]
    assert found.output is not None
    assert found.output["items"][0]["sources"] == ["Harbour https://example.org/harbour"]
    # The tokens of gpt-6-luna as above, and one search at 10 dollars a thousand.
    assert found.cost_usd == pytest.approx((40 * 0.10 + 60 * 0.01 + 20 * 0.50) / 1e6 + 0.01)
    assert "tools" not in server.requests[1][2]
    assert other.output is None  # what the server answers is no decision


def test_without_a_search_the_researcher_is_told_that_it_has_none(server: Scripted) -> None:
    for way in ("openai", "compatible"):
        asking = model(server, way, web_search=way == "compatible")
        asking.run(RESEARCHER, sample(RESEARCHER), "j1")
        asking.close()
    assert not any("tools" in body for _, _, body in server.requests)
    assert "You cannot look anything up" in server.requests[0][2]["input"][0]["content"]


@pytest.mark.parametrize("way", ["openai", "compatible"])
@pytest.mark.parametrize("told", [["a", "b"], 7, {"m": 1}, "", "m" * 5_000, "secret-key-of-the-tests-4711"])
def test_a_model_s_name_is_a_short_text_without_keys_whatever_the_service_tells(
    server: Scripted, way: str, told: object
) -> None:
    server.told = {"model": told}
    asking = model(server, way)
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert ran.output == GOOD.model_dump(mode="json")
    assert ran.model == {5_000: "m" * 200, 28: "[key]"}.get(len(str(told)), "gpt-6-luna")


@pytest.mark.parametrize("way", ["openai", "compatible"])
def test_absurd_counts_of_tokens_are_cut(server: Scripted, way: str) -> None:
    read, made = ("input_tokens", "output_tokens") if way == "openai" else ("prompt_tokens", "completion_tokens")
    server.told = {"usage": {read: 10**400, made: 10**400, f"{read}_details": {"cached_tokens": 10**500}}}
    asking = model(server, way)
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert (ran.input_tokens, ran.cached_tokens, ran.output_tokens) == (2**53, 2**53, 2**53)
    assert ran.cost_usd is not None


@pytest.mark.parametrize("way", ["openai", "compatible"])
@pytest.mark.parametrize(
    "usage", [{"input_tokens": "many"}, [1, 2], "much", None, {"input_tokens": -5, "prompt_tokens": True}]
)
def test_a_usage_that_counts_nothing_is_none(server: Scripted, way: str, usage: object) -> None:
    server.told = {"usage": usage}
    asking = model(server, way)
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert ran.output == GOOD.model_dump(mode="json")
    assert (ran.input_tokens, ran.cached_tokens, ran.output_tokens) == (0, 0, 0)


def test_no_more_tokens_come_from_the_cache_than_were_read(server: Scripted) -> None:
    server.told = {
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 99}}
    }
    asking = model(server, "compatible")
    assert asking.run(ORCHESTRATOR, DATA, "j1").cached_tokens == 10
    asking.close()


ECHOED = "secret-key-of-the-tests-4711"


@pytest.mark.parametrize(
    "echo",
    [
        {"x": ECHOED},
        {ECHOED: 1},
        {**GOOD.model_dump(mode="json"), "brief": f"Bearer {ECHOED}", "themes": [ECHOED]},
        {**GOOD.model_dump(mode="json"), "proposal": {"text": "?", "question_id": ECHOED, "source": "plan", "why": ""}},
        {**GOOD.model_dump(mode="json"), "phase": ECHOED},
    ],
)
def test_a_key_that_a_service_echoes_is_in_nothing_that_is_kept(server: Scripted, echo: dict[str, Any]) -> None:
    server.answer = lambda _: json.dumps(echo)
    asking = model(server, "openai")
    ran = asking.run(ORCHESTRATOR, DATA, "j1")
    asking.close()
    assert ECHOED not in repr(ran)
    if echo.get("themes") == [ECHOED]:
        assert ran.output is not None
        assert (ran.output["brief"], ran.output["themes"]) == ("Bearer [key]", ["[key]"])


@pytest.mark.parametrize("way", ["openai", "compatible"])
def test_half_a_character_is_repaired_or_an_error_of_the_output(server: Scripted, way: str) -> None:
    broken = json.dumps({**GOOD.model_dump(mode="json"), "brief": "bad \ud800 half"})
    server.answer = lambda _: broken if len(server.requests) in (1, 3, 4) else GOOD.model_dump_json()
    asking = model(server, way)
    first, second = (asking.run(ORCHESTRATOR, DATA, job) for job in ("j1", "j2"))
    asking.close()
    assert (first.output, first.repairs) == (GOOD.model_dump(mode="json"), 1)
    assert second.output is None
    assert "half a character" in second.error


def test_a_key_goes_only_to_the_server_it_was_named_for(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_KEY", "the-key-of-the-house-1")
    monkeypatch.setenv("GUEST_KEY", "the-key-of-the-guest-2")
    other = server.url.replace("127.0.0.1", "localhost")

    def sent(**writer: Any) -> str:
        agents = {"base_url": server.url, "key_name": "HOUSE_KEY", "overrides": {"orchestrator": writer}}
        asking = model(server, "compatible", **agents)
        asking.run(ORCHESTRATOR, DATA, "j1")
        asking.close()
        return server.requests[-1][1]["authorization"]

    assert sent() == sent(base_url=server.url) == "Bearer the-key-of-the-house-1"
    assert sent(base_url=other) == "Bearer none"
    assert sent(base_url=other, key_name="GUEST_KEY") == sent(key_name="GUEST_KEY") == "Bearer the-key-of-the-guest-2"
