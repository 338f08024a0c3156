"""A call as a list of inputs: a core, a virtual time, and what the service, the player and the agents would send."""

from collections import deque
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from interviewer.call.actions import (
    Action,
    CloseConnection,
    Connect,
    End,
    Microphone,
    Record,
    Send,
    StartJob,
    StopPlayback,
)
from interviewer.call.core import Core
from interviewer.call.inputs import (
    Answer,
    Begin,
    Command,
    CommandName,
    Connected,
    Disconnected,
    Frame,
    Input,
    Mic,
    Playback,
    PlaybackFailed,
    Tick,
)
from interviewer.call.setup import CallSetup
from interviewer.ledger.events import LedgerEvent
from interviewer.memory.earlier import Earlier
from interviewer.model.decision import Decision, Proposal, Research
from interviewer.model.notes import Notes
from interviewer.model.outcome import Analysis, Essay, FollowUp, FollowUpTopic
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings

Q1 = "How did you come to build bridges?"
Q2 = "What broke on your first river crossing?"
Q3 = "Who taught you to trust concrete?"
Q4 = "Which tool would you never lend?"

PLAN = Plan(
    topic="Bridges",
    goal="Learn why some bridges last",
    sections=(
        Section(
            id="s1",
            title="Beginnings",
            questions=(Question(id="q1", text=Q1, priority=1), Question(id="q2", text=Q2, priority=1)),
        ),
        Section(
            id="s2",
            title="Craft",
            questions=(Question(id="q3", text=Q3, priority=2), Question(id="q4", text=Q4, priority=3)),
        ),
    ),
)

ANALYSIS = Analysis(
    goal_met="partly", assessment="", claims=(), themes=(), tensions=(), quotes=(), title="Bridges", subtitle=""
)
FOLLOW_UP = FollowUp(
    summary="",
    topics=tuple(FollowUpTopic(title=f"Topic {n}", why="", questions=("Why?", "How?")) for n in (1, 2, 3)),
    gaps=(),
    strengthen=(),
)
_GOODBYE = "Thank you so much for your time. Goodbye."
ESSAY = Essay(title="Bridges", markdown="# Bridges", sentences=())


def silence() -> Decision:
    """A decision that asks nothing."""
    return Decision(phase="exploration", proposal=None, brief="")


def ask(text: str, question_id: str | None = None, source: Any = "plan", **more: Any) -> Decision:
    """A decision that asks this."""
    brief = more.pop("brief", "")
    phase = more.pop("phase", "exploration")
    themes = more.pop("themes", ())
    proposal = Proposal(text=text, question_id=question_id, source=source, **more)
    return Decision(phase=phase, proposal=proposal, brief=brief, themes=themes)


class Bench:
    """A core with a virtual time.

    Unless `acks` is False the service acknowledges updates at once; unless `agents` is False every agent answers at
    once, the Orchestrator from `decisions` and else with nothing to ask; `echo` False: no metadata in responses.
    `model`: settings of the agents.
    """

    def __init__(
        self,
        *,
        plan: Plan = PLAN,
        context: str = "",
        earlier: Earlier | None = None,
        agents: bool = True,
        acks: bool = True,
        echo: bool = True,
        model: dict[str, Any] | None = None,
        **groups: Any,
    ) -> None:
        settings = Settings().with_(**groups, **({"agents": model} if model else {}))
        self.setup = CallSetup(plan=plan, context=context, settings=settings, earlier=earlier)
        self.core = Core(self.setup)
        self.agents, self.acks, self.echo = agents, acks, echo
        self.now = 0
        self.epoch = 1
        self.inputs: list[Input] = []
        self.actions: list[Action] = []
        self.steps: list[list[Action]] = []
        self.jobs: dict[str, StartJob] = {}
        self.decisions: deque[Decision] = deque()
        self.response = ""
        self.item = ""
        self._responses = self._items = 0

    # -- time and inputs -----------------------------------------------------------------------------------------

    def step(self, record: Input) -> list[Action]:
        self.inputs.append(record)
        actions = self.core.step(record)
        self.steps.append(actions)
        self.actions += actions
        for action in actions:
            if isinstance(action, StartJob):
                self.jobs[action.job_id] = action
        if self.acks:
            for event in [a.event for a in actions if isinstance(a, Send) and a.event["type"] == "session.update"]:
                self.frame("session.updated", session=event["session"])
        if self.agents:
            for job in [a for a in actions if isinstance(a, StartJob)]:
                self.answer(job.agent, self.output_of(job.agent), job.job_id)
        return actions

    def output_of(self, agent: str) -> BaseModel:
        made: dict[str, Callable[[], BaseModel]] = {
            "note_taker": Notes,
            "researcher": Research,
            "orchestrator": lambda: self.decisions.popleft() if self.decisions else silence(),
            "analyst": lambda: ANALYSIS,
            "follow_up": lambda: FOLLOW_UP,
            "writer": lambda: ESSAY,
        }
        return made[agent]()

    def wait(self, ms: int) -> None:
        """Let time pass, with a tick at every deadline of the core."""
        self.until(self.now + ms)

    def until(self, t_ms: int) -> None:
        for _ in range(10_000):
            deadline = self.core.deadline
            if deadline is None or deadline > t_ms:
                break
            assert deadline > self.now or not self._stuck(), f"the core waits for {deadline}, and it is {self.now}"
            self.now = max(self.now, deadline)
            self.step(Tick(self.now))
        else:
            raise AssertionError("the core asks for ticks for ever")
        self.now = max(self.now, t_ms)

    def tick(self) -> list[Action]:
        return self.step(Tick(self.now))

    def _stuck(self) -> bool:
        """Two ticks in a row at the same time that asked for nothing."""
        last = self.inputs[-2:]
        return len(last) == 2 and all(isinstance(i, Tick) and i.t_ms == self.now for i in last)

    def frame(self, type_: str, **fields: Any) -> list[Action]:
        return self.step(Frame(self.now, self.epoch, {"type": type_, "event_id": f"e{len(self.inputs)}", **fields}))

    def command(self, name: CommandName, value: str = "") -> list[Action]:
        return self.step(Command(self.now, name, value))

    def mic(self, on: bool) -> list[Action]:
        return self.step(Mic(self.now, on))

    # -- connection ----------------------------------------------------------------------------------------------

    def begin(self) -> "Bench":
        """Up to session.created; the first update is on its way."""
        self.step(Begin(self.now))
        self.connect()
        return self

    def connect(self) -> None:
        """The socket of the newest Connect opens and the session is created."""
        self.epoch = self.of(Connect)[-1].epoch
        self.step(Connected(self.now, self.epoch))
        self.frame("session.created", session={"type": "realtime", "object": "realtime.session"})

    def ready(self) -> "Bench":
        """A session that is ready: the opening was asked for."""
        self.begin()
        if not self.acks:
            self.ack()
        return self

    def ack(self, **changed: Any) -> list[Action]:
        """The service's session.updated, echoing the update sent last."""
        return self.frame("session.updated", session={**self.sent("session.update")[-1]["session"], **changed})

    def refuse(self, event_id: str, code: str = "invalid_value") -> list[Action]:
        return self.frame("error", error={"type": "invalid_request_error", "code": code, "event_id": event_id})

    def drop(self, reason: str = "gone") -> list[Action]:
        return self.step(Disconnected(self.now, self.epoch, reason))

    # -- the voice -----------------------------------------------------------------------------------------------

    def created(self, **changed: Any) -> str:
        """response.created for the request sent last."""
        self._responses += 1
        self.response, self.item = f"resp_{self._responses}", ""
        response = {"id": self.response, "status": "in_progress", "output": [], **self._metadata(), **changed}
        self.frame("response.created", response=response)
        return self.response

    def _metadata(self) -> dict[str, Any]:
        return {"metadata": self.sent("response.create")[-1]["response"]["metadata"] if self.echo else None}

    def new_item(self) -> str:
        self._items += 1
        self.item = f"item_{self._items}"
        return self.item

    def audio(self, ms: int) -> None:
        """Audio of the response under way."""
        self.item or self.new_item()
        self.frame("response.output_audio.delta", response_id=self.response, item_id=self.item, audio_ms=ms)

    def words(self, text: str) -> None:
        """The final transcript of the item under way."""
        self.frame(
            "response.output_audio_transcript.done",
            response_id=self.response,
            item_id=self.item or self.new_item(),
            transcript=text,
        )

    def done(self, status: str = "completed", **changed: Any) -> list[Action]:
        response = {"id": self.response, "status": status, "output": [], **self._metadata(), **changed}
        return self.frame("response.done", response=response)

    def say(self, text: str, ms: int = 4_000, status: str = "completed") -> str:
        """The requested response, generated at once; nothing of it was played yet."""
        self.created()
        self.audio(ms)
        self.words(text)
        self.done(status)
        return self.response

    def played(self, ms: int, *, ended: bool = False, response: str = "") -> list[Action]:
        return self.step(Playback(self.now, response or self.response, ms, ended))

    def playback_failed(self, reason: str = "no device") -> list[Action]:
        return self.step(PlaybackFailed(self.now, self.response, reason))

    def reply(self, text: str, ms: int = 4_000) -> str:
        """The requested response, generated and heard to its end in its own time."""
        self.say(text, ms)
        self.hear(ms)
        return self.response

    def hear(self, ms: int) -> None:
        """Playback of the response under way to its end, with a report every second."""
        response = self.response
        for start in range(0, ms, 1_000):
            self.wait(min(1_000, ms - start))
            self.played(min(ms, start + 1_000), ended=start + 1_000 >= ms, response=response)

    def run(self, ms: int, text: str = "I see.", audio_ms: int = 2_000) -> None:
        """Let time pass; every reply that is asked for is spoken and heard."""
        end = self.now + ms
        while self.now < end and not self.core.ended:
            if len(self.requests) > self._responses:
                self.reply(_GOODBYE if self.requests[-1] == "closing" else text, audio_ms)
            else:
                self.until(min(end, max(self.now, self.core.deadline or end)))

    # -- the guest -----------------------------------------------------------------------------------------------

    def starts(self) -> str:
        self._items += 1
        item = f"guest_{self._items}"
        self.frame("input_audio_buffer.speech_started", item_id=item)
        return item

    def stops(self, item: str) -> None:
        self.frame("input_audio_buffer.speech_stopped", item_id=item)
        self.frame("input_audio_buffer.committed", item_id=item)

    def transcribed(self, item: str, text: str) -> None:
        self.frame("conversation.item.input_audio_transcription.completed", item_id=item, transcript=text)

    def guest(self, text: str, ms: int = 3_000) -> str:
        """A whole turn of the guest: its transcript comes with the commit."""
        item = self.starts()
        self.wait(ms)
        self.stops(item)
        self.transcribed(item, text)
        return item

    # -- agents --------------------------------------------------------------------------------------------------

    def open_job(self, agent: str) -> StartJob:
        """The newest unanswered job of this agent."""
        return [job for job in self.jobs.values() if job.agent == agent][-1]

    def running(self) -> list[str]:
        return [job.agent for job in self.jobs.values()]

    def answer(self, agent: str, output: BaseModel | None, job_id: str = "", error: str = "") -> list[Action]:
        job = self.jobs.pop(job_id or self.open_job(agent).job_id)
        data = None if output is None else output.model_dump(mode="json")
        return self.step(Answer(self.now, job.job_id, data, error, latency_ms=0))

    def listened(self) -> None:
        """Note-Taker and Researcher of the cycle under way found nothing."""
        for agent in ("note_taker", "researcher"):
            if agent in self.running():
                self.answer(agent, self.output_of(agent))

    def decide(self, decision: Decision) -> None:
        """The cycle under way ends with this decision."""
        self.listened()
        self.answer("orchestrator", decision)

    # -- what came of it -----------------------------------------------------------------------------------------

    def of(self, kind: type[Any]) -> list[Any]:
        return [action for action in self.actions if isinstance(action, kind)]

    def sent(self, type_: str) -> list[Any]:
        return [a.event for a in self.of(Send) if a.event["type"] == type_]

    @property
    def requests(self) -> list[str]:
        """The kinds of the replies asked for, in order."""
        return [event["response"]["metadata"]["kind"] for event in self.sent("response.create")]

    @property
    def guidance(self) -> str:
        """The instructions of the update sent last."""
        return str(self.sent("session.update")[-1]["session"]["instructions"])

    @property
    def asked_under(self) -> str:
        """The instructions of the reply asked for last."""
        return str(self.sent("response.create")[-1]["response"]["instructions"])

    def records(self, kind: str) -> list[Any]:
        return [r.data for r in self.of(Record) if r.kind == kind]

    def events(self, kind: str) -> list[LedgerEvent]:
        return [event for event in self.core.ledger.events if event.kind == kind]

    def status(self, question_id: str) -> str:
        return str(self.core.ledger.questions[question_id].status)

    def endings(self) -> list[tuple[str | None, str]]:
        """(question, reason) of every attempt that was released or held, in order."""
        return [
            (e.question_id, str(e.evidence["reason"]))
            for e in self.core.ledger.events
            if e.kind in ("released", "held")
        ]

    @property
    def phase(self) -> str:
        return self.core.phase

    @property
    def microphone(self) -> bool:
        return bool(self.of(Microphone)[-1].on)

    @property
    def stopped(self) -> list[str]:
        return [action.response_id for action in self.of(StopPlayback)]

    @property
    def closed(self) -> bool:
        return bool(self.of(CloseConnection))

    @property
    def end(self) -> str | None:
        """Why the call ended, None while it lasts."""
        ends = self.of(End)
        return str(ends[-1].reason) if ends else None

    def transcript(self) -> list[tuple[str, str]]:
        return [(turn.speaker, turn.text) for turn in self.core.turns]


def opened(**options: Any) -> Bench:
    """A call whose opening was heard to its end and delivered q1."""
    bench = Bench(**options).ready()
    bench.reply(f"Welcome. {Q1}")
    return bench
