"""Themes of a call: what was proposed and what was covered, kept apart, each fading as the talk moves on."""

from collections.abc import Iterable, Sequence
from math import exp2

from interviewer.call.hub import Hub
from interviewer.ledger.state import Heard
from interviewer.matching.touching import text_words, touched

_LEAST = 0.25  # of a whole mention: what was mentioned once is forgotten after two half-lives


class Themes:
    """What proposals were about, and which of it the guest has heard a question about."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._proposed: dict[str, list[int]] = {}
        self._texts: list[frozenset[str]] = []
        self._mentioned: dict[str, list[int]] = {}

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
        self._texts, self._mentioned = [], {}

    @property
    def proposed(self) -> tuple[str, ...]:
        """What was proposed lately, the oldest theme first."""
        return tuple(name for name, times in self._proposed.items() if self._fresh(times))

    @property
    def covered(self) -> tuple[str, ...]:
        """Of all that was ever proposed, what a question was heard about lately: as it was said or planned.

        What is proposed again and again outlasts the one time it was heard: while it is told as proposed, it is told
        as covered too.
        """
        self._listen()
        heard = {name: times for name in self._proposed if (times := self._mentioned[name])}
        return tuple(name for name, times in heard.items() if self._fresh(times) or self._fresh(self._proposed[name]))

    def _listen(self) -> None:
        """Bring up to date when each theme was mentioned, in ms: what was looked through before is not again."""
        heard, seen = self._hub.ledger.heard, len(self._texts)
        fresh = [self._words(each) for each in heard[seen:]]
        self._texts += fresh
        for name in self._proposed:
            times = self._mentioned.get(name)
            if times is None:
                self._mentioned[name] = [heard[at].t_ms for at in touched(name, self._texts)]
            elif fresh:
                times += [heard[seen + at].t_ms for at in touched(name, fresh)]

    def _words(self, heard: Heard) -> frozenset[str]:
        question = self._hub.ledger.questions.get(heard.question_id or "")
        return text_words(self._hub.names.text(f"{heard.text} {question.text if question else ''}"))

    def _fresh(self, times: Sequence[int]) -> bool:
        if not times:
            return False
        half_ms = self._hub.settings.cycle.theme_fade_ms
        if self._hub.now - times[-1] <= half_ms:
            return True  # the latest mention alone is worth half a whole one
        return sum(exp2((t_ms - self._hub.now) / half_ms) for t_ms in times) >= _LEAST
