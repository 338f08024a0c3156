import re
from importlib.metadata import requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project import pins

PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.+!]*)(?: ; .+)?")


def _pinned() -> dict[str, set[str]]:
    """Versions by package name."""
    versions: dict[str, set[str]] = {}
    for line in pins.in_constraints():
        match = PIN.fullmatch(line)
        assert match, f"not a pin: {line}"
        versions.setdefault(match["name"], set()).add(match["version"])
    return versions


def _needed() -> dict[str, str]:
    """Installed version of all that our requirements, and theirs in turn, bring to this machine."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(Requirement(line), "") for line in pins.requirements()]
    while waiting:
        wanted, extra = waiting.pop()
        if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(wanted.name)
        found[name] = version(name)
        for part in ("", *wanted.extras):
            if (name, part) not in seen:
                seen.add((name, part))
                waiting += [(Requirement(line), part) for line in requires(name) or ()]
    return found


def test_pip_and_uv_are_given_the_same_pins() -> None:
    assert sorted(pins.in_constraints()) == sorted(pins.in_pyproject())


def test_every_direct_dependency_is_pinned() -> None:
    asked = {canonicalize_name(Requirement(line).name) for line in pins.requirements()}
    assert asked - _pinned().keys() == set()


def test_everything_needed_here_is_installed_in_a_pinned_version() -> None:
    pinned = _pinned()
    strays = {name: version for name, version in _needed().items() if version not in pinned.get(name, ())}
    assert strays == {}
