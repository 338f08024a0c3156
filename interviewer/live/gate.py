"""The guest's voice on its way in: straight to the service, past the core, which learns only where speech begins."""

from collections.abc import Callable
from typing import Final

from interviewer.audio.pcm import bytes_to_ms
from interviewer.audio.ports import MicrophoneSource
from interviewer.audio.vad import VoiceActivity

_ECHO_MS: Final = 200  # what a room still sends back after the last sound


class Gate:
    """Sends microphone frames while `on` and `ready`, and reports edges of speech in what it sends.

    The first frame is reported as the end of speech: from then on it is known that nobody speaks until somebody does.

    `on`: the guest may be heard. `ready`: the session has our settings; audio before that would be judged by the
    service's own. `voice_is_out` is the half-duplex guard: while it says so, and 200 ms longer, silence is sent in
    place of what the microphone hears. `keep` is given every frame as the service hears it, silence while it does not.

    Once it has been quiet for `settled_ms`, so that no turn can end later by it, frames are put together to pieces of
    `piece_ms`: most of what a frame costs is the waking of who sends it. The first sound goes at once, with all before.
    """

    def __init__(
        self,
        source: MicrophoneSource,
        *,
        threshold: float,
        send: Callable[[bytes], None],
        on_edge: Callable[[bool], None],
        voice_is_out: Callable[[], bool] = lambda: False,
        keep: Callable[[bytes], None] | None = None,
        settled_ms: int = 0,
        piece_ms: int = 0,
    ) -> None:
        self._source = source
        self._activity = VoiceActivity(threshold)
        self._send = send
        self._on_edge = on_edge
        self._voice_is_out = voice_is_out
        self._keep = keep
        self._settled_ms = settled_ms
        self._piece_ms = piece_ms
        self._quiet_ms = 0
        self._unsent = b""
        self._echo_ms = 0
        self._started = self._known = False
        self.on = False
        self.ready = False

    def start(self) -> None:
        """Open the microphone. Raises AudioError as it does."""
        self._source.start(self._frame)
        self._started = True

    def stop(self) -> None:
        """Release the microphone. Stopping twice does no harm."""
        if self._started:
            self._started = False
            self._source.stop()

    def _frame(self, pcm: bytes) -> None:
        if not self._known:
            self._known = True
            self._on_edge(False)
        listening = self.on and self.ready
        frame_ms = bytes_to_ms(len(pcm))
        guarded = self._guarded(frame_ms)
        # A shut microphone is silence here too, so that speech that was cut off has an end.
        heard = pcm if listening and not guarded else bytes(len(pcm))
        if self._keep:
            self._keep(heard)
        for edge in self._activity.feed(heard):
            self._on_edge(edge.on)
        if listening:
            self._pass_on(heard, frame_ms)
        else:
            self._unsent = b""

    def _pass_on(self, pcm: bytes, frame_ms: int) -> None:
        self._quiet_ms = self._quiet_ms + frame_ms if self._activity.quiet else 0
        if self._unsent:
            pcm, self._unsent = self._unsent + pcm, b""
        if self._quiet_ms > self._settled_ms and bytes_to_ms(len(pcm)) < self._piece_ms:
            self._unsent = pcm
        else:
            self._send(pcm)

    def _guarded(self, frame_ms: int) -> bool:
        if self._voice_is_out():
            self._echo_ms = _ECHO_MS
            return True
        guarded = self._echo_ms > 0
        self._echo_ms -= frame_ms if guarded else 0
        return guarded
