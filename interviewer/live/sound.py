"""The two ends of a call's sound, opened and released together, and what is kept of it."""

from collections.abc import Callable
from typing import Final

from interviewer.audio.ports import MicrophoneSource, OnProblem, Reporter, SpeakerSink
from interviewer.audio.recording import Recording
from interviewer.errors import AudioError
from interviewer.live.gate import Gate
from interviewer.live.loudspeaker import Loudspeaker
from interviewer.settings import VoiceSettings

_SETTLED_MS: Final = 500  # a turn that ends by silence has surely ended by now


class Sound:
    """The guest's way in, `gate`, and the interviewer's way out, `loudspeaker`."""

    def __init__(
        self,
        microphone: MicrophoneSource,
        speaker: SpeakerSink,
        *,
        voice: VoiceSettings,
        half_duplex: bool,
        recording: Recording | None,
        send: Callable[[bytes], None],
        on_edge: Callable[[bool], None],
        on_played: Callable[[str, int, bool], None],
        on_problem: OnProblem,
    ) -> None:
        """`half_duplex`: while the voice is being played the service hears silence."""
        self._recording = recording
        for end in (microphone, speaker):
            if isinstance(end, Reporter):
                end.report_to(on_problem)
        self.loudspeaker = Loudspeaker(recording.speaker(speaker) if recording else speaker, on_played)
        self.gate = Gate(
            microphone,
            threshold=voice.vad_threshold,
            settled_ms=voice.silence_ms + _SETTLED_MS,
            piece_ms=voice.quiet_frame_ms,
            send=send,
            on_edge=on_edge,
            voice_is_out=lambda: half_duplex and self.loudspeaker.playing,
            keep=recording.guest if recording else None,
        )

    def start(self, now: Callable[[], int]) -> None:
        """Open all; `now` gives the call's time in ms. Raises AudioError if there is no microphone or loudspeaker."""
        self.loudspeaker.start()
        self.gate.start()
        if self._recording:
            self._recording.start(now)

    def release(self) -> list[AudioError]:
        """Let go of all; what went wrong in doing so. A second time does no harm."""
        wrong = []
        for close in (self.gate.stop, self.loudspeaker.close):
            try:
                close()
            except AudioError as error:
                wrong.append(error)
        if self._recording:
            self._recording.close()
        return wrong
