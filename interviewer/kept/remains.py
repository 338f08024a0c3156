"""What later calls of an interview hold of one before them: where it stands, and what of it cannot be found."""

from dataclasses import dataclass
from pathlib import Path

from interviewer.errors import JournalError
from interviewer.kept.reading import CallLog
from interviewer.model.turn import call_of
from interviewer.store.home import Home
from interviewer.store.tombstones import is_tombstone

UNFOUND = (
    "What their agents wrote of it in other words (notes, summaries, analyses, drafts) cannot be told from the rest; "
    "to be rid of that, forget them too"
)
_KINDS = ("ideas", "stories", "claims", "gaps", "lines")


@dataclass(frozen=True, slots=True)
class Remains:
    """What a later call holds of one call before it; `number` is that one's in its chain.

    In its setup: `turns` of both speakers, word for word, and `questions` that were heard. `notes`: of its last notes
    those that stand on such turns; `quotes` of its analysis; `sentences` of its drafts.
    """

    call_id: str
    path: Path
    number: int
    turns: int
    questions: int
    notes: int
    quotes: int
    sentences: int

    def told(self) -> str:
        """In words for a person."""
        return (
            f"call {self.call_id}: what it began with ({self.turns} turns word for word, {self.questions} questions); "
            f"of its notes {self.notes}, of its analysis {self.quotes} quotes, of its drafts {self.sentences} sentences"
        )


def remains_of(place: Home, call_id: str) -> tuple[Remains, ...]:
    """What other calls of this home hold of `call_id`, forgotten or not; journals that cannot be read are left out."""
    found = []
    for path in sorted(place.journals.glob("*.jsonl")):
        if not is_tombstone(path) and path.stem != call_id and (one := _remains(path, call_id)):
            found.append(one)
    return tuple(found)


def _remains(path: Path, call_id: str) -> Remains | None:
    try:
        if call_id.encode() not in path.read_bytes():
            return None
        log = CallLog.read(path)
    except (OSError, JournalError):
        return None
    earlier = log.begun_with.earlier if log.begun_with else None
    number = next((n for n, past in enumerate(earlier.calls, 1) if past.call_id == call_id), 0) if earlier else 0
    if earlier is None or not number:
        return None
    notes = (log.last("notes") or {}).get("notes") or {}
    return Remains(
        log.call_id,
        path,
        number,
        turns=sum(call_of(turn.id) == number for turn in earlier.turns),
        questions=sum(asked.call == number for asked in earlier.heard),
        notes=sum(_stands(note, number) for kind in _KINDS for note in notes.get(kind) or ()),
        quotes=sum(_stands(quote, number) for quote in (log.last("analysis") or {}).get("quotes") or ()),
        sentences=sum(_stands(one, number) for _, data in log.records("essay") for one in data.get("sentences") or ()),
    )


def _stands(value: object, number: int) -> bool:
    """Whether a note, a quote or a sentence stands on a turn of that call."""
    return isinstance(value, dict) and call_of(str(value.get("turn") or "")) == number
