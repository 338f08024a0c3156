"""Run: python -m evals.sieve [--count N] [--out FILE].

Recorded speech and noise (Debian's packages, see `recordings`), through a real call core, with and without each rule.
In place of the service's voice detection stands an energy detector at -48 dBFS. What is heard is written down twice:
by PocketSphinx, in an environment made for the purpose, which garbles what a room sends back; and word for word, as a
perfect transcriber would, who writes nothing where nobody speaks. What the interviewer says is what PocketSphinx makes
of the clean recording. How sure a transcriber is of its words is another measurement: `evals.sieve.sureness`.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

import numpy as np

from evals.sieve import recordings as rec
from evals.sieve.detect import edges, stretches, written_down
from evals.sieve.stage import Heard, Verdict, play

RECOGNISER: Final = "pocketsphinx==5.1.1"
_HERE: Final = Path(__file__).parent
_ECHO_DB: Final = (-6, -12, -20, -30)
_NOISE_DB: Final = (0, -15)


@dataclass(frozen=True, slots=True)
class Case:
    """A sound at the microphone; `genuine`: somebody speaks in it. `voice`: the recording that the interviewer says."""

    kind: str
    sound: rec.Sound
    genuine: bool
    over_voice: bool
    voice: Path
    guest: Path | None = None


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="recordings of each kind")
    parser.add_argument("--out", type=Path, default=_HERE / "results" / "rules.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="interviewer-sieve-") as name:
        folder = Path(name)
        cases = list(_cases(rec.fetch(folder), options.count))
        clean = {p: rec.at_level(rec.load(p)) for c in cases for p in (c.voice, c.guest) if p is not None}
        sounds = {**{f"case_{n}": c.sound for n, c in enumerate(cases)}, **_named(clean)}
        written = written_down(folder, "recogniser", (RECOGNISER,), sounds)
    rows = _rows(cases, clean, written)
    report = {
        "recordings": rec.PACKAGES,
        "recogniser": RECOGNISER,
        "rooms": "synthetic",
        "service_detector": "energy, -48 dBFS",
        "rows": rows,
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        print(json.dumps(row))
    return 0


def _cases(folder: Path, count: int) -> Iterator[Case]:
    spoken = rec.sentences(folder, 2 * count)
    ours, theirs = spoken[::2], spoken[1::2]
    for number, (voice, guest) in enumerate(zip(ours, theirs, strict=False)):
        own, said = rec.load(voice), rec.at_level(rec.load(guest))
        for gain in _ECHO_DB:
            echo = rec.at_level(rec.in_room(own, 0.2 + 0.3 * (number % 2), number), gain)
            yield Case(f"echo {gain} dB", echo, genuine=False, over_voice=True, voice=voice)
        yield Case("sentence", said, genuine=True, over_voice=False, voice=voice, guest=guest)
        echo = rec.at_level(rec.in_room(own, 0.3, number), -12)
        yield Case("sentence over an echo", rec.mix(said, echo), True, True, voice, guest)
    for number, path in enumerate(rec.words(folder, count)):
        voice = ours[number % len(ours)]
        word = rec.at_level(rec.load(path))
        yield Case("word", word, genuine=True, over_voice=False, voice=voice, guest=path)
        yield Case("quiet word", rec.at_level(word, -15), genuine=True, over_voice=False, voice=voice, guest=path)
    for number, path in enumerate(rec.noises(folder, count)):
        for gain in _NOISE_DB:
            noise = rec.at_level(rec.load(path)[: 3 * rec.RATE], gain)
            yield Case(f"noise {gain} dB", noise, genuine=False, over_voice=False, voice=ours[number % len(ours)])


def _named(clean: Mapping[Path, rec.Sound]) -> dict[str, rec.Sound]:
    return {_name(path): sound for path, sound in clean.items()}


def _name(path: Path) -> str:
    return f"clean_{path.parent.name}_{path.stem}"


# -- the table -----------------------------------------------------------------------------------------------------


def _rows(
    cases: Sequence[Case], clean: Mapping[Path, rec.Sound], written: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, str], list[tuple[Case, Heard, str, Verdict]]] = {}
    for number, case in enumerate(cases):
        said = " ".join(written[_name(case.voice)])
        truly = written[_name(case.guest)] if case.guest else written[_name(case.voice)] if case.over_voice else ()
        for transcriber, words in (
            ("PocketSphinx", tuple(written[f"case_{number}"])),
            ("word for word", tuple(truly)),
        ):
            for rules, heard in _with_and_without(case, words):
                length_ms = len(clean[case.voice]) * 1_000 // rec.RATE
                verdict = play(heard, voice=said, voice_ms=length_ms, over_voice=case.over_voice)
                found.setdefault((case.kind, transcriber, rules), []).append((case, heard, said, verdict))
    return [_row(*key, seen) for key, seen in found.items()]


def _with_and_without(case: Case, words: tuple[str, ...]) -> Iterator[tuple[str, Heard]]:
    full = Heard(stretches(case.sound), tuple(edges(case.sound, 0.5)), words)
    yield "with our microphone", full
    yield "without our microphone", replace(full, mic=None)


def _row(kind: str, transcriber: str, rules: str, seen: Sequence[tuple[Case, Heard, str, Verdict]]) -> dict[str, Any]:
    verdicts = [verdict for *_, verdict in seen]
    why: dict[str, int] = {}
    for verdict in verdicts:
        for what in verdict.why:
            why[what] = why.get(what, 0) + 1
    turns = sum(verdict.turn for verdict in verdicts)
    rest = len(verdicts) - turns
    alike = [_alike(heard.words, voice) for _, heard, voice, _ in seen if heard.words]
    return {
        "heard": kind,
        "transcriber": transcriber,
        "rules": rules,
        "n": len(verdicts),
        **({"kept": turns, "lost": rest} if seen[0][0].genuine else {"caught": rest, "taken_for_a_turn": turns}),
        "voice_stopped": sum(verdict.stopped for verdict in verdicts),
        "answered": sum(verdict.replied for verdict in verdicts),
        "set_aside_as": why,
        "median_share_of_words_the_voice_said": round(float(np.median(alike)), 2) if alike else None,
    }


def _alike(heard: Sequence[str], voice: str) -> float:
    """The share of what was written down that stands, in this order, in what the voice said."""
    blocks = SequenceMatcher(None, list(heard), voice.split(), autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(heard)


if __name__ == "__main__":
    raise SystemExit(main())
