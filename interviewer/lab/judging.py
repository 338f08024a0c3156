"""Divergences of two runs judged blind: which choice is better, and why; kept at once in the home's workspace."""

import json
import random
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from interviewer.errors import ReplayError
from interviewer.lab.comparing import Comparison
from interviewer.lab.divergences import Choice, Divergence
from interviewer.metrics.statistics import Estimate, share
from interviewer.model.characters import whole
from interviewer.store.append import append_line
from interviewer.store.home import Home

Verdict = Literal["left", "right", "alike", "skip"]
VERDICTS: Final[dict[Verdict, str]] = {
    "left": "the left one is the better thing to ask here",
    "right": "the right one is",
    "alike": "neither is better",
    "skip": "cannot be told from what is here",
}
_KIND: Final = "judgement"
_LONGEST_NAME, _LONGEST_REASON = 60, 2_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge said of one divergence: `better` is a run's id, alike or skip; `reason` may be empty."""

    judge: str
    recording: str
    turn: str
    better: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unblinded:
    """The sum of judgements: how often each run was found better, and the share of a among those decided.

    `share_a` has its interval by resampling recordings; `alike` and `skipped` count neither way.
    """

    a: int
    b: int
    alike: int
    skipped: int
    share_a: Estimate


class Judging:
    """One judge's way through the divergences of a comparison; open it again to go on.

    Which run stands left is drawn for each divergence and judge, and told to nobody until all are judged; from then on
    this judge's judgements stand, for they would no longer be blind. A judgement belongs to the texts that were shown:
    under other texts it is kept and does not count. Raises ReplayError for a judge without a name, or a workspace that
    cannot be read.
    """

    def __init__(self, comparison: Comparison, judge: str, place: Home) -> None:
        self.judge = " ".join(whole(judge).split())
        if not 0 < len(self.judge) <= _LONGEST_NAME:
            raise ReplayError(f"the judge needs a name of 1 to {_LONGEST_NAME} characters")
        self.file = place.workspace
        self.damaged: list[int] = []
        self._a, self._b = comparison.a.run_id, comparison.b.run_id
        self._runs = sorted((self._a, self._b))  # A and B may change places
        self._shown = {_key(each): each for each in comparison.divergences}
        self._order = sorted(self._shown)
        random.Random(f"{self.judge}:{self._runs}").shuffle(self._order)
        self._lock = threading.Lock()
        self._given: dict[tuple[str, str], Judgement] = {}
        self._load()

    @property
    def done(self) -> int:
        """Divergences that this judge has judged."""
        return sum(judge == self.judge for judge, _ in self._given)

    @property
    def total(self) -> int:
        """Divergences there are."""
        return len(self._order)

    @property
    def current(self) -> Divergence | None:
        """The next one to judge; None once all are."""
        return next((self._shown[key] for key in self._order if (self.judge, key) not in self._given), None)

    def sides(self, divergence: Divergence) -> tuple[Choice, Choice]:
        """What stands left and right for this judge."""
        chosen = divergence.a, divergence.b
        return chosen if self._a_is_left(divergence) else chosen[::-1]

    def judge_it(self, divergence: Divergence, verdict: Verdict, reason: str = "") -> None:
        """Say which is better; it is kept before this returns. Raises ReplayError."""
        if verdict not in VERDICTS:
            raise ReplayError(f"{verdict!r} is no verdict; there are {', '.join(VERDICTS)}")
        if _key(divergence) not in self._shown:
            raise ReplayError(f"{divergence.recording}, {divergence.turn}: the runs do not diverge there")
        self._check_blind()
        a_left = self._a_is_left(divergence)
        left, right = (self._a, self._b) if a_left else (self._b, self._a)
        better = {"left": left, "right": right}.get(verdict, verdict)
        self._keep(divergence, better, whole(reason).strip()[:_LONGEST_REASON])

    def undo(self) -> None:
        """Take this judge's last judgement back; it comes again. Nothing happens if there is none.

        Raises ReplayError once all are judged.
        """
        mine = [key for judge, key in self._given if judge == self.judge]
        if mine:
            self._check_blind()
            self._keep(self._shown[mine[-1]], "", "")

    def judgements(self) -> tuple[Judgement, ...]:
        """Everybody's, in the order they were made."""
        return tuple(self._given.values())

    def unblinded(self) -> Unblinded | None:
        """The sum of everybody's judgements; None until this judge has judged all."""
        if self.current is not None:
            return None
        self._load()  # others may be at work elsewhere
        found = self.judgements()
        a, b, alike, skipped = (sum(each.better == s for each in found) for s in (self._a, self._b, "alike", "skip"))
        wins, decided = (
            [sum(each.recording == name and each.better in sides for each in found) for name in self._recordings()]
            for sides in ((self._a,), (self._a, self._b))
        )
        return Unblinded(a, b, alike, skipped, share(wins, decided))

    def _check_blind(self) -> None:
        if self.current is None:
            raise ReplayError("all are judged and the sum is told: no judgement can be changed blindly any more")

    def _recordings(self) -> list[str]:
        return sorted({each.recording for each in self._shown.values()})

    def _a_is_left(self, divergence: Divergence) -> bool:
        first_left = random.Random(f"{self.judge}:{self._runs}:{_key(divergence)}").random() < 0.5
        return first_left == (self._a == self._runs[0])

    def _keep(self, divergence: Divergence, better: str, reason: str) -> None:
        line = {
            "kind": _KIND,
            "runs": self._runs,
            "judge": self.judge,
            "recording": divergence.recording,
            "turn": divergence.turn,
            "texts": divergence.fingerprint,
            "better": better,
            "reason": reason,
            "left": self._a if self._a_is_left(divergence) else self._b,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with self._lock:
            try:
                append_line(self.file, line)
            except OSError as error:
                raise ReplayError(f"cannot write {self.file}: {error.strerror}: the judgement was not kept") from None
            self._note(line)

    def _load(self) -> None:
        self._given, self.damaged = {}, []
        for line in self._lines():
            self._note(line)

    def _note(self, line: dict[str, Any]) -> None:
        key = f"{line['recording']}\n{line['turn']}"
        shown = self._shown.get(key)
        if line["runs"] != self._runs or shown is None or line["texts"] != shown.fingerprint:
            return
        self._given.pop((line["judge"], key), None)
        if line["better"]:
            about = (whole(line[name]) for name in ("judge", "recording", "turn", "better", "reason"))
            self._given[line["judge"], key] = Judgement(*about)

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            raw = self.file.read_bytes() if self.file.exists() else b""
        except OSError as error:
            raise ReplayError(f"cannot read {self.file}: {error.strerror}") from None
        for number, text in enumerate(raw.split(b"\n"), 1):
            if not text.strip():
                continue
            try:
                line = json.loads(text)
                sound = line["kind"] != _KIND or (line["runs"] and all(isinstance(line[each], str) for each in _TEXTS))
            except (ValueError, KeyError, TypeError, RecursionError):
                sound = False
            if not sound:
                self.damaged.append(number)
            elif line["kind"] == _KIND:
                yield line


_TEXTS: Final = ("judge", "recording", "turn", "texts", "better", "reason")


def _key(divergence: Divergence) -> str:
    return f"{divergence.recording}\n{divergence.turn}"


def as_plain(found: Unblinded) -> dict[str, Any]:
    """The sum as plain JSON values."""
    return asdict(found)
