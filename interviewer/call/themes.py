"""Themes of a call: what was proposed and what was covered, kept apart, each fading as the talk moves on."""

from collections.abc import Iterable, Sequence
from math import exp2

from interviewer.call.hub import Hub
from interviewer.matching.touching import text_words, touched

_LEAST = 0.25  # of a whole mention: what was mentioned once is forgotten after two half-lives


class Themes:
    """What proposals were about, and which of it the guest has heard a question about."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._proposed: dict[str, list[int]] = {}

    def propose(self, names: Iterable[str]) -> None:
        """A decision is about these themes."""
        for name in dict.fromkeys(filter(None, map(str.strip, names))):
            self._proposed.setdefault(name, []).append(self._hub.now)

    def mend(self) -> None:
        """A name was put right."""
        mended: dict[str, list[int]] = {}
        for name, times in self._proposed.items():
            right = self._hub.names.text(name)
            mended[right] = sorted([*mended.get(right, []), *times])
        self._proposed = mended

    @property
    def proposed(self) -> tuple[str, ...]:
        """What was proposed lately, the oldest theme first."""
        return tuple(name for name, times in self._proposed.items() if self._fresh(times))

    @property
    def covered(self) -> tuple[str, ...]:
        """Of all that was ever proposed, what a question was heard about lately: as it was said or planned."""
        right, ledger = self._hub.names.text, self._hub.ledger
        asked = [(heard.text, ledger.questions.get(heard.question_id or "")) for heard in ledger.heard]
        texts = [text_words(right(f"{text} {question.text if question else ''}")) for text, question in asked]
        times = {name: [ledger.heard[at].t_ms for at in touched(name, texts)] for name in self._proposed}
        return tuple(name for name, mentioned in times.items() if self._fresh(mentioned))

    def _fresh(self, times: Sequence[int]) -> bool:
        half_ms = self._hub.settings.cycle.theme_fade_ms
        if times and self._hub.now - times[-1] <= half_ms:
            return True  # the latest mention alone is worth half a whole one
        return sum(exp2((t_ms - self._hub.now) / half_ms) for t_ms in times) >= _LEAST
