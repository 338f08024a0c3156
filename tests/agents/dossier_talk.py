"""Calls made of the dossiers' verbatim excerpts: a question of the interviewer's, then what a guest said."""

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
