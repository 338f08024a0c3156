"""What a connection reports, in this order: `Opened`, any number of frames, and one end. Or only an end."""

from dataclasses import dataclass

from interviewer.errors import FrameError, RealtimeError
from interviewer.realtime.frames import Fields


@dataclass(frozen=True, slots=True)
class Opened:
    """The service accepted the connection; nothing was exchanged yet."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of the service, without its audio, and the audio: 16-bit mono PCM."""

    frame: Fields
    pcm: bytes | None


@dataclass(frozen=True, slots=True)
class BadFrame:
    """A frame that cannot be used; the connection goes on."""

    error: FrameError


@dataclass(frozen=True, slots=True)
class Closed:
    """An orderly end: `code` and `reason` are the service's (1005: it gave none; None: it sent no close frame)."""

    code: int | None
    reason: str
    by_us: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """The connection could not be made, or broke. `error.retryable` says whether dialling again may help."""

    error: RealtimeError


End = Closed | Failed
Event = Opened | Frame | BadFrame | End
