"""The session object: its defaults as recorded from the real service, what an update may hold, how it merges."""

import copy
from collections.abc import Mapping
from typing import Any

from interviewer.realtime.engine import errors
from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.schema import (
    anything,
    choice,
    either,
    flag,
    many,
    number,
    record,
    short_text,
    text,
    variant,
    whole,
)

LIFETIME_S = 3600

DEFAULT_INSTRUCTIONS = "You are a helpful assistant who speaks with the user. Keep your answers short and friendly."

_VAD = {"create_response": True, "interrupt_response": True}
_DEFAULTS: dict[str, dict[str, dict[str, Any]]] = {
    "turn_detection": {
        "server_vad": {
            "type": "server_vad",
            "threshold": 0.5,
            "prefix_padding_ms": 300,
            "silence_duration_ms": 200,
            "idle_timeout_ms": None,
            **_VAD,
        },
        "semantic_vad": {"type": "semantic_vad", "eagerness": "auto", **_VAD},
    },
    "format": {
        "audio/pcm": {"type": "audio/pcm", "rate": 24000},
        "audio/pcmu": {"type": "audio/pcmu"},
        "audio/pcma": {"type": "audio/pcma"},
    },
    "transcription": {"": {"model": None, "language": None, "prompt": None}},
}
# Fields that null clears; null anywhere else leaves the field as it is.
_CLEARED_BY_NULL = {"turn_detection", "transcription", "noise_reduction", "tracing", "prompt", "include", "reasoning"}

_MAX_MS = 3_600_000
_FORMAT = variant(
    "type",
    {
        "audio/pcm": record({"type": text, "rate": whole(24000, 24000)}),
        "audio/pcmu": record({"type": text}),
        "audio/pcma": record({"type": text}),
    },
)
_SWITCHES = {"type": text, "create_response": flag, "interrupt_response": flag}
_SERVER_VAD = record(
    {
        **_SWITCHES,
        "threshold": number(0, 1),
        "prefix_padding_ms": whole(0, _MAX_MS),
        "silence_duration_ms": whole(0, _MAX_MS),
        "idle_timeout_ms": whole(5_000, 30_000),
    }
)
_SEMANTIC_VAD = record({**_SWITCHES, "eagerness": choice("low", "medium", "high", "auto")})
_TRANSCRIPTION = record(
    {
        "model": text,
        "language": text,
        "prompt": text,
        "delay": choice("minimal", "low", "medium", "high", "xhigh"),
        "keywords": many(text),
        "languages": many(text),
    }
)
_INPUT = record(
    {
        "format": _FORMAT,
        "noise_reduction": record({"type": choice("near_field", "far_field"), "strength": number(0, 1)}),
        "transcription": _TRANSCRIPTION,
        "turn_detection": variant("type", {"server_vad": _SERVER_VAD, "semantic_vad": _SEMANTIC_VAD}),
    }
)
_OUTPUT = record({"format": _FORMAT, "voice": text, "speed": number(0.25, 1.5)})


def _modalities(value: Any, at: str) -> None:
    many(choice("text", "audio"))(value, at)
    if len(value) != 1:
        problem = f"Invalid modalities: {value}. Supported combinations are: ['text'] and ['audio']."
        raise errors.Refused("invalid_value", problem, at)


def _tokens(value: Any, at: str) -> None:
    if value != "inf":
        whole(1, 4096)(value, at)


def _texts(value: Any, at: str) -> None:
    record({}, extra=True)(value, at)
    for name, held in value.items():
        text(held, f"{at}.{name}")


def _metadata(value: Any, at: str) -> None:
    _texts(value, at)
    if len(value) > 16:
        problem = f"Invalid '{at}': too many properties. Expected an object with at most 16 properties."
        raise errors.Refused("object_above_max_properties", problem, at)
    for name, held in value.items():
        short_text(64)(name, at)
        short_text(512)(held, f"{at}.{name}")


_NAMED = record({"type": text, "name": text}, ("name",))
_SERVED = record({"type": text, "server_label": text, "name": text}, ("server_label",))
_TOOL = variant(
    "type",
    {
        "function": record({"type": text, "name": text, "description": text, "parameters": anything}, ("name",)),
        "mcp": record({"server_label": text, "server_url": text}, ("server_label", "server_url"), extra=True),
    },
)
_RETENTION = record(
    {
        "type": text,
        "retention_ratio": number(0, 1),
        "token_limits": record({"post_instructions": whole(0, 2**31)}),
    },
    ("retention_ratio",),
)
_SHARED = {
    "instructions": text,
    "output_modalities": _modalities,
    "max_output_tokens": _tokens,
    "tools": many(_TOOL),
    "tool_choice": either(choice("none", "auto", "required"), variant("type", {"function": _NAMED, "mcp": _SERVED})),
    "parallel_tool_calls": flag,
    "reasoning": record({"effort": choice("minimal", "low", "medium", "high", "xhigh")}),
    "prompt": record({"id": text, "version": text, "variables": _texts}, ("id",)),
}
_SESSION = record(
    {
        **_SHARED,
        "type": choice("realtime"),
        "object": text,
        "id": text,
        "expires_at": whole(0, 2**53),
        "model": text,
        "audio": record({"input": _INPUT, "output": _OUTPUT}),
        "tracing": either(choice("auto"), record({"workflow_name": text, "group_id": text, "metadata": anything})),
        "truncation": either(choice("auto", "disabled"), variant("type", {"retention_ratio": _RETENTION})),
        "include": many(choice("item.input_audio_transcription.logprobs")),
    },
    ("type",),
)
_ITEM = record({"type": text}, ("type",), extra=True)
RESPONSE = record(
    {
        **_SHARED,
        "audio": record({"output": record({"format": _FORMAT, "voice": text})}),
        "conversation": text,
        "input": many(_ITEM),
        "metadata": _metadata,
    }
)


def _defaults(model: str) -> dict[str, Any]:
    pcm = _DEFAULTS["format"]["audio/pcm"]
    return {
        "type": "realtime",
        "object": "realtime.session",
        "id": "",
        "model": model,
        "output_modalities": ["audio"],
        "instructions": DEFAULT_INSTRUCTIONS,
        "tools": [],
        "tool_choice": "auto",
        "max_output_tokens": "inf",
        "tracing": None,
        "truncation": "auto",
        "prompt": None,
        "expires_at": 0,
        "audio": {
            "input": {
                "format": pcm,
                "transcription": None,
                "noise_reduction": None,
                "turn_detection": _DEFAULTS["turn_detection"]["server_vad"],
            },
            "output": {"format": pcm, "voice": "alloy", "speed": 1.0},
        },
        "include": None,
    }


def _merged(current: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(current)
    for name, value in patch.items():
        if value is None:
            if name in _CLEARED_BY_NULL:
                result[name] = None
        elif isinstance(value, Mapping):
            result[name] = _merged(_base(name, current.get(name), value), value)
        else:
            result[name] = copy.deepcopy(value)
    return result


def _base(name: str, current: Any, value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an object is merged into: what is there, or the defaults of its kind when the kind changes."""
    kind = value.get("type", "")
    if isinstance(current, Mapping) and current.get("type", kind) in (kind, None):
        return current
    return _DEFAULTS.get(name, {}).get(kind, {})


class Session:
    """The effective session. `audio_began` is set by whoever emits the model's first audio: it fixes the voice."""

    def __init__(self, core: Core, *, model: str, started_unix_s: int) -> None:
        self._core = core
        self._held = copy.deepcopy(_defaults(model))
        self._held["id"] = core.mint("sess")
        self._started_unix_s = started_unix_s
        self.lives(LIFETIME_S)
        self.audio_began = False

    def lives(self, seconds: int) -> None:
        """So long, from its start on, the session lasts."""
        self.lifetime_s = seconds
        self._held["expires_at"] = self._started_unix_s + seconds

    def wire(self) -> dict[str, Any]:
        """The whole session as `session.created` and `session.updated` carry it."""
        return copy.deepcopy(self._held)

    def update(self, patch: Any) -> None:
        """Check and merge the `session` of a `session.update`; raises Refused and then nothing has changed."""
        if isinstance(patch, Mapping) and patch.get("type") == "transcription":
            problem = "Passing a transcription session update event to a realtime session is not allowed."
            raise errors.Refused("invalid_parameter", problem, "session.type")
        _SESSION(patch, "session")
        changed = _merged(self._held, {k: v for k, v in patch.items() if k not in ("id", "object", "expires_at")})
        self._check_fixed(changed)
        # As recorded: empty instructions bring the service's own back.
        changed["instructions"] = changed["instructions"] or DEFAULT_INSTRUCTIONS
        self._held = changed

    def _check_fixed(self, changed: Mapping[str, Any]) -> None:
        self.check_voice(changed["audio"]["output"]["voice"])
        if self.audio_began and changed["model"] != self.model:
            problem = "Cannot update a conversation's model if assistant audio is present."
            raise errors.Refused("invalid_value", problem, "session.model")

    def check_voice(self, voice: str) -> None:
        """Raises Refused for another voice once the model has spoken."""
        if self.audio_began and voice != self.output["voice"]:
            raise errors.voice_is_fixed()

    def setting(self, name: str) -> Any:
        """A top-level field such as `instructions`."""
        return self._held[name]

    @property
    def model(self) -> str:
        """Name of the speaking model."""
        return str(self._held["model"])

    @property
    def output(self) -> Mapping[str, Any]:
        """`audio.output`: format, voice, speed."""
        found: Mapping[str, Any] = self._held["audio"]["output"]
        return found

    @property
    def turn_detection(self) -> Mapping[str, Any] | None:
        """`audio.input.turn_detection`; None: the client commits."""
        found: Mapping[str, Any] | None = self._held["audio"]["input"]["turn_detection"]
        return found

    @property
    def transcription(self) -> Mapping[str, Any] | None:
        """`audio.input.transcription`; None: nobody writes down the guest."""
        found: Mapping[str, Any] | None = self._held["audio"]["input"]["transcription"]
        return found
