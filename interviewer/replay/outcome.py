"""What a replay gives: plain values, so that they can be stored, compared and sent between processes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from interviewer.call.setup import CallSetup
from interviewer.ledger.events import LedgerEvent
from interviewer.model.decision import Phase
from interviewer.replay.recording import Origin, Spoken
from interviewer.settings import Settings

Kind = Literal["exact", "teacher-forced", "prefix", "simulated"]
KINDS: tuple[Kind, ...] = ("exact", "teacher-forced", "prefix", "simulated")

CLAIMS: dict[Kind, str] = {
    "exact": "whether the core still makes the same of the same inputs; nothing about the agents",
    "teacher-forced": "what the agents would choose at each moment; nothing about what a guest would have answered",
    "prefix": "as teacher-forced, up to where a choice leaves the recording; nothing about what comes after it",
    "simulated": "answers follow the questions, but from a guest more cooperative than people",
}
"""What may be concluded from each kind, and what may not."""

HINDSIGHT = (
    "its plan is drawn from the whole conversation, later questions included, so that `agreement` is partly circular"
)
"""A note of recordings whose plan knows what is asked later."""
FURTHER = "further differences"
"""What a note counts, number first, where an exact replay keeps only the first of them."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the Orchestrator as the core applied it; times in ms on the call's clock.

    `turn`: the last turn the agents had read, empty for none. `text`: what was proposed, empty for nothing; `outcome`
    whether it was `selected`, `kept`, `refused` (then `reason`) or `none`. `asked_turn` and `asked`: the turn of the
    interviewer's that came next in the recording, and what it asked; empty for none. `score`: how alike the two are, 0
    to 1, None if one of them is empty or nothing can be compared.
    """

    number: int
    cycle: int
    t_ms: int
    snapshot_ms: int
    turn: str
    phase: Phase
    proposed_phase: Phase
    question_id: str | None
    text: str
    source: str
    returning: bool
    why: str
    brief: str
    themes: tuple[str, ...]
    outcome: str
    reason: str
    asked_turn: str = ""
    asked: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn of the interviewer's in the recording, and what would have been asked there instead.

    `turn` counts in the recording, `kind` is that of the reply the core wanted. `offered`: the wording chosen for it,
    empty if the voice was left free; `decision`: the number of the decision behind it, 0 for the opening. `asked`:
    what the recording asked. `score` as in `Decided`; `agrees` whether it reaches `replay.agrees`, None without score.
    """

    turn: str
    t_ms: int
    kind: str
    phase: Phase
    question_id: str | None
    offered: str
    decision: int
    asked: str
    score: float | None
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class AgentRun:
    """A run of an agent: ms, tokens, USD (None: no price is known). `reused`: played back from a cassette."""

    job_id: str
    agent: str
    version: str
    cycle: int
    started_ms: int
    ended_ms: int
    latency_ms: int
    input_hash: str
    model: str
    outcome: str
    error: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    retries: int
    repairs: int
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """A ledger event that a fresh core makes otherwise of the same inputs.

    `input`: the number of the input from which it comes, from 1. `stored` or `fresh` is None if the event is on one
    side only; `fields` names what differs where it is on both, as (name, stored, fresh).
    """

    input: int
    input_type: str
    t_ms: int
    stored: LedgerEvent | None
    fresh: LedgerEvent | None
    fields: tuple[tuple[str, Any, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """Where a prefix leaves the recording: the turn, what was chosen there and what the recording asked.

    `turns` of `turns_total` turns of the interviewer's come before it: what was at hand there agrees, if anything was.
    """

    turn: str
    t_ms: int
    chosen: str
    asked: str
    score: float | None
    turns: int
    turns_total: int


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A detail that the simulated guest told at `t_ms`: asked for by `question`, or volunteered.

    `turn`: the turn of the recording it stands in.
    """

    detail_id: str
    turn: str
    text: str
    t_ms: int
    asked: bool
    question: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """One recording replayed. `turns` are those of the replay itself, `recorded` those of the recording.

    `differences` for exact, `left` for prefix (None: it followed the recording to its end), `disclosures` and `truth`
    for simulated; empty or None otherwise. `details`: how many the simulated guest holds. `records`: (kind, ms, data)
    of the core's records of replies, of the last notes, of analysis, follow-up and essay. `inputs`: how many the core
    took. `ended`: why it ended; `ended_ms` on the call's clock. `seconds`: processor time it took here.
    """

    source: str
    origin: Origin
    kind: Kind
    setup: CallSetup
    turns: tuple[Spoken, ...]
    recorded: tuple[Spoken, ...]
    decisions: tuple[Decided, ...]
    moments: tuple[Moment, ...]
    events: tuple[LedgerEvent, ...]
    runs: tuple[AgentRun, ...]
    inputs: int
    ended: str
    ended_ms: int
    seconds: float
    differences: tuple[Difference, ...] = ()
    left: Left | None = None
    disclosures: tuple[Disclosure, ...] = ()
    details: int = 0
    truth: Mapping[str, Any] | None = None
    records: tuple[tuple[str, int, Mapping[str, Any]], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def differences_total(self) -> int:
        """How many differences there are, with those that are not kept."""
        further = (note.partition(" ") for note in self.notes)
        return len(self.differences) + sum(int(count) for count, _, what in further if what == FURTHER)

    @property
    def hindsight(self) -> bool:
        """Whether the plan knows what is asked later in the recording."""
        return HINDSIGHT in self.notes


@dataclass(frozen=True, slots=True)
class Failed:
    """A source that could not be replayed, and why: the name of the error and its text."""

    source: str
    error: str
    problem: str


@dataclass(frozen=True, slots=True)
class Run:
    """Many recordings replayed under one configuration. `agents`: version by name; `version`: this package's.

    `stopped`: it was interrupted, and holds what was done until then. `seconds`: time it took. `seed`, `tape` (a path)
    and `plan` (a digest of the one that took the place of each recording's own) are what it was begun with.
    """

    run_id: str
    kind: Kind
    settings: Settings
    agents: Mapping[str, str]
    version: str
    started_at: str
    results: tuple[Replayed, ...]
    failures: tuple[Failed, ...] = ()
    stopped: bool = False
    seconds: float = 0.0
    reused: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By agent: (runs played back, runs made anew)."""
    seed: int = 0
    plan: str = ""
    tape: str = ""

    @property
    def decisions(self) -> tuple[tuple[str, Decided], ...]:
        """(source, decision) of all results."""
        return tuple((result.source, decided) for result in self.results for decided in result.decisions)


def reuse(results: tuple[Replayed, ...]) -> dict[str, tuple[int, int]]:
    """By agent, in order of name: (runs played back, runs made anew)."""
    back: Counter[str] = Counter()
    anew: Counter[str] = Counter()
    for result in results:
        for run in result.runs:
            (back if run.reused else anew)[run.agent] += 1
    return {agent: (back[agent], anew[agent]) for agent in sorted(back.keys() | anew.keys())}
