"""Search over everything that was said, in any call: whole words and phrases, whatever their case and accents."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interviewer.errors import NotFound
from interviewer.model.corrections import Corrections

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

_PART = re.compile(r'"([^"]*)"?|([^\s"]+)')
_QUOTES = str.maketrans("“”„«»", '"""""')
PREFIX = "*"  # at the end of a word: whatever goes on from there

_MENDED = "$mended::STRUCT(call_id VARCHAR, turn_id VARCHAR, text VARCHAR)[]"
_SAID = "CASE t.speaker WHEN 'guest' THEN t.text ELSE t.heard END"
_SEARCH = f"""
WITH mended AS (SELECT unnest({_MENDED}, recursive := true)),
said AS (
    SELECT
        c.call_id, c.interview_id, c.started_at, c.guest, c.topic, c.world, t.number, t.turn_id, t.speaker,
        t.at_ms, t.started_ms, coalesce(m.text, {_SAID}) AS text
    FROM transcript AS t INNER JOIN calls AS c USING (call_id)
    LEFT JOIN mended AS m ON m.call_id = t.call_id AND m.turn_id = t.turn_id
    WHERE ($interview IS NULL OR c.interview_id = $interview) AND ($speaker IS NULL OR t.speaker = $speaker)
)
SELECT * EXCLUDE (looked_in) FROM (SELECT *, folded(text) AS looked_in FROM said)
WHERE list_bool_and(list_transform($parts::VARCHAR[], lambda part: contains(looked_in, part)))
ORDER BY started_at DESC NULLS LAST, call_id DESC, number
"""  # noqa: S608  no text from outside: values are bound
_CORRECTED = """
SELECT call_id, detail ->> 'wrong', detail ->> 'right' FROM moments WHERE kind = 'correction' ORDER BY journal_line
"""
_TURNS = f"SELECT t.call_id, t.turn_id, {_SAID} FROM turns AS t WHERE call_id IN (SELECT unnest(?))"  # noqa: S608


def parts_of(words: str) -> tuple[str, ...]:
    """The words and, between quotation marks, phrases of a search, as they were typed; an open quote ends with it."""
    # A lone half of a character, as a file may hold one, cannot be handed to the database.
    typed = words.translate(_QUOTES).encode("utf-8", "replace").decode("utf-8")
    return tuple(phrase or word for phrase, word in _PART.findall(typed) if (phrase or word).strip())


def search(
    connection: "DuckDBPyConnection", words: str, *, interview: str | None = None, speaker: str | None = None
) -> "pd.DataFrame":
    """The turns that hold every word and phrase of `words`, latest call first; of the interviewer's what was heard.

    Names stand as they were put right. `interview` is the id of a chain of calls, `speaker` interviewer or guest.
    Raises NotFound if nothing is there to search for.
    """
    parts = _folded(connection, parts_of(words))
    values = {"parts": parts, "interview": interview, "speaker": speaker, "mended": _mended(connection)}
    return connection.execute(_SEARCH, values).df()


def _folded(connection: "DuckDBPyConnection", parts: Sequence[str]) -> list[str]:
    """What to look for in a folded text: a part between spaces, or without the last one where it ends with a star."""
    row = connection.execute("SELECT list_transform(?::VARCHAR[], lambda part: folded(part))", [list(parts)]).fetchone()
    folded = zip(parts, row[0] if row else (), strict=True)
    wanted = [text.rstrip() if part.endswith(PREFIX) else text for part, text in folded if text.strip()]
    if not wanted:
        raise NotFound('nothing to search for: give a word, or several in quotes for a phrase, as "so to speak"')
    return wanted


def _mended(connection: "DuckDBPyConnection") -> list[dict[str, Any]]:
    """The turns of calls in which names were put right, with these names."""
    names: dict[str, Corrections] = {}
    for call_id, wrong, right in connection.execute(_CORRECTED).fetchall():
        names[call_id] = names.get(call_id, Corrections()).adding(str(wrong or ""), str(right or ""))
    if not names:
        return []
    rows = connection.execute(_TURNS, [list(names)]).fetchall()
    return [{"call_id": call, "turn_id": turn, "text": names[call].text(str(text or ""))} for call, turn, text in rows]
