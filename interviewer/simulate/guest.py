"""The simulated guest: hears the interviewer, thinks, speaks, and says what of its dossier it was asked for.

It knows its dossier and what it heard, nothing else. All it does follows from the seed and the times it is given.
Simulated guests are more cooperative than people: this one always tells the truth and seldom refuses.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from interviewer.matching.text import plain, questions, sentences
from interviewer.simulate import replies
from interviewer.simulate.answers import Knowledge, Saying
from interviewer.simulate.dossier import Dossier
from interviewer.simulate.reach import understand

THINKS_MS = (600, 2_500)  # pause before an answer
GOES_ON_RATE = 1 / 8  # goes on after a pause that ends its turn ...
GOES_ON_MS = (1_400, 2_200)  # ... of this length
BACKCHANNEL_RATE = 1 / 10  # "mm-hm" while the interviewer speaks ...
BACKCHANNEL_AFTER_MS = (1_200, 3_500)  # ... this long after it began
BARGE_RATE = 1 / 40  # starts before the voice is over ...
BARGE_AFTER_MS = (2_000, 4_500)  # ... this long after it began
BARGE_GAP_MS = (300, 800)  # from breaking in to saying it
SKIP_RATE = 1 / 30  # would rather not answer
SILENT_RATE = 1 / 60  # says nothing for a while ...
SILENT_MS = 25_000  # ... longer than the first nudge waits
STILL_THINKING_RATE = 0.5  # on a nudge says that it thinks, then answers ...
STILL_THINKING_MS = (2_000, 5_000)  # ... after this
SAYS_GOODBYE_RATE = 0.7
GOODBYE_AFTER_MS = (500, 1_200)


@dataclass(frozen=True, slots=True)
class Edge:
    """Start (`on`) or end of the guest's own speech; the end carries the text. `t_ms`: on the call's clock."""

    t_ms: int
    on: bool
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A detail told in full at `t_ms`; `asked`: `question` reached it, otherwise the guest offered it."""

    detail_id: str
    t_ms: int
    asked: bool
    question: str


@dataclass(frozen=True, slots=True)
class _Planned:
    start_ms: int
    saying: Saying
    may_go_on: bool = False


class Guest:
    """A guest who holds `dossier`. Times are ms on the call's clock and never go back.

    `duration_ms` says how long a text takes to speak; an end edge stands exactly that long after its start.
    `told`: what the guest told in earlier calls, and remembers.
    """

    def __init__(
        self, dossier: Dossier, *, seed: int, duration_ms: Callable[[str], int], told: Iterable[Disclosure] = ()
    ) -> None:
        self.disclosures: list[Disclosure] = []
        self.details_total = len(dossier.details)
        self._knowledge = Knowledge(dossier)
        self._knowledge.remember((each.detail_id, each.question if each.asked else "") for each in told)
        self._seed = f"{seed}:{dossier.id}"
        self._duration_ms = duration_ms
        self._edges: list[Edge] = []
        self._planned: list[_Planned] = []
        self._speaking: _Planned | None = None
        self._ends_ms = 0
        self._turns = 0
        self._open_question = ""
        self._barged = False
        self._closed = False

    @property
    def deadline(self) -> int | None:
        """When `advance` has something to do next; None while the guest only listens."""
        if self._speaking:
            return self._ends_ms
        return self._planned[0].start_ms if self._planned else None

    @property
    def saying(self) -> str:
        """What the guest is saying now, to its end; empty while it says nothing. For whoever makes sound of it."""
        return self._speaking.saying.text if self._speaking else ""

    def take(self) -> list[Edge]:
        """The edges since the last call, in order."""
        edges, self._edges = self._edges, []
        return edges

    def advance(self, t_ms: int) -> None:
        """Let time pass up to and including `t_ms`."""
        while (due := self.deadline) is not None and due <= t_ms:
            if self._speaking:
                self._end(self._speaking)
            else:
                self._begin(self._planned.pop(0))

    def voice_started(self, t_ms: int) -> None:
        """The interviewer's speech began to be heard: the guest does not start what it had in mind."""
        self.advance(t_ms)
        self._planned.clear()
        self._turns += 1
        rng = self._rng("listens")
        if self._speaking or self._closed:
            return
        if rng.random() < BARGE_RATE:
            self._barged = True
            self._plan(t_ms + rng.randint(*BARGE_AFTER_MS), Saying(rng.choice(replies.BARGE)))
        elif rng.random() < BACKCHANNEL_RATE:
            self._plan(t_ms + rng.randint(*BACKCHANNEL_AFTER_MS), Saying(rng.choice(replies.BACKCHANNEL)))

    def voice_ended(self, t_ms: int, heard: str, finished: bool) -> None:
        """The interviewer's speech stopped; `heard` is the part that was played, `finished` whether that is all."""
        self.advance(t_ms)
        barged = self._barged and not self._planned
        self._barged = False
        self._planned.clear()
        self._turns += 1
        rng = self._rng("answers")
        start_ms = max(t_ms, self._ends_ms if self._speaking else t_ms)
        question = question_in(heard, finished)
        self._open_question = question or self._open_question
        self._closed = not question and (self._closed or replies.is_goodbye(plain(heard)))
        if self._closed:
            self._leave(start_ms, heard, rng)
        elif question and barged:
            self._plan(start_ms + rng.randint(*BARGE_GAP_MS), self._knowledge.answer(question, rng), may_go_on=True)
        elif question:
            self._reply(start_ms, question, rng)
        elif heard.strip():
            self._react(start_ms, plain(heard), rng)

    def _reply(self, start_ms: int, question: str, rng: Random) -> None:
        pause_ms = SILENT_MS if rng.random() < SILENT_RATE else rng.randint(*THINKS_MS)
        if rng.random() < SKIP_RATE:
            self._plan(start_ms + pause_ms, Saying(rng.choice(replies.SKIP), question=question))
        else:
            self._plan(start_ms + pause_ms, self._knowledge.answer(question, rng), may_go_on=True)

    def _react(self, start_ms: int, folded: str, rng: Random) -> None:
        start_ms += rng.randint(*THINKS_MS)
        if self._open_question:
            if replies.is_nudge(folded) and rng.random() < STILL_THINKING_RATE:
                thinking = Saying(rng.choice(replies.THINKING))
                self._plan(start_ms, thinking)
                start_ms += self._duration_ms(thinking.text) + rng.randint(*STILL_THINKING_MS)
            self._plan(start_ms, self._knowledge.answer(self._open_question, rng), may_go_on=True)
        elif replies.is_nudge(folded):
            self._plan(start_ms, self._knowledge.offer(rng) or Saying(rng.choice(replies.HERE)))
        elif understand(folded).goes_on:
            self._plan(start_ms, self._knowledge.go_on(rng) or Saying(rng.choice(replies.EXHAUSTED)))
        else:
            self._plan(start_ms, self._knowledge.talk(rng))

    def _leave(self, start_ms: int, heard: str, rng: Random) -> None:
        if replies.is_goodbye(plain(heard)) and rng.random() < SAYS_GOODBYE_RATE:
            self._plan(start_ms + rng.randint(*GOODBYE_AFTER_MS), Saying(rng.choice(replies.GOODBYE)))

    def _plan(self, start_ms: int, saying: Saying, *, may_go_on: bool = False) -> None:
        self._planned.append(_Planned(start_ms, saying, may_go_on))

    def _begin(self, planned: _Planned) -> None:
        self._speaking = planned
        self._ends_ms = planned.start_ms + self._duration_ms(planned.saying.text)
        self._edges.append(Edge(planned.start_ms, True))
        self._knowledge.say(planned.saying)
        if planned.saying.question:
            self._open_question = ""

    def _end(self, spoken: _Planned) -> None:
        saying = spoken.saying
        self._speaking = None
        self._edges.append(Edge(self._ends_ms, False, saying.text))
        self.disclosures += [
            Disclosure(told.detail_id, self._ends_ms, told.asked, saying.question) for told in saying.told
        ]
        if spoken.may_go_on and saying.told and not self._planned:
            self._maybe_go_on()

    def _maybe_go_on(self) -> None:
        rng = self._rng("goes on")
        if rng.random() < GOES_ON_RATE and (more := self._knowledge.go_on(rng)):
            self._plan(self._ends_ms + rng.randint(*GOES_ON_MS), more)

    def _rng(self, purpose: str) -> Random:
        return Random(f"{self._seed}:{self._turns}:{purpose}")


def question_in(heard: str, finished: bool = True) -> str:
    """The last question heard that is more than a tag: the one a guest answers. With nothing asked the empty text."""
    asked = [span.text for span in questions(heard) if not replies.is_nudge(plain(span.text))]
    for text in reversed(asked):
        question = understand(text)
        if question.telling or question.kinds or question.goes_on:
            return text
    if asked:
        return asked[-1]
    # A question broken off before its end has no question mark yet.
    cut = sentences(heard)[-1].text if not finished and sentences(heard) else ""
    return cut if understand(cut).telling else ""
