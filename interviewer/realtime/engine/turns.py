"""The guest's turns: what is in the audio buffer, where speech starts and stops, when it becomes an item."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.realtime.engine import errors
from interviewer.realtime.engine.core import Core, Timer
from interviewer.realtime.engine.items import Conversation, Item
from interviewer.realtime.engine.responses import Responses
from interviewer.realtime.engine.session import Session
from interviewer.realtime.engine.transcription import Transcription

DETECTION_MS = 60
PREFIX_MS = 300
SHORTEST_COMMIT_MS = 100
# Semantic VAD ends a turn by its meaning, which a simulation cannot judge: a fixed silence for each eagerness.
SEMANTIC_SILENCE_MS = {"low": 1_500, "medium": 900, "auto": 900, "high": 500}


@dataclass(frozen=True, slots=True)
class Taken:
    """The truth about a committed item: what the guest really said in it, None where nobody could make it out."""

    item_id: str
    t_ms: int
    said: tuple[str | None, ...]


class Turns:
    """Cuts the guest's speech into items, by voice activity or at the client's word.

    `answer` is called when a turn that ended wants a reply.
    """

    def __init__(
        self,
        core: Core,
        session: Session,
        conversation: Conversation,
        transcription: Transcription,
        responses: Responses,
        *,
        answer: Callable[[], None],
    ) -> None:
        self._core = core
        self._session = session
        self._conversation = conversation
        self._transcription = transcription
        self._responses = responses
        self._answer = answer
        self._began_ms = core.now_ms
        self._appended_ms: int | None = None
        self._emptied_ms = 0
        self._speaking = False
        self._said: list[str | None] = []
        self._true: list[str | None] = []
        self._noise: tuple[Timer, str | None] | None = None
        self.taken: list[Taken] = []
        self._item_id: str | None = None
        self._start_ms = 0
        self._announcing: Timer | None = None
        self._ending: Timer | None = None

    @property
    def clock_ms(self) -> int:
        """Audio received so far; a driver that sends no appends is taken to send sound in real time."""
        if self._appended_ms is None:
            return self._core.now_ms - self._began_ms
        return self._appended_ms

    @property
    def item_id(self) -> str | None:
        """The item the turn under way will be."""
        return self._item_id

    @property
    def open(self) -> bool:
        """Whether the guest is within a turn."""
        return self._speaking or self._item_id is not None

    def connected(self) -> None:
        """The audio clock starts here."""
        self._began_ms = self._core.now_ms

    def append(self, audio_ms: int) -> None:
        """So much sound came in."""
        self._appended_ms = (self._appended_ms or 0) + audio_ms

    def voice_on(self, late_ms: int = 0, audio_ms: int | None = None) -> None:
        """The guest's voice started `late_ms` ago, `audio_ms` into the sound (None: at its end).

        It is a new turn, or the one that had only paused goes on.
        """
        if self._speaking:
            self._drown()
            return
        self._speaking = True
        if self._item_id is not None:
            self._hold()
            return
        detection = self._session.turn_detection
        if detection is None:
            return
        self.reserve(detection.get("prefix_padding_ms", PREFIX_MS), audio_ms)
        self._announcing = self._core.at(self._core.now_ms - late_ms + DETECTION_MS, self._started)

    def reserve(self, padding_ms: int = 0, audio_ms: int | None = None) -> str:
        """Open a turn that starts `padding_ms` before `audio_ms` of the sound; gives the id its item will have."""
        self._item_id = self._core.mint("item")
        self._start_ms = max(0, (self.clock_ms if audio_ms is None else audio_ms) - padding_ms)
        return self._item_id

    def voice_off(self, text: str | None, late_ms: int = 0) -> None:
        """The guest's voice stopped `late_ms` ago.

        `text` is what it said since it started, None when nobody could make it out.
        """
        if not self._speaking or self._noise:
            return
        self._true.append(text)
        self._stop(text, late_ms)

    def noise(self, length_ms: int, text: str | None) -> bool:
        """Something sounds like speech for a while; False if the guest is speaking. The guest's voice drowns it."""
        if self.open or self._session.turn_detection is None:
            return False
        self.voice_on()
        self._noise = (self._core.at(self._core.now_ms + length_ms, self._fade), text)
        return True

    def _fade(self) -> None:
        assert self._noise is not None
        text, self._noise = self._noise[1], None
        self._stop(text, 0)

    def _drown(self) -> None:
        if self._noise:
            timer, text = self._noise
            timer.cancel()
            self._noise = None
            self._said.append(text or "")

    def _stop(self, text: str | None, late_ms: int) -> None:
        self._speaking = False
        self._said.append(text)
        if self._item_id is not None:
            silence_ms = self._silence_ms(self._session.turn_detection or {})
            self._ending = self._core.at(self._core.now_ms - late_ms + max(silence_ms, DETECTION_MS), self._ended)

    def _silence_ms(self, detection: Mapping[str, Any]) -> int:
        if detection.get("type") == "semantic_vad":
            return SEMANTIC_SILENCE_MS[detection["eagerness"]]
        return int(detection.get("silence_duration_ms", 0))

    def _hold(self) -> None:
        if self._ending:
            self._ending.cancel()

    def _started(self) -> None:
        frame = {"type": "input_audio_buffer.speech_started", "audio_start_ms": self._start_ms}
        self._core.send({**frame, "item_id": self._item_id})
        detection = self._session.turn_detection
        if detection and detection["interrupt_response"]:
            self._responses.interrupt()

    def _ended(self) -> None:
        frame = {"type": "input_audio_buffer.speech_stopped", "audio_end_ms": self.clock_ms}
        self._core.send({**frame, "item_id": self._item_id})
        self.commit()
        detection = self._session.turn_detection
        if detection and detection["create_response"]:
            self._answer()

    def commit(self) -> None:
        """What was said becomes an item of the guest's; it is transcribed if the session asks for that."""
        item_id = self._item_id or self._core.mint("item")
        start_ms = self._start_ms if self._item_id else self._emptied_ms
        said = " ".join(text for text in self._said if text)
        intelligible = None not in self._said
        audio_ms = max(0, self.clock_ms - start_ms)
        self.taken.append(Taken(item_id, self._core.now_ms, tuple(self._true)))
        self._empty()
        committed = {"type": "input_audio_buffer.committed", "previous_item_id": self._conversation.last_id}
        self._core.send({**committed, "item_id": item_id})
        content = [{"type": "input_audio", "transcript": None}]
        body = {"type": "message", "status": "completed", "role": "user", "content": content}
        item = Item(item_id, body, "user", said, audio_ms)
        self._conversation.add(item)
        self._transcription.start(item, intelligible=intelligible)

    def client_commit(self) -> None:
        """`input_audio_buffer.commit`; raises Refused for less than 100 ms.

        A driver that still hears the guest closes the voice first, so that the item holds what was said.
        """
        buffered_ms = max(0, self.clock_ms - self._emptied_ms)
        if buffered_ms < SHORTEST_COMMIT_MS:
            raise errors.buffer_too_small(buffered_ms)
        self.commit()

    def client_clear(self) -> None:
        """`input_audio_buffer.clear`: what was said and not committed is forgotten."""
        self._empty()
        self._speaking = False
        self._core.send({"type": "input_audio_buffer.cleared"})

    def _empty(self) -> None:
        self._hold()
        if self._announcing:
            self._announcing.cancel()
        self._said, self._true = [], []
        if self._noise:
            self._noise[0].cancel()
            self._noise, self._speaking = None, False
        self._item_id = None
        self._emptied_ms = self.clock_ms
