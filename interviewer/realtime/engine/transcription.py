"""Writing down the guest: deltas and the completed transcript, whenever they come."""

import re
from functools import partial
from typing import Any

from interviewer.realtime.engine import usage
from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.items import Item
from interviewer.realtime.engine.session import Session

COMPLETED_MS = (200, 1500)
_BY_DURATION = {"whisper-1", "gpt-realtime-whisper"}
_WORD = re.compile(r"\s*\S+")


class Transcription:
    """Transcribes committed items of the guest's, if the session asks for it.

    `doubtful` holds, by item, the words that the transcriber makes up: their log-probabilities are low.
    """

    def __init__(self, core: Core, session: Session) -> None:
        self._core = core
        self._session = session
        self.doubtful: dict[str, str] = {}

    def start(self, item: Item, *, intelligible: bool) -> None:
        """Transcribe a committed item; an unintelligible one ends in `...failed`."""
        wanted = self._session.transcription
        if wanted is None:
            return
        wait_ms = self._core.latency("transcription", *COMPLETED_MS)
        if self._core.strikes("late_transcript"):
            wait_ms += self._core.trouble.draw("late_transcript", 3_000, 20_000)
        end_ms = self._core.now_ms + wait_ms
        if self._core.strikes("failed_transcript") or not intelligible:
            self._core.at(end_ms, partial(self._fail, item))
            return
        if self._core.strikes("empty_transcript"):
            item.text = ""
        words = _WORD.findall(item.text)
        for index, word in enumerate(words, 1):
            frame = self._frame("delta", item, delta=word)
            self._core.emit(self._core.now_ms + wait_ms * index // (len(words) + 1), frame)
        self._core.at(end_ms, partial(self._complete, item, by_duration=wanted["model"] in _BY_DURATION))

    def _complete(self, item: Item, *, by_duration: bool) -> None:
        item.body["content"][0]["transcript"] = item.text
        used = usage.of_duration(item.audio_ms) if by_duration else usage.of_transcript(item.text, item.audio_ms)
        frame = self._frame("completed", item, transcript=item.text, usage=used)
        if "item.input_audio_transcription.logprobs" in (self._session.setting("include") or ()):
            made_up = self.doubtful.get(item.id, "").split()
            frame["logprobs"] = [_likely(word, word.strip() in made_up) for word in _WORD.findall(item.text)]
        self._core.send(frame)

    def _fail(self, item: Item) -> None:
        error = {
            "type": "transcription_error",
            "code": "audio_unintelligible",
            "message": "The audio could not be transcribed.",
            "param": None,
        }
        self._core.send(self._frame("failed", item, error=error))

    def _frame(self, what: str, item: Item, **fields: Any) -> dict[str, Any]:
        kind = f"conversation.item.input_audio_transcription.{what}"
        return {"type": kind, "item_id": item.id, "content_index": 0, **fields}


def _likely(word: str, doubtful: bool) -> dict[str, Any]:
    """A word with its log-probability: nearly sure, or one in twenty, as Whisper gives to words it makes of noise."""
    return {"token": word, "logprob": -3.0 if doubtful else -0.05, "bytes": list(word.encode())}
