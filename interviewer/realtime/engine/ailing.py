"""A session that ails: what strikes it out of the blue, and how its connection ends."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from interviewer.realtime.engine.core import Core
from interviewer.realtime.engine.idle import Idle
from interviewer.realtime.engine.mischief import Mischief
from interviewer.realtime.engine.responses import Responses
from interviewer.realtime.engine.session import Session
from interviewer.realtime.engine.transcription import Transcription
from interviewer.realtime.engine.turns import Turns

KEEP_ALIVE_MS: Final = 20_000
"""A connection over which nothing comes for so long fails its pings."""

_CLOSED_BY_CAP: Final = 1001
_LEFT_BEHIND_MS: Final = 400  # frames on their way when the connection went
_INVENTED: Final = (
    "Thank you for watching.",
    "Thanks for listening, see you next time.",
    "Please subscribe to my channel.",
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How the service's end of the connection went: with a close frame of this `code`, without one, or reset."""

    how: Literal["closed", "unframed", "reset"]
    reason: str
    code: int = 1006


class Ailing:
    """Brings a session's faults about; without any it does nothing but end the session at its cap."""

    def __init__(
        self, core: Core, session: Session, turns: Turns, transcription: Transcription, responses: Responses, idle: Idle
    ) -> None:
        self._core = core
        self._session = session
        self._turns = turns
        self._transcription = transcription
        self._responses = responses
        self.ended: Ended | None = None
        self._mischief: Mischief | None = None
        if not core.trouble.calm:
            self._mischief = responses.damage = mischief = Mischief(core, self._blue(idle), self._echo)
            core.bend = mischief.bend

    def _blue(self, idle: Idle) -> dict[str, Callable[[], None]]:
        return {
            "drop": partial(self.end, Ended("reset", "the connection is gone")),
            "no_close_frame": partial(self.end, Ended("unframed", "no close frame")),
            "session_cap": partial(self._expire, "session_cap"),
            "silent_session_cap": partial(self._expire, "silent_session_cap"),
            "stall": self._stall,
            "idle_timeout": idle.strike,
            "noise": self._noise,
            "invented_words": self._invent,
            "unknown_event": self._unknown,
            "anonymous_error": self._complain,
        }

    def connected(self) -> None:
        """The session begins: its cap is set, and may come early."""
        trouble = self._core.trouble
        trouble.session += 1
        name = None
        for cap in ("session_cap", "silent_session_cap"):
            if trouble.strikes(cap, self._core.now_ms, None, staged=False):
                name = cap
                self._session.lives(trouble.draw(cap, 20, 90))
        self._core.at(
            self._core.now_ms + self._session.lifetime_s * 1_000, partial(self._expire, name or "session_cap")
        )

    def selected(self) -> None:
        """An update came in."""
        if self._mischief:
            self._mischief.reach("selected")

    def end(self, ended: Ended) -> None:
        """The connection goes; what is on its way may still arrive."""
        if self.ended is None:
            self.ended = ended
            self._core.cut(_LEFT_BEHIND_MS)

    def _expire(self, cap: str) -> None:
        if cap == "session_cap":
            message = "Your session hit the maximum duration of 60 minutes."
            error = {"type": "invalid_request_error", "code": "session_expired", "message": message, "param": None}
            self._core.send({"type": "error", "error": {**error, "event_id": None}})
        self.end(Ended("closed", "session_expired" if cap == "session_cap" else "", _CLOSED_BY_CAP))

    def _stall(self) -> None:
        length_ms = self._core.trouble.draw("stall", 2_000, 30_000)
        self._core.held_until_ms = self._core.now_ms + length_ms
        if length_ms >= KEEP_ALIVE_MS:
            gone = Ended("reset", "nothing came: keep-alive timed out")
            self._core.at(self._core.now_ms + KEEP_ALIVE_MS, partial(self.end, gone))

    def _noise(self) -> None:
        draw = self._core.trouble.draw
        self._turns.noise(draw("noise", 80, 2_500), None if draw("noise", 0, 1) else "")

    def _invent(self) -> None:
        draw = self._core.trouble.draw
        words = _INVENTED[draw("invented_words", 0, len(_INVENTED) - 1)]
        if self._turns.noise(draw("invented_words", 60, 280), words):
            self._transcription.doubtful[self._turns.item_id or ""] = words

    def _echo(self, response_id: str) -> None:
        """What the voice has said so far of a response, and goes on saying, comes back: of what the client can play."""
        last = self._responses.voiced[-1] if self._responses.voiced else None
        if last is None or last.response_id != response_id or not last.total_ms:
            return
        if not last.created_ms <= self._core.now_ms <= last.created_ms + last.total_ms:
            return
        arrived = min(1.0, self._mischief.arrived_ms / last.total_ms) if self._mischief else 1.0
        words = last.text.split()
        words = words[: int(len(words) * arrived)]
        if len(words) < 2:
            return
        kept = " ".join(words[: self._core.trouble.draw("echo", 2, len(words))])
        self._turns.noise(max(200, 70 * len(kept)), kept)

    def _unknown(self) -> None:
        self._core.send({"type": "response.sparkle.delta", "response_id": "resp_unknown", "sparkle": {"n": [1, None]}})

    def _complain(self) -> None:
        error: dict[str, Any] = {
            "type": "server_error",
            "code": None,
            "message": "The server had an error.",
            "param": None,
        }
        self._core.send({"type": "error", "error": {**error, "event_id": None}})
