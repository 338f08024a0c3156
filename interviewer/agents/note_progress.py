"""How far the plan has been reached: which questions are answered, how deep each section is, which gaps are closed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from interviewer.agents.exchanges import Exchange, exchanges, planned
from interviewer.agents.note_gaps import told_later
from interviewer.agents.repeats import overlap
from interviewer.agents.signals import stems, substantial
from interviewer.matching.text import sentences
from interviewer.model.notes import Answered, Coverage, Depth, Notes
from interviewer.model.plan import Question, Section
from interviewer.model.turn import Said

# Content words of a section's answers from which it counts as reached so deep; chosen here.
_BY_WORDS: tuple[tuple[int, Depth], ...] = ((90, "deep"), (30, "some"), (6, "thin"))
_BY_ANSWERS: tuple[tuple[int, Depth], ...] = ((3, "deep"), (2, "some"), (1, "thin"))
_DEPTHS: tuple[Depth, ...] = ("none", "thin", "some", "deep")
_FOLLOWING = 2  # unplanned questions in a row that still belong to the section of the one before
_FEWEST_STEMS, _MET, _SENTENCES = 3, 0.75, 3
_GENERIC = stems(
    "think made make making tell take happened ever still most many part way ways thing things time times someone "
    "know knew learn turn turned find found use used come comes begin first people work worked story surprise"
)


def progress(
    turns: Sequence[Said], sections: Sequence[Section], notes: Notes, topic: str
) -> tuple[list[Answered], list[Coverage]]:
    """What these turns show of the plan: answered questions and the depth of every section."""
    talk = exchanges(turns)
    asked = planned(talk, list(_questions(sections)))
    answers = [
        Answered(question_id=question.id, turn=turn, volunteered=False)
        for exchange, question in zip(talk, asked, strict=True)
        if question and (turn := exchange.answered_in)
    ]
    known = {a.question_id for a in (*notes.answered, *answers)} | {q.id for q in asked if q}
    answers += _volunteered(turns, [q for q in _questions(sections) if q.id not in known], stems(topic))
    done = {a.question_id for a in (*notes.answered, *answers)}
    said = _words_by_section(talk, asked, sections)
    return answers, [Coverage(section_id=s.id, depth=_depth(s, said[s.id], done)) for s in sections]


def closed(turns: Sequence[Said], notes: Notes) -> list[str]:
    """Ids of the gaps the guest has told about since, and of contradictions that were put to them and answered."""
    gaps = [gap.id for gap in notes.gaps if told_later(gap, turns)]
    talk = exchanges(turns) if notes.contradictions else []
    settled = [x.id for x in notes.contradictions if any(_put(x.question, exchange) for exchange in talk)]
    return gaps + settled


def _put(question: str, exchange: Exchange) -> bool:
    return bool(exchange.answered_in) and max(overlap(question, exchange.sentences), default=0.0) > 0.35


def _questions(sections: Iterable[Section]) -> Iterator[Question]:
    for section in sections:
        yield from section.questions


def _words_by_section(
    talk: Sequence[Exchange], asked: Sequence[Question | None], sections: Sequence[Section]
) -> Counter[str]:
    home = {question.id: section.id for section in sections for question in section.questions}
    said: Counter[str] = Counter()
    current, following = None, 0
    for exchange, question in zip(talk, asked, strict=True):
        current, following = (home[question.id], 0) if question else (current, following + 1)
        if current and following <= _FOLLOWING and exchange.answered_in:
            said[current] += exchange.told
    return said


def _depth(section: Section, said: int, done: set[str]) -> Depth:
    answered = sum(question.id in done for question in section.questions)
    by_words: Depth = next((depth for least, depth in _BY_WORDS if said >= least), "none")
    by_answers: Depth = next((depth for least, depth in _BY_ANSWERS if answered >= least), "none")
    return max(by_words, by_answers, key=_DEPTHS.index)


def _volunteered(turns: Sequence[Said], unasked: Sequence[Question], topic: frozenset[str]) -> list[Answered]:
    """Questions that a stretch of the guest's talk meets almost word for word, though nobody asked them."""
    guest = [turn for turn in turns if turn.speaker == "guest"]
    met = ((question, next((t.id for t in guest if _meets(t.text, question.text, topic)), "")) for question in unasked)
    return [Answered(question_id=question.id, turn=turn, volunteered=True) for question, turn in met if turn]


@lru_cache(maxsize=16_384)
def _meets(said: str, question: str, topic: frozenset[str]) -> bool:
    """Whether a stretch of a turn holds most of a question's stems; a window shows the same turns cycle after cycle."""
    telling = stems(question) - topic - _GENERIC
    least = _MET * len(telling)
    return len(telling) >= _FEWEST_STEMS and any(len(telling & held) >= least for held in _stretches(said))


@lru_cache(maxsize=4_096)
def _stretches(text: str) -> tuple[frozenset[str], ...]:
    """Stems of every three sentences in a row."""
    if not substantial(text):
        return ()
    parts = [stems(span.text) for span in sentences(text)]
    return tuple(frozenset().union(*parts[i : i + _SENTENCES]) for i in range(max(1, len(parts) - _SENTENCES + 1)))
