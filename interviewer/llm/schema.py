"""The JSON schema of an output as services take it, and outputs out of what models write."""

import functools
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from interviewer.errors import AgentError, NoStructuredOutput
from interviewer.llm.told import check_sound

MOST_CHARACTERS = 200_000  # the longest essay has a tenth of it
_MOST_TRIES = 8  # places where an object may begin; each costs at most one look at the whole text
_BOUNDS = {
    ("minItems", "maxItems"): "items",
    ("minLength", "maxLength"): "characters",
    ("minimum", "maximum"): "",
}


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a server that decodes by a grammar is told besides: bounds of arrays and strings; 0: none of ours."""

    longest_text: int = 0
    longest_list: int = 0


def strict_schema(model: type[BaseModel], grammar: Grammar | None = None) -> dict[str, Any]:
    """The schema of `model` in the subset that strict structured output takes.

    Every property is required, none may be added, nothing has a default, and only types, enums, alternatives and
    references are left; what was bounded says so in its description. With a `grammar` the lengths of arrays stay, which
    llama.cpp and vLLM enforce, and strings and arrays without a bound get the grammar's. Not to be changed. Raises
    NoStructuredOutput for a mapping with free keys. Source: OpenAI, "Structured Outputs", supported schemas.
    """
    return _schema(model, grammar)


@functools.cache
def _schema(model: type[BaseModel], grammar: Grammar | None) -> dict[str, Any]:
    whole = model.model_json_schema()
    strict = _strict(whole, grammar)
    if definitions := whole.get("$defs"):
        strict["$defs"] = {name: _strict(part, grammar) for name, part in definitions.items()}
    return strict


def with_choices(schema: Mapping[str, Any], offered: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """A copy of a strict schema in which fields of these names take only what is offered for them.

    Where nothing is offered a list is empty and what may be null is null; any other text is left free.
    """
    return {name: _chosen(name, part, offered) for name, part in schema.items()}


def _chosen(name: str, part: Any, offered: Mapping[str, Collection[str]]) -> Any:
    if isinstance(part, list):
        return [_chosen("", each, offered) for each in part]
    if not isinstance(part, dict):
        return part
    inner = with_choices(part, offered)
    if name != "properties":
        return inner
    return {field: _choice(each, offered[field]) if field in offered else each for field, each in inner.items()}


def _choice(field: dict[str, Any], values: Collection[str]) -> dict[str, Any]:
    if "anyOf" in field:
        kept = [part for part in field["anyOf"] if values or part.get("type") != "string"]
        return {**field, "anyOf": [_choice(part, values) for part in kept]}
    if field.get("type") == "array":
        return {**field, "items": _choice(field["items"], values)} if values else {**field, "maxItems": 0}
    if field.get("type") == "string" and values:
        return {**{name: part for name, part in field.items() if name != "maxLength"}, "enum": list(values)}
    return field


def _strict(schema: Mapping[str, Any], grammar: Grammar | None) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    found: dict[str, Any] = {}
    if description := _described(schema):
        found["description"] = description
    if "const" in schema:
        return {**found, "type": _type_of(schema["const"]), "enum": [schema["const"]]}
    found |= {name: schema[name] for name in ("type", "enum") if name in schema}
    if grammar is not None:
        found |= _bounds(schema, grammar)
    if alternatives := schema.get("anyOf") or schema.get("oneOf"):
        found["anyOf"] = [_strict(part, grammar) for part in alternatives]
    if "items" in schema:
        found["items"] = _strict(schema["items"], grammar)
    if schema.get("type") == "object":
        found |= _object(schema, grammar)
    return found


def _bounds(schema: Mapping[str, Any], grammar: Grammar) -> dict[str, int]:
    found = {name: schema[name] for name in ("minItems", "maxItems") if name in schema}
    if schema.get("type") == "array" and grammar.longest_list and "maxItems" not in found:
        found["maxItems"] = max(grammar.longest_list, found.get("minItems", 0))
    if schema.get("type") == "string" and grammar.longest_text and "enum" not in schema:
        found["maxLength"] = min(grammar.longest_text, schema.get("maxLength", grammar.longest_text))
    return found


def _object(schema: Mapping[str, Any], grammar: Grammar | None) -> dict[str, Any]:
    if schema.get("additionalProperties"):
        raise NoStructuredOutput(f"{schema.get('title', 'a part')} of an output has free keys; name its fields")
    properties = {name: _strict(part, grammar) for name, part in schema.get("properties", {}).items()}
    return {"properties": properties, "required": list(properties), "additionalProperties": False}


def _described(schema: Mapping[str, Any]) -> str:
    said = [str(schema["description"])] if "description" in schema else []
    for (low, high), what in _BOUNDS.items():
        if low in schema or high in schema:
            bounds = [
                f"{word} {schema[name]}" for word, name in (("at least", low), ("at most", high)) if name in schema
            ]
            said.append(" and ".join(bounds) + (f" {what}" if what else ""))
    return "; ".join(said)


def _type_of(value: object) -> str:
    return {bool: "boolean", int: "integer", float: "number"}.get(type(value), "string")


def parse_object(text: str) -> dict[str, Any]:
    """The JSON object in what a model wrote: the whole text, or the longest object among the first inside it.

    Raises AgentError if there is none, if the text is longer than MOST_CHARACTERS, and as `check_sound` does.
    """
    check_length(text)
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    best: dict[str, Any] | None = None
    best_length, at = 0, text.find("{")
    for _ in range(_MOST_TRIES):
        if at < 0:
            break
        end = at + 1
        try:
            value, end = decoder.raw_decode(text, at)
            if isinstance(value, dict) and end - at > best_length:
                best, best_length = value, end - at
        except (ValueError, RecursionError):
            pass
        at = text.find("{", end)
    if best is None:
        raise AgentError("the output is not a JSON object")
    check_sound(best)
    return best


def check_length(text: str) -> None:
    """Raises AgentError for more text than any output has."""
    if len(text) > MOST_CHARACTERS:
        raise AgentError(f"the output is too long: more than {MOST_CHARACTERS} characters")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
