"""A guest's voice guide, from that guest's own calls."""

from collections.abc import Mapping, Sequence
from typing import Any

from interviewer.agents.style_extractor import STYLE_EXTRACTOR, StyleInput, check_guide
from interviewer.errors import NotFound
from interviewer.llm.backend import Backend
from interviewer.matching.text import words
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceGuide
from interviewer.settings import StyleSettings
from interviewer.store.store import Store

_GUESTS = "SELECT DISTINCT guest FROM calls WHERE guest IS NOT NULL ORDER BY guest"
_NOBODY = frozenset({"", "guest", "the guest"})
_WORLDS = "SELECT DISTINCT world FROM calls WHERE guest = ? ORDER BY world"
_DRAFTS = """
SELECT d.markdown FROM drafts AS d JOIN calls AS c USING (call_id)
WHERE c.guest = $guest AND c.world = $world AND d.markdown <> ''
QUALIFY row_number() OVER (PARTITION BY d.call_id ORDER BY d.journal_line DESC) = 1
ORDER BY c.started_at DESC NULLS LAST, d.call_id DESC LIMIT $most
"""
_QUOTES = """
WITH latest AS (
    SELECT a.call_id, a.analysis, c.started_at FROM analyses AS a JOIN calls AS c USING (call_id)
    WHERE c.guest = $guest AND c.world = $world
    QUALIFY row_number() OVER (PARTITION BY a.call_id ORDER BY a.journal_line DESC) = 1
)
SELECT DISTINCT ON (quote ->> 'text') quote ->> 'text' AS text FROM (
    SELECT call_id, started_at, unnest(from_json(analysis -> 'quotes', '["JSON"]')) AS quote FROM latest
) WHERE quote ->> 'found' = 'true' ORDER BY quote ->> 'text'
"""
_TURNS = """
SELECT t.turn_id, t.text FROM turns AS t JOIN calls AS c USING (call_id)
WHERE c.guest = $guest AND c.world = $world AND t.speaker = 'guest' AND t.text IS NOT NULL
ORDER BY c.started_at DESC NULLS LAST, t.call_id DESC, t.position DESC
"""


def style_guide(
    store: Store, guest: str, *, backend: Backend | None = None, settings: StyleSettings | None = None
) -> VoiceGuide:
    """How this guest speaks: from the latest drafts, quotes and turns of their own calls, as many as `settings` say.

    Simulated calls count only if there is no real one. `backend`: who runs the StyleExtractor (default: rules). Where
    it fails, or there is too little to go by, the guide is empty. Raises NotFound listing the guests there are.
    """
    data = style_input(store, guest, settings or StyleSettings())
    if backend is None:
        return check_guide(STYLE_EXTRACTOR.rules(data), data)
    ran = backend.run(STYLE_EXTRACTOR, data, "style")
    return check_guide(STYLE_EXTRACTOR.parse(ran.output), data) if ran.output is not None else VoiceGuide()


def known_voice(store: Store, guest: str, *, backend: Backend | None = None) -> VoiceGuide:
    """The guide of a guest who has been here before; empty for all others."""
    if guest not in _column(store, _GUESTS, []):
        return VoiceGuide()
    return style_guide(store, guest, backend=backend)


def is_nobody(guest: str) -> bool:
    """Whether this is no person's name, so that calls of many may bear it."""
    return guest.strip().lower() in _NOBODY


def style_input(store: Store, guest: str, settings: StyleSettings) -> StyleInput:
    """What the StyleExtractor reads of this guest. Raises NotFound if no call is theirs."""
    known = _column(store, _GUESTS, [])
    if guest not in known:
        listed = f"there are: {', '.join(known[:8])}" if known else "there is no call yet"
        raise NotFound(f"no call of a guest called {guest!r}; {listed}")
    worlds = _column(store, _WORLDS, [guest])
    whose = {"guest": guest, "world": "real" if "real" in worlds else worlds[0]}
    rows = store.sql(_TURNS, whose).itertuples(index=False)
    turns = [Said(str(row[0]), "guest", str(row[1])) for row in rows if len(words(str(row[1]))) >= settings.turn_words]
    return StyleInput(
        topic="",
        guest=guest,
        drafts=tuple(_prose(text) for text in reversed(_column(store, _DRAFTS, {**whose, "most": settings.drafts}))),
        quotes=tuple(_column(store, _QUOTES, whose)[: settings.quotes]),
        turns=tuple(reversed(turns[: settings.turns])),
    )


def _prose(markdown: str) -> str:
    """A draft without its headings: those are the Writer's words, not the guest's."""
    return "\n".join(line for line in markdown.splitlines() if not line.startswith("#"))


def _column(store: Store, query: str, values: Sequence[Any] | Mapping[str, Any]) -> list[str]:
    return [str(value) for value in store.sql(query, values).iloc[:, 0].tolist()]
