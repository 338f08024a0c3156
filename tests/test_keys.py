import sys
from types import SimpleNamespace

import pytest

from interviewer.errors import MissingKey
from interviewer.keys import api_key, key_named, needs_key, require_key, without_keys
from interviewer.settings import VoiceSettings


def _keyring(monkeypatch: pytest.MonkeyPatch, stored: dict[tuple[str, str], str]) -> None:
    get = SimpleNamespace(get_password=lambda service, user: stored.get((service, user)))
    monkeypatch.setitem(sys.modules, "keyring", get)


def test_the_environment_comes_before_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    _keyring(monkeypatch, {("openai", "api_key"): "from-keyring\n"})
    assert api_key() == "from-keyring"
    monkeypatch.setenv("OPENAI_API_KEY", " from-environment ")
    assert require_key() == "from-environment"


def test_without_a_key_the_error_says_how_to_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)  # as if not installed
    assert api_key() is None
    with pytest.raises(MissingKey, match=r"OPENAI_API_KEY.*keyring set openai api_key.*simulator"):
        require_key()


def test_a_locked_keyring_counts_as_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_service: str, _user: str) -> str:
        raise RuntimeError("locked")

    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=locked))
    assert api_key() is None


@pytest.mark.parametrize(
    ("service", "url", "needed"),
    [
        ("openai", "", True),
        ("openai", "wss://gateway.example/v1", True),
        ("openai", "ws://127.evil.example/v1", True),
        ("openai", "ws://127.0.0.1:8765/v1", False),
        ("openai", "http://[::1]:8765/v1", False),
        ("openai", "ws://localhost:8765/v1", False),
        ("simulator", "ws://127.0.0.1:8765/v1", False),
        ("simulator", "ws://lab.example:8765/v1", False),
    ],
)
def test_only_a_service_elsewhere_needs_a_key(service: str, url: str, needed: bool) -> None:
    assert needs_key(VoiceSettings.model_validate({"service": service, "url": url})) is needed


def test_a_key_is_left_out_of_text_and_so_is_what_looks_like_one() -> None:
    looks = "-".join(("sk", "proj", "abcdef123456"))
    assert without_keys(f"key hush and {looks}.", "hush", None) == "key [key] and [key]."


def test_another_services_key_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _keyring(monkeypatch, {("LOCAL_KEY", "api_key"): "from-keyring"})
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-you")
    assert key_named("LOCAL_KEY") == "from-keyring"
    assert key_named("OTHER_KEY") is None
