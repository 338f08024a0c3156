"""Two runs of the same recordings compared: figures by paired differences, and where they decide otherwise."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import PureWindowsPath
from typing import Any, Final

from interviewer.errors import ReplayError
from interviewer.lab.divergences import Divergence, divergences
from interviewer.lab.kept_runs import read_run
from interviewer.lab.run_measures import Measure, estimate, measures, or_nan
from interviewer.metrics.statistics import Difference, Estimate, holm, paired
from interviewer.replay.outcome import CLAIMS, HINDSIGHT, Kind, Replayed, Run
from interviewer.store.home import Home


@dataclass(frozen=True, slots=True)
class Compared:
    """A measure of both runs over the recordings they share; `difference` is a - b.

    `pairs`: (recording, a, b) with None where there is no figure. `p_holm`: p put right for the number of measures;
    None where there is no p, or nothing to be tested.
    """

    measure: Measure
    a: Estimate
    b: Estimate
    difference: Difference
    pairs: tuple[tuple[str, float | None, float | None], ...]
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing run `a` with run `b`, both of one kind.

    `shared`: recordings in both; `only_a`, `only_b`: recordings that the other has not, or that failed there.
    `differing`: recordings of one name that do not say the same in both, which are left out.
    `settings`: (name, in a, in b) of what differs, seed, plan and tape among them; `agents`: (name, version in a, in
    b) likewise. `moments`: turns at which both chose.
    """

    a: Run
    b: Run
    shared: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    settings: tuple[tuple[str, Any, Any], ...]
    agents: tuple[tuple[str, str, str], ...]
    measures: tuple[Compared, ...]
    divergences: tuple[Divergence, ...]
    moments: int
    differing: tuple[str, ...] = ()

    @property
    def hindsight(self) -> int:
        """Shared recordings whose plan, in one of the runs, is drawn from all that is said in them."""
        known = {each.source for run in (self.a, self.b) for each in run.results if each.hindsight}
        return len(known.intersection(self.shared))

    @property
    def caution(self) -> str:
        """What `agreement` suffers from; empty for nothing."""
        return f"Of {self.hindsight} of {len(self.shared)} recordings: {HINDSIGHT}." if self.hindsight else ""

    @property
    def kind(self) -> Kind:
        """The kind of both runs."""
        return self.a.kind

    @property
    def claim(self) -> str:
        """What may be concluded from this kind of replay, and what not."""
        return CLAIMS[self.kind]

    def told_settings(self, *, text: bool) -> tuple[tuple[str, Any, Any], ...]:
        """`settings`; without `text` only figures, switches and names stand there, for others may quote anything."""
        if text:
            return self.settings
        return tuple((name, *(_bare(name, value) for value in (a, b))) for name, a, b in self.settings)

    def to_dict(self, *, text: bool = True) -> dict[str, Any]:
        """As plain JSON values; without `text` nothing that was said, planned or proposed is in it, nor any name."""
        return {
            "kind": self.kind,
            "claim": self.claim,
            "caution": self.caution,
            "hindsight": self.hindsight,
            "a": _facts(self.a),
            "b": _facts(self.b),
            "shared": list(self.shared) if text else len(self.shared),
            "only_a": list(self.only_a) if text else len(self.only_a),
            "only_b": list(self.only_b) if text else len(self.only_b),
            "differing": list(self.differing) if text else len(self.differing),
            "settings": [{"name": name, "a": a, "b": b} for name, a, b in self.told_settings(text=text)],
            "agents": [{"name": name, "a": a, "b": b} for name, a, b in self.agents],
            "measures": [_measure(each) for each in self.measures],
            "moments": self.moments,
            "diverging": len(self.divergences),
            **({"divergences": [asdict(each) for each in self.divergences]} if text else {}),
        }


def compare_kept(place: Home, a: str, b: str) -> Comparison:
    """Compare two kept runs, by id, prefix or `last`. Raises NotFound, and as `compare` does."""
    return compare(read_run(place, a), read_run(place, b))


def compare(a: Run, b: Run) -> Comparison:
    """Compare two runs, recording by recording; what says something else in each is left out.

    Raises ReplayError if they are of two kinds or share no recording.
    """
    if a.kind != b.kind:
        raise ReplayError(f"run {a.run_id} is {a.kind} and {b.run_id} {b.kind}: kinds of evidence are never mixed")
    ones, others = ({result.source: result for result in run.results} for run in (a, b))
    both = tuple(name for name in ones if name in others)
    shared = tuple(name for name in both if _content(ones[name]) == _content(others[name]))
    differing = tuple(name for name in both if name not in shared)
    if differing and not shared:
        named = ", ".join(differing[:3])
        raise ReplayError(
            f"runs {a.run_id} and {b.run_id} share names, but what they call {named} does not say the same in both: "
            "replay the same files again"
        )
    if not shared:
        raise ReplayError(f"runs {a.run_id} and {b.run_id} share no recording that both could replay")
    pairs = [(ones[name], others[name]) for name in shared]
    compared = [_compared(measure, pairs) for measure in measures(a.kind)]
    ps = {each.measure.name: each.difference.p for each in compared if _tested(each)}
    corrected = holm({name: p for name, p in ps.items() if p is not None})
    return Comparison(
        a,
        b,
        shared,
        tuple(name for name in ones if name not in others),
        tuple(name for name in others if name not in ones),
        tuple(_settings(a, b)),
        tuple(
            (name, a.agents.get(name, ""), b.agents.get(name, ""))
            for name in sorted(a.agents.keys() | b.agents.keys())
            if a.agents.get(name) != b.agents.get(name)
        ),
        tuple(
            Compared(each.measure, each.a, each.b, each.difference, each.pairs, corrected.get(each.measure.name))
            for each in compared
        ),
        divergences(*(replace(run, results=tuple(pair[side] for pair in pairs)) for side, run in enumerate((a, b)))),
        sum(len({moment.turn for moment in one.moments} & {m.turn for m in other.moments}) for one, other in pairs),
        differing,
    )


def _content(result: Replayed) -> str:
    """A digest of who says what in the recording: settings may cut its turns and their times in other ways."""
    told = hashlib.blake2b(digest_size=16)
    for speaker, turns in groupby(result.recorded, key=lambda turn: turn.speaker):
        said = " ".join(" ".join(turn.text for turn in turns).split())
        told.update(json.dumps([speaker, said]).encode())
    return told.hexdigest()


def _compared(measure: Measure, pairs: list[tuple[Replayed, Replayed]]) -> Compared:
    figures = [(one.source, measure.of(one), measure.of(other)) for one, other in pairs]
    difference = paired([or_nan(a) for _, a, _ in figures], [or_nan(b) for _, _, b in figures])
    a, b = (estimate(measure, [pair[side] for pair in pairs]) for side in (0, 1))
    return Compared(measure, a, b, difference, tuple(figures))


def _tested(each: Compared) -> bool:
    """Whether its p is one of those put right: not of what is nothing in both, as what rules cost."""
    return each.measure.tested and any(a or b for _, a, b in each.pairs)


_NAMES: Final = frozenset(
    "backend model scorer version threshold contains mode effort plan_from cassette_records language voice plan".split()
)
"""Settings whose text is a name that says how something is run."""


def _bare(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, bool | int | float) for each in value) and value:
        return value
    told = name.rpartition(".")[2] in _NAMES and isinstance(value, str) and not _is_path(value)
    return value if told else "(text)"


def _is_path(value: str) -> bool:
    """Whether a name, such as a model's, is a place on somebody's disk; `maker/model` is none."""
    return value.startswith(("/", "~", ".", "\\")) or PureWindowsPath(value).is_absolute()


def _settings(a: Run, b: Run) -> Iterator[tuple[str, Any, Any]]:
    ones, others = (
        {**dict(_flat(run.settings.model_dump(mode="json"))), "seed": run.seed, "plan": run.plan, "tape": run.tape}
        for run in (a, b)
    )
    for name in sorted(ones.keys() | others.keys()):
        if ones.get(name) != others.get(name):
            yield name, ones.get(name), others.get(name)


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _facts(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "started_at": run.started_at,
        "version": run.version,
        "recordings": len(run.results),
        "failures": len(run.failures),
        "stopped": run.stopped,
        "seconds": run.seconds,
        "reused": {agent: list(counts) for agent, counts in run.reused.items()},
    }


def _measure(each: Compared) -> dict[str, Any]:
    measure = each.measure
    return {
        **{name: getattr(measure, name) for name in ("name", "about", "unit", "better")},
        "a": each.a.to_dict(),
        "b": each.b.to_dict(),
        "difference": each.difference.to_dict(),
        "p_holm": each.p_holm,
    }
