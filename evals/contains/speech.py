"""Run: python -m evals.contains.speech [--calls N]. Writes speech of simulated calls as labelled pairs.

What was asked is known, because the simulated voice says which sentence asks which question.
"""

import argparse
import csv
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interviewer.call.guidance import clean
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.matching.text import content_words, questions
from interviewer.settings import Settings
from interviewer.simulate.dossier import Dossier, by_name
from interviewer.simulate.run import simulate_call

FILE = Path(__file__).parents[2] / "data" / "labels" / "contains" / "simulated.csv"
COLUMNS = ("id", "planned", "utterance", "label", "kind", "group")

# Guests whose words are under CC BY 4.0 or MIT: what the voice repeats of them stays in the utterances.
_GUESTS = ("medical-device-audits", "one-person-media-company", "rents-in-wellington", "bets-on-bitcoin")
_FIRST_SEED = 5_000
"""Far from the seeds of the demo campaign, which must stay unseen."""
_CUT = 0.2


@dataclass(frozen=True, slots=True)
class Row:
    """A planned question and an utterance; `group`: the planned question without what is put into it."""

    planned: str
    utterance: str
    label: str
    kind: str
    group: str


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=32)
    options = parser.parse_args()
    rows = list(dict.fromkeys(row for call in range(options.calls) for row in _call(_FIRST_SEED + call)))
    rows += _other_quotes(rows)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number, row in enumerate(rows, 1):
            writer.writerow((f"s{number:04}", row.planned, row.utterance, row.label, row.kind, row.group))
    print(f"{len(rows)} rows in {FILE.name}")


def _call(seed: int) -> Iterator[Row]:
    dossier = by_name(_GUESTS[seed % len(_GUESTS)])
    settings = Settings.load(env={})
    backend = Rules(settings.agents, seed)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    call = simulate_call(setup, dossier, backend, seed=seed)
    rng = random.Random(seed)
    said = {turn.response_id: turn.text for turn in call.core.turns if turn.response_id}
    asked = {q.response_id: (q.key, q.heard) for q in call.truth.voiced if not q.key.startswith("own")}
    plans = [question.text for question in call.core.ledger.questions.values() if question.planned]
    for attempt in call.core.ledger.attempts.values():
        response, wording = str(attempt.value("started", "response_id")), clean(str(attempt.value("selected", "text")))
        text, (key, heard) = said.get(response, ""), asked.get(response, ("", True))
        if not text.endswith((".", "?", "!")) or not heard:
            continue  # broken off by the guest
        group = _group(wording, dossier)
        if key != wording:
            yield Row(wording, text, "no", "wandered", group)
            continue
        yield Row(wording, text, "yes", "asked", group)
        other = max((p for p in plans if clean(p) != wording), key=lambda p: (_shared(p, text), p), default=None)
        if other and rng.random() < 1 / 2:
            yield Row(other, text, "no", "other", _group(other, dossier))
        if len(questions(text)) == 1 and rng.random() < _CUT and (cut := _cut(text, wording, rng)):
            yield Row(wording, cut, "partial", "half", group)


def _other_quotes(rows: list[Row]) -> list[Row]:
    """The same question about other words of the guest's: each that starts from a quote with the next one's words."""
    found: list[Row] = []
    asked = [row for row in rows if row.kind == "asked" and row.planned.startswith("You ") and "..." in row.group]
    for group in dict.fromkeys(row.group for row in asked):
        here = [row for row in asked if row.group == group]
        for one, other in zip(here, [*here[1:], here[0]], strict=True):
            if one.planned != other.planned:
                found.append(Row(one.planned, other.utterance, "no", "other_quote", group))
    return found


def _group(planned: str, dossier: Dossier) -> str:
    bare = re.sub(r"[\"“][^\"“”]*[\"”]", "...", planned).replace(dossier.topic, "...")
    return bare.replace(dossier.topic[:1].lower() + dossier.topic[1:], "...")


def _shared(planned: str, text: str) -> float:
    wanted = content_words(planned)
    return len(wanted & content_words(text)) / len(wanted) if wanted else 0.0


def _cut(text: str, wording: str, rng: random.Random) -> str:
    """The utterance up to a place before the second half of its last sentence has begun; "" if that is too short."""
    start = max(text.rfind(mark, 0, len(text) - 2) for mark in ".?!") + 1
    words = text[start:].split()
    kept = words[: max(2, round(len(words) * rng.uniform(0.25, 0.5)))]
    if len(words) < 6 or not content_words(wording) - content_words(f"{text[:start]} {' '.join(kept)}"):
        return ""
    return f"{text[:start]} {' '.join(kept)}".strip(" ,;:-")


if __name__ == "__main__":
    main()
