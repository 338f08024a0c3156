"""How well coverage is rebuilt from a transcript alone: simulated calls whose hidden truth says what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.matching.curve import average_precision, curve
from interviewer.matching.text import words
from interviewer.memory.reconstruct import reconstruct
from interviewer.metrics.statistics import share
from interviewer.model.plan import Plan
from interviewer.model.turn import Said
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import Simulated, simulate_call

PLANNED_MS, HELD_MS = 840_000, 420_000
"""A plan for twice the call's length, so that about half of its questions are never asked."""

WAYS: dict[str, tuple[str, str]] = {
    "Jaccard, whole turns": ("jaccard", "turns"),
    "Jaccard, sentences": ("jaccard", "sentences"),
    "MiniLM, sentences": ("minilm", "sentences"),
    "contains, sentences": ("contains", "sentences"),
    "contains, whole turns": ("contains", "turns"),
}
"""Scorer and unit by name."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The planned questions of one call: whether each was asked and heard, and its score by every way; 0: none."""

    dossier: str
    seed: int
    asked: tuple[bool, ...]
    scores: dict[str, tuple[float, ...]]


def score_one(dossier_id: str, seed: int) -> Scored:
    """Hold a call, throw its ledger away, and score its plan against what is left: the words that were heard."""
    dossier = by_name(dossier_id)
    settings = Settings.load(env={}, call={"target_ms": HELD_MS})
    backend = Rules(settings.agents, seed)
    plan = plan_call(dossier.topic, dossier.context, PLANNED_MS, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    call = simulate_call(setup, dossier, backend, seed=seed)
    turns, asked = _words_of(call), _asked(call, plan)
    scores = {}
    for name, (by, unit) in WAYS.items():
        open_to_all = {"reconstruction": 0.0, "reconstruction_contains": 0.0}
        match = settings.match.model_copy(
            update={"reconstruction_scorer": by, "reconstruction_unit": unit, **open_to_all}
        )
        found = {each.question_id: each.score for each in reconstruct(turns, plan, match).touched}
        scores[name] = tuple(found.get(question.id, 0.0) for question in plan.questions)
    return Scored(dossier_id, seed, asked, scores)


def threshold(way: str) -> float:
    """The score above which a planned question counts as touched on, as the settings have it."""
    match = Settings.load(env={}).match
    return match.reconstruction_contains if WAYS[way][0] == "contains" else match.reconstruction


def table(calls: Sequence[Scored]) -> list[dict[str, Any]]:
    """A row for each way: precision and recall at its threshold with 95 % intervals over calls, average precision."""
    rows = []
    for way in WAYS:
        least = threshold(way)
        right = [_count(call, way, least, True) for call in calls]
        taken = [right[at] + _count(call, way, least, False) for at, call in enumerate(calls)]
        asked = [sum(call.asked) for call in calls]
        precision, recall = share(right, taken), share(right, asked)
        labels = np.array([each for call in calls for each in call.asked])
        scores = np.array([each for call in calls for each in call.scores[way]])
        rows.append(
            {
                "way": way,
                "threshold": least,
                "calls": len(calls),
                "questions": len(labels),
                "asked": int(labels.sum()),
                "taken": sum(taken),
                **{f"precision{end}": _rounded(value) for end, value in _ends(precision)},
                **{f"recall{end}": _rounded(value) for end, value in _ends(recall)},
                "average_precision": round(float(average_precision(curve(scores, labels))), 3),
            }
        )
    return rows


def _words_of(call: Simulated) -> tuple[Said, ...]:
    """What a transcript of the call would hold."""
    heard = ((turn.id, turn.speaker, turn.text if turn.speaker == "guest" else turn.heard) for turn in call.core.turns)
    return tuple(Said(*turn) for turn in heard if turn[2].strip())


def _asked(call: Simulated, plan: Plan) -> tuple[bool, ...]:
    """By the truth of the simulated voice: which planned wordings it put to the guest and was heard with."""
    heard = {words(question.key) for question in call.truth.voiced if question.heard}
    return tuple(words(question.text) in heard for question in plan.questions)


def _count(call: Scored, way: str, least: float, asked: bool) -> int:
    return sum(score > least and was == asked for score, was in zip(call.scores[way], call.asked, strict=True))


def _ends(estimate: Any) -> list[tuple[str, float | None]]:
    return [("", estimate.value), ("_low", estimate.low), ("_high", estimate.high)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
