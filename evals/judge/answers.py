"""A judge's answers: asked of a small local model and recorded, or read from the record."""

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from tqdm import tqdm

from evals.judge.samples import Sample
from evals.models.local import served
from interviewer.agents.judge import JUDGE
from interviewer.llm.backend import Backend
from interviewer.llm.cassette import Cassette
from interviewer.llm.router import Router
from interviewer.matching.judge import Judged
from interviewer.settings import Settings

FILE = Path(__file__).parent / "cassettes" / "smollm2_135m.jsonl"
MODEL = "SmolLM2-135M-Instruct, 4 bits"


def answer(backend: Backend, sample: Sample) -> str:
    """The judge's answer: yes, no, unsure, or "none" if there is no valid one."""
    ran = backend.run(JUDGE, sample.data, sample.id)
    return "none" if ran.output is None else Judged.model_validate(ran.output).verdict


def recorded(samples: Iterable[Sample], path: Path = FILE) -> list[str]:
    """The recorded answers. Raises CassetteMiss if the prompt or a text has changed since."""
    cassette = Cassette(path)
    return [answer(cassette, sample) for sample in samples]


def record(samples: Iterable[Sample]) -> None:
    """Ask the local model and keep its answers. Raises CannotInstall."""
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
            for sample in tqdm(list(samples), unit="pair"):
                answer(cassette, sample)
    _name_model()


def _name_model() -> None:
    """The server calls its model by the file's path on this machine: keep the model's name instead."""
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["run"]["model"] = MODEL
    FILE.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
