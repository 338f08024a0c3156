"""The Researcher on its leash: what it may not look at again, and when it has to rest."""

from interviewer.call.hub import Hub
from interviewer.matching.text import content_words
from interviewer.model.decision import Research
from interviewer.model.turn import Said


class Leash:
    """Bans the main topic and what was tried, in earlier calls too.

    A tried subject may return after a while if new words name it.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        earlier = hub.setup.earlier
        self._tried: dict[str, tuple[int, int]] = dict.fromkeys(earlier.researched if earlier else (), (0, 0))
        self._failures = 0
        self._resting = 0

    def free(self) -> bool:
        """Whether it may run in this cycle; counts a cycle of rest otherwise."""
        if self._resting:
            self._resting -= 1
            return False
        return True

    def banned(self, window: tuple[Said, ...]) -> tuple[str, ...]:
        """Subjects it may not bring: the main topic, and those tried, unless long ago and named again since."""
        last = int(window[-1].id[1:]) if window else 0
        again = self._hub.settings.cycle.research_again_ms
        topic = self._hub.setup.plan.topic
        told = [(int(said.id[1:]), content_words(said.text)) for said in window if said.speaker == "guest"]
        still = [
            subject
            for subject, (tried_ms, tried_turn) in self._tried.items()
            if self._hub.now - tried_ms < again or not _named_since(subject, tried_turn, told)
        ]
        self._last_turn = last
        return (topic, *still)

    def took(self, found: Research, *, failed: bool) -> None:
        """What a pass brought, or that it failed; after too many failures in a row it rests, and says so."""
        if failed:
            self._failures += 1
            if self._failures >= self._hub.settings.cycle.research_failures:
                self._failures = 0
                self._resting = self._hub.settings.cycle.research_cooldown
                self._hub.record("fallback", agent="researcher", job_id="", reason="too many failures: resting")
            return
        self._failures = 0
        for subject in (*found.tried, *(item.subject for item in found.items)):
            self._tried[subject] = (self._hub.now, self._last_turn)

    _last_turn = 0


def _named_since(subject: str, turn: int, told: list[tuple[int, frozenset[str]]]) -> bool:
    named = content_words(subject)
    return bool(named) and any(number > turn and named <= words for number, words in told)
