"""What a simulated service can be told to do wrong: which faults there are, and how a mix of them is written down."""

import random
import re
from dataclasses import dataclass
from typing import Final, Literal, Self, get_args

from interviewer.errors import SettingsError

Stage = Literal["selected", "accepted", "started", "generated", "delivered"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault. `stages` are those at which it has a chance; `once`: written alone it strikes once a call."""

    stages: tuple[Stage, ...]
    about: str
    once: bool = False


_UPDATE: Final[tuple[Stage, ...]] = ("selected",)
_REQUEST: Final[tuple[Stage, ...]] = ("accepted",)
_RESPONSE: Final[tuple[Stage, ...]] = ("started",)

FAULTS: Final[dict[str, Fault]] = {
    "late_ack": Fault(_UPDATE, "session.updated comes 1 to 6 s late"),
    "lost_ack": Fault(_UPDATE, "session.updated never comes"),
    "double_ack": Fault(_UPDATE, "session.updated comes twice"),
    "refused_update": Fault(_UPDATE, "session.update is refused"),
    "refused_response": Fault(_REQUEST, "response.create is refused"),
    "created_after_cancel": Fault(_REQUEST, "response.created comes 1 to 8 s late, after a cancel if there is one"),
    "done_without_created": Fault(_REQUEST, "response.created never comes"),
    "no_metadata": Fault(_REQUEST, "the response does not echo its metadata"),
    "deltas_after_cancel": Fault(_RESPONSE, "deltas straggle in after a cancelled response is done"),
    "other_reply": Fault(_RESPONSE, "the voice says something else than it was asked to"),
    "several_items": Fault(_RESPONSE, "a response holds several items"),
    "short_audio": Fault(_RESPONSE, "the audio breaks off in the first half of its transcript"),
    "no_audio": Fault(_RESPONSE, "a transcript without audio"),
    "failed": Fault(_RESPONSE, "the response fails on the way"),
    "incomplete": Fault(_RESPONSE, "the response stops at a limit"),
    "cancelled": Fault(_RESPONSE, "the service cancels the response by itself"),
    "late_transcript": Fault(STAGES, "the guest's transcript comes 3 to 20 s late"),
    "failed_transcript": Fault(STAGES, "the guest's transcript fails"),
    "empty_transcript": Fault(STAGES, "the guest's transcript is empty"),
    "invented_words": Fault(STAGES, "words are made of a moment of silence"),
    "idle_timeout": Fault(STAGES, "the service breaks the silence by itself"),
    "noise": Fault(STAGES, "noise counts as speech; its transcript is empty or fails"),
    "goodbye_noise": Fault(("generated",), "noise after a reply that says goodbye"),
    "echo": Fault(("started",), "the voice's own words come back as the guest's"),
    "session_cap": Fault(STAGES, "the session ends early: error session_expired, close 1001", once=True),
    "silent_session_cap": Fault(STAGES, "the session ends early: close 1001 without a word", once=True),
    "drop": Fault(STAGES, "the connection is gone", once=True),
    "no_close_frame": Fault(STAGES, "the connection ends without a close frame", once=True),
    "refused_connect": Fault((), "a connection cannot be opened", once=True),
    "stall": Fault(STAGES, "nothing arrives for 2 to 30 s", once=True),
    "unknown_event": Fault(STAGES, "an event nobody knows"),
    "anonymous_error": Fault(STAGES, "an error without event_id; errors lose theirs"),
    "oversized_frame": Fault(STAGES, "a frame beyond the limit"),
    "malformed_frame": Fault(STAGES, "a frame of the wrong shape"),
    "garbled_frame": Fault(STAGES, "a message that is no JSON"),
}

_TERM: Final = re.compile(r"([a-z_]+)(?:=([0-9.]+))?(?:@([a-z]+))?(?:#([0-9]+))?")
_RATES: Final = (0.02, 0.05, 0.1, 0.3, 1.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """One term of a spec: strike with `probability` at each chance, or at the `nth` alone; at `stage` or at any."""

    name: str
    probability: float = 1.0
    stage: Stage | None = None
    nth: int | None = None

    def __str__(self) -> str:
        share = "" if self.probability == 1 else f"={self.probability:g}"
        if self.probability == 1 and self.nth is None and FAULTS[self.name].once:
            share = "=1"
        return f"{self.name}{share}{f'@{self.stage}' if self.stage else ''}{f'#{self.nth}' if self.nth else ''}"


@dataclass(frozen=True, slots=True)
class Faults:
    """A mix of faults; what strikes when follows from `seed` and from the call alone.

    As text: terms with commas between, each a name, then as wanted `=P` (probability at each chance), `@STAGE` and
    `#N` (the N-th chance only), as in "late_ack=0.2,drop@started,refused_update#2,no_metadata". A name alone strikes
    at every chance; what ends or stalls the connection, once.
    """

    rules: tuple[Rule, ...] = ()
    seed: int = 0

    @classmethod
    def none(cls) -> Self:
        """No faults."""
        return cls()

    @classmethod
    def parse(cls, spec: str, seed: int = 0) -> Self:
        """The mix `spec` describes. Raises SettingsError naming the term that does not fit."""
        terms = [term.strip() for term in spec.split(",")]
        return cls(tuple(_rule(term) for term in terms if term), seed)

    @classmethod
    def random(cls, seed: int) -> Self:
        """One to six faults of any kind, each rare, frequent, certain, or at one chance only."""
        draw = random.Random(f"faults:{seed}")
        names = draw.sample(sorted(FAULTS), draw.randint(1, 6))
        return cls(tuple(_any_rule(name, draw) for name in names), seed)

    def __str__(self) -> str:
        return ",".join(str(rule) for rule in self.rules)


def _rule(term: str) -> Rule:
    found = _TERM.fullmatch(term)
    if found is None:
        raise SettingsError(f"faults: {term!r} is not NAME[=PROBABILITY][@STAGE][#N]")
    name, share, stage, nth = found.groups()
    if name not in FAULTS:
        raise SettingsError(f"faults: no fault is called {name!r}; there are {', '.join(sorted(FAULTS))}")
    fault = FAULTS[name]
    if stage is not None and stage not in fault.stages:
        allowed = ", ".join(fault.stages) or "no stage"
        raise SettingsError(f"faults: {name} may be at {allowed}, not at {stage!r}")
    if nth == "0":
        raise SettingsError(f"faults: {term!r}: chances count from 1")
    number = int(nth) if nth else 1 if fault.once and share is None else None
    place = next((known for known in STAGES if known == stage), None)
    return Rule(name, _probability(term, share), place, number)


def _probability(term: str, share: str | None) -> float:
    try:
        value = float(share) if share else 1.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise SettingsError(f"faults: {term!r}: a probability is a number from 0 to 1")
    return value


def _any_rule(name: str, draw: random.Random) -> Rule:
    fault = FAULTS[name]
    stage = draw.choice(fault.stages) if fault.stages and draw.random() < 0.4 else None
    if fault.once or draw.random() < 0.3:
        return Rule(name, 1.0, stage, draw.randint(1, 12 if stage is None else 4))
    return Rule(name, draw.choice(_RATES), stage)
