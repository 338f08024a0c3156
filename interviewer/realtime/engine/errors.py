"""The service's refusals: real codes and messages, as the real service words them."""

from typing import Any


class Refused(Exception):
    """A client event the service refuses; it becomes an `error` frame and changes nothing."""

    def __init__(self, code: str | None, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.param = param

    def frame(self, client_event_id: str | None) -> dict[str, Any]:
        """The `error` frame, naming the client event that caused it."""
        error = {"type": "invalid_request_error", "code": self.code, "message": self.message, "param": self.param}
        return {"type": "error", "error": {**error, "event_id": client_event_id}}


_NAMES = (
    (bool, "a boolean"),
    (str, "a string"),
    (int, "an integer"),
    (float, "a decimal"),
    (dict, "an object"),
    (list, "an array"),
    (type(None), "null"),
)


def _named(value: object) -> str:
    return next((name for kind, name in _NAMES if isinstance(value, kind)), "something else")


def missing(param: str) -> Refused:
    """A required parameter is not there."""
    return Refused("missing_required_parameter", f"Missing required parameter: '{param}'.", param)


def unknown(param: str) -> Refused:
    """A parameter the service does not know."""
    return Refused("unknown_parameter", f"Unknown parameter: '{param}'.", param)


def wrong_type(param: str, expected: str, value: object) -> Refused:
    """A value of another JSON type; `expected` carries its article."""
    text = f"Invalid type for '{param}': expected {expected}, but got {_named(value)} instead."
    return Refused("invalid_type", text, param)


def not_one_of(param: str, value: object, allowed: tuple[str, ...]) -> Refused:
    """A string outside its list."""
    supported = ", ".join(f"'{name}'" for name in allowed)
    return Refused("invalid_value", f"Invalid value: '{value}'. Supported values are: {supported}.", param)


def outside(param: str, value: float, low: float, high: float) -> Refused:
    """A number out of its bounds."""
    kind = "integer" if isinstance(value, int) else "decimal"
    side, word, sign, bound = ("below_min", "below minimum", ">=", low)
    if value > high:
        side, word, sign, bound = ("above_max", "above maximum", "<=", high)
    text = f"Invalid '{param}': {kind} {word} value. Expected a value {sign} {bound}, but got {value} instead."
    return Refused(f"{kind}_{side}_value", text, param)


def too_long(param: str, value: str, limit: int) -> Refused:
    """A string over its length."""
    text = (
        f"Invalid '{param}': string too long. Expected a string with maximum length {limit}, "
        f"but got a string with length {len(value)} instead."
    )
    return Refused("string_above_max_length", text, param)


def no_such_item(verb: str, gerund: str, item_id: str) -> Refused:
    """An item to retrieve, delete or truncate that is not in the conversation."""
    text = f"Error {gerund} item: the item with id '{item_id}' does not exist."
    return Refused(f"item_{verb}_invalid_item_id", text)


def already_active(response_id: str) -> Refused:
    """A second response for the conversation."""
    text = (
        f"Conversation already has an active response in progress: {response_id}. "
        "Wait until the response is finished before creating a new one."
    )
    return Refused("conversation_already_has_active_response", text)


def nothing_to_cancel() -> Refused:
    """A cancel when no response is active, or not the one named."""
    return Refused("response_cancel_not_active", "Cancellation failed: no active response found")


def buffer_too_small(buffered_ms: int) -> Refused:
    """A commit of less than 100 ms."""
    text = (
        "Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, "
        f"but buffer only has {buffered_ms:.2f}ms of audio."
    )
    return Refused("input_audio_buffer_commit_empty", text)


def voice_is_fixed() -> Refused:
    """Another voice after the first audio."""
    return Refused("cannot_update_voice", "Cannot update a conversation's voice if assistant audio is present.")


def audio_is_shorter(audio_ms: int, wanted_ms: int) -> Refused:
    """A truncation past the end of the audio."""
    return Refused("invalid_value", f"Audio content of {audio_ms}ms is already shorter than {wanted_ms}ms")


def not_model_audio() -> Refused:
    """A truncation of anything but the model's own audio."""
    return Refused("unsupported_content_type", "Only model output audio messages can be truncated")


def not_json() -> Refused:
    """A message that is no JSON object."""
    return Refused("invalid_json", "Invalid event: failed to parse JSON value.")


def not_text() -> Refused:
    """A binary message."""
    return Refused("invalid_event", "Expected a text WebSocket message; binary frames are not supported.")


def not_audio() -> Refused:
    """Audio that is not base64 of whole samples."""
    text = "Invalid 'audio'. Expected base64-encoded audio bytes (mono PCM16 at 24kHz)."
    return Refused("invalid_value", text, "audio")


def missing_model() -> Refused:
    """A connection that names no model; the service closes it."""
    text = "You must provide a model parameter, for example wss://api.openai.com/v1/realtime?model=gpt-realtime-1.5"
    return Refused("missing_model", text)


def beta_shape() -> Refused:
    """A connection in the shape of the beta; the service closes it."""
    text = "The Realtime Beta API is no longer supported. Please use /v1/realtime for the GA API."
    return Refused("beta_api_shape_disabled", text)
