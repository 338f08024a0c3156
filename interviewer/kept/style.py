"""A guest's voice guide, from that guest's own calls."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interviewer.agents.style_extractor import STYLE_EXTRACTOR, StyleInput, check_guide
from interviewer.errors import NotFound
from interviewer.kept.reading import CallLog
from interviewer.llm.backend import Backend
from interviewer.matching.text import words
from interviewer.model.turn import Said
from interviewer.model.voice import VoiceGuide
from interviewer.settings import StyleSettings
from interviewer.store.store import Store

_GUESTS = "SELECT DISTINCT guest FROM calls WHERE guest IS NOT NULL ORDER BY guest"
# What programs and people write where a name is not known; a letter or a number may follow.
_NOBODY = re.compile(
    r"(?:(?:the )?(?:unknown|unidentified|anonymous)?[ _-]*"
    r"(?:guest|speaker|spk|interviewee|participant|respondent|caller|user|person|voice|answer|expert|sprecher|unknown|"
    r"unidentified|anonymous)?)[ _#-]*(?:[a-z]|\d{1,3})?",
    re.IGNORECASE,
)
# Two people of one name cannot be told apart: an interview whose guest only a file named stands for itself.
_TOLD_APART = """
($interview IS NULL OR c.interview_id = $interview OR c.interview_id NOT IN (
    SELECT i.interview_id FROM calls AS i JOIN imports USING (call_id)
    WHERE i.guest = $guest AND i.interview_id IS NOT NULL AND NOT coalesce(guest_said, false)
))
"""
_WORLDS = f"SELECT DISTINCT world FROM calls AS c WHERE guest = $guest AND {_TOLD_APART} ORDER BY world"  # noqa: S608  no value is in it
_DRAFTS = f"""
SELECT d.markdown FROM drafts AS d JOIN calls AS c USING (call_id)
WHERE c.guest = $guest AND c.world = $world AND {_TOLD_APART} AND d.markdown <> ''
QUALIFY row_number() OVER (PARTITION BY d.call_id ORDER BY d.journal_line DESC) = 1
ORDER BY c.started_at DESC NULLS LAST, d.call_id DESC LIMIT $most
"""  # noqa: S608
_QUOTES = f"""
WITH latest AS (
    SELECT a.call_id, a.analysis, c.started_at FROM analyses AS a JOIN calls AS c USING (call_id)
    WHERE c.guest = $guest AND c.world = $world AND {_TOLD_APART}
    QUALIFY row_number() OVER (PARTITION BY a.call_id ORDER BY a.journal_line DESC) = 1
)
SELECT DISTINCT ON (quote ->> 'text') quote ->> 'text' AS text FROM (
    SELECT call_id, started_at, unnest(from_json(analysis -> 'quotes', '["JSON"]')) AS quote FROM latest
) WHERE quote ->> 'found' = 'true' ORDER BY quote ->> 'text'
"""  # noqa: S608
_TURNS = f"""
SELECT t.turn_id, t.text FROM turns AS t JOIN calls AS c USING (call_id)
WHERE c.guest = $guest AND c.world = $world AND {_TOLD_APART} AND t.speaker = 'guest' AND t.text IS NOT NULL
ORDER BY c.started_at DESC NULLS LAST, t.call_id DESC, t.position DESC
"""  # noqa: S608


def style_guide(
    store: Store,
    guest: str,
    *,
    interview: str | None = None,
    backend: Backend | None = None,
    settings: StyleSettings | None = None,
) -> VoiceGuide:
    """How this guest speaks: from the latest drafts, quotes and turns of their own calls, as many as `settings` say.

    Simulated calls count only if there is no real one. `interview`: the one it is for, "" for a new one; interviews
    elsewhere whose guest only a file named then do not count. `backend`: who runs the StyleExtractor (default: rules).
    Where it fails, or there is too little to go by, the guide is empty. Raises NotFound listing the guests there are.
    """
    data = style_input(store, guest, settings or StyleSettings(), interview)
    if backend is None:
        return check_guide(STYLE_EXTRACTOR.rules(data), data)
    ran = backend.run(STYLE_EXTRACTOR, data, "style")
    return check_guide(STYLE_EXTRACTOR.parse(ran.output), data) if ran.output is not None else VoiceGuide()


def known_voice(
    store: Store,
    guest: str,
    *,
    interview: str = "",
    backend: Backend | None = None,
    settings: StyleSettings | None = None,
) -> VoiceGuide:
    """The guide of a guest who has been here before, as `style_guide` has it; empty for all others."""
    if is_nobody(guest) or guest not in _column(store, _GUESTS, []):
        return VoiceGuide()
    return style_guide(store, guest, interview=interview, backend=backend, settings=settings)


def is_nobody(guest: str) -> bool:
    """Whether this is no person's name, such as "Speaker 2", so that calls of many may bear it."""
    return all(_NOBODY.fullmatch(name.strip()) for name in guest.split(","))


def is_known(log: CallLog, guest: str) -> bool:
    """Whether who spoke in this call as `guest` is known: the name is one, and not only a file's word for somebody."""
    if is_nobody(guest):
        return False
    about = log.last("import")
    return about is None or bool(about.get("guest_said")) or str(log.contents.head.get("guest")) != guest


def own_voice(turns: Sequence[Said], settings: StyleSettings) -> VoiceGuide:
    """How the guest of these turns speaks, from them alone."""
    own = tuple(turn for turn in turns if turn.speaker == "guest")
    return STYLE_EXTRACTOR.rules(StyleInput(topic="", turns=own[max(0, len(own) - settings.turns) :]))


def style_input(store: Store, guest: str, settings: StyleSettings, interview: str | None = None) -> StyleInput:
    """What the StyleExtractor reads of this guest, as `style_guide` says. Raises NotFound if no call is theirs."""
    known = _column(store, _GUESTS, [])
    if guest not in known:
        listed = f"there are: {', '.join(known[:8])}" if known else "there is no call yet"
        raise NotFound(f"no call of a guest called {guest!r}; {listed}")
    theirs = {"guest": guest, "interview": interview}
    worlds = _column(store, _WORLDS, theirs)
    whose = {**theirs, "world": "real" if "real" in worlds or not worlds else worlds[0]}
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
