"""What sounds like the guest and is not: noise, words made of silence, the voice's own words."""

from typing import Any

import pytest

from tests.call.bench import Q1, Q2, Bench, ask, opened

PREFIX_MS, SILENCE_MS = 300, 1_200  # what the service adds to a stretch of speech, as the session asks it to


def hears(bench: Bench, text: str, length_ms: int, *, mic: bool | None = None, **fields: Any) -> str:
    """The service takes a stretch of `length_ms` for speech and writes down `text`; `mic`: our microphone hears it."""
    item = f"heard_{len(bench.inputs)}"
    if mic is not None:
        bench.mic(mic)
    start_ms = bench.now - PREFIX_MS
    bench.frame("input_audio_buffer.speech_started", item_id=item, audio_start_ms=start_ms)
    bench.wait(length_ms + SILENCE_MS)
    if mic:
        bench.mic(False)
    end_ms = start_ms + PREFIX_MS + length_ms + SILENCE_MS
    bench.frame("input_audio_buffer.speech_stopped", item_id=item, audio_end_ms=end_ms)
    bench.frame("input_audio_buffer.committed", item_id=item)
    kind = "conversation.item.input_audio_transcription.completed"
    bench.frame(kind, item_id=item, transcript=text, **fields)
    return item


def guest_turns(bench: Bench) -> list[tuple[str, str]]:
    return [(turn.text, turn.state) for turn in bench.core.turns if turn.speaker == "guest"]


def asked(bench: Bench) -> int:
    bench.wait(400)
    return len(bench.requests)


def why(bench: Bench) -> list[str]:
    return [record["what"] for record in bench.records("ignored")]


def test_words_made_of_a_moment_of_silence_are_no_turn_and_get_no_answer() -> None:
    bench = opened()
    hears(bench, "Thank you for watching.", 200)
    assert asked(bench) == 1
    assert guest_turns(bench) == []
    assert why(bench) == ["words from silence"]


def test_a_short_word_that_fits_its_moment_is_answered() -> None:
    bench = opened()
    hears(bench, "No.", 210)
    assert asked(bench) == 2
    assert guest_turns(bench) == [("No.", "final")]


@pytest.mark.parametrize(("logprob", "kept"), [(-0.1, True), (-2.4, True), (-2.6, False)])
def test_words_the_transcriber_is_not_sure_of_are_set_aside(logprob: float, *, kept: bool) -> None:
    bench = opened()
    tokens = [{"token": "river", "logprob": logprob, "bytes": []}] * 3
    hears(bench, "river river river", 3_000, logprobs=tokens)
    assert bool(guest_turns(bench)) is kept


def test_unsure_words_stay_if_our_own_microphone_heard_somebody_and_one_of_them_is_sure() -> None:
    bench = opened()
    tokens = [{"token": "the", "logprob": p, "bytes": []} for p in (-4.0, -4.0, -0.1)]
    hears(bench, "the the river", 3_000, mic=True, logprobs=tokens)
    assert guest_turns(bench) == [("the the river", "final")]


def test_noise_that_only_the_service_hears_is_no_turn_and_gets_no_answer() -> None:
    bench = opened()
    hears(bench, "", 2_000, mic=False)
    assert asked(bench) == 1
    assert guest_turns(bench) == []
    assert why(bench) == ["noise"]


def test_speech_that_only_the_service_hears_is_answered_once_its_words_are_known() -> None:
    bench = opened()
    hears(bench, "I grew up beside a river.", 2_000, mic=False)
    assert asked(bench) == 2
    assert guest_turns(bench) == [("I grew up beside a river.", "final")]


def test_speech_nobody_can_make_out_is_an_inaudible_turn_and_is_answered() -> None:
    bench = opened()
    item = bench.starts()
    bench.wait(3_000)
    bench.stops(item)
    bench.frame("conversation.item.input_audio_transcription.failed", item_id=item, error={})
    assert asked(bench) == 2
    assert guest_turns(bench) == [("", "inaudible")]


def test_the_voice_that_hears_itself_neither_stops_nor_answers_itself() -> None:
    bench = opened()
    bench.mic(False)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say(f"A river, then. {Q2}", 4_000)
    bench.played(500)
    item = bench.starts()
    bench.wait(2_000)
    bench.played(2_500)
    bench.stops(item)
    bench.transcribed(item, "A river then, what broke on your first")
    assert bench.stopped == []
    bench.wait(1_500)
    bench.played(4_000, ended=True)
    assert bench.status("q2") == "delivered"
    assert asked(bench) == 2
    assert [text for text, _ in guest_turns(bench)] == ["I grew up beside a river."]
    assert "echo of the voice" in why(bench)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("A river, then. What broke on your Right.", ["Right."]),
        ("A river, then. What broke on your first bridge and how did you put it right? My nerve.", ["My nerve."]),
        ("Iver, then. What broke on your worst bridge and how did you -- my nerve did!", ["my nerve did!"]),
        ("A river, then. What broke on your fir", []),
        ("A river, then. What broke on your furst", []),
        ("What broke on my first bridge? My nerve.", ["What broke on my first bridge? My nerve."]),
    ],
)
def test_a_guest_who_goes_on_where_the_echo_ends_is_heard_without_it(text: str, own: list[str]) -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say("A river, then. What broke on your first bridge and how did you put it right?", 4_000)
    bench.played(500)
    item = bench.starts()
    bench.wait(2_000)
    bench.played(2_500)
    bench.stops(item)
    bench.transcribed(item, text)
    assert [said for said, _ in guest_turns(bench)][1:] == own
    # Whatever was cut stands in the record as it was written down.
    cut = [record["text"] for record in bench.records("ignored") if record["what"].startswith("echo")]
    assert cut == ([] if own == [text] else [text])


def test_a_guest_who_cuts_in_with_the_voices_words_of_before_is_heard_whole() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say("You grew up beside a river, and it never let go of you. What broke on your first bridge?", 6_000)
    bench.played(5_000)
    item = bench.starts()
    bench.played(6_000, ended=True)
    bench.stops(item)
    bench.transcribed(item, "You grew up beside a river, they say, as if that made one a builder.")
    assert guest_turns(bench)[1:] == [("You grew up beside a river, they say, as if that made one a builder.", "final")]


@pytest.mark.parametrize(
    ("voice", "text"),
    [
        ("And did you stay because of the money?", "Because of the money."),
        ("What happened in the spring of two thousand and ten?", "Two thousand and ten was the year my father died."),
    ],
)
def test_a_guest_who_begins_an_answer_early_with_the_questions_words_is_heard_whole(voice: str, text: str) -> None:
    """They begin as 400 of 4,000 ms are left: an echo could hold a word or two of those."""
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say(voice, 4_000)
    bench.played(3_600)
    bench.mic(True)
    bench.frame("input_audio_buffer.speech_started", item_id="answer", audio_start_ms=bench.now - PREFIX_MS)
    bench.played(4_000, ended=True)
    bench.wait(2_500)
    bench.mic(False)
    bench.stops("answer")
    bench.transcribed("answer", text)
    assert guest_turns(bench)[1:] == [(text, "final")]


def test_an_answer_that_runs_on_from_the_echo_fills_the_turn_given_up_as_inaudible() -> None:
    bench = opened()
    bench.mic(False)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    spoken = "A river, then. What broke on your first bridge and how did you put it right?"
    bench.say(spoken, 4_000)
    bench.played(500)
    item = bench.starts()
    bench.played(4_000, ended=True)
    bench.wait(20_000)
    assert guest_turns(bench)[1:] == [("", "inaudible")]
    bench.mic(True)
    bench.wait(3_000)
    bench.mic(False)
    bench.stops(item)
    bench.transcribed(item, f"{spoken} My nerve.")
    assert guest_turns(bench)[1:] == [("My nerve.", "final")]


def test_speech_that_is_told_of_late_with_noise_before_it_is_the_one_our_microphone_heard() -> None:
    bench = opened()
    bench.mic(False)
    bench.frame("input_audio_buffer.speech_started", item_id="first", audio_start_ms=bench.now - PREFIX_MS)
    bench.wait(2_000)
    bench.stops("first")
    bench.transcribed("first", "I grew up beside a river.")
    bench.wait(400)
    bench.reply("And then?", 2_000)
    began = bench.now
    bench.wait(4_000)
    bench.mic(True)
    bench.wait(2_000)
    bench.mic(False)
    bench.wait(8_000)
    for item, start_ms in (("noise", 1_000), ("speech", 4_000)):  # both come at once, the line having stood still
        at_ms = began + start_ms - PREFIX_MS
        bench.frame("input_audio_buffer.speech_started", item_id=item, audio_start_ms=at_ms)
        end_ms = at_ms + PREFIX_MS + 1_900 + SILENCE_MS - 1_200
        bench.frame("input_audio_buffer.speech_stopped", item_id=item, audio_end_ms=end_ms)
        bench.frame("input_audio_buffer.committed", item_id=item)
        bench.transcribed(item, "")
    assert [turn.item_id for turn in bench.core.turns if turn.state == "inaudible"] == ["speech"]


def test_a_turn_whose_end_was_taken_for_lost_lasts_until_its_end_comes() -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say("And then?", 4_000)
    bench.played(500)
    item = bench.starts()
    bench.played(4_000, ended=True)
    bench.wait(20_000)
    bench.mic(True)
    bench.wait(3_000)
    bench.mic(False)
    bench.frame("input_audio_buffer.committed", item_id=item)  # the event that says when it stopped was lost
    bench.transcribed(item, "")
    turn = next(turn for turn in bench.core.turns if turn.item_id == item)
    assert (turn.state, turn.ended_ms) == ("inaudible", bench.now)
    written = [data for data in bench.records("turn") if data["id"] == turn.id]
    assert written[-1]["ended_ms"] == bench.now


@pytest.mark.parametrize(("began_ago_ms", "kept"), [(9_000, False), (1_000, True)])
def test_an_echo_that_is_told_of_late_is_one_by_when_it_was_spoken(began_ago_ms: int, *, kept: bool) -> None:
    bench = opened()
    bench.frame("input_audio_buffer.speech_started", item_id="first", audio_start_ms=bench.now - 300)
    bench.wait(2_000)
    bench.stops("first")
    bench.transcribed("first", "I grew up beside a river.")
    bench.wait(400)
    spoken = "What was it like to grow up there?"
    bench.reply(spoken, 4_000)
    bench.wait(6_000)
    bench.frame("input_audio_buffer.speech_started", item_id="late", audio_start_ms=bench.now - 300 - began_ago_ms)
    bench.stops("late")
    bench.transcribed("late", spoken)
    assert (spoken in [text for text, _ in guest_turns(bench)]) is kept


def test_the_voices_words_are_an_echo_however_late_they_are_told_if_our_microphone_heard_nobody() -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    spoken = "What was it like to grow up there?"
    bench.reply(spoken, 4_000)
    bench.wait(6_000)
    bench.frame("input_audio_buffer.speech_started", item_id="late", audio_start_ms=bench.now - 300)
    bench.stops("late")
    bench.transcribed("late", spoken)
    assert spoken not in [text for text, _ in guest_turns(bench)]
    assert why(bench)[-1] == "echo of the voice"


@pytest.mark.parametrize(("start_ms", "end_ms"), [(None, 7), (7, 7), (10**9, 10**9 + 900)])
def test_speech_whose_place_in_the_sound_is_told_wrongly_is_kept(start_ms: int | None, end_ms: int) -> None:
    """An end that is before its start, and a place that the sound has not reached, say nothing of its length."""
    bench = opened()
    bench.mic(False)
    bench.mic(True)
    start = bench.now - PREFIX_MS if start_ms is None else start_ms
    bench.frame("input_audio_buffer.speech_started", item_id="told", audio_start_ms=start)
    bench.wait(5_000)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.frame("input_audio_buffer.speech_stopped", item_id="told", audio_end_ms=end_ms)
    bench.frame("input_audio_buffer.committed", item_id="told")
    bench.transcribed("told", "I grew up beside a river.")
    assert guest_turns(bench) == [("I grew up beside a river.", "final")]


def test_what_the_guest_said_on_a_lost_connection_does_not_make_an_echo_on_the_next_one_speech() -> None:
    bench = opened()
    bench.mic(False)
    bench.mic(True)
    bench.wait(2_000)
    bench.mic(False)
    bench.drop()
    bench.wait(2_000)
    bench.connect()
    bench.wait(200)
    spoken = "I lost you for a moment. Please go on."
    bench.say(spoken, 4_000)
    bench.played(2_000)
    bench.frame("input_audio_buffer.speech_started", item_id="echo", audio_start_ms=bench.now - PREFIX_MS)
    bench.hear(4_000)
    bench.stops("echo")
    bench.transcribed("echo", spoken)
    assert [text for text, _ in guest_turns(bench) if text] == []
    assert "echo of the voice" in why(bench)


def test_an_echo_whose_end_comes_while_the_guest_answers_is_no_words_of_the_guest() -> None:
    bench = opened()
    bench.mic(False)
    bench.frame("input_audio_buffer.speech_started", item_id="first", audio_start_ms=bench.now - PREFIX_MS)
    bench.wait(2_000)
    bench.stops("first")
    bench.transcribed("first", "I grew up beside a river.")
    bench.wait(400)
    spoken = "What was it like to grow up there?"
    bench.say(spoken, 4_000)
    bench.played(2_000)
    began = bench.now
    bench.frame("input_audio_buffer.speech_started", item_id="echo", audio_start_ms=began - PREFIX_MS)
    bench.hear(4_000)
    bench.wait(1_000)
    bench.mic(True)  # the line stands still: the end of the echo was given up, and comes as the guest speaks
    bench.wait(9_000)
    bench.frame("input_audio_buffer.speech_stopped", item_id="echo", audio_end_ms=began + 4_000)
    bench.frame("input_audio_buffer.committed", item_id="echo")
    bench.transcribed("echo", spoken)
    assert not any(spoken in text for text, _ in guest_turns(bench))


def test_an_echo_of_a_reply_that_was_given_up_before_its_words_came_is_no_turn() -> None:
    bench = opened()
    bench.mic(False)
    bench.frame("input_audio_buffer.speech_started", item_id="first", audio_start_ms=bench.now - PREFIX_MS)
    bench.wait(2_000)
    bench.stops("first")
    bench.transcribed("first", "I grew up beside a river.")
    bench.wait(400)
    spoken = "What was it like to grow up there?"
    given_up = bench.created()
    bench.audio(4_000)
    began = bench.now
    bench.hear(4_000)
    bench.wait(20_000)  # the line stands still; what came of it until then was played
    assert [record["status"] for record in bench.records("reply") if record["response_id"] == given_up] == ["timed_out"]
    bench.frame(
        "response.output_audio_transcript.done",
        response_id=given_up,
        item_id=bench.item,
        transcript=spoken,
    )
    bench.frame("input_audio_buffer.speech_started", item_id="echo", audio_start_ms=began + 100 - PREFIX_MS)
    bench.frame("input_audio_buffer.speech_stopped", item_id="echo", audio_end_ms=began + 4_000)
    bench.frame("input_audio_buffer.committed", item_id="echo")
    bench.transcribed("echo", spoken)
    assert [text for text, _ in guest_turns(bench)] == ["I grew up beside a river."]


@pytest.mark.parametrize(("heard_ms", "kept"), [(300, False), (1_200, True)])
def test_a_few_words_of_the_voice_are_the_guests_only_if_our_microphone_heard_enough_for_them(
    heard_ms: int, *, kept: bool
) -> None:
    """Nobody says these 15 characters within 300 ms: at most 25 are spoken in a second."""
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say("We have reached the bank at last. Who was there?", 4_000)
    bench.played(0)
    item = bench.starts()
    bench.wait(1_000)
    bench.mic(True)
    bench.wait(heard_ms)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.stops(item)
    bench.transcribed(item, "We have reached")
    assert ("We have reached" in [text for text, _ in guest_turns(bench)]) is kept


def test_an_echo_that_begins_before_the_goodbye_counts_is_no_turn_though_the_microphone_hears_something_later() -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I have to go now. Goodbye.")
    bench.wait(400)
    bench.created()
    bench.audio(2_000)
    bench.played(300)
    item = bench.starts()
    bench.words("I'm afraid our time is up. Thank you so much for your stories. Goodbye.")
    bench.done()
    bench.stops(item)
    bench.wait(300)
    bench.mic(True)
    bench.wait(300)
    bench.transcribed(item, "I'm afraid")
    assert bench.requests[-1] == "closing"
    assert [text for text, _ in guest_turns(bench)] == ["I have to go now. Goodbye."]


def test_a_guest_who_takes_up_the_voices_words_is_heard() -> None:
    bench = opened()
    bench.guest("How did I come to build bridges? By accident, as most of us did.")
    assert len(guest_turns(bench)) == 1


def test_a_silence_that_the_service_breaks_by_itself_is_no_turn() -> None:
    bench = opened()
    bench.frame("input_audio_buffer.timeout_triggered", item_id="idle", audio_start_ms=0, audio_end_ms=6_000)
    bench.frame("input_audio_buffer.committed", item_id="idle")
    bench.frame("conversation.item.input_audio_transcription.completed", item_id="idle", transcript="")
    bench.frame("response.created", response={"id": "resp_own", "metadata": None})
    assert asked(bench) == 1
    assert guest_turns(bench) == []
    assert bench.sent("response.cancel")[-1]["response_id"] == "resp_own"


def test_a_turn_whose_commit_is_lost_counts_all_the_same() -> None:
    bench = opened()
    item = bench.starts()
    bench.wait(2_000)
    bench.frame("input_audio_buffer.speech_stopped", item_id=item)
    bench.wait(3_500)
    assert len(bench.requests) == 2
    bench.transcribed(item, "I grew up beside a river.")
    assert guest_turns(bench) == [("I grew up beside a river.", "final")]


def test_a_turn_whose_end_is_lost_ends_when_our_own_microphone_has_long_heard_nothing() -> None:
    bench = opened()
    bench.mic(True)
    bench.starts()
    bench.wait(2_000)
    bench.mic(False)
    bench.wait(4_100)
    assert len(bench.requests) == 1
    bench.wait(500)
    assert len(bench.requests) == 2


def test_audio_too_short_for_its_transcript_delivers_nothing() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    # 55 characters in 1.2 s would be 46 a second; nobody speaks faster than 25.
    bench.reply(f"A river, then. {Q2}", 1_200)
    assert bench.status("q2") == "available"
    assert bench.endings() == [("q2", "not_played")]
    assert bench.status("q1") == "delivered"
    assert Q1 in bench.transcript()[0][1]


def test_a_guest_who_speaks_into_a_long_noise_is_heard() -> None:
    bench = opened()
    bench.mic(False)
    item = bench.starts()
    # So long after it began its end counts as lost; then the guest does speak, and the service goes on listening.
    bench.wait(5_000)
    bench.mic(True)
    bench.wait(600)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.stops(item)
    bench.transcribed(item, "")
    assert guest_turns(bench) == [("", "inaudible")]
    assert asked(bench) == 2


def test_speech_that_was_answered_as_inaudible_stays_a_turn_when_its_transcript_is_empty_at_last() -> None:
    bench = opened()
    bench.mic(False)
    item = bench.starts()
    bench.wait(2_000)
    bench.stops(item)
    bench.wait(10_000)
    assert guest_turns(bench) == [("", "inaudible")]
    bench.transcribed(item, "")
    # What the journal tells of the call is what the call knows of itself.
    assert guest_turns(bench) == [("", "inaudible")]
    assert [(turn["text"], turn["state"]) for turn in bench.records("turn") if turn["speaker"] == "guest"] == [
        ("", "inaudible")
    ]


@pytest.mark.parametrize(("length_ms", "turns"), [(250, []), (400, [("", "inaudible")])])
def test_a_moment_without_words_is_noise_though_our_microphone_hears_it(
    length_ms: int, turns: list[tuple[str, str]]
) -> None:
    bench = opened()
    bench.mic(False)
    hears(bench, "", length_ms, mic=True)
    assert asked(bench) == 1 + len(turns)
    assert guest_turns(bench) == turns


# -- services that tell little, late, or nonsense -------------------------------------------------------------------


@pytest.mark.parametrize("logprob", [10**400, float("nan"), "x", None, True])
def test_a_sureness_that_is_no_figure_takes_no_words_away(logprob: Any) -> None:
    bench = opened()
    hears(bench, "I grew up beside a river.", 3_000, logprobs=[{"token": "I", "logprob": logprob, "bytes": []}])
    assert guest_turns(bench) == [("I grew up beside a river.", "final")]


def test_words_of_nobody_knows_what_are_an_inaudible_turn_if_our_microphone_heard_somebody_for_long() -> None:
    bench = opened()
    bench.mic(False)
    tokens = [{"token": "zorgo", "logprob": -3.0, "bytes": []}] * 3
    hears(bench, "Zorgo blagen mifi.", 3_000, mic=True, logprobs=tokens)
    assert guest_turns(bench) == [("", "inaudible")]
    assert [record["text"] for record in bench.records("ignored")] == ["Zorgo blagen mifi."]


def test_words_of_an_item_that_nothing_else_was_told_of_are_a_turn_and_are_answered() -> None:
    bench = opened()
    bench.transcribed("never_told", "I grew up beside a river.")
    assert guest_turns(bench) == [("I grew up beside a river.", "final")]
    assert asked(bench) == 2


@pytest.mark.parametrize("lost", ["stop", "commit"])
def test_an_end_that_comes_late_lets_the_guest_speak_on(lost: str) -> None:
    bench = opened()
    bench.mic(False)
    bench.mic(True)
    first = bench.starts()
    bench.wait(2_000)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    late = "input_audio_buffer.speech_stopped" if lost == "stop" else "input_audio_buffer.committed"
    for kind in ("input_audio_buffer.speech_stopped", "input_audio_buffer.committed"):
        if kind != late:
            bench.frame(kind, item_id=first)
    bench.wait(100)
    bench.mic(True)
    second = bench.starts()
    bench.wait(300)
    asked_before = len(bench.requests)
    bench.frame(late, item_id=first)
    bench.transcribed(first, "We moved to the city then.")
    bench.wait(6_000)
    assert len(bench.requests) == asked_before
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.stops(second)
    bench.transcribed(second, "And I hated it.")
    assert asked(bench) == asked_before + 1
    assert guest_turns(bench) == [("We moved to the city then. And I hated it.", "final")]


@pytest.mark.parametrize("lost_ms", [2_000, 4_000])
@pytest.mark.parametrize("text", ["Like to grow up there by the water is a gift.", "By the water, what was it like?"])
def test_sound_that_was_lost_on_its_way_does_not_make_an_answer_an_echo(text: str, lost_ms: int) -> None:
    """The service counts the sound it gets: what comes after a gap seems to have been said earlier."""
    bench = opened()
    bench.mic(False)
    hears(bench, "I grew up beside a river.", 2_000, mic=True)
    bench.wait(400)
    bench.reply("What was it like to grow up there, by the water?", 4_000)
    bench.wait(1_500)
    bench.mic(True)
    start_ms = bench.now - PREFIX_MS - lost_ms
    bench.frame("input_audio_buffer.speech_started", item_id="answer", audio_start_ms=start_ms)
    bench.wait(4_000)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.frame("input_audio_buffer.speech_stopped", item_id="answer", audio_end_ms=bench.now - lost_ms)
    bench.frame("input_audio_buffer.committed", item_id="answer")
    bench.transcribed("answer", text)
    assert guest_turns(bench)[1:] == [(text, "final")]


def test_a_guest_who_says_of_themselves_what_the_voice_says_to_them_is_heard_whole() -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say("You grew up beside a river. What broke on your first bridge?", 5_000)
    bench.played(200)
    bench.mic(True)
    bench.frame("input_audio_buffer.speech_started", item_id="answer", audio_start_ms=bench.now - PREFIX_MS)
    bench.played(1_500, ended=True)
    bench.wait(3_000)
    bench.mic(False)
    bench.wait(SILENCE_MS)
    bench.stops("answer")
    text = "I grew up beside a river, as I told you, but my mother did not."
    bench.transcribed("answer", text)
    assert guest_turns(bench)[1:] == [(text, "final")]
