"""The simulated service's mouth: fills the audio of the engine's deltas."""

from collections.abc import Sequence

from interviewer.audio.pcm import ms_to_bytes, to_bytes
from interviewer.audio.speech import synthesise
from interviewer.realtime.engine import Voiced


class Mouth:
    """Gives each delta its stretch of PCM (16-bit mono, 24 kHz): together they are `synthesise` of the item's text."""

    def __init__(self, voiced: Sequence[Voiced]) -> None:
        """`voiced`: the engine's truth log, which grows."""
        self._voiced = voiced
        self._spoken: dict[str, int] = {}  # characters of each item that were made into sound
        self._ready: dict[str, bytes] = {}

    def say(self, item_id: str, audio_ms: int) -> bytes:
        """The next `audio_ms` of an item; silence where its text has no more."""
        size = ms_to_bytes(audio_ms)
        ready = self._ready.pop(item_id, b"")
        if len(ready) < size:
            ready += self._more(item_id)
        self._ready[item_id] = ready[size:]
        return ready[:size] + bytes(max(0, size - len(ready)))

    def finish(self, item_id: str) -> None:
        """No more of this item is wanted."""
        self._ready.pop(item_id, None)
        self._spoken.pop(item_id, None)

    def _more(self, item_id: str) -> bytes:
        text = next((voiced.text for voiced in reversed(self._voiced) if voiced.item_id == item_id), "")
        begun = self._spoken.get(item_id, 0)
        self._spoken[item_id] = len(text)
        return to_bytes(synthesise(text[begun:]))
