"""What a microphone and a loudspeaker are to the rest of the program, be they devices, files or a browser.

Callbacks come from any thread, often one that must not wait: they should hand over what they got and return. A callback
may call a sink's `play`, `end` and `stop`, but must not stop the source or close the sink. Methods may be called from
any thread.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

OnFrame = Callable[[bytes], None]
"""Called with each microphone frame: PCM, 24 kHz 16-bit mono, equally long, in order."""

OnPlayed = Callable[[str, int, bool], None]
"""Called with (response_id, played_ms, ended): `played_ms` never falls; `ended` comes once and last."""

OnProblem = Callable[[str], None]
"""Called with what is wrong, in a sentence, and with "" once it is right again; from any thread, must not wait."""


class MicrophoneSource(Protocol):
    """Where the guest's voice comes from."""

    def start(self, on_frame: OnFrame) -> None:
        """Begin to call `on_frame`, in real time. Raises AudioError if there is no such device or file."""

    def stop(self) -> None:
        """End; no frame comes after this returns."""


class SpeakerSink(Protocol):
    """Where the interviewer's voice goes. It alone knows what was heard.

    Responses are played one after another, in the order of their first audio.
    """

    def start(self, on_played: OnPlayed) -> None:
        """Open. Raises AudioError if there is no such device."""

    def play(self, response_id: str, pcm: bytes) -> None:
        """Append audio (24 kHz 16-bit mono) to a response. Ignored once it has ended or was stopped."""

    def end(self, response_id: str) -> None:
        """No more audio comes for this response: it ends when all of it was played."""

    def stop(self, response_id: str) -> None:
        """Fall silent at once and report what was heard, `ended`. Nothing happens if it has already ended."""

    def close(self) -> None:
        """Release the device. What is still unplayed is dropped without a report."""


@runtime_checkable
class Reporter(Protocol):
    """A microphone or loudspeaker that notices when something keeps it from working in the middle of a call."""

    def report_to(self, on_problem: OnProblem) -> None:
        """Tell `on_problem` from now on, in place of whoever was told before."""
