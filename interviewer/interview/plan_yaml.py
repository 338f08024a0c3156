"""YAML as a person writes it: what safe YAML passes in silence, or fails on without a place, is named by its line."""

from typing import Any

import yaml
from yaml.constructor import ConstructorError


def read_yaml(text: str) -> Any:
    """The plain values in a text. Raises yaml.YAMLError, RecursionError."""
    return yaml.load(text, _Loader)  # noqa: S506  # a SafeLoader


def told_problem(error: yaml.YAMLError) -> str:
    """What is wrong and in which line, in one sentence."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return str(error)
    problem = getattr(error, "problem", None) or getattr(error, "context", None)
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key stands once, and every value that cannot be made out has a place."""

    def compose_mapping_node(self, anchor: dict[Any, yaml.Node]) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise ConstructorError(None, None, f"{key.value!r} stands here a second time", key.start_mark)
                seen.add(key.value)
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, AttributeError, KeyError, TypeError) as error:  # as of a date that there is not
            kind = node.tag.rpartition(":")[2]
            raise ConstructorError(None, None, f"this is no {kind} ({error})", node.start_mark) from None
