import base64
import json

import pytest

from interviewer.errors import FrameError
from interviewer.realtime.frames import parse, strip_audio

LIMIT = 1_000


def test_reads_text_and_bytes_alike() -> None:
    raw = '{"type": "session.created", "session": {"voice": "Zoë"}}'
    assert parse(raw, LIMIT) == parse(raw.encode(), LIMIT) == {"type": "session.created", "session": {"voice": "Zoë"}}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"type": "a"', "not JSON"),
        (b"", "not JSON"),
        (b'{"type": "a", "x": NaN}', "NaN"),
        (b'{"type": "a", "x": ' + b"9" * 5_000 + b"}", "not JSON"),
        (b"[" * 50_000, "not JSON"),
        (b'{"type": "\xff\xfe"}', "not UTF-8"),
        (b"[1, 2]", "not a JSON object but a list"),
        (b'{"event_id": "e1"}', '"type"'),
        (b'{"type": 7}', '"type"'),
    ],
)
def test_a_malformed_frame_is_a_typed_error(raw: bytes, says: str) -> None:
    with pytest.raises(FrameError, match=says):
        parse(raw, 100_000)


def test_the_limit_is_in_bytes_and_inclusive() -> None:
    raw = json.dumps({"type": "ä" * 10}, ensure_ascii=False)  # 12 characters around the ten, of two bytes each
    assert parse(raw, 32)["type"] == "ä" * 10
    for form in (raw, raw.encode()):
        with pytest.raises(FrameError, match="32 bytes; the limit is 31"):
            parse(form, 31)


def test_what_parse_returns_can_be_written_as_utf8() -> None:
    frame = parse(rb'{"type": "t", "delta": "half \ud83d", "whole": "\ud83d\ude00"}', LIMIT)
    assert frame == {"type": "t", "delta": "half \ufffd", "whole": "😀"}


@pytest.mark.parametrize(
    ("kind", "field"), [("response.output_audio.delta", "delta"), ("input_audio_buffer.append", "audio")]
)
def test_audio_gives_way_to_its_length_and_digest(kind: str, field: str) -> None:
    pcm = bytes(1_920)  # 960 samples at 24 kHz
    frame = {"type": kind, "event_id": "e1", field: base64.b64encode(pcm).decode()}
    before = dict(frame)
    bare, taken = strip_audio(frame, 24_000)
    # sha256 of 1920 zero bytes, by sha256sum
    assert bare == {"type": kind, "event_id": "e1", "audio_ms": 40, "digest": "155e437b946ac82a"}
    assert taken == pcm
    assert frame == before


def test_a_frame_without_audio_is_left_alone() -> None:
    frame = {"type": "response.output_audio_transcript.delta", "delta": "Hello"}
    assert strip_audio(frame, 24_000) == (frame, None)
    stripped = {"type": "input_audio_buffer.append", "audio_ms": 40, "digest": "0"}
    assert strip_audio(stripped, 24_000) == (stripped, None)


@pytest.mark.parametrize(("audio", "says"), [("§§", "base64"), ("AAA", "base64"), (None, "not text"), ("AA==", "half")])
def test_audio_that_cannot_be_decoded_is_a_typed_error(audio: object, says: str) -> None:
    with pytest.raises(FrameError, match=rf"output_audio\.delta: delta .*{says}"):
        strip_audio({"type": "response.output_audio.delta", "delta": audio}, 24_000)
