"""What the voice is told of the calls before: bounded, the same in every update."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviewer.agents.prompts import one_line, tokens
from interviewer.matching.text import words
from interviewer.memory.earlier import Earlier
from interviewer.settings import MemorySettings

_CUTS = ("expression", "idea", "story", "claim", "covered", "asked", "theme")
"""What goes first when space is short, the oldest of a kind first; the last ones keep from asking twice."""


@dataclass(frozen=True, slots=True)
class Summary:
    """`lines`: ideas, stories, claims, sections covered, themes. `heard`: the latest questions, oldest first.

    `expressions`: the guest's own words for things. `cut`: how many entries found no room.
    """

    lines: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    cut: int = 0


def summary(earlier: Earlier | None, memory: MemorySettings) -> Summary:
    """As many of each as `memory` says, the latest; all together at most `memory.summary_tokens` estimated tokens.

    When space is short, expressions go first, then ideas, stories, claims, covered sections, heard questions, themes.
    """
    if earlier is None:
        return Summary()
    entries = list(_entries(earlier, memory))
    room = memory.summary_tokens - sum(tokens(text) for _, text in entries)
    order = sorted(range(len(entries)), key=lambda at: _CUTS.index(entries[at][0]))
    gone: set[int] = set()
    for at in order:
        if room >= 0:
            break
        gone.add(at)
        room += tokens(entries[at][1])
    kept = [entry for at, entry in enumerate(entries) if at not in gone]
    return Summary(
        lines=tuple(f"{kind}: {text}" for kind, text in kept if kind not in ("asked", "expression")),
        heard=tuple(text for kind, text in kept if kind == "asked"),
        expressions=tuple(text for kind, text in kept if kind == "expression"),
        cut=len(gone),
    )


def _entries(earlier: Earlier, memory: MemorySettings) -> Iterator[tuple[str, str]]:
    notes = earlier.notes
    ideas, stories, claims = ([note.text for note in found] for found in (notes.ideas, notes.stories, notes.claims))
    if earlier.form > 1:
        ideas = _new(ideas, stories)
        claims = _new(claims, (*stories, *ideas))
    told = (
        ("idea", ideas, memory.ideas),
        ("story", stories, memory.stories),
        ("claim", claims, memory.claims),
        ("covered", list(earlier.covered), len(earlier.covered)),
        ("theme", list(earlier.themes), len(earlier.themes)),
        ("asked", [asked.text for asked in earlier.heard], memory.heard),
    )
    for kind, texts, most in told:
        yield from ((kind, one_line(text)) for text in texts[len(texts) - min(most, len(texts)) :])
    # These come most telling first, so the last ones go first.
    yield from (("expression", one_line(text)) for text in reversed(earlier.expressions[: memory.expressions]))


def _new(texts: Sequence[str], told: Sequence[str]) -> list[str]:
    """Those of `texts` that neither stand in one of `told` nor hold one: the same words are told once."""
    known = [_words(text) for text in told]
    return [text for text in texts if not any(_words(text) in other or other in _words(text) for other in known)]


def _words(text: str) -> str:
    return f" {' '.join(words(text))} "
