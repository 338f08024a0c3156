"""From the exceptions of the socket and of the SDK to what a user can act on."""

from typing import Final
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus

from interviewer.errors import ConnectionFailed, FrameError, MissingKey, RealtimeError
from interviewer.realtime.events import Closed, End, Failed

_TOO_BIG: Final = 1009
_INTERNAL: Final = 1011
_SHOWN: Final = 200  # characters of what the service said


class Explainer:
    """Words errors for one address. The key is in none of them, whoever put it there."""

    def __init__(self, url: str, key: str) -> None:
        self._where = _origin(url)
        self._key = key

    def refused(self, error: Exception, timeout_s: float) -> RealtimeError:
        """Why the connection could not be made."""
        match error:
            case RealtimeError():
                return error
            case InvalidStatus():
                return self._status(error.response.status_code, bytes(error.response.body or b""))
            case TimeoutError():
                return self._failed(f"did not answer within {timeout_s:g} s (setting wait.connect_ms)")
            case OSError():
                return self._failed(f"cannot be reached: {error.strerror or error}")
            case _:
                return self._failed(f"cannot be used: {type(error).__name__}: {error}")

    def ended(self, error: ConnectionClosed, *, by_us: bool) -> End:
        """How an open connection ended. `by_us`: we had asked to close it."""
        received, sent = error.rcvd, error.sent
        if received is not None and (by_us or error.rcvd_then_sent or sent is None):
            return Closed(received.code, self._scrubbed(received.reason), by_us)
        if by_us:
            return Closed(None, "", True)
        if sent is None:
            return Failed(self._failed("dropped the connection without closing it"))
        if sent.code == _TOO_BIG:
            return Failed(FrameError(f"{self._where} sent a frame far beyond the limit ({sent.reason})"))
        if sent.code == _INTERNAL:
            return Failed(self._failed(f"is no longer there: {sent.reason}"))
        return Failed(self._failed(f"broke the protocol: {sent.reason or sent.code}"))

    def stalled(self, timeout_s: float) -> RealtimeError:
        """The service has not taken what we send."""
        return self._failed(f"has taken nothing for {timeout_s:g} s")

    def _status(self, status: int, body: bytes) -> RealtimeError:
        said = " ".join(body.decode("utf-8", "replace").split())[:_SHOWN]
        text = f"HTTP {status}" + (f": {said}" if said else "")
        if status == 401:
            return MissingKey(
                self._scrubbed(f"{self._where} did not accept the API key ({text}); check OPENAI_API_KEY")
            )
        # Too many requests and troubles of the server pass; any other refusal stays.
        return self._failed(f"refused the connection ({text})", retryable=status == 429 or status >= 500)

    def _failed(self, what: str, *, retryable: bool = True) -> ConnectionFailed:
        error = ConnectionFailed(self._scrubbed(f"{self._where} {what}"))
        error.retryable = retryable
        return error

    def _scrubbed(self, text: str) -> str:
        return text.replace(self._key, "***")


def _origin(url: str) -> str:
    """Scheme and host: an address may hold a password or token elsewhere."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "the address in setting voice.url"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
