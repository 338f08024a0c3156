"""Run: python -m evals.contains.judged --record. What a judge makes of a sample of pairs, from recorded answers.

Recording asks a small local model (SmolLM2, 135 million parameters); without it, answers come from the file.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from evals.contains.measure import Row
from evals.contains.sets import Labelled, load
from interviewer.agents.judge import JUDGE, JudgeInput
from interviewer.llm.backend import Backend
from interviewer.llm.cassette import Cassette
from interviewer.matching.judge import Judged

FILE = Path(__file__).parent / "cassettes" / "smollm2_135m.jsonl"
MODEL = "SmolLM2-135M-Instruct, 4 bits"
_SAMPLE = {
    "near_other": 10,
    "one_part": 4,
    "mention": 4,
    "paraphrase_none": 12,
    "paraphrase_words": 6,
}


def sample(seed: int = 0) -> list[Labelled]:
    """36 pairs, so many of each kind, the same ones each time."""
    rows = load()
    chosen: list[Labelled] = []
    for kind, count in _SAMPLE.items():
        chosen += random.Random(f"{seed}:{kind}").sample(
            [row for row in rows if row.source == "hand" and row.kind == kind], count
        )
    return chosen


def judged(backend: Backend, row: Labelled) -> str:
    """The judge's answer: yes, no, unsure, or "none" if there is no valid one."""
    data = JudgeInput(first=row.planned, second=row.utterance)
    ran = backend.run(JUDGE, data, row.id)
    return "none" if ran.output is None else Judged.model_validate(ran.output).verdict


def judge_table(path: Path = FILE) -> Iterator[Row]:
    """Of each kind the answers of the recorded judge, and its precision and recall of yes over all."""
    cassette = Cassette(path)
    rows = sample()
    answers = [judged(cassette, row) for row in rows]
    names = ("yes", "no", "unsure", "none")
    for kind in _SAMPLE:
        here = [answer for answer, row in zip(answers, rows, strict=True) if row.kind == kind]
        truth = next(row.yes for row in rows if row.kind == kind)
        row: Row = {"kind": kind, "truth": "yes" if truth else "no", "n": len(here)}
        yield row | {name: Counter(here)[name] for name in names}
    hits = sum(answer == "yes" and row.yes for answer, row in zip(answers, rows, strict=True))
    said, true = answers.count("yes"), sum(row.yes for row in rows)
    shown = f"all: precision {hits / said:.2f}, recall {hits / true:.2f}" if said else "all: no yes"
    total: Row = {"kind": shown, "truth": "", "n": len(rows)}
    yield total | {name: answers.count(name) for name in names}


def record() -> None:
    """Ask the local model and keep its answers."""
    from contextlib import closing

    from evals.models.local import served
    from interviewer.llm.router import Router
    from interviewer.settings import Settings

    FILE.parent.mkdir(exist_ok=True)
    FILE.unlink(missing_ok=True)
    with served() as url:
        chosen = {
            "backend": "compatible",
            "base_url": f"{url}/v1",
            "model": "smollm2-135m",
            "temperature": 0.0,
            "max_output_tokens": 64,
            "tries": 1,
        }
        with closing(Router(Settings().with_(agents=chosen, match={"judge_ms": 60_000}))) as router:
            cassette = Cassette(FILE, router)
            for row in tqdm(sample()):
                judged(cassette, row)
    _name_model()


def _name_model() -> None:
    """The server calls its model by the file's path on this machine: keep the model's name instead."""
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["run"]["model"] = MODEL
    FILE.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    if parser.parse_args().record:
        record()
    for line in judge_table():
        print(line)
