"""A recorded conversation cut into sections where its subject changes, with the questions that were asked."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, pstdev
from typing import Literal

from interviewer.agents.passages import printable
from interviewer.agents.signals import stems
from interviewer.agents.themes import themes
from interviewer.agents.wording import one_line
from interviewer.errors import PlanError
from interviewer.matching.text import content_words, questions, words
from interviewer.model.plan import Importance, Plan, Question, Role, Section
from interviewer.model.reverse import AskedQuestion, ReversePlan
from interviewer.model.turn import Said

# All chosen here.
MOST_SECTIONS, FEWEST_QUESTIONS = 6, 3  # a section has three questions or more, as far as there are so many
_BESIDE = 2  # stretches on either side of a possible cut that are compared
_LONGEST = 600  # characters of a question
_FOLLOWS = 0.34  # share of a question's stems that the answer before it holds: then it follows up on that
_POINTS_BACK = frozenset("why how when where who really that this it so and".split())
_BESIDE_THE_POINT = re.compile(
    r"\b(?:any questions?|sounds? good|make(?:s)? sense|are you ready|ready to (?:start|begin)|(?:can|do) you hear me|"
    r"shall we (?:start|begin)|how are you)\b",
    re.IGNORECASE,
)
_SHORT = 6  # words of a question that can only be understood after the answer


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A turn of the interviewer's that asks, the questions in it, and all that was said until the next such turn."""

    turn: Said
    asked: tuple[str, ...]
    answer: tuple[Said, ...]
    before: str


def reverse(topic: str, turns: Sequence[Said], language: str) -> ReversePlan:
    """The plan a conversation could have had. Raises PlanError if nobody asked anything in it.

    Sections are cut where the words on either side have least in common (the depth scores of TextTiling, Hearst
    1997). Seconds are 0: a transcript does not say them.
    """
    talk = list(_stretches(turns))
    if not talk:
        raise PlanError("the transcript holds no question of an interviewer: say who asks, and that they do")
    subject = topic.strip() or _subject([turn for turn in turns if turn.speaker == "guest"], "") or "A conversation"
    sections: list[Section] = []
    asked: list[AskedQuestion] = []
    for group in _groups(talk):
        number = len(sections) + 1
        made = list(_questions(group, len(asked)))
        asked += [AskedQuestion(question_id=q.id, turn=turn, text=text) for q, turn, text in made]
        title = _subject([turn for stretch in group for turn in stretch.answer], subject) or f"Part {number}"
        sections.append(
            Section(
                id=f"s{number}",
                title=title,
                importance=_importance(group, talk),
                questions=tuple(question for question, _, _ in made),
            )
        )
    goal = f"Drawn up from a recording: what it went after, in {len(asked)} questions."
    plan = Plan(topic=one_line(subject), goal=goal, sections=tuple(sections), language=language)
    return ReversePlan(plan=plan, asked=tuple(asked))


def _stretches(turns: Sequence[Said]) -> Iterator[_Stretch]:
    places = [i for i, turn in enumerate(turns) if turn.speaker == "interviewer" and _asked(turn.text)]
    for start, end in pairwise([*places, len(turns)]):
        before = next((turn.text for turn in reversed(turns[:start]) if turn.speaker == "guest"), "")
        answer = tuple(turn for turn in turns[start + 1 : end] if turn.speaker == "guest")
        yield _Stretch(turns[start], tuple(_asked(turns[start].text)), answer, before)


def _asked(text: str) -> list[str]:
    """What a turn asks: sentences that ask and are about something, or that point back with more than a word."""
    found = [span.text for span in questions(text) if content_words(span.text) or len(words(span.text)) > 2]
    return [question for question in found if len(question) <= _LONGEST and not _BESIDE_THE_POINT.search(question)]


def _groups(talk: Sequence[_Stretch]) -> list[list[_Stretch]]:
    """`talk` cut at the deepest changes of words, each group with enough questions."""
    depths = _depths(talk)
    floor = mean(depths) - pstdev(depths) / 2 if depths else 0.0
    cuts: list[int] = []
    for gap in sorted(range(len(depths)), key=lambda i: (-depths[i], i)):
        cut = gap + 1
        bounds = [0, *sorted([*cuts, cut]), len(talk)]
        large = all(sum(len(s.asked) for s in talk[a:b]) >= FEWEST_QUESTIONS for a, b in pairwise(bounds))
        if len(cuts) < MOST_SECTIONS - 1 and depths[gap] > max(floor, 0.0) and large:
            cuts.append(cut)
    bounds = [0, *sorted(cuts), len(talk)]
    return [list(talk[a:b]) for a, b in pairwise(bounds)]


def _depths(talk: Sequence[_Stretch]) -> list[float]:
    """For every place between two stretches, how much lower the likeness of its sides is than around it."""
    held = [_held(stretch) for stretch in talk]
    likeness = [_likeness(held[max(0, i - _BESIDE) : i], held[i : i + _BESIDE]) for i in range(1, len(held))]
    return [_rise(likeness, i, -1) + _rise(likeness, i, 1) for i in range(len(likeness))]


def _rise(scores: Sequence[float], at: int, step: int) -> float:
    """How far scores climb from here in one direction until they fall again."""
    top, place = scores[at], at + step
    while 0 <= place < len(scores) and scores[place] >= top:
        top, place = scores[place], place + step
    return top - scores[at]


def _held(stretch: _Stretch) -> Counter[str]:
    return Counter(
        stem for text in (stretch.turn.text, *(t.text for t in stretch.answer)) for stem in sorted(stems(text))
    )


def _likeness(left: Sequence[Counter[str]], right: Sequence[Counter[str]]) -> float:
    """Cosine of the stems on two sides."""
    one, two = sum(left, Counter[str]()), sum(right, Counter[str]())
    size = (sum(n * n for n in one.values()) * sum(n * n for n in two.values())) ** 0.5
    return sum(one[stem] * two[stem] for stem in sorted(one.keys() & two.keys())) / size if size else 0.0


def _questions(group: Sequence[_Stretch], before: int) -> Iterator[tuple[Question, str, str]]:
    """(question, turn, words) of a section; the first carries it, whatever it looks like."""
    number = before
    for place, stretch in enumerate(group):
        for rank, text in enumerate(stretch.asked):
            number += 1
            role: Role = "follow_up" if (place or rank) and (rank or _follows(text, stretch.before)) else "backbone"
            priority: Literal[1, 2, 3] = 3 if role == "follow_up" else 1 if not place else 2
            yield Question(id=f"q{number}", text=one_line(text), role=role, priority=priority), stretch.turn.id, text


def _follows(question: str, answer: str) -> bool:
    asked = stems(question)
    if len(words(question)) <= _SHORT and not _POINTS_BACK.isdisjoint(words(question)):
        return True
    return bool(asked) and len(asked & stems(answer)) / len(asked) >= _FOLLOWS


def _subject(turns: Sequence[Said], topic: str) -> str:
    """What turns of the guest come back to, in their own words; empty if nothing."""
    found = themes(printable(turns), topic)
    if found:
        return found[0].name[:1].upper() + found[0].name[1:]
    said = Counter(
        word for turn in turns for word in sorted(content_words(turn.text)) if word.isalpha() and len(word) > 3
    )
    ranked = sorted(said, key=lambda word: (-said[word], word))[:2]
    return " and ".join(ranked).capitalize()


def _importance(group: Sequence[_Stretch], talk: Sequence[_Stretch]) -> Importance:
    """By the share of the guest's words: half more than an even share is high, half of it low."""

    def size(some: Sequence[_Stretch]) -> int:
        return sum(len(words(turn.text)) for stretch in some for turn in stretch.answer)

    share = size(group) / max(1, size(talk)) * len(talk) / len(group)
    return "high" if share >= 1.5 else "low" if share <= 0.5 else "medium"
