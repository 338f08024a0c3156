from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.errors import SettingsError
from interviewer.settings import Settings

YAML = "call:\n  target_ms: 60000\n  follow_up_ms: 90000\n"
TOML = "[call]\ntarget_ms = 60000\nfollow_up_ms = 90000\n"
SECRET = "not-to-be-shown-4711"


def load(file: Path | None = None, env: dict[str, str] | None = None, **groups: Any) -> Settings:
    return Settings.load(file, env=env or {}, **groups)


@pytest.fixture(params=["settings.yaml", "settings.toml"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    path.write_text(TOML if path.suffix == ".toml" else YAML, encoding="utf-8")
    return path


# -- the defaults ------------------------------------------------------------------------------------------------

FIGURES = {
    "call.target_ms": 840_000,
    "call.follow_up_ms": 360_000,
    "call.opening_until": 0.15,
    "call.wrap_up_from": 0.85,
    "call.goodbye_counts_last_ms": 60_000,
    "call.goodbye_heard_out_ms": 12_000,
    "call.nudge_after_ms": 20_000,
    "call.offer_pause_after_ms": 40_000,
    "call.silence_ends_ms": 180_000,
    "call.reply_wait_ms": 300,
    "call.backchannel_ms": 700,
    "call.held_returns": 2,
    "wait.connect_ms": 15_000,
    "wait.ack_ms": 3_000,
    "wait.ack_after_turn_ms": 1_500,
    "wait.created_ms": 5_000,
    "wait.first_audio_ms": 8_000,
    "wait.audio_gap_ms": 8_000,
    "wait.playback_over_ms": 3_000,
    "wait.close_ms": 3_000,
    "cycle.every_ms": 10_000,
    "cycle.nothing_new_ms": 30_000,
    "cycle.note_taker_window": 20,
    "cycle.researcher_window": 20,
    "cycle.orchestrator_window": 30,
    "cycle.note_taker_ms": 8_000,
    "cycle.researcher_ms": 8_000,
    "cycle.orchestrator_ms": 6_000,
    "cycle.after_call_ms": 120_000,
    "cycle.recent_proposals": 10,
    "cycle.research_items": 2,
    "cycle.research_again_ms": 300_000,
    "cycle.research_failures": 5,
    "cycle.research_cooldown": 5,
    "match.recovery": 0.35,
    "match.reconstruction": 0.40,
    "match.delivered_tolerance_ms": 250,
    "voice.vad_threshold": 0.5,
    "voice.prefix_ms": 300,
    "voice.silence_ms": 1_200,
    "style.drafts": 3,
    "style.quotes": 20,
    "style.turns": 30,
    "style.turn_words": 10,
    "memory.ideas": 5,
    "memory.stories": 3,
    "memory.claims": 4,
    "memory.heard": 10,
}


def test_the_figures_of_the_design_are_the_defaults() -> None:
    defaults = {name: default for name, default, *_ in Settings.describe()}
    assert {name: defaults.get(name) for name in FIGURES} == FIGURES


def test_every_default_says_its_meaning_source_and_unit() -> None:
    for name, default, unit, source, about in Settings.describe():
        assert about, name
        assert source, name
        measured = type(default) is int
        assert unit or not measured, f"{name} is a quantity without a unit"


def test_every_time_is_in_whole_milliseconds() -> None:
    for name, default, unit, *_ in Settings.describe():
        if name.endswith("_ms"):
            assert unit == "ms", name
            assert type(default) is int, name


def test_every_default_is_within_its_own_bounds() -> None:
    assert Settings.model_validate(Settings().model_dump()) == Settings()


def test_what_is_described_is_what_one_gets() -> None:
    groups = Settings().model_dump()
    assert {f"{group}.{name}" for group, fields in groups.items() for name in fields} == {
        name for name, *_ in Settings.describe()
    }


# -- giving values -----------------------------------------------------------------------------------------------


def test_nothing_given_means_the_defaults() -> None:
    assert load() == Settings()


def test_a_keyword_changes_one_setting_and_leaves_the_others() -> None:
    changed = load(call={"target_ms": 60_000})
    assert changed.call.target_ms == 60_000
    assert changed.call.follow_up_ms == 360_000
    assert changed.wait == Settings().wait


def test_the_environment_changes_a_setting() -> None:
    env = {"INTERVIEWER_CALL__TARGET_MS": "60000", "INTERVIEWER_VOICE__VAD": "semantic_vad", "PATH": "/bin"}
    changed = load(env=env)
    assert (changed.call.target_ms, changed.voice.vad) == (60_000, "semantic_vad")


def test_this_process_s_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_CALL__TARGET_MS", "60000")
    assert Settings.load().call.target_ms == 60_000


def test_the_home_is_no_setting() -> None:
    assert load(env={"INTERVIEWER_HOME": "somewhere"}) == Settings()


def test_a_file_changes_settings(file: Path) -> None:
    changed = load(file)
    assert (changed.call.target_ms, changed.call.follow_up_ms) == (60_000, 90_000)


def test_keywords_win_over_the_environment_and_that_over_the_file(file: Path) -> None:
    env = {"INTERVIEWER_CALL__TARGET_MS": "61000"}
    assert load(file, env).call.target_ms == 61_000
    both = load(file, env, call={"target_ms": 62_000})
    assert both.call.target_ms == 62_000
    assert both.call.follow_up_ms == 90_000


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    for name in ("settings.yaml", "settings.toml"):
        (tmp_path / name).touch()
        assert load(tmp_path / name) == Settings()


# -- bad values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("call", "target_ms", 29_999),
        ("call", "target_ms", 3_600_001),
        ("call", "target_ms", "a while"),
        ("call", "wrap_up_from", 1.01),
        ("call", "wrap_up_from", float("nan")),
        ("call", "closing_phrases", {"en": "goodbye"}),
        ("cycle", "note_taker_window", 1),
        ("match", "recovery", -0.1),
        ("voice", "service", "telephone"),
        ("voice", "rate", 16_000),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(group: str, name: str, value: Any) -> None:
    with pytest.raises(SettingsError, match=rf"setting {group}\.{name}.*\(keyword\)"):
        load(None, None, **{group: {name: value}})


def test_a_refusal_says_where_the_value_came_from(file: Path) -> None:
    with pytest.raises(SettingsError, match=r"call\.target_ms \(environment\).*'soon'"):
        load(env={"INTERVIEWER_CALL__TARGET_MS": "soon"})
    file.write_text(file.read_text().replace("60000", "5"), encoding="utf-8")
    with pytest.raises(SettingsError, match=rf"call\.target_ms \(file .*{file.name}\)"):
        load(file)


def test_every_bad_value_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        load(call={"target_ms": 1, "wrap_up_from": 2})
    assert [line.split()[1] for line in str(refused.value).splitlines()] == ["call.target_ms", "call.wrap_up_from"]


@pytest.mark.parametrize("groups", [{"call": {"api_key": SECRET}}, {"openai": {"api_key": SECRET}}])
def test_an_unknown_name_is_told_without_its_value(groups: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    (group, fields), *_ = groups.items()
    path.write_text(f"{group}:\n  api_key: {fields['api_key']}\n", encoding="utf-8")
    env = {f"INTERVIEWER_{group.upper()}__API_KEY": SECRET}
    for where, arguments in (("keyword", groups), ("environment", {"env": env}), ("file", {"file": path})):
        with pytest.raises(SettingsError, match=rf"{group}.*\({where}.*no such setting") as refused:
            load(**arguments)
        assert SECRET not in str(refused.value)


def test_a_name_that_is_no_text_is_told_without_its_value(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(f"1:\n  2: {SECRET}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="setting 1") as refused:
        load(path)
    assert SECRET not in str(refused.value)


def test_a_variable_outside_any_group_is_told_without_its_value() -> None:
    with pytest.raises(SettingsError, match=r"INTERVIEWER_API_KEY.*INTERVIEWER_GROUP__NAME") as refused:
        load(env={"INTERVIEWER_API_KEY": SECRET})
    assert SECRET not in str(refused.value)


def test_a_group_is_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text("call: 840000\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"call .*mapping, not int"):
        load(path)
    path.write_text("- call\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"settings\.yaml must hold groups"):
        load(path)
    with pytest.raises(SettingsError, match=r"call \(keyword\).*mapping, not NoneType"):
        Settings().with_(call=None)  # type: ignore[arg-type]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot read settings file .*absent\.yaml"):
        load(tmp_path / "absent.yaml")
    for name, text in (("bad.yaml", b"call: [1,"), ("bad.toml", b"call = "), ("bad.yml", b"\xff\xfe\x00")):
        (tmp_path / name).write_bytes(text)
        with pytest.raises(SettingsError, match=f"{name} is not valid"):
            load(tmp_path / name)


# -- changed copies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        f"wss://guest:{SECRET}@voice.example.org/v1",
        f"wss://{SECRET}@voice.example.org/v1",
        f"wss://guest:a/b{SECRET}@[voice.example.org/v1",
        f"wss://voice.example.org/v1?api_key={SECRET}",
        f"wss://voice.example.org/v1?model=gpt-realtime&token={SECRET}",
        f"wss://voice.example.org/v1?{SECRET}",
        f"wss://voice.example.org/v1#{SECRET}",
        f"wss://voice.example.org/sk-{SECRET}",
    ],
)
def test_the_voice_s_address_holds_no_key(url: str) -> None:
    with pytest.raises(SettingsError, match=r"voice\.url .*no key") as raised:
        load(voice={"url": url})
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("query", ["", "?model=gpt-realtime", "?api-version=2025-04-01&deployment=voice"])
def test_the_voice_s_address_may_name_a_model(query: str) -> None:
    url = f"wss://voice.example.org/v1{query}"
    assert load(voice={"url": url}).voice.url == url


def test_a_changed_copy_leaves_the_first_alone() -> None:
    first = load(call={"target_ms": 60_000})
    second = first.with_(call={"follow_up_ms": 45_000}, wait={"ack_ms": 500})
    assert (second.call.target_ms, second.call.follow_up_ms, second.wait.ack_ms) == (60_000, 45_000, 500)
    assert (first.call.follow_up_ms, first.wait.ack_ms) == (360_000, 3_000)


def test_a_changed_copy_is_checked_as_well() -> None:
    with pytest.raises(SettingsError, match=r"call\.target_ms"):
        Settings().with_(call={"target_ms": -1})
    with pytest.raises(SettingsError, match=r"call\.target"):
        Settings().with_(call={"target": 60_000})


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValidationError):
        Settings().call.target_ms = 1  # type: ignore[misc]
