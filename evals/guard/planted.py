"""Repeats on purpose: an Orchestrator that proposes what was heard already, and a voice that asks it by itself."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from interviewer.agents.views import OrchestratorInput
from interviewer.llm.backend import Backend, Ran, Task
from interviewer.matching.deictic import deictic
from interviewer.matching.text import questions, words
from interviewer.realtime.engine.brain import Asked, BrainRequest, Spoken
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.phrasing import rephrase

AGAIN = "again: "
"""The key of a question that the voice asks again by itself begins so; the rest is what it was asked before as."""
_TRIES = 20
_LATELY = 3  # a question as fresh as this is not repeated: the voice would only insist

Reworded = Callable[[str, random.Random], str | None]
"""Another wording of a question, or None if there is none."""


def by_table(text: str, rng: random.Random) -> str | None:
    """By the simulated voice's own tables of phrases, in other words than the plan's."""
    for _ in range(_TRIES):
        phrased = rephrase(text, rng)
        said = f"{phrased.setup} {phrased.ask}".strip()
        if words(said) != words(text):
            return said
    return None


def by_hand(written: Mapping[str, Sequence[str]]) -> Reworded:
    """By what somebody wrote down for each question."""
    return lambda text, rng: rng.choice(written[text]) if written.get(text) else None


@dataclass
class Planting:
    """A backend whose Orchestrator proposes, at `rate` of its decisions, a question that was delivered, reworded.

    `hard` are questions that look like others and ask for something else; they are proposed at the same rate.
    `planted` and `offered` hold what was proposed, by its text, with the question it repeats or resembles.
    """

    inner: Backend
    seed: int
    rate: float
    reworded: Reworded
    hard: Reworded | None = None
    planted: dict[str, str] = field(default_factory=dict)
    offered: dict[str, str] = field(default_factory=dict)

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """As the inner backend, but for some decisions."""
        ran = self.inner.run(task, data, job_id)
        if not isinstance(data, OrchestratorInput) or ran.output is None or data.phase == "wrap_up":
            return ran
        rng = random.Random(f"{self.seed}:planted:{job_id}")
        drawn = rng.random()
        if drawn < self.rate:
            return self._proposing(ran, data, rng, self.reworded, self.planted)
        if self.hard and drawn < 2 * self.rate:
            return self._proposing(ran, data, rng, self.hard, self.offered)
        return ran

    def _proposing(
        self, ran: Ran, data: OrchestratorInput, rng: random.Random, reworded: Reworded, kept: dict[str, str]
    ) -> Ran:
        delivered = [view for view in data.questions if view.status == "delivered"]
        rng.shuffle(delivered)
        for view in delivered:
            text = reworded(view.text, rng)
            if text and text not in kept and text not in data.proposals:
                kept[text] = view.text
                proposal = {"text": text, "question_id": None, "source": "gap", "returning": False, "why": ""}
                assert ran.output is not None
                return replace(ran, output={**ran.output, "proposal": proposal})
        return ran


class ForgetfulVoice:
    """A voice that, at `rate` of its replies, asks an earlier question again, in other words, after all else."""

    def __init__(self, seed: int, rate: float) -> None:
        self._voice, self._seed, self._rate = VoiceBrain(seed), seed, rate

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        """As the simulated voice, and then and now one question more."""
        items = self._voice.reply(request)
        rng = random.Random(f"{self._seed}:again:{request.number}")
        closing = "<reply>closing" in request.instructions
        if rng.random() >= self._rate or not items or closing or sum(len(item.asks) for item in items) > 1:
            return items
        said = [span.text for line in request.lines if line.role == "assistant" for span in questions(line.text)]
        known = [text for text in said[:-_LATELY] if not deictic(text)]
        asked = rng.choice(known) if known else ""
        again = by_table(asked, rng) if asked else None
        if again is None:
            return items
        last = items[-1]
        found = Asked(f"{AGAIN}{asked}", len(last.text) + 1, len(last.text) + 1 + len(again))
        return (*items[:-1], Spoken(f"{last.text} {again}", (*last.asks, found)))
