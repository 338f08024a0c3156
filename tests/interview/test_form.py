"""What is filled in before a call, and what a guest is told of it."""

import pytest

from interviewer.errors import SettingsError
from interviewer.interview.form import Form, destinations, first_form
from interviewer.settings import Settings


def test_without_a_key_the_voice_stays_on_this_machine() -> None:
    form = first_form(Settings.load(env={}))
    assert form.destination == "simulator"
    assert "stays on this machine" in form.consent()
    assert [place["id"] for place in destinations(Settings.load(env={}))] == ["simulator"]


def test_with_a_key_it_goes_to_the_real_service_and_the_guest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    form = first_form(Settings.load(env={}))
    assert form.destination == "openai"
    assert "goes to OpenAI" in form.consent()
    assert form.settings(Settings.load(env={})).voice.service == "openai"
    assert "a-key" not in str(destinations(Settings.load(env={})))


def test_who_asks_for_the_simulator_gets_it_whatever_keys_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    assert first_form(Settings.load(env={}, voice={"service": "simulator"})).destination == "simulator"


def test_a_server_of_ones_own_is_named_without_its_address() -> None:
    settings = Settings.load(env={}, voice={"url": "wss://voice.example.org/v1?model=hidden"})
    assert first_form(settings).destination == "url"
    assert [place["name"] for place in destinations(settings)] == [
        "Simulated service on this machine",
        "voice.example.org",
    ]
    assert first_form(settings).settings(settings).voice.url == settings.voice.url


def test_keeping_the_sound_is_wished_for_and_told() -> None:
    settings = Settings.load(env={})
    assert not first_form(settings).settings(settings).audio.keep
    kept = Form(keep_sound=True)
    assert kept.settings(settings).audio.keep
    assert "The sound is kept here too" in kept.consent()


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("minutes", 90, "minutes"),
        ("minutes", "long", "minutes"),
        ("minutes", float("nan"), "minutes"),
        ("destination", "elsewhere", "elsewhere"),
        ("destination", "openai", "openai"),
        ("topic", "x" * 20_001, "topic"),
        ("colour", "red", "colour"),
    ],
)
def test_what_cannot_be_is_named_and_changes_nothing(field: str, value: object, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        Form().changed({field: value}, Settings.load(env={}))
