"""Run: python -m evals.repetition.shorten INTERVIEWS.jsonl... Writes data/labels/interviews/*.jsonl.

What a scorer reads of the labelled interviews and no more: what the interviewer asks, and of the guest's turns next to
a labelled question the first and the last words. The turns keep their numbers; those left out are "...".
"""

import argparse
import json
from pathlib import Path
from typing import Any

from evals.repetition.sets import IN_INTERVIEW, INJECTED, INTERVIEWS, SOURCES, injected_rows, interview_rows
from interviewer.matching.course import HEARD
from interviewer.matching.pairs import INTERVIEWER
from interviewer.matching.text import questions

GAP = "..."


def main() -> int:
    """Shorten the interviews that hold labelled questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    lines = [json.loads(line) for file in given.files for line in file.read_text(encoding="utf-8").splitlines()]
    interviews = {interview["id"]: interview for interview in lines}
    for source in SOURCES:
        path = INTERVIEWS / f"{source}.jsonl"
        needed = _needed(source, interviews)
        short = [_shortened(interviews[name], turns) for name, turns in sorted(needed.items())]
        path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in short), encoding="utf-8")
        print(f"{path.name}: {len(short)} interviews, {path.stat().st_size} bytes")
    return 0


def _needed(source: str, interviews: dict[str, Any]) -> dict[str, set[int]]:
    """The turns to keep of each interview: those of labelled questions and the guest's next to them."""
    needed: dict[str, set[int]] = {}
    for row in interview_rows(IN_INTERVIEW / f"{source}.csv"):
        first, second = int(row["turn_a"]), int(row["turn_b"])
        turns = interviews[row["interview"]]["turns"]
        kept = {first - 1, first, *_answer(turns, first), *_before(turns, second), second}
        needed.setdefault(row["interview"], set()).update(kept)
    for placed in injected_rows(INJECTED / f"injected_{source}.jsonl"):
        turns = interviews[placed["interview"]]["turns"]
        kept = {placed["turn_a"] - 1, placed["turn_a"], *_answer(turns, placed["turn_a"]), placed["turn_b"]}
        needed.setdefault(placed["interview"], set()).update(kept)
    return needed


def _answer(turns: list[dict[str, str]], at: int) -> set[int]:
    """The guest's turns from `at` on, up to the interviewer's next one."""
    kept = set()
    for place in range(at + 1, len(turns)):
        if turns[place]["role"] == INTERVIEWER:
            break
        kept.add(place)
    return kept


def _before(turns: list[dict[str, str]], at: int) -> set[int]:
    """The turn before `at`, and the guest's last one."""
    spoken = [place for place in range(at) if turns[place]["role"] != INTERVIEWER]
    return {at - 1, *spoken[-1:]}


def _shortened(interview: dict[str, Any], needed: set[int]) -> dict[str, Any]:
    turns = [
        {"role": turn["role"], "text": _text(turn["role"], turn["text"], at in needed)}
        for at, turn in enumerate(interview["turns"])
    ]
    return {key: interview[key] for key in ("id", "source", "licence")} | {"turns": turns}


def _text(role: str, text: str, needed: bool) -> str:
    words = text.split()
    if role == INTERVIEWER:
        asked = [span.text for span in questions(text)]
        return text if needed else " ".join(asked) or GAP
    if not needed:
        return GAP
    return text if len(words) <= 2 * HEARD else " ".join([*words[:HEARD], GAP, *words[-HEARD:]])


if __name__ == "__main__":
    raise SystemExit(main())
