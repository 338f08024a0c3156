"""A loudspeaker that is listened to on the way, for whoever wants to know what it is given and what it has played."""

from interviewer.audio.ports import OnPlayed, OnProblem, Reporter, SpeakerSink


class Overheard:
    """Passes everything on to another `SpeakerSink`. Override `given` and `played` to hear of it."""

    def __init__(self, sink: SpeakerSink) -> None:
        self._sink = sink
        self._on_played: OnPlayed

    def given(self, response_id: str, pcm: bytes) -> None:
        """Called before audio of a response is passed on."""

    def played(self, response_id: str, played_ms: int, ended: bool) -> None:
        """Called before a report is passed on."""

    def report_to(self, on_problem: OnProblem) -> None:
        """See `Reporter.report_to`; of one that notices nothing nothing comes."""
        if isinstance(self._sink, Reporter):
            self._sink.report_to(on_problem)

    def start(self, on_played: OnPlayed) -> None:
        """See `SpeakerSink.start`."""
        self._on_played = on_played
        self._sink.start(self._reported)

    def play(self, response_id: str, pcm: bytes) -> None:
        """See `SpeakerSink.play`."""
        self.given(response_id, pcm)
        self._sink.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """See `SpeakerSink.end`."""
        self._sink.end(response_id)

    def stop(self, response_id: str) -> None:
        """See `SpeakerSink.stop`."""
        self._sink.stop(response_id)

    def close(self) -> None:
        """See `SpeakerSink.close`."""
        self._sink.close()

    def _reported(self, response_id: str, played_ms: int, ended: bool) -> None:
        self.played(response_id, played_ms, ended)
        self._on_played(response_id, played_ms, ended)
