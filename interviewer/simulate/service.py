"""The voice service as a driver on a virtual clock sees it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from interviewer.audio.speech import duration_ms
from interviewer.realtime.engine import Brain, Engine, Faults, Taken, Trouble, Voiced
from interviewer.realtime.engine.mischief import DAMAGE

CONNECT_MS = 60


class Service(Protocol):
    """A service with time handed in. Frames come without audio: a delta has `audio_ms` in its place."""

    def connect(self, t_ms: int) -> None:
        """Open a new session; the old one is gone. `lost` tells at once if it could not be opened."""

    def receive(self, t_ms: int, event: Mapping[str, Any]) -> None:
        """Take a client event."""

    def voice(self, t_ms: int, on: bool, text: str | None = None) -> None:
        """Hear the guest begin or end a stretch of speech.

        The end brings what was said, the beginning what is going to be: whoever makes sound of it needs it then.
        """

    def advance(self, t_ms: int) -> None:
        """Let time pass."""

    @property
    def deadline(self) -> int | None:
        """When there is something to do next."""

    def take(self) -> list[dict[str, Any]]:
        """Frames since the last call, in order."""

    @property
    def lost(self) -> str | None:
        """Why the connection is gone, None while it stands. Frames that were on their way may still be taken."""

    @property
    def taken(self) -> list[Taken]:
        """The truth about the guest's items, over all sessions."""

    @property
    def voiced(self) -> list[Voiced]:
        """The truth about what was voiced, over all sessions."""

    def close(self) -> None:
        """Be done."""


def engine_seed(seed: int, epoch: int) -> int:
    """Seed of the engine behind the connection number `epoch`, from 0."""
    return seed + 7919 * epoch


class InProcess:
    """The engine coupled directly: no socket, no audio, fully deterministic."""

    def __init__(self, brain: Callable[[], Brain], seed: int, faults: Faults | None = None) -> None:
        self._brain = brain
        self._seed = seed
        self._engines: list[Engine] = []
        self._refused = False
        self.trouble = Trouble(faults or Faults.none())

    def connect(self, t_ms: int) -> None:
        """Open a new session on a blank engine."""
        self._refused = self.trouble.strikes("refused_connect", t_ms, None)
        if self._refused:
            return
        epoch = len(self._engines)
        engine = Engine(
            self._brain(),
            seed=engine_seed(self._seed, epoch),
            duration_ms=duration_ms,
            started_unix_s=t_ms // 1_000,
            trouble=self.trouble,
        )
        self._engines.append(engine)
        engine.connect(t_ms)

    def receive(self, t_ms: int, event: Mapping[str, Any]) -> None:
        """Hand a client event to the engine."""
        self._engine.receive(t_ms, event)

    def voice(self, t_ms: int, on: bool, text: str | None = None) -> None:
        """Hand an edge of the guest's speech to the engine."""
        self._engine.voice(t_ms, on, text)

    def advance(self, t_ms: int) -> None:
        """Let the engine's time pass."""
        if self._engines:
            self._engine.advance(t_ms)

    @property
    def deadline(self) -> int | None:
        """When the engine has something to do."""
        return self._engine.deadline if self._engines else None

    def take(self) -> list[dict[str, Any]]:
        """The engine's frames, the empty audio payload left out; what no client could read is left out too."""
        frames = self._engine.take() if self._engines else []
        for frame in frames:
            if frame["type"] == "response.output_audio.delta":
                frame.pop("delta", None)
        return [frame for frame in frames if DAMAGE not in frame]

    @property
    def lost(self) -> str | None:
        """Why the connection is gone."""
        if self._refused:
            return "refused"
        ended = self._engine.ended if self._engines else None
        return None if ended is None else ended.reason or f"closed with {ended.code}"

    @property
    def taken(self) -> list[Taken]:
        """What all engines took from the guest."""
        return [taken for engine in self._engines for taken in engine.taken]

    @property
    def voiced(self) -> list[Voiced]:
        """What all engines voiced."""
        return [voiced for engine in self._engines for voiced in engine.voiced]

    def close(self) -> None:
        """Nothing to close."""

    @property
    def _engine(self) -> Engine:
        return self._engines[-1]
