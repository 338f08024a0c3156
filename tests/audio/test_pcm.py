import pytest

from interviewer.audio import pcm
from interviewer.errors import AudioError


def test_a_frame_of_40_ms_has_1920_bytes() -> None:
    assert pcm.ms_to_bytes(40) == len(pcm.silence(40)) == 1_920
    assert pcm.bytes_to_ms(1_920) == 40
    assert pcm.bytes_to_ms(1_919) == 39
    assert pcm.ms_to_bytes(1, rate=11_025) == 22  # 11 whole samples


def test_base64_round_trip_and_its_error() -> None:
    assert pcm.to_base64(b"\x00\x01\x02") == "AAEC"
    assert pcm.from_base64("AAEC") == b"\x00\x01\x02"
    for text in ("AAE", "§", "AA EC"):
        with pytest.raises(AudioError, match="base64"):
            pcm.from_base64(text)


def test_digest_is_the_head_of_sha256() -> None:
    assert pcm.digest(b"abc") == "ba7816bf8f01cfea"  # FIPS 180-2, example B.1


def test_samples_are_little_endian_and_whole() -> None:
    assert pcm.samples(b"\x01\x00\xff\xff\x07").tolist() == [1, -1]
    assert pcm.to_bytes(pcm.samples(b"\x01\x00\xff\xff")) == b"\x01\x00\xff\xff"
