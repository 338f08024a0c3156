"""The kept calls around one that is shown: the others of its interview, and a search over all that was said."""

from dataclasses import asdict
from typing import Any, Final

from interviewer.interview.slices import plain
from interviewer.kept.searching import search
from interviewer.store.store import Store

MOST: Final = 50
"""Places of a search that are shown; all are counted."""

_CALLS: Final = """
SELECT
    c.call_id, strftime(c.started_at, '%Y-%m-%d %H:%M') AS started_at, c.topic, c.source, c.world, c.elapsed_ms,
    c.end_reason, coalesce(v.planned, 0)::INTEGER AS planned, coalesce(v.delivered, 0)::INTEGER AS delivered
FROM calls AS c LEFT JOIN coverage AS v USING (call_id)
WHERE c.interview_id = ? ORDER BY c.started_at NULLS FIRST, c.call_id
"""


def calls_of(store: Store, interview_id: str) -> list[dict[str, Any]]:
    """The calls of an interview by time, as plain values for a list; times in UTC, lengths in ms on their clocks."""
    frame = store.sql(_CALLS, [interview_id]).astype(object)
    rows = frame.where(frame.notna(), None).to_dict("records")
    return [{str(name): plain(value) for name, value in row.items()} for row in rows]


def found_in(store: Store, words: str, interview: str | None) -> dict[str, Any]:
    """What a search found, as plain values: `count` places, the first of them in `passages`. Raises NotFound."""
    passages = search(store, words, interview=interview)
    return {
        "words": plain(words),
        "count": len(passages),
        "passages": [plain(asdict(passage)) for passage in passages[:MOST]],
    }
