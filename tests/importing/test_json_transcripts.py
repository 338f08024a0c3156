"""JSON: interviews as lines, Podcasting 2.0, and what Whisper and its kin write."""

import json
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript, read_transcripts
from tests.importing.conftest import Written
from tests.importing.looks import said, timed


def interview(name: str, *turns: tuple[str, str, str]) -> dict[str, Any]:
    return {"id": name, "turns": [{"speaker": s, "role": r, "text": t} for s, r, t in turns]}


def lines(written: Written, *found: object) -> Path:
    return written("".join(f"{json.dumps(one)}\n" for one in found), "all.jsonl")


TURNS = (("Host", "", "Why bees?"), ("Bo", "", "I like the noise."))


def test_one_of_several_interviews_in_a_file(written: Written) -> None:
    path = lines(written, interview("one", *TURNS), interview("two", *TURNS, ("Host", "", "And the honey?")))
    assert (read_transcript(path).id, len(read_transcript(path, which="two").turns)) == ("one", 3)
    assert read_transcript(path, which="two").turns[2].lines == (2, 2)
    with pytest.raises(TranscriptError, match=r"all\.jsonl: it holds no interview 'three'; there are: one, two"):
        read_transcript(path, which="three")


def test_roles_say_who_asks_even_if_the_other_one_asks_more(written: Written) -> None:
    turns = (("X", "interviewer", "Go on."), ("Y", "interviewee", "Why? What for? Who says so?"))
    found = read_transcript(lines(written, interview("one", *turns)))
    assert (found.interviewers, found.guess.by, found.guess.certainty) == (("X",), "role", 1.0)


def test_turns_of_our_own_stay_apart(written: Written) -> None:
    turns = (("X", "interviewer", "So."), ("X", "interviewer", "Why?"), ("Y", "interviewee", "Well."))
    assert len(said(lines(written, interview("one", *turns)))) == 3


def test_a_bad_line_does_not_stop_the_others(written: Written) -> None:
    path = written(f'{{"id": "x"}}\n{json.dumps(interview("two", *TURNS))}\n{{"id": \n', "all.jsonl")
    found = read_transcripts([path])
    assert [one.id for one in found.good] == ["two"]
    assert [(error.path, error.line) for error in found.failures] == [(path, 1), (path, 3)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"id": "x"}\n', r"line 1: a transcript in JSON has turns, segments or transcription; there are: id"),
        ('{"id": "x", "turns": [{"speaker": "a"}]}\n', "line 1: .*a turn lacks one"),
        ("{not json\n", "line 1: no JSON"),
        ('{"segments": [\n{"startTime": 1}\n]}', "line 2: a segment has a text or body"),
        ('{"segments": [\n{"body": "x"},\n 7]}', "line 3: a segment is an object"),
        ('{"segments": [\n{"body": "x",}]}', "line 2: no JSON"),
        ("[" * 100_000, "line 1"),
        ('{"segments": 7}', "line 1"),
    ],
)
def test_another_shape_is_named_with_its_line(written: Written, text: str, says: str) -> None:
    with pytest.raises(TranscriptError, match=says):
        read_transcript(written(text, "x.json"))


def test_podcasting_segments_by_the_word(written: Written) -> None:
    words = [("Ann", 0.5, 0.75, "How"), ("Ann", 1, 1.25, "so?\n"), ("Luke", 2.75, 3.0, "Noo"), ("Luke", 3, None, "oo.")]
    segments = [
        {"speaker": who, "startTime": start, "body": body} | ({"endTime": end} if end else {})
        for who, start, end, body in words
    ]
    path = written(json.dumps({"version": "1.0.0", "segments": segments}, indent=1), "talk.json")
    assert said(path) == [("Ann", "How so?"), ("Luke", "Noo oo.")]
    # One word at 150 a minute takes 400 ms.
    assert timed(path) == [("Ann", 500, 1_250, "file"), ("Luke", 2_750, 3_400, "start")]
    assert read_transcript(path).turns[1].lines == (16, 26)


def test_whisper_has_no_speakers(written: Written) -> None:
    segments = [
        {"id": 0, "seek": 0, "start": 0.0, "end": 1.5, "text": " How?", "tokens": [50364], "no_speech_prob": 0.1},
        {"id": 1, "seek": 0, "start": 1.5, "end": 3.25, "text": " By accident.", "tokens": []},
    ]
    for value in ({"text": " How? By accident.", "segments": segments, "language": "en"}, segments):
        path = written(json.dumps(value), "whisper.json")
        assert timed(path) == [("Unknown speaker", 0, 3_250, "file")]
        assert said(path)[0][1] == "How? By accident."


def test_whisperx_tells_speakers_by_the_word(written: Written) -> None:
    words: list[dict[str, Any]] = [
        {"word": "How", "start": 0.5, "end": 0.6, "score": 0.9, "speaker": "SPEAKER_00"},
        {"word": "so?"},
        {"word": "By", "start": 1.2, "end": 1.4, "speaker": "SPEAKER_01"},
        {"word": "2", "speaker": "SPEAKER_01"},
        {"word": "accidents.", "start": 1.5, "end": 2.0, "speaker": "SPEAKER_01"},
    ]
    segments = [
        {"start": 0.5, "end": 2.0, "text": " How so? By 2 accidents.", "words": words, "speaker": "SPEAKER_00"},
        {"start": 2.5, "end": 3.0, "text": " I see?", "speaker": "SPEAKER_00", "words": []},
    ]
    path = written(json.dumps({"segments": segments, "word_segments": words}), "x.json")
    assert said(path) == [("SPEAKER_00", "How so?"), ("SPEAKER_01", "By 2 accidents."), ("SPEAKER_00", "I see?")]
    assert timed(path)[:2] == [("SPEAKER_00", 500, 600, "file"), ("SPEAKER_01", 1_200, 2_000, "file")]


def test_whisper_cpp_counts_in_ms_and_names_may_stand_in_the_text(written: Written) -> None:
    told = [(0, 2_500, " Anna: Why?"), (2_500, 4_000, " Bo: So."), (4_000, 5_000, " It grew.")]
    value = {"transcription": [{"offsets": {"from": a, "to": b}, "text": text} for a, b, text in told]}
    path = written(json.dumps(value), "x.json")
    assert said(path) == [("Anna", "Why?"), ("Bo", "So. It grew.")]
    assert timed(path)[1] == ("Bo", 2_500, 5_000, "file")


@pytest.mark.parametrize("time", [-1, "soon", 1e300, True, [3], {}])
def test_a_time_that_is_none_is_told_and_derived(written: Written, time: object) -> None:
    value = {
        "segments": [{"speaker": "A", "start": time, "end": 2, "text": "one two three"}, {"text": "x", "speaker": "B"}]
    }
    found = read_transcript(written(json.dumps(value), "x.json"))
    assert "no point in time" in found.problems[0].text
    assert (found.turns[0].started_ms, found.turns[0].times) == (0, "words")


def test_half_characters_do_not_survive(written: Written) -> None:
    found = read_transcript(lines(written, interview("one", ("Host", "", "Why \ud800bees?"), ("Bo", "", "So."))))
    assert found.turns[0].text.encode("utf-8") == b"Why ?bees?"


def test_half_characters_and_nul_stand_neither_in_names_nor_in_words(written: Written) -> None:
    text = r'[{"speaker": "An\ud800na", "text": "Why\u0000?"}, {"speaker": "Bo", "text": "So it was."}]'
    first = read_transcript(written(text, "talk.json")).turns[0]
    assert (first.speaker, first.text) == ("An?na", "Why?")
