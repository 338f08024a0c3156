"""Laying out an essay: a hook, sections under the guest's own phrases, paragraphs; and Markdown that stays text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from interviewer.agents.passages import Sentence
from interviewer.agents.phrases import first_new, heading, telling
from interviewer.agents.selection import Block, Scale
from interviewer.matching.text import content_words

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")
_LINK = re.compile(r"^(?:and|so),?\s+(?!(?:that|far|much|many|long|little|few|yet|on)\b)(?=\w)", re.IGNORECASE)
_MIDWAY = re.compile(r"(?:then|finally|also|next|another|after|later|remember|for example|in addition|again)\b", re.I)
# A figure with a new sentence right after it: the stop between them was not written down.
_UNSTOPPED = re.compile(r"(\d[\d,.]*) (?=(?:Very|So|And|But|I|It|Then|That|The|We|They|Not) ?[a-z’'])")
_HOOK_WORDS = (8, 38)
_SECTION_WORDS = 230
_MOST_SECTIONS = 6
_LEAST_WORDS_FOR_SECTIONS = 220


@dataclass(slots=True)
class Part:
    """A section: its heading ("" for none) and its paragraphs."""

    heading: str = ""
    paragraphs: list[list[Sentence]] = field(default_factory=list)


def escape(text: str) -> str:
    """`text` as Markdown that shows exactly these characters: no emphasis, heading, link, list, formula or HTML."""
    text = " ".join(text.split())
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _SPECIAL.sub(r"\\\1", text)
    return _LINE_START.sub(lambda m: f"{m[1]}{m[2]}\\" if m[2].isdigit() else f"{m[1]}\\{m[2]}", text)


def printed(sentence: str) -> str:
    """A sentence as it stands on the page: a capital first, an end mark last, escaped."""
    text = _UNSTOPPED.sub(r"\1. ", sentence[:1].upper() + sentence[1:])
    return escape(text) if text.rstrip("\"'”’) ")[-1:] in {".", "!", "?", "…", ":"} else f"{escape(text)}."


def markdown(title: str, subtitle: str, parts: Sequence[Part]) -> str:
    """The essay as Markdown; ends with one line break."""
    pieces = [f"# {escape(title)}"]
    if subtitle:
        pieces.append(f"*{escape(subtitle)}*")
    for part in parts:
        if part.heading:
            pieces.append(f"## {escape(part.heading)}")
        pieces += [" ".join(printed(s.text) for s in paragraph) for paragraph in part.paragraphs]
    return "\n\n".join(pieces) + "\n"


def lay_out(
    chosen: Sequence[Block], offered: Sequence[Block], scale: Scale, topic: str, title: str, paragraph_words: int
) -> list[Part]:
    """A hook from anywhere in the talk, then sections in its order; a short essay has neither."""
    if sum(block.words for block in chosen) < _LEAST_WORDS_FOR_SECTIONS:
        return [Part(paragraphs=_paragraphs(chosen, paragraph_words))] if chosen else []
    hook = _hook(chosen, offered, scale)
    body = [block for block in chosen if block is not hook]
    parts = [Part(paragraphs=_paragraphs([hook], paragraph_words))] if hook else []
    used = [title]
    for group in _sections(body):
        phrases = telling((s for block in group for s in block.sentences), scale.weight, topic)
        phrase = first_new(phrases, used)
        name = heading(phrase.text) if phrase else ""
        used.append(name)
        parts.append(Part(name, _paragraphs(group, paragraph_words)))
    return parts


def _hook(chosen: Sequence[Block], offered: Sequence[Block], scale: Scale) -> Block | None:
    """A short block that makes one read on: better the end of an answer than the start of a story."""
    goes_on = {block.number for block, after in pairwise(offered) if after.follows(block)}
    fit = [block for block in chosen[1:-1] if _HOOK_WORDS[0] <= block.words <= _HOOK_WORDS[1]]

    def pull(block: Block) -> float:
        first = block.sentences[0].text
        return (
            scale.weight(block.sentences[0])
            - block.words / 40
            - 1.5 * (block.number in goes_on or _MIDWAY.match(first) is not None)
        )

    return max(fit, key=lambda block: (pull(block), -block.number), default=None)


def _paragraphs(group: Sequence[Block], most: int) -> list[list[Sentence]]:
    """Blocks that were said one after the other run together up to `most` words."""
    paragraphs: list[list[Sentence]] = []
    before: Block | None = None
    size = 0
    for block in group:
        if before is None or not block.follows(before) or size + block.words > most:
            first = block.sentences[0]
            paragraphs.append([replace(first, text=_LINK.sub("", first.text)), *block.sentences[1:]])
            size = 0
        else:
            paragraphs[-1].extend(block.sentences)
        size += block.words
        before = block
    return paragraphs


def _sections(body: Sequence[Block]) -> list[list[Block]]:
    """`body` in stretches of about equal length, cut between turns where the words change most."""
    turns = _by_turn(body)
    total = sum(block.words for block in body)
    count = max(1, min(_MOST_SECTIONS, len(turns), round(total / _SECTION_WORDS)))
    cuts = _best_cuts(turns, count, total / count)
    bounds = [0, *cuts, len(turns)]
    return [[block for turn in turns[a:b] for block in turn] for a, b in pairwise(bounds) if a < b]


def _by_turn(body: Sequence[Block]) -> list[list[Block]]:
    turns: list[list[Block]] = []
    for block in body:
        if not turns or turns[-1][0].turn != block.turn:
            turns.append([])
        turns[-1].append(block)
    return turns


def _best_cuts(turns: Sequence[Sequence[Block]], count: int, target: float) -> list[int]:
    """Where to cut `turns` into `count` stretches: least squares from `target` words, plus words shared over a cut."""
    sizes = [sum(block.words for block in turn) for turn in turns]
    held = [frozenset(w for block in turn for s in block.sentences for w in content_words(s.text)) for turn in turns]

    def cost(a: int, b: int) -> float:
        uneven = ((sum(sizes[a:b]) - target) / target) ** 2
        shared = len(held[a - 1] & held[a]) / (1 + min(len(held[a - 1]), len(held[a]))) if a else 0.0
        return uneven + shared

    best: list[dict[int, tuple[float, list[int]]]] = [{0: (0.0, [])}]
    for _ in range(count):
        step: dict[int, tuple[float, list[int]]] = {}
        for a, (so_far, cuts) in best[-1].items():
            for b in range(a + 1, len(turns) + 1):
                candidate = (so_far + cost(a, b), [*cuts, b])
                if b not in step or candidate < step[b]:
                    step[b] = candidate
        best.append(step)
    return best[-1][len(turns)][1][:-1] if turns else []
