"""The shape of the service's frames, as far as the core relies on it: checked before anything is done with one."""

from collections.abc import Mapping
from typing import Any

_TEXTS = ("response_id", "item_id", "delta", "transcript", "text")


def misshapen(frame: Mapping[str, Any]) -> str:
    """The first field of a frame that has the wrong type; empty if none has. A field may be missing."""
    for name in _TEXTS:
        if name in frame and type(frame[name]) is not str:
            return name
    if type(frame.get("audio_ms", 0)) is not int:
        return "audio_ms"
    if "response" in frame:
        response = frame["response"]
        if not isinstance(response, Mapping):
            return "response"
        if not isinstance(response.get("id"), str):
            return "response.id"
        if not isinstance(response.get("metadata"), Mapping | None):
            return "response.metadata"
    return ""
