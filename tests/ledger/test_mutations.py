"""Each of these changes breaks a rule of the ledger, and the rule checks notice."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import interviewer.ledger
from tests.ledger.rules import RULES
from tests.ledger.story import Lab, lab

FOLDER = Path(interviewer.ledger.__path__[0])
FILES = ("events", "state", "fold", "views")


@dataclass(frozen=True)
class Mutation:
    file: str
    old: str
    new: str
    breaks: str


MUTATIONS = (
    Mutation("fold", "if event.kind != due:", "if False:", "stages may be skipped or repeated"),
    Mutation("fold", '    "generated": _check_response,\n', "", "a transcript of any response counts"),
    Mutation("fold", '    "delivered": _check_delivered,\n', "", "delivery needs no evidence"),
    Mutation("fold", '    "started": _check_started,\n', "", "a response without an id counts"),
    Mutation(
        "fold",
        "    if problem := _check_response(attempt, event):\n        return problem\n    if event",
        "    if event",
        "any response delivers",
    ),
    Mutation("fold", '!= "completed"', '== "failed"', "cancelled and incomplete responses deliver"),
    Mutation(
        "fold",
        "played >= end - ",
        "played > end - ",
        "an end just reached is missed",
    ),
    Mutation("fold", ' - min(_whole(event, "tolerance_ms"), end // 2)', "", "no tolerance at the end of a sentence"),
    Mutation("fold", "end > 0 and 0 < played", "end >= 0 and 0 <= played", "delivery without a known end"),
    Mutation("fold", ", end // 2)", ", end)", "a short question is delivered unheard"),
    Mutation("fold", 'if event.evidence.get("displayed"):', "if False:", "shown text is never delivered"),
    Mutation("fold", 'if attempt.outcome != "open":', "if False:", "a closed attempt goes on"),
    Mutation("fold", 'if attempt.outcome != "open":', 'if attempt.outcome == "delivered":', "released attempts revive"),
    Mutation("fold", "if attempt.question_id != event.question_id:", "if False:", "evidence lands on another question"),
    Mutation("fold", "if event.attempt_id in self.attempts:", "if False:", "attempt ids are used again"),
    Mutation(
        "fold",
        'if any(a.outcome == "open" for a in question.attempts):',
        "if False:",
        "a pending question is chosen again",
    ),
    Mutation("fold", "        if self.next is not None:\n", "        if False:\n", "two attempts are next"),
    Mutation(
        "fold",
        '_close(self.next, "released", "superseded", 0)',
        '[_close(a, "released", "superseded", 0) for a in self.attempts.values() if a.outcome == "open"]',
        "a selection supersedes the current attempt too",
    ),
    Mutation(
        "fold", 'if event.kind == "started" and self.current is not None:', "if False:", "two attempts are current"
    ),
    Mutation("fold", 'if event.kind == "held" and not attempt.started:', "if False:", "held without any response"),
    Mutation(
        "fold",
        'if reason not in (RELEASE_REASONS if event.kind == "released" else HELD_REASONS):',
        "if False:",
        "any reason",
    ),
    Mutation(
        "fold",
        "or event.question_id in self.questions:",
        "or False:",
        "a question's text can be changed by registering it again",
    ),
    Mutation("fold", 'return "heard before"', "pass", "a sentence is remembered twice"),
    Mutation("fold", "if getattr(question, event.kind) is not None:", "if False:", "a mark is overwritten"),
    Mutation("fold", "self.unrecovered += 1", "pass", "failed recoveries are not counted"),
    Mutation("fold", "for event in sorted(events, key=lambda e: e.seq):", "for event in events:", "order matters"),
    Mutation("fold", "if ledger.events[-1] != event:", "if False:", "two histories under one number"),
    Mutation("fold", "self.events and event.seq <= self.events[-1].seq", "False", "the log may go backwards"),
    Mutation("fold", "self.anomalies.append((event.seq, problem))", "pass", "broken rules are hidden"),
    Mutation("fold", '_whole(event, "heard_ms"))', "0)", "what was heard of a released attempt is lost"),
    Mutation("state", 'if "delivered" in outcomes:', 'if outcomes and outcomes[-1] == "delivered":', "credit is lost"),
    Mutation("state", 'if "open" in outcomes:', "if False:", "nothing is ever pending"),
    Mutation(
        "state", 'return "held" if "held" in outcomes else "available"', 'return "available"', "held is forgotten"
    ),
    Mutation("state", "(1 if self.volunteered else 0)", "0", "a volunteered answer changes nothing"),
    Mutation("state", " + self.touched", "", "a reconstruction changes nothing"),
    Mutation(
        "state", "        if self.carried:\n", "        if False:\n", "what earlier calls delivered is asked again"
    ),
    Mutation("state", '== "delivered" else "held")', '== "held" else "held")', "what was delivered comes back as held"),
    Mutation(
        "state", "attempts) + (before if isinstance(before, int) else 0)", "attempts)", "holds of old are not counted"
    ),
    Mutation("fold", 'if event.evidence.get("status") not in CARRIED:', "if False:", "any standing is carried"),
    Mutation("fold", "        if question.attempts:\n", "        if False:\n", "an attempt is overruled afterwards"),
    Mutation(
        "fold",
        '    "remembered": Ledger._remembered,\n',
        '    "remembered": Ledger._heard,\n',
        "memories are heard now",
    ),
    Mutation("views", "return status in", "return True or status in", "everything is available"),
    Mutation("views", "and not closed", "", "declined, claimed and covered questions are asked"),
    Mutation("views", "and not answered", "", "answered questions are asked again"),
    Mutation("views", "question.holds <= returns", "True", "held questions return for ever"),
    Mutation("views", "question.holds <= returns", "question.holds < returns", "held questions return once"),
    Mutation("views", "if question.planned else 0", "", "held questions outside the plan return"),
    Mutation("views", "if q.planned and", "if", "unplanned questions count as plan"),
    Mutation(
        "views", '(q.status == "held", q.effective_priority)', "q.effective_priority", "held questions come first"
    ),
    Mutation(
        "views", '(q.status == "held", q.effective_priority)', '(q.status == "held", q.priority)', "marks do not lower"
    ),
    Mutation("views", 'if q.status == "delivered"]', "if q.attempts]", "selection is delivery"),
)


def load(name: str, mutation: Mutation | None) -> Lab:
    """The ledger's modules under another name, with one piece of their text changed."""
    modules = []
    for file in FILES:
        source = (FOLDER / f"{file}.py").read_text(encoding="utf-8").replace("interviewer.ledger", name)
        if mutation and mutation.file == file:
            assert source.count(mutation.old) == 1, f"{mutation.old!r} is not, or not once, in {file}.py"
            source = source.replace(mutation.old, mutation.new)
        module = sys.modules[f"{name}.{file}"] = ModuleType(f"{name}.{file}")
        exec(compile(source, f"{file}.py", "exec"), module.__dict__)
        modules.append(module)
    return lab(*modules)


def broken(changed: Lab) -> list[str]:
    """Names of the rules that do not hold."""
    failed = []
    for rule in RULES:
        try:
            rule(changed)
        except (Exception, pytest.fail.Exception):
            failed.append(rule.__name__)
    return failed


@pytest.fixture
def name() -> Iterator[str]:
    yield "changed_ledger"
    for module in [m for m in sys.modules if m.startswith("changed_ledger")]:
        del sys.modules[module]


def test_an_unchanged_copy_keeps_every_rule(name: str) -> None:
    assert broken(load(name, None)) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.file}: {m.breaks}")
def test_the_rules_notice(mutation: Mutation, name: str) -> None:
    assert broken(load(name, mutation)) != []
