"""Follow-ups with and without memory, each against the same guest, and what of them was asked or told before."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.follow_up.chains import Chain
from evals.follow_up.planned import whole_plan
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.interview.returning import follow_up
from interviewer.kept.imported import import_files
from interviewer.llm.rules import Rules
from interviewer.matching.deictic import deictic
from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.text import words
from interviewer.memory.heard import heard_in
from interviewer.model.plan import Plan
from interviewer.settings import Settings
from interviewer.simulate.answers import CLEARLY, FAR_BELOW
from interviewer.simulate.guest import Disclosure, question_in
from interviewer.simulate.reach import Reach, understand
from interviewer.simulate.replies import ALL_SAID, ALREADY
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.store.store import Store

LENGTH_MS = 360_000
SAME = 0.70
"""Cosine of MiniLM from which two questions count as one: human podcasts repeat 2 to 4 % by it (data/labels)."""

OWN = "own: "
"""What a wording begins with that the simulated voice made up."""

WITH, WITHOUT = "with memory", "without memory"
TOPIC, PLAN = "a topic that was picked", "one plan for both calls"


@dataclass(frozen=True, slots=True)
class Returned:
    """A follow-up and its figures; all questions are those heard to their end.

    `repeats`: questions that the old half has asked in these words, or by which the guest clearly takes itself to be
    asked for what it told then; `alike`: those MiniLM takes for one of the old half's; `both`: both. `refused`: turns
    in which the guest says that it answered that already. `new`: details brought out that the old half did not tell;
    `new_asked` of them were asked for, and `left` there were.
    """

    chain: str
    source: str
    scenario: str
    memory: str
    heard: int
    repeats: int
    alike: int
    both: int
    refused: int
    new: int
    new_asked: int
    left: int
    repeated: str


def run_chain(chain: Chain, seed: int) -> list[Returned]:
    """The chain's four follow-ups: each scenario with and without memory. Keeps nothing."""
    settings = Settings.load(env={}, call={"target_ms": LENGTH_MS}, agents={"backend": "rules"})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Store.open(folder / "home")
        import_files(store, [chain.write(folder)], topic=chain.dossier.topic, settings=settings)
        backend = Rules(settings.agents, seed)
        picked = follow_up(store, "last", pick=1, backend=backend, settings=settings)
        both = whole_plan(chain)
        planned = follow_up(store, "last", plan=both, backend=backend, settings=settings)
    anew = plan_call(chain.dossier.topic, "", LENGTH_MS, "en", backend).plan
    setups = {
        (TOPIC, WITH): picked,
        (TOPIC, WITHOUT): _forgetful(picked, anew),
        (PLAN, WITH): planned,
        (PLAN, WITHOUT): _forgetful(planned, both),
    }
    judge = _Judge(chain)
    told = _told(chain)
    found = []
    for (scenario, memory), setup in setups.items():
        setup = setup.model_copy(update={"world": "simulated"})
        call = simulate_call(setup, chain.dossier, Rules(settings.agents, seed), seed=seed, told=told)
        found.append(judge.figures(call, scenario, memory))
    return found


def _forgetful(setup: CallSetup, plan: Plan) -> CallSetup:
    return setup.model_copy(update={"plan": plan, "earlier": None})


def _told(chain: Chain) -> tuple[Disclosure, ...]:
    """What the guest remembers having told, with the question that led to it."""
    return tuple(
        Disclosure(detail, 0, bool(question), question)
        for detail, question in chain.led_to.items()
        if detail in chain.told
    )


class _Judge:
    """Tells of a question whether the old half makes it a repeat: by what the guest knows, and by vectors."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._reach = Reach(chain.dossier)
        self._asked = {words(asked.text) for asked in heard_in(chain.old)}
        self._heard = [asked.text for asked in heard_in(chain.old)]
        self._scorer: Scorer = scorer("minilm")

    def figures(self, call: Simulated, scenario: str, memory: str) -> Returned:
        """The figures of one call."""
        heard = [question for question in call.truth.voiced if question.heard]
        again = [self._again(question.key, question.sentence) for question in heard]
        alike = self._alike([question.sentence for question in heard])
        fresh = {each.detail_id: each.asked for each in reversed(call.disclosures)}
        fresh = {detail: asked for detail, asked in fresh.items() if detail not in self._chain.told}
        refused = sum(
            turn.speaker == "guest" and any(said in turn.text for said in (*ALREADY, *ALL_SAID))
            for turn in call.core.turns
        )
        return Returned(
            chain=self._chain.id,
            source=self._chain.source,
            scenario=scenario,
            memory=memory,
            heard=len(heard),
            repeats=sum(again),
            alike=sum(alike),
            both=sum(a and b for a, b in zip(again, alike, strict=True)),
            refused=refused,
            new=len(fresh),
            new_asked=sum(fresh.values()),
            left=len(self._chain.dossier.details) - len(self._chain.told),
            repeated=" | ".join(q.sentence for q, was in zip(heard, again, strict=True) if was),
        )

    def _again(self, wording: str, sentence: str) -> bool:
        asked = wording.removeprefix(OWN)
        # As planned, not as voiced: "I'd love to hear" would ask for what the guest loves. And as the guest takes it:
        # the sentence that asks, not words of the guest's that are quoted before it.
        taken = question_in(asked if asked == wording else sentence)
        # It asks on: about the answer just given, or about those words.
        if deictic(taken or asked) or deictic(sentence):
            return False
        if words(asked) in self._asked:
            return True
        ranked = self._reach.rank(understand(taken))
        told = self._chain.told
        left = max((match.score for match in ranked if match.detail.id not in told), default=0.0)
        best = ranked[0]
        return best.detail.id in told and best.score >= CLEARLY and left < FAR_BELOW * best.score

    def _alike(self, sentences: Sequence[str]) -> list[bool]:
        if not sentences or not self._heard:
            return [False] * len(sentences)
        return [bool(row.max() >= SAME) for row in self._scorer.matrix(sentences, self._heard)]
