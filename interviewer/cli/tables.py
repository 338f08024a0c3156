"""Calls, questions and turns as tables and text for people."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from interviewer.cli.text import clean, clock, counted, one_line
from interviewer.model.plan import Plan
from interviewer.model.voice import VoiceGuide

STATE_STYLE = {"delivered": "green", "pending": "yellow", "held": "magenta", "available": "dim"}
STATE_MARK = {"delivered": "●", "pending": "◐", "held": "◌", "available": "○"}
FOLLOWS = "↳"
SPEAKER_STYLE = {"interviewer": "bold cyan", "guest": "bold green"}


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """An empty table; columns named in `right` hold numbers."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def call_table(calls: Iterable[Mapping[str, Any]]) -> Table:
    """One row a call; the date and time in UTC are in its id. One that continues an interview has a mark."""
    made = table("call", "topic", "length", "delivered", "ended by", right=("length", "delivered"))
    # A narrow screen takes from the topic first; 13 holds the longest word of an ending, "(interrupted)".
    for column, least in zip(made.columns, (26, 12, 6, 9, 13), strict=True):
        column.min_width = least
        column.no_wrap = column.header not in ("topic", "ended by")
    for call in calls:
        ended = call["end_reason"] or f"not ended ({call['status'] or 'no record'})"
        ended += f"; journal damaged in {counted(call['damaged'], 'place')}" if call["damaged"] else ""
        ended += f"; {counted(call['lost'], 'line')} lost" if call["lost"] else ""
        asked = f"{call['delivered'] or 0} of {call['planned'] or 0}"
        names = ("call_id", "topic")
        words = [Text(one_line(call[name] or ""), no_wrap=True, overflow="ellipsis") for name in names]
        if call["follows"]:
            words[1] = Text(f"{FOLLOWS} ", "dim", no_wrap=True, overflow="ellipsis").append(words[1])
        made.add_row(*words, clock(call["elapsed_ms"]), asked, Text(one_line(ended)))
    return made


class Hanging:
    """A text that hangs from a label: the lines after the first are indented by the label's width."""

    def __init__(self, label: Text, text: Text) -> None:
        self._label = label
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines, without spaces at their ends."""
        width = self._label.cell_len
        inner = options.update(width=max(20, options.max_width - width), height=None)
        label = list(self._label.render(console))
        for line in console.render_lines(self._text, inner, pad=False):
            yield from label
            yield from line
            yield Segment.line()
            label = [Segment(" " * width)]


def transcript(turns: Iterable[Mapping[str, Any]]) -> Iterable[Hanging]:
    """The turns as they came across, one text a turn."""
    for turn in turns:
        label = Text(f"{clock(turn['at_ms']):>6}  ", "dim", end="")
        said = Text(f"{turn['speaker'].capitalize()}: ", SPEAKER_STYLE[turn["speaker"]])
        for words, style in _words(turn):
            said.append(one_line(words), style)
        yield Hanging(label, said)


def ledger_table(events: Iterable[Mapping[str, Any]]) -> Table:
    """One row an event of the ledger with its evidence."""
    made = table("seq", "at", "event", "question", "attempt", "known", "basis", "evidence", right=("seq", "at"))
    for event in events:
        evidence = ", ".join(f"{name} {value}" for name, value in event["evidence"].items() if value is not None)
        made.add_row(
            str(event["seq"]),
            clock(event["at_ms"]),
            Text(event["kind"]),
            Text(one_line(event["question_id"] or "")),
            Text(one_line(event["attempt_id"] or "")),
            event["known"],
            event["basis"],
            Text(one_line(evidence), "dim"),
        )
    return made


def paragraph(text: str, style: str = "") -> Text:
    """Text from outside, as it is, without anything that could act."""
    return Text(clean(text), style)


def _words(turn: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    text, heard = turn["text"] or "", turn["heard"] or ""
    if turn["speaker"] == "guest" or heard == text:
        yield text or "(inaudible)", ""
    elif heard:
        yield heard, ""
        yield " ", ""
        yield text[len(heard) :] if text.startswith(heard) else "(the rest was not heard)", "dim strike"
    else:
        yield text, "dim strike"


def plan_lines(plan: Plan, asked: Mapping[str, str] | None = None) -> Iterable[Hanging | Text]:
    """A plan, section by section; `asked` says for questions that were asked in which turn."""
    yield Text(one_line(plan.topic), "bold")
    yield paragraph(f"{plan.goal} {plan.angle}".strip(), "dim")
    for section in plan.sections:
        yield Text(f"\n{one_line(section.title)}  {clock(section.seconds * 1000)}, {section.importance}", "bold")
        for question in section.questions:
            label = Text(f"{question.id:<4}{question.priority} ", "dim", end="")
            where = f"  ({asked[question.id]})" if asked and question.id in asked else ""
            yield Hanging(label, Text(one_line(question.text)).append(where, "dim"))


def voice_lines(guide: VoiceGuide) -> Iterable[Hanging | Text]:
    """A voice guide, habit by habit, each with words that show it."""
    if not guide.bullets:
        yield Text("Too little was said to tell how this guest speaks.")
    for bullet in guide.bullets:
        yield Hanging(Text("- ", end=""), Text(one_line(bullet.text), "bold"))
        for quote in bullet.quotes:
            yield Hanging(Text("    ", end=""), Text(f"“{one_line(quote)}”", "dim"))
    if guide.expressions:
        yield paragraph(f"\nExpressions to keep: {'; '.join(one_line(e) for e in guide.expressions)}")
