"""Dossiers: what a simulated guest knows, in a real guest's own words."""

import math
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from interviewer.errors import NotFound, PlanError
from interviewer.matching.text import content_words

Kind = Literal[
    "origin",
    "routine",
    "figure",
    "decision",
    "failure",
    "objection",
    "workaround",
    "distrust",
    "people",
    "tool",
    "feeling",
    "surprise",
    "contrast",
    "advice",
    "future",
    "example",
    "reason",
]
Filled = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where libyaml is there
IN_TOPIC, IN_CONTEXT, IN_DETAILS = 4.0, 2.0, 1.0  # worth of a shared word by where it stands


class Detail(BaseModel):
    """One thing the guest knows: `text` is what the guest says, `cues` are words of questions that reach it.

    A detail that is not `volunteer` is hidden: it is told if a question reaches it, or if the guest goes on
    from the detail it lies next to (`after`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+$")]
    text: Filled
    kind: Kind
    cues: tuple[Filled, ...] = ()
    volunteer: bool = False
    after: str | None = None


class Dossier(BaseModel):
    """A guest's knowledge of one topic; `details` stand in the order in which they lie next to each other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$")]
    topic: Filled
    context: Filled
    guest: Filled = "the guest"
    language: Filled = "en"
    source: Filled
    licence: Filled
    details: Annotated[tuple[Detail, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _details_fit(self) -> Self:
        seen: set[str] = set()
        for number, detail in enumerate(self.details):
            if detail.id in seen:
                raise ValueError(f"details.{number}.id: {detail.id} occurs twice")
            if detail.after is not None and detail.after not in seen:
                raise ValueError(f"details.{number}.after: {detail.after} is not an earlier detail")
            seen.add(detail.id)
        return self

    @property
    def hidden(self) -> tuple[Detail, ...]:
        """The details the guest does not offer by itself."""
        return tuple(detail for detail in self.details if not detail.volunteer)


def load(path: str | Path) -> Dossier:
    """The dossier in a YAML file. Raises PlanError naming the file and the field that is wrong."""
    path = Path(path)
    try:
        return Dossier.model_validate(_mapping(path))
    except ValidationError as error:
        raise PlanError(f"{path}: {_first(error)}") from None


def load_all() -> tuple[Dossier, ...]:
    """Every dossier that comes with the project, by id. Raises PlanError if one cannot be used."""
    found: dict[str, Dossier] = {}
    for path in sorted(folder().glob("*/*.yaml")):
        dossier = load(path)
        if dossier.id in found:
            raise PlanError(f"{path}: id: there is another dossier {dossier.id}")
        found[dossier.id] = dossier
    return tuple(found[key] for key in sorted(found))


def by_name(name_or_path: str | Path) -> Dossier:
    """The dossier with this id, else the one in this file. Raises NotFound listing the ids there are."""
    dossiers = {dossier.id: dossier for dossier in load_all()}
    if str(name_or_path) in dossiers:
        return dossiers[str(name_or_path)]
    if Path(name_or_path).is_file():
        return load(name_or_path)
    raise NotFound(f"there is no dossier {str(name_or_path)!r}, nor such a file; known: {', '.join(dossiers)}")


def nearest(topic: str) -> Dossier:
    """The dossier that shares most with `topic`.

    Rare shared words count most, those of its topic more than those of its details. Ties, and a topic that
    shares nothing, go to the first id.
    """
    dossiers = load_all()
    wanted = content_words(topic)
    spread = Counter(word for dossier in dossiers for word in wanted & _all_words(dossier))
    rarity = {word: math.log(1 + len(dossiers) / spread[word]) for word in spread}
    return max(dossiers, key=lambda dossier: sum(rarity.get(w, 0.0) * _worth(w, dossier) for w in sorted(wanted)))


def is_about(dossier: Dossier, topic: str) -> bool:
    """Whether the dossier's topic or context shares a word with `topic`; a word of some detail alone is chance."""
    return bool(content_words(topic) & (content_words(dossier.topic) | content_words(dossier.context)))


def folder() -> Path:
    """Where the dossiers are: in the checkout, or inside the installed package."""
    package = Path(__file__).resolve().parents[1]
    for place in (package.parent / "data" / "dossiers", package / "_data" / "dossiers"):
        if place.is_dir():
            return place
    raise NotFound("the dossiers are missing from this installation; install the package again")


def _worth(word: str, dossier: Dossier) -> float:
    if word in content_words(dossier.topic):
        return IN_TOPIC
    if word in content_words(dossier.context):
        return IN_CONTEXT
    return IN_DETAILS if word in _all_words(dossier) else 0.0


def _all_words(dossier: Dossier) -> frozenset[str]:
    texts = [dossier.topic, dossier.context, *(detail.text for detail in dossier.details)]
    return frozenset().union(*map(content_words, texts))


def _mapping(path: Path) -> dict[str, Any]:
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - a safe loader either way
    except OSError as error:
        raise PlanError(f"{path}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PlanError(f"{path}: is not YAML: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(data, dict):
        raise PlanError(f"{path}: a dossier is a mapping with id, topic, context, source, licence and details")
    return data


def _first(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_url=False)[0]
    message = problem["msg"].removeprefix("Value error, ")
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {message}" if place else message
