"""The live view of a call: the clock, the conversation, the plan, the agents and the last decision."""

from collections.abc import Iterable, Sequence

from rich.box import ROUNDED
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from interviewer.cli.tables import SPEAKER_STYLE, STATE_MARK, STATE_STYLE, Hanging
from interviewer.cli.text import clock, counted, one_line
from interviewer.interview.snapshot import AgentActivity, QuestionLine, Snapshot
from interviewer.model.turn import Turn

WIDE = 100
_SIDE = 46
_HEAD, _AGENTS, _DECISION = 4, 8, 7
_PHASE_STYLE = {"opening": "bold blue", "exploration": "bold green", "wrap_up": "bold red"}
_PHASE_WORDS = {"opening": "opening", "exploration": "exploration", "wrap_up": "wrap-up, locked"}
_STATUS_WORDS = {
    "connecting": "connecting",
    "live": "live",
    "goodbye": "goodbye",
    "closing": "hanging up",
    "after": "analysing and writing the essay",
    "done": "over",
}
_AGENT_NAMES = {"note_taker": "Note-Taker", "follow_up": "Follow-Up"}


def screen(moment: Snapshot, width: int, height: int) -> RenderableType:
    """The view of a moment in `width` x `height` characters; a narrow one leaves out plan, agents and decision."""
    whole = Layout(size=height)
    alarm = _alarm(moment, width, height - _HEAD)
    whole.split_column(Layout(_head(moment, width), size=_HEAD), *alarm, Layout(name="body"))
    talk = _panel("conversation", Tail([_turn(turn) for turn in moment.turns]))
    if width < WIDE:
        whole["body"].update(talk)
        return whole
    side = Layout(size=_SIDE)
    side.split_column(
        Layout(
            _panel(_plan_title(moment), Tail(_plan(moment, height - _HEAD - _AGENTS - _DECISION - 2), keep_start=True))
        ),
        Layout(_panel("agents", _agents(moment)), size=_AGENTS),
        Layout(_panel("decision", _decision(moment)), size=_DECISION),
    )
    whole["body"].split_row(Layout(talk), side)
    return whole


class Tail:
    """Texts cut to the height there is: the last lines stay, or the first if `keep_start`."""

    def __init__(self, texts: Sequence[RenderableType], *, keep_start: bool = False) -> None:
        self._texts = texts
        self._keep_start = keep_start

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines that fit."""
        height = options.height or options.max_height
        lines: list[list[Segment]] = []
        for text in self._texts if self._keep_start else reversed(self._texts):
            new = console.render_lines(text, options.update(height=None), pad=False)
            lines = lines + new if self._keep_start else new + lines
            if len(lines) >= height:
                break
        for line in lines[:height] if self._keep_start else lines[-height:]:
            yield from line
            yield Segment.line()


def _panel(title: str | Text, body: RenderableType) -> Panel:
    return Panel(body, title=title, title_align="left", box=ROUNDED, border_style="dim", padding=(0, 1))


def _head(moment: Snapshot, width: int) -> RenderableType:
    who = Text(one_line(moment.heading.topic), "bold", no_wrap=True, overflow="ellipsis")
    who.append(f"  with {one_line(moment.heading.guest)}", "dim")
    return _panel(Text("interviewer", "bold"), Group(who, _clock_line(moment, width - 4)))


def _alarm(moment: Snapshot, width: int, room: int) -> list[Layout]:
    """Why the call is not kept as usual, on as many lines as it needs, at most half of those there are."""
    if not moment.keep_problem:
        return []
    text = Text(one_line(moment.keep_problem), "bold yellow", overflow="fold")
    return [Layout(text, size=max(1, min(room // 2, 1 + len(text) // (width - 1))))]


def _clock_line(moment: Snapshot, width: int) -> Text:
    """Elapsed time, a bar with the mark at which the call locks to wrap-up, the length, the phase, the status."""
    left, right = f"{clock(moment.elapsed_ms)} ", f" {clock(moment.target_ms)}  "
    phase, status = _PHASE_WORDS[moment.phase], _STATUS_WORDS.get(moment.status, moment.status)
    room = max(10, width - len(left) - len(right) - len(phase) - len(status) - 3)
    line = Text(left, "bold", no_wrap=True, overflow="crop")
    line.append_text(_bar(moment, room))
    line.append(right)
    line.append(phase, _PHASE_STYLE[moment.phase])
    return line.append(f" · {status}", "dim")


def _bar(moment: Snapshot, room: int) -> Text:
    done = min(room, round(room * moment.elapsed_ms / moment.target_ms))
    mark = min(room - 1, round(room * moment.heading.wrap_up_from))
    style = _PHASE_STYLE[moment.phase]
    bar = Text()
    for at in range(room):
        filled = at < done
        bar.append("┃" if at == mark else "━", "bold red" if at == mark else style if filled else "dim")
    return bar


def _turn(turn: Turn) -> Text:
    said = Text()
    said.append(f"{turn.speaker.capitalize()}  ", SPEAKER_STYLE[turn.speaker])
    if turn.state == "inaudible":
        return said.append("(inaudible)", "dim")
    said.append(one_line(turn.text))
    if turn.ended_ms is None or turn.state in ("speaking", "waiting"):
        said.append(" ▌", "blink")
    elif turn.speaker == "interviewer" and not turn.heard:
        said.append(" (not heard)", "dim")
    return said


def _plan_title(moment: Snapshot) -> str:
    delivered = sum(q.state == "delivered" for q in moment.questions)
    more = f", {moment.unplanned} more" if moment.unplanned else ""
    return f"plan: {delivered} of {len(moment.questions)} delivered{more}"


def _plan(moment: Snapshot, room: int) -> list[RenderableType]:
    """The questions in the order of the plan, for `room` lines: whole if they fit, else without those that are done."""
    lines: list[RenderableType] = []
    before: str | None = None
    count, gaps = len(moment.questions), len({question.section_id for question in moment.questions}) - 1
    apart, wrap, spare = count + gaps <= room, 2 * count + gaps <= room, count - room
    for question in moment.questions:
        if spare > 0 and question.state == "delivered":
            spare -= 1
            continue
        if lines and question.section_id != before and apart:
            lines.append(Text())
        before = question.section_id
        lines.append(_question(question, wrap=wrap))
    return lines


def _question(question: QuestionLine, *, wrap: bool) -> RenderableType:
    done = "✓" if question.answered else "✕" if question.closed else " "
    label = Text(STATE_MARK[question.state], STATE_STYLE[question.state], end="")
    label.append(done, "green" if question.answered else "dim").append(f" {question.priority} ", "dim")
    quiet = "" if question.state in ("pending", "held") else "dim" if question.state == "available" else "green"
    text = Text(one_line(question.text), quiet, no_wrap=not wrap, overflow="fold" if wrap else "ellipsis")
    return Hanging(label, text)


def _agents(moment: Snapshot) -> Table:
    made = Table.grid(padding=(0, 1), expand=True)
    for justify in ("left", "left", "right", "right"):
        made.add_column(justify=justify)
    for name, agent in list(moment.agents.items())[: _AGENTS - 2]:
        made.add_row(*_agent(_AGENT_NAMES.get(name, name.replace("_", " ").title()), agent))
    return made


def _agent(name: str, agent: AgentActivity) -> Iterable[Text]:
    working = agent.running > 0
    yield Text(name, "bold" if working else "")
    yield Text("at work", "yellow") if working else Text(agent.outcome or "", "dim" if agent.outcome == "ok" else "red")
    yield Text(f"{agent.latency_ms / 1000:.1f} s" if agent.latency_ms is not None else "", "dim")
    yield Text(counted(agent.runs, "run") + (f", {agent.fallbacks} stood in for" if agent.fallbacks else ""), "dim")


def _decision(moment: Snapshot) -> Text:
    decision = moment.decision
    if decision is None:
        return Text("none yet", "dim")
    said = Text(overflow="ellipsis")
    said.append(f"{decision['outcome']} ", "bold")
    if decision["source"]:
        said.append(f"from {one_line(decision['source'])} ", "dim")
    said.append(one_line(decision["text"] or "let the guest go on"))
    why = one_line(decision["why"] or decision["reason"])
    return said.append(f"\n{why}", "dim") if why else said
