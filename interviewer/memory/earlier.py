"""What earlier calls of an interview left: the value that a follow-up is begun with, whole in its journal."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from interviewer.ledger.events import World
from interviewer.model.notes import Notes
from interviewer.model.turn import Said


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PastCall(_Kept):
    """A call of the chain. `transcript_only`: it has no ledger that can be used, so what it covered is reconstructed.

    `began`: when, in ISO 8601, empty if that is not known. `source`: what began it, such as "call" or "import".
    `digest`: of all that is remembered of it; empty if it could not be read.
    """

    call_id: str
    began: str = ""
    source: str = ""
    world: World = "real"
    transcript_only: bool = False
    digest: str = ""


class Asked(_Kept):
    """A question the guest has heard in an earlier call.

    `call` numbers the calls of the chain from 1, `turn` is marked with it. `known`: "live" if a ledger says so,
    "reconstructed" if it was read out of a transcript.
    """

    text: str
    call: int = Field(default=1, ge=1)
    turn: str = ""
    question_id: str | None = None
    known: Literal["live", "reconstructed"] = "live"


class Mark(_Kept):
    """A mark on a question, as its ledger has it: in which call it was made, and at which turn if that is known.

    `call` 0: in one that is no more part of the chain.
    """

    kind: Literal["covered", "answered", "declined", "nothing", "claimed"]
    call: int = Field(ge=0)
    turn: str = ""
    volunteered: bool = False


class Standing(_Kept):
    """Where a question stood at the end of an earlier call; its id is kept.

    `call` is the one that settled `status`, 0 if that is no more part of the chain. `reason`: why it is held; `holds`:
    how often it was.
    """

    id: str
    text: str
    priority: int = Field(default=2, ge=1, le=3)
    planned: bool = True
    source: str = "plan"
    role: Literal["backbone", "follow_up"] = "backbone"
    section_id: str | None = None
    status: Literal["available", "delivered", "held"] = "available"
    call: int = Field(default=1, ge=0)
    reason: str = ""
    holds: int = Field(default=0, ge=0)
    marks: tuple[Mark, ...] = ()


class Touched(_Kept):
    """A planned question that a transcript probably touched on: approximate, and never more than a clue.

    `text` is what was said in `turn`; `score`, above `threshold`, is by `scorer`, a name and a version.
    """

    question_id: str
    score: float = Field(ge=0, le=1)
    threshold: float
    scorer: str
    call: int = Field(default=1, ge=1)
    turn: str
    text: str

    @property
    def clue(self) -> str:
        """What the Orchestrator and a person are told of it."""
        return f"you may have touched on this in call {self.call}: “{self.text}”"


class Thread(_Kept):
    """Words of the guest's that the opening picks up, with the turn they are from."""

    quote: str
    turn: str


class Earlier(_Kept):
    """All that a follow-up knows of the calls before it, in order of time.

    Turns of call n have ids such as `cn.t5`, in `turns`, `notes` and everywhere else. `notes` are those of all calls
    merged. `covered`: titles of sections reached; `titles`: id and title of every section there was. `researched`:
    subjects the Researcher tried. `names`: pairs of heard and right. `expressions`: the guest's own. `asked_for`: ids
    of the questions about what was picked, which no transcript puts back. `problems`: what of the chain could not be
    used, in words for a person. `form`: how the voice is told of it; what a journal holds is told as it was then, so
    that it folds again.
    """

    interview_id: str = ""
    calls: tuple[PastCall, ...] = ()
    turns: tuple[Said, ...] = ()
    notes: Notes = Notes()
    heard: tuple[Asked, ...] = ()
    covered: tuple[str, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()
    themes: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()
    touched: tuple[Touched, ...] = ()
    researched: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    expressions: tuple[str, ...] = ()
    form: Literal[1, 2] = 1
    thread: Thread | None = None
    asked_for: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def world(self, call: int) -> World:
        """The world that call number `call` happened in; of one that is not known, that of the latest call."""
        if not self.calls:
            return "real"
        return self.calls[call - 1 if 0 < call <= len(self.calls) else -1].world

    def call_id(self, call: int) -> str:
        """The id of call number `call`; empty if that is not known."""
        return self.calls[call - 1].call_id if 0 < call <= len(self.calls) else ""
