"""The simulated interviewer's voice: puts into words what the instructions ask for, as one attentive person would.

It reads the marks of the instructions and the lines of the conversation, nothing else. What the guest said is only
ever repeated as a short phrase in quotation marks. It speaks English, whatever `<language>` says: its tables are.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from interviewer.agents.cues import Kind
from interviewer.agents.signals import kinds
from interviewer.agents.small_talk import declines
from interviewer.agents.topics import topic
from interviewer.matching.text import asks, content_words, questions, sentences, words
from interviewer.realtime.engine.brain import Asked, BrainRequest, Spoken
from interviewer.simulate import marks, mirror, script
from interviewer.simulate.english import lower_first
from interviewer.simulate.phrasing import rephrase

WANDERS = 1 / 25
SECOND_QUESTION = 1 / 12
TWO_ITEMS = 1 / 40
LEAST_WORDS = 8
MOST_WORDS = 60
_LATELY = 4
_BY_KIND: tuple[tuple[frozenset[Kind], tuple[str, ...]], ...] = (
    (frozenset(["feeling"]), script.ON_FEELINGS),
    (frozenset(["distrust", "objection"]), script.ON_DOUBTS),
    (frozenset(["decision"]), script.ON_DECISIONS),
    (frozenset(["figure"]), script.ON_FIGURES),
    (frozenset(["story", "turning_point"]), script.ON_STORIES),
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence of a reply; `key` marks one that asks."""

    text: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that a reply is made from."""

    marks: marks.Marks
    rng: random.Random
    guest: str
    said: str
    asked: tuple[str, ...]
    waiting: bool
    last: str
    recent: str
    refused: bool

    def phrase(self) -> str | None:
        """Words of the guest's that were not repeated to them yet."""
        return None if self.refused else mirror.phrase(self.guest, self.rng, self.said)

    def fresh(self, lines: Sequence[str]) -> str:
        """One of `lines`, by preference one whose fixed words were not said lately."""
        new = [line for line in lines if not any(part in self.recent for part in _fixed(line))]
        return self.rng.choice(new or list(lines))

    def topic(self) -> str:
        """What the call is about, in at most twelve words."""
        given = " ".join(re.sub(r"[<>]", " ", self.marks.topic).split()[:12])
        return topic(given).text or "your work"

    def is_new(self, question: str) -> bool:
        """Whether neither this call nor an earlier one has heard `question`, as far as words can tell."""
        return not any(_alike(question, other) for other in (*self.asked, *self.marks.heard))


class VoiceBrain:
    """A `Brain` whose replies depend on `seed` and the request alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        """One item, seldom two; `Asked.key` is the text in `<ask>`, or "own: ..." for a question made up here."""
        scene = _scene(self._seed, request)
        kind = scene.marks.reply
        if scene.marks.ask is None and kind in {"opening", "question"}:
            kind = "free"
        pieces = {
            "opening": _opening,
            "question": _question,
            "free": _free,
            "nudge": _nudge,
            "resume": _resume,
            "closing": _closing,
        }[kind](scene)
        return _items(pieces, scene.rng)


def _scene(seed: int, request: BrainRequest) -> _Scene:
    read = marks.read(request.instructions)
    lines = [line for line in request.lines if line.role in {"user", "assistant"}]
    mine = [line.text for line in lines if line.role == "assistant"]
    guest = next((line.text for line in reversed(lines) if line.role == "user"), "")
    return _Scene(
        marks=read,
        rng=random.Random(f"{seed}:{request.number}:{read.reply}:{read.ask}"),
        guest=guest,
        said=" ".join(mine),
        asked=tuple(span.text for text in mine for span in questions(text)),
        waiting=bool(lines) and lines[-1].role == "assistant",
        last=mine[-1] if mine else "",
        recent=" ".join(mine[-_LATELY:]),
        refused=declines(guest),
    )


def _fixed(line: str) -> list[str]:
    """What a line holds besides the words of the guest's that are put into it."""
    return [part for part in re.split(r"\W*{s}\W*", line) if len(part.split()) > 1]


def _alike(a: str, b: str) -> bool:
    """The same words, or nearly all content words in common."""
    first, second = content_words(a), content_words(b)
    shared = len(first & second) / len(first | second) if first | second else 0.0
    return words(a) == words(b) or shared > 0.6


def _opening(scene: _Scene) -> list[_Piece]:
    assert scene.marks.ask is not None
    welcome = scene.rng.choice(script.WELCOMES).format(topic=scene.topic())
    if scene.marks.earlier:
        # What the guest said is put in quotation marks: it must not ask, nor look like our own words.
        quote = re.sub(r'["“”<>?]', "", scene.marks.thread).strip(" .,;:")
        again = scene.rng.choice(script.THREADS_AGAIN).format(s=quote) if quote else ""
        welcome = f"{scene.rng.choice(script.WELCOMES_BACK)} {again}".strip()
    phrased = rephrase(scene.marks.ask, scene.rng)
    start = phrased.setup or scene.rng.choice(script.STARTS)
    pieces = [_Piece(welcome), *([_Piece(start)] if start else [])]
    return _within([*pieces, _Piece(phrased.ask, scene.marks.ask)])


def _question(scene: _Scene) -> list[_Piece]:
    if scene.rng.random() < WANDERS and not scene.refused:
        return _wandering(scene)
    assert scene.marks.ask is not None
    phrased = rephrase(scene.marks.ask, scene.rng)
    pieces = _lead_in(scene)
    if not phrased.setup and not scene.marks.returning and scene.rng.random() < 0.15 and (span := scene.phrase()):
        lead = scene.fresh(script.LEADS).format(s=span)
        pieces, phrased = [], replace(phrased, ask=lead + lower_first(phrased.ask))
    pieces += [_Piece(phrased.setup)] if phrased.setup else []
    pieces += [_Piece(phrased.ask, scene.marks.ask), *_second(scene)]
    if _length(pieces) < LEAST_WORDS:
        pieces = [_acknowledged(scene), *pieces]
    return _within(pieces)


def _lead_in(scene: _Scene) -> list[_Piece]:
    """What comes before the question: a short acknowledgement, a deliberate return, a sign that the end is near."""
    if scene.marks.returning:
        return [_Piece(scene.rng.choice(script.RETURNS))]
    pieces = [_acknowledgement(scene)] if scene.rng.random() < 0.85 else []
    if scene.marks.phase == "wrap_up":
        pieces.append(_Piece(scene.rng.choice(script.LAST_ONES)))
    return pieces


def _acknowledgement(scene: _Scene) -> _Piece:
    span = scene.phrase() if scene.rng.random() < 0.65 else None
    if span:
        return _Piece(scene.fresh(script.MIRRORS).format(s=span))
    return _acknowledged(scene)


def _acknowledged(scene: _Scene) -> _Piece:
    """An acknowledgement without the guest's words, of the kind that fits what they said."""
    if scene.refused:
        return _Piece(scene.fresh(script.ON_REFUSALS))
    heard = {kind for span in sentences(scene.guest) for kind in kinds(span.text)}
    fitting = [line for wanted, lines in _BY_KIND if heard & wanted for line in lines]
    return _Piece(scene.fresh((*fitting, *script.ACKNOWLEDGEMENTS)))


def _second(scene: _Scene) -> list[_Piece]:
    """Now and then a small question of its own; not twice running, and none when the end is near."""
    crowded = len(questions(scene.last)) > 1 or scene.marks.phase == "wrap_up"
    if scene.rng.random() >= SECOND_QUESTION or crowded:
        return []
    return _own(script.SECOND_QUESTIONS, scene)


def _own(choices: Sequence[str], scene: _Scene) -> list[_Piece]:
    """One of `choices` that was not heard before, as a question of its own; nothing when all were."""
    new = [question for question in choices if scene.is_new(question)]
    if not new:
        return []
    question = scene.rng.choice(new)
    return [_Piece(question, f"own: {question}")]


def _wandering(scene: _Scene) -> list[_Piece]:
    comment = _Piece(scene.rng.choice(script.WANDERINGS))
    if scene.rng.random() < 0.5:
        return [_acknowledgement(scene), comment]
    return [comment, *_follow_up(scene)]


def _follow_up(scene: _Scene) -> list[_Piece]:
    if scene.refused:
        return _own(script.ELSEWHERE, scene)
    span = scene.phrase()
    about = [question.format(s=span) for question in script.FOLLOW_UPS] if span else []
    return _own(about, scene) or _own(script.OPEN_FOLLOW_UPS, scene)


def _free(scene: _Scene) -> list[_Piece]:
    if scene.marks.phase == "wrap_up":
        return _winding_down(scene)
    asked = _follow_up(scene)
    if not asked:
        return [_acknowledgement(scene), _Piece(scene.fresh(script.LISTENING))]
    return [_acknowledged(scene), *asked]


def _winding_down(scene: _Scene) -> list[_Piece]:
    """No new subject: an acknowledgement, and once the offer to add something."""
    comment = _Piece(scene.fresh(script.WINDING_DOWN))
    offered = any("add" in words(question) for question in (*scene.asked, *scene.marks.heard))
    return [comment] if offered else [comment, *_own(script.LAST_WORDS, scene)]


def _nudge(scene: _Scene) -> list[_Piece]:
    nudged = scene.waiting and any(scene.last.startswith(line) for line in script.NUDGES)
    return [_Piece(scene.rng.choice(script.PAUSES if nudged else script.NUDGES))]


def _resume(scene: _Scene) -> list[_Piece]:
    pieces = [_Piece(scene.rng.choice(script.RESUMES))]
    if scene.marks.ask:
        phrased = rephrase(scene.marks.ask, scene.rng)
        setup = [_Piece(phrased.setup)] if phrased.setup else []
        return _within([*pieces, *setup, _Piece(phrased.ask, scene.marks.ask)])
    span = None if scene.refused else mirror.phrase(scene.guest, scene.rng)
    thread = scene.rng.choice(script.THREADS).format(s=span) if span else scene.rng.choice(script.OPEN_THREADS)
    return [*pieces, _Piece(thread)]


def _closing(scene: _Scene) -> list[_Piece]:
    return [_Piece(scene.rng.choice(script.FAREWELLS).format(topic=scene.topic()))]


def _length(pieces: Sequence[_Piece]) -> int:
    return sum(len(piece.text.split()) for piece in pieces)


def _within(pieces: list[_Piece]) -> list[_Piece]:
    """`pieces` without what comes before the question where the whole would be too long to listen to."""
    kept = list(pieces)
    while len(kept) > 1 and kept[0].key is None and _length(kept) > MOST_WORDS:
        kept = kept[1:]
    return kept


def _items(pieces: list[_Piece], rng: random.Random) -> tuple[Spoken, ...]:
    """The pieces as one item; seldom the comment comes as an item of its own before the question."""
    first = next((at for at, piece in enumerate(pieces) if piece.key), 0)
    if first and rng.random() < TWO_ITEMS:
        return _joined(pieces[:first]), _joined(pieces[first:])
    return (_joined(pieces),)


def _joined(pieces: Sequence[_Piece]) -> Spoken:
    text = ""
    found: list[Asked] = []
    for piece in pieces:
        text += " " if text else ""
        if piece.key is not None:
            found.append(_asked(piece, len(text)))
        text += piece.text
    return Spoken(text, tuple(found))


def _asked(piece: _Piece, offset: int) -> Asked:
    """The place of the question: from the first to the last sentence of the piece that asks."""
    assert piece.key is not None
    asking = [span for span in sentences(piece.text) if asks(span.text)] or list(sentences(piece.text))
    return Asked(piece.key, offset + asking[0].start, offset + asking[-1].end)
