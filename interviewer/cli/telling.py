"""A finished call told to a person: question by question, in figures, and the essay's beginning."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from rich.text import Text

from interviewer.cli.tables import STATE_MARK, STATE_STYLE, Hanging, paragraph
from interviewer.cli.text import clock, counted, one_line
from interviewer.kept.reading import CallLog
from interviewer.ledger.views import why

if TYPE_CHECKING:
    from rich.console import RenderableType

Report = dict[str, Any]

_ESSAY_LINES = 5
_OWN_MARK = "◦"


def tell_report(log: CallLog, report: Report) -> "Iterator[RenderableType]":
    """The whole of it, piece by piece."""
    yield _heading(log, report)
    if report["imported"]:
        yield from _imported(report)
    else:
        yield from _questions(log, report)
        yield from _research(report)
        yield from _chain(report)
        yield _title("Figures")
        yield from _figures(report)
    yield from _essay(log, report)


def _heading(log: CallLog, report: Report) -> Text:
    setup, head = log.begun_with, log.contents.head
    topic = setup.plan.topic if setup else head.get("topic") or "Topic unknown"
    text = Text(f"\n{one_line(topic)}", "bold")
    guest, world = (setup.guest, setup.world) if setup else (head.get("guest", "unknown"), head.get("world", "unknown"))
    text.append(f"\nCall {report['call_id']} with {one_line(guest)}, {one_line(world)}", "dim")
    seed = head.get("seed")
    return text.append(f", seed {seed}" if seed is not None else "", "dim")


def _imported(report: Report) -> "Iterator[RenderableType]":
    """Where an imported conversation is from; it has no ledger, for nobody watched how its questions were heard."""
    about, turns = report["imported"], report["turns"]
    yield _title("Imported")
    rows = {
        "File": f"{about['file']}, read as {about['format']}, {about['encoding']}",
        "Interviewer": ", ".join(about["interviewers"]) or "nobody",
        "Guest": ", ".join(about["guests"]),
        "That is": f"{about['guess_certainty']:.0%} sure: {about['guess_reason']}",
        "Turns": f"{len(turns)}, the last ends at {clock(max((t['ended_ms'] for t in turns), default=0))}",
        "Times derived": f"of {counted(about['derived_times'], 'turn')}, from the number of words",
    }
    rows |= {f"Problem {number}": problem for number, problem in enumerate(about["problems"], 1)}
    for name, value in rows.items():
        yield Hanging(Text(f"{name:<22}", "dim", end=""), Text(one_line(value)))


def _title(words: str) -> Text:
    return Text(f"\n{words}", "bold underline")


def _questions(log: CallLog, report: Report) -> "Iterator[RenderableType]":
    planned = [q for q in report["questions"] if q["planned"]]
    others = [q for q in report["questions"] if not q["planned"] and (q["carried_from"] is None or q["attempts"])]
    before = [q for q in report["questions"] if not q["planned"] and q not in others]
    yield _title("Planned questions")
    yield from _told(log, planned)
    if others:
        yield _title("Questions that came up")
        yield from _told(log, others)
    if before:
        yield _title("Questions of the calls before")
        yield from _told(log, before)


def _told(log: CallLog, questions: Iterable[Report]) -> "Iterator[RenderableType]":
    for question in questions:
        own = log.ledger.questions[question["id"]].source == "voice" and not question["attempts"]
        style = "" if own else STATE_STYLE[question["state"]]
        label = Text(f"{_OWN_MARK if own else STATE_MARK[question['state']]} ", style, end="")
        label.append(f"{one_line(question['id']):<4}", "bold")
        yield Hanging(label, Text(one_line(question["text"]), "bold"))
        # The first of the ledger's own words say state, reason, origin and priority; the rest what happened.
        facts = why(log.ledger, question["id"], log.clock.at).splitlines()
        yield _fact(_heard(log, question["id"]) if own else facts[0].partition(" is ")[2], style)
        yield from (_fact(fact, "dim") for fact in facts[1:])


def _research(report: Report) -> "Iterator[RenderableType]":
    """What was looked up of things the guest named; none of it stands in the essay."""
    if report["research"]:
        yield _title("Looked up during the call")
    for item in report["research"]:
        verdict = "" if item["verification"] == "not_a_claim" else f" ({item['verification']})"
        label = Text(f"{one_line(item['turn']):<6}", "dim", end="")
        yield Hanging(label, paragraph(f"{item['subject']}{verdict}: {item['summary']}"))
        yield from (_fact(f"source: {one_line(source)}", "dim") for source in item["sources"])


def _chain(report: Report) -> "Iterator[RenderableType]":
    """The calls before this one, what of them could not be used, and from which of them its quotes are."""
    chain = report["chain"]
    if chain is None:
        return
    yield _title(f"Goes on with interview {one_line(chain['interview_id'])}")
    for number, call in enumerate(chain["calls"], 1):
        how = ", from its transcript" if call["transcript_only"] else ""
        yield _fact(f"call {number}: {call['call_id']}, {call['began'][:16].replace('T', ' ')}{how}", "")
    yield from (_fact(f"could not be used: {problem}", "yellow") for problem in chain["problems"])
    for quote in chain["quotes"]:
        label = Text(f"{_call(quote['call']):<11}", "dim", end="")
        yield Hanging(label, paragraph(f"“{one_line(quote['text'])}”"))
    if chain["essay_sentences"]:
        told = (f"{each['sentences']} from {_call(each['call'])}" for each in chain["essay_sentences"])
        yield _fact(f"sentences of the essay: {', '.join(told)}", "dim")


def _call(number: int | None) -> str:
    return "this call" if number is None else f"call {number}"


def _heard(log: CallLog, question_id: str) -> str:
    """Of a question that the voice made up itself no attempt tells."""
    times = [clock(log.clock.at(heard.t_ms)) for heard in log.ledger.heard if heard.question_id == question_id]
    return f"asked by the voice of its own accord, and heard at {', '.join(times)}"


def _fact(words: str, style: str) -> Hanging:
    return Hanging(Text(" " * 6, end=""), paragraph(words, style))


def _figures(report: Report) -> "Iterator[RenderableType]":
    for name, value in _rows(report):
        yield Hanging(Text(f"{name:<22}", "dim", end=""), Text(one_line(value)))


def _rows(report: Report) -> Iterator[tuple[str, str]]:
    truth, closing = report["truth"], report["closing"]
    attempts = [a for q in report["questions"] for a in q["attempts"]]
    yield "Attempts", _counted([a["outcome"] for a in attempts])
    for outcome in ("held", "released"):
        reasons = [a["reason"] for a in attempts if a["outcome"] == outcome]
        if reasons:
            yield f"{outcome.capitalize()} because", _counted(reasons)
    if truth:
        yield "Questions heard", f"{truth['questions_heard']}, {truth['heard_repeats']} of them repeats"
        yield "Ledger against truth", _against_truth(truth)
        yield "Details brought out", _details(truth)
    if report["coverage_may_be_incomplete"]:
        yield "Coverage", f"may be incomplete: {report['unrecovered']} proposals could not be told apart"
    if guard := report["guard"]:
        yield "Repeat guard", _guard(guard)
    yield "Phases", ", ".join(f"{p['phase'].replace('_', '-')} {clock(p['elapsed_ms'])}" for p in report["phases"])
    yield "Closing", _closing(closing)
    if report["essay_words"]:
        yield "Guest's expressions", expressions(len(report["expressions_kept"]), len(report["expressions_lost"]))
    if report["untraced"]:
        yield "Not found in the talk", f"{counted(len(report['untraced']), 'sentence')} of the essay; see show --essay"
    if budget := report["budget"]:
        yield "Budget", _budget(budget)
    yield "Fallbacks of agents", _counted([f["agent"] for f in report["fallbacks"]]) or "none"


def _guard(guard: Report) -> str:
    found = _counted([str(each["decision"]) for each in guard["found"]]) or "no repeat"
    problems = "".join(f"; {problem}" for problem in guard["problems"])
    return f"{found} in {counted(guard['proposals'], 'proposal')}, by {guard['by'] or 'shared words'}{problems}"


def expressions(kept: int, lost: int) -> str:
    """How many of the guest's own expressions a draft keeps, in words."""
    return f"the essay keeps {kept} of {kept + lost} that are the guest's own" if kept + lost else "too few to tell"


def _counted(names: list[str]) -> str:
    return ", ".join(f"{names.count(name)} {name.replace('_', ' ')}" for name in dict.fromkeys(names))


def _against_truth(truth: Report) -> str:
    held = f", {truth['false_releases_held']} of them held" if truth["false_releases"] else ""
    return f"{truth['false_deliveries']} false deliveries, {truth['false_releases']} false releases{held}"


def _details(truth: Report) -> str:
    told = truth["details_asked"] + truth["details_volunteered"]
    return (
        f"{told} of {truth['details_total']}: {truth['details_asked']} asked for, "
        f"{truth['details_volunteered']} volunteered"
    )


def _budget(budget: Report) -> str:
    stood_in = f"; rules stood in for {counted(budget['rules_stood_in'], 'run')}" if budget["rules_stood_in"] else ""
    used_up = "used up: " if budget["state"] == "used_up" else ""
    return f"{used_up}{budget['note']}{stood_in}"


def _closing(closing: Report) -> str:
    if closing["reason"] is None:
        return "the call did not come to its end"
    goodbye = f"; it said “{closing['goodbye']}”" if closing["goodbye"] else ""
    target = "an unknown length" if closing["target_ms"] is None else clock(closing["target_ms"])
    return f"{closing['reason']}, at {clock(closing['elapsed_ms'])} of {target}{goodbye}"


def _essay(log: CallLog, report: Report) -> "Iterator[RenderableType]":
    essay = log.last("essay")
    if essay is None:
        return
    yield _title(f"Essay, {report['essay_words']} words")
    if report["essay_path"]:
        yield report["essay_path"]
    lines = (line for line in str(essay["markdown"]).splitlines() if line.strip())
    yield from (paragraph(line, "italic") for line in islice(lines, _ESSAY_LINES))
    if next(lines, None) is not None:
        yield Text(f"… the rest: interviewer show {report['call_id']} --essay", "dim")
