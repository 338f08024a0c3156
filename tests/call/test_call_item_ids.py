"""Items whose ids the service gives again: a connection may number its items from one, or give all the same id."""

from typing import Any

import pytest

from tests.call.bench import Bench, opened


def guest_texts(bench: Bench) -> list[str]:
    return [turn.text for turn in bench.core.turns if turn.speaker == "guest"]


def answer(bench: Bench, item: str, text: str) -> None:
    bench.frame("input_audio_buffer.speech_started", item_id=item)
    bench.wait(2_000)
    bench.stops(item)
    bench.transcribed(item, text)
    bench.wait(400)


def on_a_new_connection(bench: Bench) -> None:
    bench.drop()
    bench.wait(2_000)
    bench.connect()
    bench.reply("We were cut off. Where were we?", 2_000)


def test_an_id_of_an_earlier_connection_is_another_item() -> None:
    bench = opened()
    answer(bench, "item_1", "I grew up beside a river.")
    bench.reply("And then?", 2_000)
    on_a_new_connection(bench)
    asked = len(bench.requests)
    answer(bench, "item_1", "We moved to the town.")
    assert guest_texts(bench) == ["I grew up beside a river.", "We moved to the town."]
    assert bench.requests[asked:] == ["free"]
    written = [r for r in bench.records("turn") if r["speaker"] == "guest"]
    assert {(r["item_id"], r["text"]) for r in written if r["text"]} == {
        ("item_1", "I grew up beside a river."),
        ("item_1", "We moved to the town."),
    }


@pytest.mark.parametrize("first", ["speech_stopped", "committed", "transcript"])
def test_it_is_another_item_even_if_its_beginning_is_not_told(first: str) -> None:
    bench = opened()
    answer(bench, "item_1", "I grew up beside a river.")
    bench.reply("And then?", 2_000)
    on_a_new_connection(bench)
    told: list[dict[str, Any]] = [
        {"type_": "input_audio_buffer.speech_stopped"},
        {"type_": "input_audio_buffer.committed"},
    ]
    for frame in {"speech_stopped": told, "committed": told[1:], "transcript": []}[first]:
        bench.frame(**frame, item_id="item_1")
    bench.transcribed("item_1", "We moved to the town.")
    assert guest_texts(bench) == ["I grew up beside a river.", "We moved to the town."]


def test_speech_that_was_cut_off_with_its_connection_gets_no_words_of_the_next() -> None:
    bench = opened()
    bench.frame("input_audio_buffer.speech_started", item_id="item_1")
    bench.wait(1_000)
    on_a_new_connection(bench)
    answer(bench, "item_1", "We moved to the town.")
    assert guest_texts(bench) == ["", "We moved to the town."]


def test_a_service_that_gives_all_items_one_id_is_understood() -> None:
    bench = opened()
    said = [f"Answer number {number} is this." for number in range(4)]
    for text in said:
        answer(bench, "same", text)
        bench.reply("And then?", 2_000)
    assert guest_texts(bench) == said


def test_an_item_that_is_told_of_twice_before_its_words_are_known_is_one() -> None:
    bench = opened()
    bench.frame("input_audio_buffer.speech_started", item_id="item_1")
    bench.wait(2_000)
    bench.stops("item_1")
    bench.frame("input_audio_buffer.speech_started", item_id="item_1")
    bench.stops("item_1")
    bench.transcribed("item_1", "I grew up beside a river.")
    assert guest_texts(bench) == ["I grew up beside a river."]


def test_words_for_an_item_whose_words_are_known_are_written_down() -> None:
    bench = opened()
    answer(bench, "item_1", "I grew up beside a river.")
    bench.transcribed("item_1", "I grew up beside the river.")
    assert guest_texts(bench) == ["I grew up beside a river."]
    ignored = [(r["what"], r["text"]) for r in bench.records("ignored")]
    assert ignored == [("another transcript", "I grew up beside the river.")]
