"""Small checks for client events; each raises the service's own refusal and names the parameter.

A check takes (value, path). An optional field may always be null.
"""

from collections.abc import Callable, Mapping
from typing import Any

from interviewer.realtime.engine import errors

Check = Callable[[Any, str], None]


def anything(value: Any, at: str) -> None:
    """No check."""


def text(value: Any, at: str) -> None:
    """A string."""
    if not isinstance(value, str):
        raise errors.wrong_type(at, "a string", value)


def short_text(limit: int) -> Check:
    """A string of at most `limit` characters."""

    def check(value: Any, at: str) -> None:
        text(value, at)
        if len(value) > limit:
            raise errors.too_long(at, value, limit)

    return check


def flag(value: Any, at: str) -> None:
    """A boolean."""
    if not isinstance(value, bool):
        raise errors.wrong_type(at, "a boolean", value)


def whole(low: int, high: int) -> Check:
    """An integer within bounds."""

    def check(value: Any, at: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise errors.wrong_type(at, "an integer", value)
        if not low <= value <= high:
            raise errors.outside(at, value, low, high)

    return check


def number(low: float, high: float) -> Check:
    """A number within bounds."""

    def check(value: Any, at: str) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise errors.wrong_type(at, "a decimal", value)
        # Written so that NaN is refused too.
        if not low <= value <= high:
            raise errors.outside(at, value, low, high)

    return check


def choice(*allowed: str) -> Check:
    """One of some strings."""

    def check(value: Any, at: str) -> None:
        text(value, at)
        if value not in allowed:
            raise errors.not_one_of(at, value, allowed)

    return check


def either(plain: Check, object_: Check) -> Check:
    """A plain value or an object, each with its check."""

    def check(value: Any, at: str) -> None:
        (object_ if isinstance(value, Mapping) else plain)(value, at)

    return check


def many(item: Check) -> Check:
    """An array, every element checked."""

    def check(value: Any, at: str) -> None:
        if not isinstance(value, list):
            raise errors.wrong_type(at, "an array", value)
        for index, element in enumerate(value):
            item(element, f"{at}[{index}]")

    return check


def record(fields: Mapping[str, Check], required: tuple[str, ...] = (), *, extra: bool = False) -> Check:
    """An object: known fields checked, required ones there and not null, others refused unless `extra`."""

    def check(value: Any, at: str) -> None:
        if not isinstance(value, Mapping):
            raise errors.wrong_type(at, "an object", value)
        prefix = f"{at}." if at else ""
        for name in required:
            if value.get(name) is None:
                raise errors.missing(prefix + name)
        for name, element in value.items():
            known = fields.get(name)
            if known is None and not extra:
                raise errors.unknown(f"{prefix}{name}")
            if known is not None and element is not None:
                known(element, f"{prefix}{name}")

    return check


def variant(tag: str, kinds: Mapping[str, Check]) -> Check:
    """An object whose field `tag` says which check applies."""

    def check(value: Any, at: str) -> None:
        record({tag: choice(*kinds)}, (tag,), extra=True)(value, at)
        kinds[value[tag]](value, at)

    return check
