import json
import time
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from interviewer.agents.registry import AGENTS
from interviewer.errors import AgentError, NoStructuredOutput
from interviewer.llm.schema import Grammar, parse_object, strict_schema, with_choices
from interviewer.model.decision import Decision
from interviewer.model.notes import Notes

# OpenAI, "Structured Outputs": what every model with strict output takes.
ALLOWED = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
    "$ref",
    "$defs",
    "description",
}


class Inner(BaseModel):
    title: str = Field(max_length=5)
    default: int = Field(3, ge=1, le=9, description="a number")


class Outer(BaseModel):
    kind: Literal["a", "b"] = "a"
    only: Literal[7] = 7
    maybe: Inner | None = None
    several: tuple[Inner, ...] = Field(min_length=2, max_length=3)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema; names of properties are not keywords."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())):
        yield from parts(inner)
    if "items" in schema:
        yield from parts(schema["items"])


def test_bounds_and_defaults_go_and_are_told_instead() -> None:
    inner = {
        "type": "object",
        "properties": {
            "title": {"description": "at most 5 characters", "type": "string"},
            "default": {"description": "a number; at least 1 and at most 9", "type": "integer"},
        },
        "required": ["title", "default"],
        "additionalProperties": False,
    }
    assert strict_schema(Outer) == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["a", "b"]},
            "only": {"type": "integer", "enum": [7]},
            "maybe": {"anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}]},
            "several": {
                "description": "at least 2 and at most 3 items",
                "type": "array",
                "items": {"$ref": "#/$defs/Inner"},
            },
        },
        "required": ["kind", "only", "maybe", "several"],
        "additionalProperties": False,
        "$defs": {"Inner": inner},
    }


@pytest.mark.parametrize("name", AGENTS)
def test_every_agents_schema_is_strict_and_lacks_no_field(name: str) -> None:
    agent = AGENTS[name]
    schema = strict_schema(agent.output)
    for part in parts(schema):
        assert part.keys() <= ALLOWED
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
    assert schema["properties"].keys() == agent.output.model_json_schema()["properties"].keys()


def test_a_server_with_grammars_gets_the_lengths_of_arrays() -> None:
    several = strict_schema(Outer, Grammar())["properties"]["several"]
    assert (several["minItems"], several["maxItems"]) == (2, 3)


def test_a_small_models_texts_and_lists_can_be_kept_short() -> None:
    class Notes(BaseModel):
        texts: tuple[str, ...]
        brief: str = Field(max_length=7)
        kind: Literal["a"] = "a"

    properties = strict_schema(Notes, Grammar(longest_text=90, longest_list=2))["properties"]
    assert properties["texts"] == {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 90}}
    assert (properties["brief"]["maxLength"], "maxLength" in properties["kind"]) == (7, False)


def test_free_keys_cannot_be_asked_for() -> None:
    class Free(BaseModel):
        counts: dict[str, int]

    with pytest.raises(NoStructuredOutput, match="free keys"):
        strict_schema(Free)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure {}:\n```json\n{"a": {"b": "}"}}\n```\nDone.', {"a": {"b": "}"}}),
        ('<think>{"a": 0}</think>{"a": 1, "b": 2}', {"a": 1, "b": 2}),
        ('{"broken": {"a": 1}', {"a": 1}),
    ],
)
def test_the_object_is_found_in_what_is_said_around_it(text: str, found: dict[str, Any]) -> None:
    assert parse_object(text) == found


@pytest.mark.parametrize("text", ["", "[1]", "no", '{"a": NaN}', '{"a": ' * 3_000, "x" * 500_000])
def test_what_holds_no_object_is_an_error(text: str) -> None:
    with pytest.raises(AgentError):
        parse_object(text)


@pytest.mark.parametrize("found", [{"a": "\ud800"}, {"\udc00": 1}, {"a": [{"b": ["x", "y \ud83d z"]}]}])
def test_half_a_character_anywhere_makes_an_output_invalid(found: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="half a character"):
        parse_object(json.dumps(found))


def test_both_halves_of_a_character_are_one() -> None:
    assert parse_object('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize(
    "text", ['{"a":' * 39_000, '{"a":' * 900 + "[" + "1," * 90_000, "{" * 199_000, '{"a" ' * 39_000, '{"a":[{' * 28_000]
)
def test_an_object_is_looked_for_in_a_time_that_grows_with_the_text(text: str) -> None:
    began = time.process_time()
    with pytest.raises(AgentError):
        parse_object(text)
    assert time.process_time() - began < 2  # a search at each brace takes more than ten seconds


def test_more_than_any_output_has_is_refused_at_once() -> None:
    with pytest.raises(AgentError, match="too long"):
        parse_object(json.dumps({"a": "x" * 200_000}))


def test_what_is_nested_deeper_than_any_output_is_refused() -> None:
    with pytest.raises(AgentError, match="nested"):
        parse_object('{"a":' * 40 + "1" + "}" * 40)


def test_fields_take_only_what_is_offered_for_them() -> None:
    offered = {"question_id": ("q1", "q2"), "source": ("plan", "gap"), "resolved": ("g1",), "turn": ("t2",)}
    decision = with_choices(strict_schema(Decision), offered)
    proposal = decision["$defs"]["Proposal"]["properties"]
    assert proposal["question_id"] == {"anyOf": [{"type": "string", "enum": ["q1", "q2"]}, {"type": "null"}]}
    assert proposal["source"]["enum"] == ["plan", "gap"]
    notes = with_choices(strict_schema(Notes, Grammar(80, 3)), offered)
    resolved = notes["properties"]["resolved"]
    assert (resolved["maxItems"], resolved["items"]) == (3, {"type": "string", "enum": ["g1"]})
    assert notes["$defs"]["Idea"]["properties"]["turn"]["enum"] == ["t2"]
    assert "maxLength" not in notes["$defs"]["Idea"]["properties"]["turn"]
    assert notes["$defs"]["Idea"]["properties"]["id"] == {"type": "string", "maxLength": 80}
    assert "enum" not in strict_schema(Decision)["$defs"]["Proposal"]["properties"]["question_id"]["anyOf"][0]


def test_where_nothing_is_offered_lists_are_empty_and_the_rest_is_null_or_free() -> None:
    nothing: dict[str, tuple[str, ...]] = {"question_id": (), "resolved": (), "turn": ()}
    proposal = with_choices(strict_schema(Decision), nothing)["$defs"]["Proposal"]["properties"]
    assert proposal["question_id"] == {"anyOf": [{"type": "null"}]}
    notes = with_choices(strict_schema(Notes), nothing)
    assert notes["properties"]["resolved"]["maxItems"] == 0
    assert notes["$defs"]["Line"]["properties"]["turn"]["type"] == "string"
    assert "enum" not in notes["$defs"]["Line"]["properties"]["turn"]
