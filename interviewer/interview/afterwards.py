"""A call that is over, for whoever shows it: its findings, its drafts, its files, its sound."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, cast, get_args

from interviewer.agents.selection import Style
from interviewer.errors import InterviewerError
from interviewer.interview.drafts import drafts, write_draft
from interviewer.interview.reading import CallLog
from interviewer.interview.report import call_report
from interviewer.interview.slices import Slice, plain
from interviewer.llm.backend import Backend
from interviewer.store.export import Format, export
from interviewer.store.home import Home
from interviewer.store.store import Store

STYLES: Final = get_args(Style)
FORMATS: Final = get_args(Format)


class Afterwards:
    """What a kept call holds, read from its journal. Methods wait for disk and agents; use a thread."""

    def __init__(self, place: Home, call_id: str) -> None:
        self._place = place
        self.call_id = call_id
        self._exported: dict[str, list[str]] = {}

    def slice(self) -> Slice:
        """The call as plain values. Raises JournalError if its journal cannot be read."""
        log = CallLog.read(self._place.journal(self.call_id))
        report = call_report(log)
        planned = [question for question in report["questions"] if question["planned"]]
        return {
            "call_id": self.call_id,
            "topic": plain(log.setup.plan.topic),
            "guest": plain(log.setup.guest),
            "reason": plain(log.end_reason or ""),
            "elapsed_ms": report["closing"]["elapsed_ms"],
            "planned": len(planned),
            "delivered": sum(question["state"] == "delivered" for question in planned),
            "analysis": plain(log.last("analysis")),
            "follow_up": plain(log.last("follow_up")),
            "drafts": [
                {
                    "version": each.version,
                    "style": each.style,
                    "title": plain(each.essay.title),
                    "markdown": plain(each.essay.markdown),
                    "path": str(each.path),
                }
                for each in drafts(log, self._place)
            ],
            "turns": [{**plain(turn), "state": "final", "over": True} for turn in report["turns"]],
            "journal": str(log.path),
            "exported": dict(self._exported),
            "sound": self._place.recording(self.call_id).exists(),
        }

    def write(self, style: str, backend: Backend, on_text: Callable[[str], object]) -> None:
        """Write another draft. Raises as `write_draft` does, InterviewerError for a style there is not."""
        if style not in STYLES:
            raise InterviewerError(f"there is no style {style!r}; there are {', '.join(STYLES)}")
        store = Store.open(self._place.root)
        write_draft(store, self.call_id, backend, style=cast(Style, style), on_text=on_text)

    def export(self, to: str, out: str = "") -> list[Path]:
        """Write the call to files in `out`, by default the home's folder `exports`. Raises StoreError."""
        if to not in FORMATS:
            raise InterviewerError(f"cannot export to {to!r}; there are: {', '.join(FORMATS)}")
        folder = Path(out).expanduser() if out.strip() else self._place.root / "exports" / self.call_id
        files = export(Store.open(self._place.root), self.call_id, cast(Format, to), folder)
        self._exported[to] = [str(path.absolute()) for path in files]
        return files
