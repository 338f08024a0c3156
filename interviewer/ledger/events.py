"""The events of the question ledger: appended, never changed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from interviewer.errors import LedgerError

Kind = Literal[
    "question",  # a question got its identity
    "selected",  # stage 1: the Orchestrator chose it
    "accepted",  # stage 2: the service acknowledged the instructions that carry it
    "started",  # stage 3: a response runs under them
    "generated",  # stage 4: the final transcript of that response contains the question
    "delivered",  # stage 5: it completed and was played to the end of the question
    "released",  # the attempt fell short; the question is available again
    "held",  # released with a caution: it may have been heard
    "heard",  # memory: this was audibly asked, credited or not
    "covered",  # another question's attempt turned out to ask this one
    "answered",  # the guest answered it, asked or not
    "declined",  # the guest does not want it
    "nothing",  # the guest had nothing to say to what was asked
    "claimed",  # the guest says it was answered before
    "recovered",  # a proposal without a valid id got one by its text
    "unrecovered",  # it did not: coverage may be incomplete
    "reconstructed",  # an old transcript probably covers it
    "carried",  # it was delivered or held in an earlier call of the chain
    "remembered",  # memory: this was audibly asked in an earlier call
    "guarded",  # a proposal of it was held against what was heard: passed, returned, warned or refused
    "repeated",  # what was heard asks again for what was heard before
    "late",  # evidence for an attempt that was closed: recorded, without effect
]
Known = Literal["live", "matched", "reconstructed"]
World = Literal["real", "simulated", "replayed"]
Basis = Literal["protocol", "inferred", "judged"]
Value = str | int | float | bool | None

STAGES: tuple[Kind, ...] = ("selected", "accepted", "started", "generated", "delivered")

RELEASE_REASONS = (
    "failed",
    "refused",
    "superseded",
    "timed_out",
    "disconnected",
    "cancelled",
    "incomplete",
    "not_played",
    "declined",
    "wandered",
)
HELD_REASONS = ("cut", "unconfirmed")
GUARDED = ("passed", "returned", "warned", "refused")
CARRIED = ("delivered", "held")


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """One fact about a question.

    `seq` counts from 1 within a call. `known` says how it is known, `world` where it happened, `basis` whether the
    protocol says so, it was inferred, or a model was asked; they are never merged. `evidence` holds plain values only:
    revision, `response_id`, `item_id`, score, threshold and scorer, played and total milliseconds, reason.
    """

    seq: int
    t_ms: int
    kind: Kind
    question_id: str | None
    attempt_id: str | None = None
    known: Known = "live"
    world: World = "real"
    basis: Basis = "protocol"
    evidence: Mapping[str, Value] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON values."""
        return {
            "seq": self.seq,
            "t_ms": self.t_ms,
            "kind": self.kind,
            "question_id": self.question_id,
            "attempt_id": self.attempt_id,
            "known": self.known,
            "world": self.world,
            "basis": self.basis,
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "LedgerEvent":
        """The event in `data`. Raises LedgerError naming the field that does not fit."""
        try:
            event = cls(
                **{name: data[name] for name in ("seq", "t_ms", "kind", "question_id")},
                **{name: data[name] for name in _OPTIONAL if name in data},
            )
        except KeyError as missing:
            raise LedgerError(f"ledger event without {missing}: {data!r}") from None
        for name, fits in _FITS.items():
            if not fits(getattr(event, name)):
                raise LedgerError(f"ledger event {event.seq!r}: {name} cannot be {getattr(event, name)!r}")
        return event


def _count(value: Any) -> bool:
    return type(value) is int and value >= 1


def _time(value: Any) -> bool:
    return type(value) is int and value >= 0


def _id(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _plain_values(value: Any) -> bool:
    return isinstance(value, Mapping) and all(v is None or isinstance(v, str | int | float) for v in value.values())


_OPTIONAL = ("attempt_id", "known", "world", "basis", "evidence")
_FITS: dict[str, Callable[[Any], bool]] = {
    "seq": _count,
    "t_ms": _time,
    "kind": get_args(Kind).__contains__,
    "question_id": _id,
    "attempt_id": _id,
    "known": get_args(Known).__contains__,
    "world": get_args(World).__contains__,
    "basis": get_args(Basis).__contains__,
    "evidence": _plain_values,
}
