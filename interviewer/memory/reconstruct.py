"""Coverage rebuilt out of a transcript: which planned questions it probably touched on, and how sure that is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interviewer.matching.contains import Judgement, split
from interviewer.matching.scorer import scorer
from interviewer.memory.earlier import Asked, Touched
from interviewer.memory.heard import heard_in, marks_questions
from interviewer.model.language import is_english, same_language
from interviewer.model.plan import Plan, Question
from interviewer.model.turn import Said
from interviewer.settings import MatchSettings

CONTAINS = "contains"
_FOREIGN = "seems not to be English"
_SCRIPT = "in another script"
_MOSTLY = 0.5


class _Unit(NamedTuple):
    """What a question is held against: words of one turn."""

    turn: str
    text: str


class _Best(NamedTuple):
    score: float
    unit: _Unit


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """What a transcript shows. `heard`: all it asks; `touched`: planned questions above the threshold, best turn each.

    `problems`: why it shows less than it might, in words for a person.
    """

    heard: tuple[Asked, ...]
    touched: tuple[Touched, ...]
    problems: tuple[str, ...] = ()


def reconstruct(
    turns: Sequence[Said],
    plan: Plan | Iterable[Question],
    match: MatchSettings,
    *,
    call: int = 1,
    folder: Path | None = None,
    language: str = "",
    planned_in: str = "",
) -> Reconstruction:
    """Match planned questions with what the interviewer of a transcript asked.

    `match.reconstruction_scorer` says by what, `match.reconstruction_unit` whether against whole turns or single
    sentences; a score above `match.reconstruction_contains` (for contains) or `match.reconstruction` (for any other)
    counts. It is approximate: it lowers priorities and bans nothing. `call` numbers the call in its chain; `folder` is
    a home's, for bands of one's own. `language`: what the transcript is in, `planned_in`: what the questions are
    in, both as codes such as "de", if they are known. Raises SettingsError for a scorer or band that there is not.
    """
    questions = plan.questions if isinstance(plan, Plan) else tuple(plan)
    heard = heard_in(turns, call)
    if not heard:
        return Reconstruction((), (), (_nothing_asked(turns),))
    units = [_Unit(asked.turn, asked.text) for asked in heard]
    if match.reconstruction_unit == "turns":
        asking = {asked.turn for asked in heard}
        units = [_Unit(turn.id, turn.text) for turn in turns if turn.id in asking]
    if match.reconstruction_scorer == CONTAINS:
        name, threshold, best, problems = _by_contains(questions, units, match, folder)
    else:
        name, threshold, best, problems = _by_words(questions, units, match)
    if questions and (told := _other_language(match.reconstruction_scorer, language, planned_in)):
        problems = [told]
    touched = tuple(
        Touched(
            question_id=question.id,
            score=round(min(1.0, found.score), 6),
            threshold=threshold,
            scorer=name,
            call=call,
            turn=found.unit.turn,
            text=found.unit.text,
        )
        for question, found in zip(questions, best, strict=True)
        if found is not None and found.score > threshold
    )
    if not marks_questions(turns):
        problems.append("there are no question marks in it, so what was asked is told by how sentences begin")
    return Reconstruction(heard, touched, tuple(problems))


Found = tuple[str, float, list[_Best | None], list[str]]


def _by_contains(
    questions: Sequence[Question], units: Sequence[_Unit], match: MatchSettings, folder: Path | None
) -> Found:
    """The best unit that `contains` does not say no to; one where something clashes counts less than one it takes."""
    by = match if isinstance(match.contains, str) else match.model_copy(update={"contains": CONTAINS})
    judgement = Judgement.of(by, folder)
    cut = [split(unit.text) for unit in units]
    best: list[_Best | None] = []
    foreign = 0
    for question in questions:
        found = [(judgement.find_in(question.text, spoken), unit) for spoken, unit in zip(cut, units, strict=True)]
        foreign += sum(_FOREIGN in finding.reason or _SCRIPT in finding.reason for finding, _ in found)
        usable = [(f.verdict == "yes", f.score, unit) for f, unit in found if f.verdict != "no" and f.score == f.score]
        top = max(usable, key=lambda each: each[:2], default=None)
        best.append(_Best(top[1], top[2]) if top else None)
    problems = []
    if questions and foreign > _MOSTLY * len(questions) * len(units):
        problems.append("it seems to be in another language than English, so planned questions are hardly found in it")
    name = f"{judgement.scorer.name}/{judgement.scorer.version}"
    return name, match.reconstruction_contains, best, problems


def _by_words(questions: Sequence[Question], units: Sequence[_Unit], match: MatchSettings) -> Found:
    chosen = scorer(match.reconstruction_scorer)
    scores = chosen.matrix([question.text for question in questions], [unit.text for unit in units])
    best: list[_Best | None] = []
    for row in np.nan_to_num(scores, nan=-1.0):
        at = int(row.argmax())
        best.append(_Best(float(row[at]), units[at]) if row[at] >= 0 else None)
    return f"{chosen.name}/{chosen.version}", match.reconstruction, best, []


def _other_language(by: str, language: str, planned_in: str) -> str:
    """How the languages of transcript and questions hinder; empty if they do not, or are not known."""
    if language and by == CONTAINS and not is_english(language):
        return f"it is in “{language}” and {CONTAINS} knows English only, so planned questions are hardly found in it"
    if language and planned_in and not same_language(language, planned_in):
        return f"it is in “{language}”, planned questions are in “{planned_in}”, so they are hardly found in it"
    return ""


def _nothing_asked(turns: Sequence[Said]) -> str:
    if not turns:
        return "nothing was said in it"
    if not any(turn.speaker == "interviewer" for turn in turns):
        return "one person speaks in it and nobody asks, so nothing can be told of what was asked"
    return "nothing in it is a question, so nothing can be told of what was asked"
