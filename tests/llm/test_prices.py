from pathlib import Path

import pytest

from interviewer.errors import SettingsError
from interviewer.llm.prices import Prices

TABLE = """
as_of: 2026-12-24
models:
  mine: {input: 2, cached: 0.5, output: 10, audio_input: 32, audio_cached: 0.4, audio_output: 64}
"""
VOICE = {
    "input_tokens": 1_000,
    "output_tokens": 300,
    "input_token_details": {
        "text_tokens": 400,
        "audio_tokens": 600,
        "cached_tokens": 500,
        "cached_tokens_details": {"text_tokens": 300, "audio_tokens": 200},
    },
    "output_token_details": {"text_tokens": 50, "audio_tokens": 250},
}


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    file = tmp_path / "prices.yaml"
    file.write_text(TABLE, encoding="utf-8")
    return Prices.load(str(file))


def test_cached_tokens_cost_less_and_are_part_of_the_input(prices: Prices) -> None:
    # 600 fresh at 2, 400 cached at 0.5, 100 written at 10: 1,200 + 200 + 1,000 millionths.
    assert prices.text_cost("mine", 1_000, 400, 100) == pytest.approx(0.0024)


def test_voice_is_priced_by_kind_of_token(prices: Prices) -> None:
    # Text: 100 x 2 + 300 x 0.5 + 50 x 10 = 850. Audio: 400 x 32 + 200 x 0.4 + 250 x 64 = 28,880.
    assert prices.voice_cost("mine", VOICE) == pytest.approx(29_730 / 1e6)


def test_a_dated_snapshot_costs_what_its_model_does(prices: Prices) -> None:
    assert prices.of("mine-2026-01-31") == prices.of("mine") != None  # noqa: E711


def test_an_unknown_model_has_no_price_rather_than_none_to_pay(prices: Prices) -> None:
    assert prices.text_cost("theirs", 1, 0, 1) is None
    assert prices.voice_cost("theirs", VOICE) is None


@pytest.mark.parametrize("usage", [{}, {"input_tokens": 5}, {"input_token_details": "many"}])
def test_usage_that_does_not_say_of_what_has_no_price(prices: Prices, usage: dict[str, object]) -> None:
    assert prices.voice_cost("mine", usage) is None


def test_senseless_counts_are_left_out(prices: Prices) -> None:
    usage = {
        "input_token_details": {"text_tokens": -5, "audio_tokens": "9"},
        "output_token_details": {"text_tokens": 1},
    }
    assert prices.voice_cost("mine", usage) == pytest.approx(10 / 1e6)


def test_a_file_comes_before_the_built_in_table_and_leaves_the_rest(prices: Prices, tmp_path: Path) -> None:
    built_in = Prices.load()
    assert prices.models["gpt-realtime-2.1"] == built_in.models["gpt-realtime-2.1"]
    file = tmp_path / "own.toml"
    file.write_text(
        'as_of = 2030-01-01\n[models."gpt-realtime-2.1"]\ninput = 1\ncached = 1\noutput = 1\n', encoding="utf-8"
    )
    own = Prices.load(str(file))
    assert (own.models["gpt-realtime-2.1"].input, own.as_of.year) == (1, 2030)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("as_of: 2026-01-01\nmodels: {m: {input: -1, cached: 0, output: 0}}", "models.m.input"),
        ("as_of: 2026-01-01\nmodels: {m: {input: .nan, cached: 0, output: 0}}", "models.m.input"),
        ("models: {}", "as_of"),
        ("{", "not valid"),
    ],
)
def test_a_senseless_file_names_the_field(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=rf"p\.yaml.*{named}"):
        Prices.load(str(file))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="absent"):
        Prices.load(str(tmp_path / "absent.yaml"))


def test_a_transcriber_is_paid_by_the_minute_or_by_the_token(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    mine = "  ears: {minute: 0.3}\n  eyes: {input: 1, cached: 1, output: 10, audio_input: 6}\n"
    file.write_text(f"as_of: 2026-12-24\nweb_search: 20\nmodels:\n{mine}", encoding="utf-8")
    prices = Prices.load(str(file))
    assert prices.transcription_cost("ears", {"type": "duration", "seconds": 90}) == pytest.approx(0.45)
    tokens = {"type": "tokens", "input_token_details": {"text_tokens": 10, "audio_tokens": 100}, "output_tokens": 5}
    # 10 x 1 + 100 x 6 + 5 x 10 = 660 millionths.
    assert prices.transcription_cost("eyes", tokens) == pytest.approx(660 / 1e6)
    assert prices.transcription_cost("ears", tokens) is None
    assert prices.transcription_cost("eyes", {"type": "duration", "seconds": 90}) is None
    assert prices.transcription_cost("nobody", tokens) is None
    assert prices.search_cost(3) == pytest.approx(0.06)


def test_a_price_without_its_parts_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("as_of: 2026-12-24\nmodels:\n  mine: {input: 1}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"models\.mine: .*cached, output: missing"):
        Prices.load(str(file))
