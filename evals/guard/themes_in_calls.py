"""The tracker of themes in simulated calls, fading and not, held against what the simulated voice really asked."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from evals.guard.summary import rounded
from interviewer.agents.briefs import themes
from interviewer.agents.views import OrchestratorInput
from interviewer.call.guidance import clean
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.backend import Backend, Ran, Task
from interviewer.llm.rules import Rules
from interviewer.matching.in_force import all_in_force
from interviewer.metrics.statistics import share
from interviewer.settings import Settings
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import Simulated, simulate_call

MINUTES = 20
_NEVER_MS = 10**12
_LATELY = 2  # half-lives: what was mentioned once counts no longer

Counts = defaultdict[tuple[str, str], defaultdict[int, list[int]]]
"""By rule and figure, of each call: themes rightly named, named, and there, summed over all looks at it."""

Told = dict[str, frozenset[str]]
"""Of one look at a call: the themes proposed so far ("ever"), and which of them are covered, or still open."""


@dataclass
class Watching:
    """A backend that notes down what the Orchestrator is shown of themes, and what it decides."""

    inner: Backend
    seen: list[tuple[int, frozenset[str], frozenset[str]]] = field(default_factory=list)
    decided: list[tuple[int, tuple[str, ...], str]] = field(default_factory=list)

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """As the inner backend."""
        ran = self.inner.run(task, data, job_id)
        if isinstance(data, OrchestratorInput):
            now = data.elapsed_ms
            self.seen.append((now, frozenset(data.themes_proposed), frozenset(data.themes_covered)))
            proposal = (ran.output or {}).get("proposal")
            if proposal:
                self.decided.append((now, themes(proposal["text"]), clean(proposal["text"])))
        return ran


def measure(calls: int, on_done: Callable[[int], object] = lambda _: None) -> dict[str, Any]:
    """For each rule precision and recall, with intervals over calls, of themes that were covered and that are open.

    A theme is a word of a question that was proposed; it is covered if that question was heard, by the simulator's own
    account, and open if it was proposed and not heard. *lately*: within two half-lives; *ever*: at any time. The
    Orchestrator that follows rules does not read themes, so that the same call is looked at with fading and without.
    """
    counts: Counts = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    half_ms = Settings().cycle.theme_fade_ms
    for seed in range(calls):
        for rule, told, true in _looks(seed, half_ms):
            for name, truth in true.items():
                said = told[name.split(", ")[0]]
                for place, more in enumerate((len(said & truth), len(said), len(truth))):
                    counts[rule, name][seed][place] += more
        on_done(seed)
    figures: dict[str, Any] = {}
    for (rule, name), by_call in counts.items():
        hits, said_in_all, there = zip(*by_call.values(), strict=True)
        told_of = {"precision": share(hits, said_in_all), "recall": share(hits, there)}
        figures.setdefault(rule, {})[name] = {key: rounded(each) for key, each in told_of.items()}
    return {"calls": calls, "minutes": MINUTES, "half_life_ms": half_ms, **figures}


def _looks(seed: int, half_ms: int) -> Iterable[tuple[str, Told, Told]]:
    """Each time the Orchestrator was asked: what each rule says, and what is true."""
    fading, _ = _call(seed, half_ms)
    lasting, call = _call(seed, _NEVER_MS)
    assert [now for now, _, _ in fading.seen] == [now for now, _, _ in lasting.seen]
    heard = _truly_heard(call)
    texts = [
        (call.core.elapsed_at(one.t_ms), f"{one.text} {_planned(call, one.question_id)}")
        for one in call.core.ledger.heard
    ]
    for (now, fresh, covered), (_, ever, covered_ever) in zip(fading.seen, lasting.seen, strict=True):
        proposed = [(names, text) for at, names, text in lasting.decided if at < now]
        lately = {text for at, text in heard if now - _LATELY * half_ms <= at <= now}
        whenever = {text for at, text in heard if at <= now}
        spoken = [text.casefold() for at, text in texts if at <= now]
        parts = frozenset(name for name in ever if any(name in text for text in spoken))
        fresh_proposals = frozenset(
            name for at, names, _ in lasting.decided if now - _LATELY * half_ms <= at < now for name in names
        )
        true: Told = {}
        for when, known, among in (("lately", lately, fresh_proposals), ("ever", whenever, ever)):
            done = frozenset(name for names, text in proposed if text in known for name in names)
            true |= {f"covered, {when}": done & ever, f"open, {when}": among - done}
        yield "whole words, fading", {"covered": covered, "open": fresh - covered}, true
        yield "whole words", {"covered": covered_ever, "open": ever - covered_ever}, true
        yield "substrings", {"covered": parts, "open": ever - parts}, true


def _call(seed: int, fade_ms: int) -> tuple[Watching, Simulated]:
    dossiers = load_all()
    dossier = dossiers[seed % len(dossiers)]
    given = Settings.load(env={}, call={"target_ms": MINUTES * 60_000}, cycle={"theme_fade_ms": fade_ms})
    settings = all_in_force(given)
    backend = Watching(Rules(settings.agents, seed))
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend.inner).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    return backend, simulate_call(setup, dossier, backend, seed=seed)


def _truly_heard(call: Simulated) -> list[tuple[int, str]]:
    """What was voiced and heard, by the wording the voice was given, each when its reply was played."""
    events = call.core.ledger.events
    when = {str(e.evidence.get("response_id")): e.t_ms for e in events if e.evidence.get("response_id")}
    known = [question for question in call.truth.voiced if question.heard and question.response_id in when]
    return [(call.core.elapsed_at(when[question.response_id]), question.key) for question in known]


def _planned(call: Simulated, question_id: str | None) -> str:
    question = call.core.ledger.questions.get(question_id or "")
    return question.text if question else ""
