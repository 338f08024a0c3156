"""What faults do to one session: to its frames, to its responses, and out of the blue."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from interviewer.realtime.engine import errors
from interviewer.realtime.engine.brain import Asked, Spoken
from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.faults import FAULTS, Stage
from interviewer.realtime.engine.responses import Ending, Response

Frame = dict[str, Any]

DAMAGE: Final = "_damage"
"""Key of a frame that the wire shall spoil; its value is oversized or garbled."""

_SOON_MS: Final = 800  # a fault strikes within this after a stage was reached
_OTHER: Final = (
    "Let me think about that for a moment.",
    "Right, that is a lot to take in.",
    "By the way, do you like the place where you live now?",
    "Before we go on, have you eaten anything today?",
)
_DAMAGED: Final = ("oversized_frame", "malformed_frame", "garbled_frame")
_GOODBYES: Final = ("goodbye", "good bye", "take care", "thank you so much for", "thanks so much for")


class Mischief:
    """Bends frames on their way out and damages responses; `out_of_the_blue` holds what strikes by itself."""

    def __init__(
        self, core: Core, out_of_the_blue: dict[str, Callable[[], None]], echoes: Callable[[str], None]
    ) -> None:
        self._core = core
        self._draw = core.trouble.draw
        self._blue = out_of_the_blue
        self._echoes = echoes
        self._spoil: str | None = None
        self._audio_began_ms: int | None = None
        self._audio_ms = 0
        self.arrived_ms = 0
        """How much sound of the response under way reached the client: none does while the line stands still."""

    # -- frames ------------------------------------------------------------------------------------------------

    def bend(self, at_ms: int, frame: Frame) -> Iterator[tuple[int, Frame]]:
        """What becomes of a frame: any number of frames, each with its time."""
        kind = frame["type"]
        if kind == "response.output_audio.delta":
            self._sounds(frame)
        bent = _BENT.get(kind, _unbent)(self, at_ms, frame)
        for when_ms, one in bent:
            yield when_ms, self._spoiled(one)
        stage = _REACHES.get(kind)
        if stage and (stage != "generated" or frame["response"]["status"] == "completed"):
            self.reach(stage)

    def _updated(self, at_ms: int, frame: Frame) -> Iterator[tuple[int, Frame]]:
        if self._core.strikes("lost_ack"):
            return
        if self._core.strikes("late_ack"):
            at_ms += self._draw("late_ack", 1_000, 6_000)
        yield at_ms, frame
        if self._core.strikes("double_ack"):
            yield at_ms + self._draw("double_ack", 0, 800), {**frame, "event_id": self._core.mint("event")}

    def _created(self, at_ms: int, frame: Frame) -> Iterator[tuple[int, Frame]]:
        self._audio_began_ms, self._audio_ms, self.arrived_ms = None, 0, 0
        if not self._core.strikes("done_without_created"):
            yield at_ms, frame

    def _error(self, at_ms: int, frame: Frame) -> Iterator[tuple[int, Frame]]:
        if frame["error"]["event_id"] and self._core.strikes("anonymous_error"):
            frame = {**frame, "error": {**frame["error"], "event_id": None}}
        yield at_ms, frame

    def _sounds(self, frame: Frame) -> None:
        if self._audio_began_ms is None:
            self._audio_began_ms = self._core.now_ms
        self._audio_ms += frame["audio_ms"]
        if self._core.now_ms >= self._core.held_until_ms:
            self.arrived_ms += frame["audio_ms"]

    def _spoiled(self, frame: Frame) -> Frame:
        # Sound that is lost would be a gap in what is heard, and the truth knows of none.
        if self._spoil is None or frame["type"] == "response.output_audio.delta":
            return frame
        kind, self._spoil = self._spoil, None
        if kind == "malformed_frame":
            return self._misshapen(frame)
        return {**frame, DAMAGE: kind.removesuffix("_frame")}

    def _misshapen(self, frame: Frame) -> Frame:
        names = sorted(frame.keys() - {"type", "event_id"}) or ["event_id"]
        name = names[self._draw("malformed_frame", 0, len(names) - 1)]
        nobodys = f"x{frame.get('event_id', '')}"  # no two frames are spoiled alike
        wrong: Any = (None, 7, nobodys, [], {})[self._draw("malformed_frame", 0, 4)]
        if self._draw("malformed_frame", 0, 4) == 0:
            return {key: value for key, value in frame.items() if key != name}
        return {**frame, name: wrong}

    # -- stages ------------------------------------------------------------------------------------------------

    def reach(self, stage: Stage) -> None:
        """The exchange has come to a stage: everything that may strike by itself has a chance."""
        self._core.stage = stage
        for name in self._blue:
            if stage in FAULTS[name].stages and self._at_stage(name, stage):
                self._core.at(self._core.now_ms + self._draw(name, 0, _SOON_MS), self._blue[name])
        for name in _DAMAGED:
            if self._core.strikes(name):
                self._spoil = name
        if stage == "generated":
            began_ms = self._core.now_ms if self._audio_began_ms is None else self._audio_began_ms
            self._core.at(max(self._core.now_ms, began_ms + self._audio_ms), partial(self._heard, self._audio_began_ms))

    def _at_stage(self, name: str, stage: Stage) -> bool:
        # A session's cap is decided as it begins, unless a stage is named.
        staged = True if name.endswith("session_cap") else None
        return self._core.trouble.strikes(name, self._core.now_ms, stage, staged=staged)

    def _heard(self, began_ms: int | None) -> None:
        # The next question may have been selected and accepted while the voice still spoke.
        if self._core.stage != "started" and self._audio_began_ms == began_ms:
            self.reach("delivered")

    # -- responses ---------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Raises Refused for a request that is refused."""
        if self._core.strikes("refused_response"):
            raise errors.Refused("rate_limit_exceeded", "Rate limit reached for this model. Please try again later.")

    def made(self, response: Response) -> None:
        """The request has become a response; its metadata may be forgotten."""
        if self._core.strikes("no_metadata"):
            response.settings = {**response.settings, "metadata": None}

    def said(self, response: Response, spoken: tuple[Spoken, ...]) -> tuple[Spoken, ...]:
        """What is said in place of what the brain made up."""
        if self._core.strikes("other_reply"):
            spoken = (_other(self._draw("other_reply", 0, len(_OTHER) - 1)),)
        if spoken and self._core.strikes("several_items"):
            spoken = tuple(part for one in spoken for part in _parts(one))
        if any(word in one.text.lower() for one in spoken for word in _GOODBYES) and self._core.strikes(
            "goodbye_noise"
        ):
            self._core.at(self._core.now_ms + self._draw("goodbye_noise", 1_000, 9_000), self._blue["noise"])
        if response.audio and spoken and self._core.strikes("echo"):
            self._core.at(self._core.now_ms + self._draw("echo", 700, 2_000), partial(self._echoes, response.id))
        return spoken

    def ending(self, spoken: tuple[Spoken, ...]) -> tuple[int, Ending] | None:
        """After how many deltas a response ends early, and how; None if it does not."""
        deltas = sum(len(one.text) // 3 for one in spoken)
        for name, reason in _ENDINGS.items():
            if self._core.strikes(name):
                return self._draw(name, 0, deltas), (name, reason)
        return None

    def audible(self, total_ms: int) -> int:
        """How much of an item's sound there is."""
        if self._core.strikes("no_audio"):
            return 0
        if self._core.strikes("short_audio"):
            return total_ms * self._draw("short_audio", 10, 50) // 100
        return total_ms

    def stopped(self, response: Response) -> None:
        """It was cancelled and is done: a few deltas more."""
        if not response.outputs or not self._core.strikes("deltas_after_cancel"):
            return
        at_ms, output = self._core.now_ms, response.outputs[-1]
        place = {"response_id": response.id, "item_id": output.item.id, "output_index": output.index}
        for _ in range(self._draw("deltas_after_cancel", 1, 4)):
            at_ms += self._draw("deltas_after_cancel", 10, 200)
            words = {"type": "response.output_audio_transcript.delta", **place, "content_index": 0, "delta": " more"}
            sound = {"type": "response.output_audio.delta", **place, "content_index": 0, "delta": "", "audio_ms": 200}
            self._core.emit(at_ms, words)
            self._core.emit(at_ms, sound)


def _unbent(_: Mischief, at_ms: int, frame: Frame) -> Iterator[tuple[int, Frame]]:
    yield at_ms, frame


_ENDINGS: Final[dict[str, str]] = {
    "failed": "server_error",
    "incomplete": "content_filter",
    "cancelled": "turn_detected",
}
_BENT: Final[dict[str, Callable[[Mischief, int, Frame], Iterator[tuple[int, Frame]]]]] = {
    "session.updated": Mischief._updated,
    "response.created": Mischief._created,
    "error": Mischief._error,
}
_REACHES: Final[dict[str, Stage]] = {
    "session.updated": "accepted",
    "response.created": "started",
    "response.done": "generated",
}


def _other(number: int) -> Spoken:
    text = _OTHER[number]
    return Spoken(text, (Asked(f"own: {text}", 0, len(text)),) if text.endswith("?") else ())


def _parts(spoken: Spoken) -> list[Spoken]:
    """A reply in two items, cut before its first question."""
    at = min((asked.start for asked in spoken.asks), default=0)
    if at == 0:
        return [spoken]
    rest = tuple(Asked(a.key, a.start - at, a.end - at) for a in spoken.asks)
    return [Spoken(spoken.text[:at].rstrip(), ()), Spoken(spoken.text[at:], rest)]
