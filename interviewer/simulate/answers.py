"""What a simulated guest says: answers cut from its dossier, each detail told once, asked for or not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from interviewer.matching.text import plain
from interviewer.simulate import replies
from interviewer.simulate.dossier import Detail, Dossier
from interviewer.simulate.reach import REACHED, Match, Question, Reach, understand

FULL_WORDS = 120  # an answer does not grow beyond this
SHORT_WORDS = 30  # below this the guest adds what lies next to it
AT_MOST = 3  # details an answer holds
STRONG = 1.2  # a further detail must fit the question this well ...
NOT_FAR_BELOW = 0.7  # ... and this share of the best one
OFFER_RATE = 1 / 8  # an answer that ends with something not asked for
OFFER_INSTEAD_RATE = 0.3  # something not asked for when nothing fits
TALK_RATE = 0.5  # something not asked for when the interviewer asked nothing
ALREADY_RATE = 0.5  # "I answered that already" when asked what was asked before
SAME_WORDS = 0.75  # Jaccard from which a question is one that was asked before
CLEARLY = 1.5 * REACHED  # a told detail that fits this well is what the question is after
FAR_BELOW = 0.6  # ... if what is left fits less than this share of it


@dataclass(frozen=True, slots=True)
class Told:
    """A detail inside a saying; `asked`: the question reached it."""

    detail_id: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Saying:
    """Something to say: text, the details it holds and the question it answers (empty for none)."""

    text: str
    told: tuple[Told, ...] = ()
    question: str = ""


class Knowledge:
    """A dossier, what was told of it and what was asked. `say` must be called with what is really said."""

    def __init__(self, dossier: Dossier) -> None:
        self.told: set[str] = set()
        self._details = dossier.details
        self._place = {detail.id: number for number, detail in enumerate(dossier.details)}
        self._reach = Reach(dossier)
        self._thread: tuple[str, ...] = ()
        self._answered: list[Question] = []
        self._asked_for: set[str] = set()

    def say(self, saying: Saying) -> None:
        """Remember that this is being said."""
        ids = tuple(told.detail_id for told in saying.told)
        self.told.update(ids)
        self._thread = ids or self._thread
        if any(told.asked for told in saying.told):
            self._asked_for.update(told.detail_id for told in saying.told if told.asked)
            self._answered.append(understand(saying.question))

    def remember(self, told: Iterable[tuple[str, str]]) -> None:
        """What was told in earlier calls, as (detail id, the question it answered or "").

        It is not told again, and asked for it once more the guest says so.
        """
        for detail_id, question in told:
            if detail_id in self._place:
                self.told.add(detail_id)
                if question:
                    self._asked_for.add(detail_id)
                    self._answered.append(understand(question))

    def answer(self, text: str, rng: Random) -> Saying:
        """An answer to a question."""
        question = understand(text)
        ranked = self._reach.rank(question, self._thread, self.told)
        fresh = [match for match in ranked if match.detail.id not in self.told]
        reached = [match for match in fresh if match.score >= REACHED]
        if repeated := self._repeated(question, ranked, bool(reached), rng):
            return repeated
        if reached:
            return self._compose(text, reached, rng)
        if replies.asks_if_ready(plain(text)):
            return Saying(rng.choice(replies.READY), question=text)
        return self._nothing(question, bool(fresh), rng)

    def go_on(self, rng: Random) -> Saying | None:
        """What lies next to what was told last, unasked; else something volunteered; None when there is neither."""
        beside = [detail for detail in self._reach.beside(self._thread) if detail.id not in self.told]
        return _unasked(beside[0]) if beside else self.offer(rng)

    def offer(self, rng: Random) -> Saying | None:
        """Something the guest tells by itself; None when all of that was told."""
        left = [detail for detail in self._details if detail.volunteer and detail.id not in self.told]
        return _unasked(rng.choice(left[:3])) if left else None

    def talk(self, rng: Random) -> Saying:
        """Something to say when nothing was asked."""
        offer = self.offer(rng) if rng.random() < TALK_RATE else None
        return offer or Saying(rng.choice(replies.SHORT))

    def _repeated(self, question: Question, ranked: Sequence[Match], more: bool, rng: Random) -> Saying | None:
        # A follow-up asks for what comes next, whatever its words.
        if question.goes_on:
            return None
        aim = ranked[0] if self._aims_at_told(ranked) else None
        asked = self._asked_before(question) or (aim is not None and aim.detail.id in self._asked_for)
        if asked and rng.random() < ALREADY_RATE:
            return Saying(rng.choice(replies.ALREADY), question=question.text)
        if (asked or aim) and not more:
            return Saying(rng.choice(replies.ALL_SAID), question=question.text)
        return None

    def _aims_at_told(self, ranked: Sequence[Match]) -> bool:
        best = ranked[0]
        left = max((match.score for match in ranked if match.detail.id not in self.told), default=0.0)
        return best.detail.id in self.told and best.score >= CLEARLY and left < FAR_BELOW * best.score

    def _asked_before(self, question: Question) -> bool:
        return any(
            _jaccard(question.stems, earlier.stems) >= SAME_WORDS and question.kinds == earlier.kinds
            for earlier in self._answered
        )

    def _compose(self, text: str, reached: Sequence[Match], rng: Random) -> Saying:
        chosen = self._choose(reached)
        told = [Told(detail.id, True) for detail in chosen]
        if _words(chosen) < SHORT_WORDS and (extra := self._beside(chosen)):
            chosen.append(extra)
            told.append(Told(extra.id, any(match.detail is extra for match in reached)))
        in_order = sorted(zip(chosen, told, strict=True), key=lambda pair: self._place[pair[0].id])
        saying = Saying(" ".join(d.text for d, _ in in_order), tuple(t for _, t in in_order), text)
        return self._with_offer(saying, rng) if rng.random() < OFFER_RATE else saying

    def _choose(self, reached: Sequence[Match]) -> list[Detail]:
        chosen = [reached[0].detail]
        least = max(STRONG, NOT_FAR_BELOW * reached[0].score)
        for match in reached[1:]:
            if match.score < least or len(chosen) == AT_MOST:
                break
            if _words([*chosen, match.detail]) <= FULL_WORDS:
                chosen.append(match.detail)
        return chosen

    def _beside(self, chosen: Sequence[Detail]) -> Detail | None:
        ids = [detail.id for detail in chosen]
        near = self._reach.beside(ids)
        fits = [d for d in near if d.id not in self.told and d.id not in ids and _words([*chosen, d]) <= FULL_WORDS]
        return fits[0] if fits else None

    def _with_offer(self, saying: Saying, rng: Random) -> Saying:
        offer = self.offer(rng)
        if offer is None or offer.told[0].detail_id in {told.detail_id for told in saying.told}:
            return saying
        text = f"{saying.text} {offer.text}"
        return Saying(text, saying.told + offer.told, saying.question) if len(text.split()) <= FULL_WORDS else saying

    def _nothing(self, question: Question, more: bool, rng: Random) -> Saying:
        if not more:
            return Saying(rng.choice(replies.EXHAUSTED), question=question.text)
        phrase = rng.choice(replies.NO_MORE if question.goes_on and self._thread else replies.NOTHING)
        offer = self.offer(rng) if rng.random() < OFFER_INSTEAD_RATE else None
        text = f"{phrase} {offer.text}" if offer else phrase
        return Saying(text, offer.told if offer else (), question.text)


def _unasked(detail: Detail) -> Saying:
    return Saying(detail.text, (Told(detail.id, False),))


def _words(details: Sequence[Detail]) -> int:
    return sum(len(detail.text.split()) for detail in details)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
