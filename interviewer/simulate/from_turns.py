"""A dossier out of a conversation that was held: what its guest knows, in the guest's own words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviewer.agents.passages import Sentence, printable, runs
from interviewer.agents.signals import names
from interviewer.errors import PlanError
from interviewer.matching.text import content_words, questions, words
from interviewer.model.turn import Said
from interviewer.simulate.detail_kinds import kind_of
from interviewer.simulate.dossier import Detail, Dossier
from interviewer.simulate.reach import Question, stem, understand

LEAST_WORDS, ENOUGH_WORDS, MOST_WORDS = 8, 25, 90  # of a detail; a stretch is cut once it has enough
_CUES, _CUE_WORDS = 10, 3  # most cues of a detail, and most words of one
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")
_SHORT_QUESTION = 6  # words; below, a question is understood from what was said before


@dataclass(frozen=True, slots=True)
class Piece:
    """A detail and where it stands: the turn of the guest's, and whether its question asked for it."""

    detail: Detail
    turn: str
    asked: bool


def dossier_of(turns: Sequence[Said], *, topic: str = "", name: str = "recording", source: str = "") -> Dossier:
    """What the guest of a recorded conversation knows; `name` and `source` say which conversation it was.

    Details are unbroken stretches of the guest's turns, letter for letter, in the order of the talk; small talk and
    what is meant for the interviewer only is left out. The questions that led to one give its cues and, with its own
    words, its kind. What was told without a question that asks for it is `volunteer`: after none, or further on in a
    turn in words that the question does not share. What follows in the same turn, or after a question that only points
    back, lies `after` it.

    Raises PlanError if the guest told nothing.
    """
    found = pieces_of(turns)
    if not found:
        raise PlanError(f"{source or name}: the guest tells nothing of which a simulated guest could be made")
    return Dossier(
        id=_NOT_A_WORD.sub("-", name.lower()).strip("-") or "recording",
        topic=topic.strip() or _topic(turns),
        context="A guest made of a recorded conversation.",
        source=source or name,
        licence="that of the recording",
        details=tuple(piece.detail for piece in found),
    )


def pieces_of(turns: Sequence[Said]) -> list[Piece]:
    """The details of `dossier_of`, each with its place in the conversation."""
    asked = _asked_before(turns)
    found: list[Piece] = []
    before = ""
    for stretch in _stretches(turns):
        text, turn = _text(stretch, turns), stretch[0].turn
        goes_on = before == turn
        question = asked.get(turn)
        reached = question is not None and (not goes_on or _shares(question, text))
        after = found[-1].detail.id if found and (goes_on or _points_back(question)) else None
        detail = Detail(
            id=f"d{len(found) + 1:02}",
            text=text,
            kind=kind_of(text, question.kinds if question and reached else ()),
            cues=_cues(question if reached else None, text),
            volunteer=not reached,
            after=after,
        )
        found.append(Piece(detail, turn, reached))
        before = turn
    return found


def _stretches(turns: Sequence[Said]) -> Iterator[list[Sentence]]:
    """Sentences of one turn that stand together, in stretches of enough words."""
    for run in runs(printable(turns)):
        held: list[Sentence] = []
        for place, sentence in enumerate(run):
            apart = bool(held) and sentence.index != held[-1].index + 1
            long = _count(held) >= ENOUGH_WORDS or _count([*held, sentence]) > MOST_WORDS
            left = _count(run[place:]) >= LEAST_WORDS
            if held and (apart or (long and left)):
                yield from _whole(held)
                held = []
            held.append(sentence)
        yield from _whole(held)


def _whole(held: list[Sentence]) -> Iterator[list[Sentence]]:
    if _count(held) >= LEAST_WORDS and any(content_words(sentence.text) for sentence in held):
        yield held


def _count(held: Sequence[Sentence]) -> int:
    return sum(len(sentence.text.split()) for sentence in held)


def _text(stretch: Sequence[Sentence], turns: Sequence[Said]) -> str:
    """The stretch as it stands in its turn, on one line; a sentence too long for a detail ends at a word."""
    turn = next(turn for turn in turns if turn.id == stretch[0].turn)
    start = turn.text.find(stretch[0].text)
    end = turn.text.find(stretch[-1].text, start) + len(stretch[-1].text)
    return " ".join(turn.text[start:end].split()[:MOST_WORDS])


def _asked_before(turns: Sequence[Said]) -> dict[str, Question]:
    """By the guest's turns, what the interviewer asked last before, if anything was asked since the guest spoke."""
    found: dict[str, Question] = {}
    asked = ""
    for place, turn in enumerate(turns):
        if turn.speaker == "interviewer":
            told = " ".join(span.text for span in questions(turn.text))
            fresh = place > 0 and turns[place - 1].speaker == "interviewer"
            asked = f"{asked} {told}".strip() if fresh else told
        elif asked:
            found[turn.id] = understand(asked)
    return found


def _shares(question: Question, text: str) -> bool:
    return bool(question.telling & frozenset(map(stem, content_words(text))))


def _points_back(question: Question | None) -> bool:
    """Whether a question can only be understood from the answer before it."""
    return question is not None and (question.goes_on or len(words(question.text)) <= _SHORT_QUESTION)


def _cues(question: Question | None, text: str) -> tuple[str, ...]:
    """Words of the question, and names in the answer, each once."""
    asked = [word for word in words(question.text) if stem(word) in question.telling] if question else []
    named = [" ".join(words(span.text)[:_CUE_WORDS]) for span in names(text)]
    return tuple(cue for cue in dict.fromkeys([*asked, *named]) if cue)[:_CUES]


def _topic(turns: Sequence[Said]) -> str:
    """The words the guest comes back to most."""
    count: dict[str, int] = {}
    for turn in turns:
        if turn.speaker == "guest":
            for word in sorted(content_words(turn.text)):
                if word.isalpha() and len(word) > 3:
                    count[word] = count.get(word, 0) + 1
    return " ".join(sorted(count, key=lambda word: (-count[word], word))[:3]) or "A conversation"
