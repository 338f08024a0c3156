"""A call that is over, for whoever shows it: its findings, its drafts, its files, its sound."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from interviewer.agents.selection import Style
from interviewer.errors import InterviewerError, StoreError
from interviewer.interview.report import call_report
from interviewer.interview.shelf import calls_of
from interviewer.interview.slices import plain
from interviewer.kept.clips import take_away
from interviewer.kept.drafts import correct, drafts, write_draft
from interviewer.kept.left import left_of
from interviewer.kept.reading import CallLog
from interviewer.kept.resume import resumable
from interviewer.kept.said import records_with_names
from interviewer.llm.backend import Backend
from interviewer.model.outcome import FollowUp
from interviewer.store.export import Format, export
from interviewer.store.home import Home
from interviewer.store.locks import is_held
from interviewer.store.store import Store

STYLES: Final = get_args(Style)
SOUNDS: Final = ("flac", "wav")
FORMATS: Final = (*get_args(Format), *SOUNDS)
_GLANCE_MS: Final = 1_000

_log = logging.getLogger(__name__)


class Afterwards:
    """What a kept call holds, read from its journal. Methods wait for disk and agents; use a thread."""

    def __init__(self, place: Home, call_id: str) -> None:
        self._place = place
        self.call_id = call_id
        self._exported: dict[str, list[str]] = {}

    def slice(self) -> dict[str, Any]:
        """The call as plain values. Raises JournalError if its journal cannot be read.

        `interrupted`: it has not come to its end and no longer runs; `cannot_resume` says why it cannot go on.
        """
        log = CallLog.read(self._place.journal(self.call_id))
        report = call_report(log)
        planned = [question for question in report["questions"] if question["planned"]]
        return {
            "call_id": self.call_id,
            "calls": self._chain(log),
            "topic": plain(log.setup.plan.topic),
            "guest": plain(log.setup.guest),
            "reason": plain(log.end_reason or ""),
            "elapsed_ms": log.reached_ms,
            "planned": len(planned),
            "delivered": sum(question["state"] == "delivered" for question in planned),
            "analysis": plain(log.last("analysis")),
            "follow_up": plain(_follow_up(log, self._place.root)),
            "follow_up_minutes": log.setup.settings.call.follow_up_ms / 60_000,
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
            "recording": self._recording(),
            **self._interruption(log),
        }

    def _chain(self, log: CallLog) -> list[dict[str, Any]]:
        """The calls of its interview; none where the database is in use, for the call itself is in its journal."""
        try:
            return calls_of(
                Store.open(self._place.root, wait_ms=_GLANCE_MS), str(log.contents.head.get("interview_id"))
            )
        except StoreError as error:
            _log.warning("the other calls of the interview are not shown: %s", error)
            return []

    def _recording(self) -> str:
        """Where the sound is; empty if it was not kept."""
        path = self._place.recording(self.call_id)
        return str(path) if path.exists() else ""

    def write(self, style: str, backend: Backend, on_text: Callable[[str], object]) -> None:
        """Write another draft. Raises as `write_draft` does, InterviewerError for a style there is not."""
        if style not in STYLES:
            raise InterviewerError(f"there is no style {style!r}; there are {', '.join(STYLES)}")
        store = Store.open(self._place.root)
        write_draft(store, self.call_id, backend, style=cast(Style, style), on_text=on_text)

    def correct(self, wrong: str, right: str, backend: Backend, on_text: Callable[[str], object]) -> None:
        """Put a name right as `drafts.correct` does; if there are drafts, write another in the style of the last."""
        store = Store.open(self._place.root)
        correct(store, self.call_id, wrong, right)
        if there := drafts(CallLog.read(self._place.journal(self.call_id)), self._place):
            write_draft(store, self.call_id, backend, style=there[-1].style, on_text=on_text)

    def _interruption(self, log: CallLog) -> dict[str, Any]:
        interrupted = log.end_reason is None and not is_held(log.path)
        why_not = ""
        if interrupted:
            try:
                resumable(Store.open(self._place.root), self.call_id)
            except InterviewerError as error:
                why_not = str(error)
        return {"interrupted": interrupted, "cannot_resume": plain(why_not)}

    def export(self, to: str, out: str = "") -> list[Path]:
        """Write the call to files in `out`, by default the home's folder `exports`.

        Raises StoreError; NotFound if it is the sound that is asked for, and that was not kept.
        """
        if to not in FORMATS:
            raise InterviewerError(f"cannot export to {to!r}; there are: {', '.join(FORMATS)}")
        folder = Path(out).expanduser() if out.strip() else self._place.root / "exports" / self.call_id
        store = Store.open(self._place.root)
        if to in SOUNDS:
            files = take_away(store, self.call_id, cast(Literal["flac", "wav"], to), folder)
        else:
            files = export(store, self.call_id, cast(Format, to), folder)
        self._exported[to] = [str(path.absolute()) for path in files]
        return files


def _follow_up(log: CallLog, root: Path) -> dict[str, Any] | None:
    """With the names that were put right since; None if it quotes a call that was forgotten."""
    if not (found := records_with_names(log, "follow_up")):
        return None
    data, names = found[-1]
    told = names.model(FollowUp.model_validate(data))
    return None if left_of(log, root).gone.in_any(told) else told.model_dump(mode="json")
