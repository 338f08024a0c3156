"""Calls made of the dossiers' verbatim excerpts: a question of the interviewer's, then what a guest said."""

import time
from collections.abc import Callable
from pathlib import Path

import yaml

from interviewer.model.turn import Said

FOLDER = Path(__file__).parents[2] / "data" / "dossiers"
NAMES = tuple(sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.yaml")))


def dossier(name: str) -> tuple[str, tuple[Said, ...]]:
    """The topic of a dossier, and its details as a call of two details a turn."""
    loaded = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    details = [str(detail["text"]) for detail in loaded["details"]]
    talk: list[str] = []
    for start in range(0, len(details), 2):
        talk += ["Could you tell me more about that?", " ".join(details[start : start + 2])]
    return str(loaded["topic"]), said(*talk)


def said(*texts: str) -> tuple[Said, ...]:
    """Turns `t1`, `t2`, ... of interviewer and guest in turn."""
    return tuple(Said(f"t{n}", "guest" if n % 2 == 0 else "interviewer", text) for n, text in enumerate(texts, 1))


def an_hour() -> tuple[Said, ...]:
    """About an hour of talk: nine thousand words, at 150 a minute."""
    talk: list[Said] = []
    size = 0
    for turn in (turn for name in NAMES for turn in dossier(name)[1]):
        if size < 9_000:
            talk.append(Said(f"t{len(talk) + 1}", turn.speaker, turn.text))
            size += len(turn.text.split())
    return tuple(talk)


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time `work` takes, the best of three, so that a busy machine does not count."""
    times: list[float] = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
