"""Frames as plain dictionaries: read once from the wire, audio taken out."""

import base64
import binascii
import hashlib
import json
from typing import Any, Final, NoReturn

from interviewer.errors import FrameError

Fields = dict[str, Any]
"""A frame as the JSON object it is."""

AUDIO_FIELD: Final = {"response.output_audio.delta": "delta", "input_audio_buffer.append": "audio"}
"""Types of frame that carry audio, and the field that holds it as base64."""

_SAMPLE_BYTES: Final = 2


def parse(raw: bytes | str, limit: int) -> Fields:
    """The object that `raw` holds; half of a surrogate pair in it becomes U+FFFD.

    Raises FrameError if it is longer than `limit` bytes, not UTF-8, not JSON, not an object, or has no text "type".
    """
    size = len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise FrameError(f"frame of {size} bytes; the limit is {limit} (setting voice.max_frame_bytes)")
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        frame = _DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            frame = _whole(frame)
    # A number of thousands of digits is a ValueError, thousands of brackets a RecursionError.
    except (ValueError, RecursionError) as error:
        raise FrameError(f"frame is not JSON: {_brief(error)}") from None
    if not isinstance(frame, dict):
        raise FrameError(f"frame is not a JSON object but a {type(frame).__name__}")
    if not isinstance(frame.get("type"), str):
        raise FrameError('frame has no "type", or one that is not text')
    return frame


def strip_audio(frame: Fields, rate: int) -> tuple[Fields, bytes | None]:
    """The frame without its audio, and the audio: 16-bit mono PCM at `rate` Hz.

    In a frame that carries audio, its field gives way to `audio_ms` (whole milliseconds, rounded down) and `digest`
    (16 hex digits of SHA-256). Any other frame comes back as it is, with None.
    Raises FrameError if the audio is not base64 or not whole samples.
    """
    field = AUDIO_FIELD.get(frame["type"])
    if field is None or field not in frame:
        return frame, None
    pcm = _decoded(frame[field], f"{frame['type']}: {field}")
    bare = {name: value for name, value in frame.items() if name != field}
    bare["audio_ms"] = len(pcm) * 1_000 // (rate * _SAMPLE_BYTES)
    bare["digest"] = hashlib.sha256(pcm).hexdigest()[:16]
    return bare, pcm


def _decoded(value: Any, where: str) -> bytes:
    if not isinstance(value, str):
        raise FrameError(f"{where} is not text")
    try:
        pcm = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FrameError(f"{where} is not base64: {error}") from None
    if len(pcm) % _SAMPLE_BYTES:
        raise FrameError(f"{where} holds half a sample: {len(pcm)} bytes")
    return pcm


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _whole(value: Any) -> Any:
    """`value` with text that can be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _brief(error: Exception) -> str:
    # UnicodeDecodeError would show the bytes, which are somebody's words.
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
