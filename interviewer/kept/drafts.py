"""Drafts of a call: the one it ended with and those written later, each kept, none overwritten."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from interviewer.agents.analyst import ANALYST, AnalystInput
from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.expressions import Kept, distinctive, kept
from interviewer.agents.quotes import check_analysis, check_essay
from interviewer.agents.selection import Style
from interviewer.agents.trace import Traced, trace
from interviewer.agents.writer import WRITER, WriterInput
from interviewer.errors import AgentError, InterviewerError, JournalError, NotFound
from interviewer.kept.chain import chain_of
from interviewer.kept.left import Left, left_of
from interviewer.kept.reading import CallLog
from interviewer.kept.remembering import names_of
from interviewer.kept.said import chain_said, corrections, records_with_names, turn_records
from interviewer.kept.style import is_known, own_voice, style_guide
from interviewer.llm.backend import Backend, OnText, run_streamed
from interviewer.memory.merge import without_gone
from interviewer.model.corrections import Corrections, why_not
from interviewer.model.notes import Notes
from interviewer.model.outcome import Analysis, Essay
from interviewer.model.turn import Said, call_of
from interviewer.model.voice import VoiceGuide
from interviewer.store.home import Home
from interviewer.store.journal import Journal
from interviewer.store.plain import harmless
from interviewer.store.store import Store


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft of a call; `path` is its file, `turns` the talk it is made of, that of the calls before included."""

    call_id: str
    version: int
    style: Style
    essay: Essay
    path: Path
    turns: tuple[Said, ...]

    def trace(self) -> list[Traced]:
        """For every sentence on the page the guest's turn it is from; see `interviewer.agents.trace`."""
        return trace(self.essay, self.turns)

    def sources(self) -> dict[int | None, int]:
        """How many of its sentences stand word for word in which call: its number in the chain, None for this one."""
        turns = (sentence.turn for sentence in self.essay.sentences if sentence.turn)
        return dict(Counter(call_of(turn) for turn in turns))

    def expressions(self) -> Kept:
        """Which of the guest's own expressions it keeps; see `interviewer.agents.expressions`."""
        own = distinctive(turn.text for turn in self.turns if turn.speaker == "guest")
        return kept(own, self.essay.markdown)


def drafts(log: CallLog, place: Home) -> list[Draft]:
    """All drafts of a call, the first one first. Raises JournalError for one of another shape."""
    turns = chain_said(log)
    found: list[Draft] = []
    for _, data in log.records("essay"):
        version = int(data.get("version") or len(found) + 1)
        essay = Essay.model_validate({name: data[name] for name in Essay.model_fields})
        style: Style = data.get("style") or "standard"
        found.append(Draft(log.call_id, version, style, essay, draft_path(place, log.call_id, version), turns))
    return found


def draft(log: CallLog, place: Home, version: int | None = None) -> Draft:
    """One draft of a call, by default the latest. Raises NotFound naming those there are."""
    found = drafts(log, place)
    chosen = [each for each in found if version in (None, each.version)]
    if not chosen:
        there = f"there are {', '.join(str(each.version) for each in found)}" if found else "there is none"
        raise NotFound(f"call {log.call_id} has no draft{f' {version}' if version else ''}; {there}")
    return chosen[-1]


def draft_path(place: Home, call_id: str, version: int) -> Path:
    """The file of a draft."""
    return place.draft(call_id, version)


def write_draft(
    store: Store, call: str, backend: Backend, *, style: Style = "standard", on_text: OnText | None = None
) -> Draft:
    """Write another draft of a call that has ended, in the guest's voice, and keep it beside the others.

    `on_text` is told of the text while it is written. Names a person put right in any call of its interview are right
    in it. Raises NotFound for the call, JournalError if it has not ended, AgentError if an agent fails: then there is
    no draft.
    """
    log = catch_up(store, call)
    left = left_of(log, store.home.root)
    turns = left.turns
    if not any(turn.speaker == "guest" for turn in turns):
        raise NotFound(f"call {log.call_id}: the guest said nothing, so there is nothing to write")
    version = max((each.version for each in drafts(log, store.home)), default=0) + 1
    desk = _Desk(log, backend, version, on_text, left)
    analysis = desk.analysis()
    guide = _guide(store, log, turns, backend)
    data = WriterInput(**desk.about, turns=turns, analysis=analysis, notes=desk.notes(), style=style, voice_guide=guide)
    essay = check_essay(desk.run(WRITER, data), turns)
    version, path = _new_file(store.home, log.call_id, version, essay.markdown)
    desk.records.append(("essay", {**essay.model_dump(mode="json"), "version": version, "style": style}))
    append(log, desk.records)
    store.ingest_all()
    return Draft(log.call_id, version, style, essay, path, turns)


class _Desk:
    """Runs agents on a call that is over, and adds what came of it to the call's journal."""

    def __init__(self, log: CallLog, backend: Backend, version: int, on_text: OnText | None, left: Left) -> None:
        self._log, self._backend, self._version, self._on_text = log, backend, version, on_text
        self._left = left
        plan = log.setup.plan
        self._goal = plan.goal
        self.about: dict[str, Any] = {"topic": plan.topic, "context": log.setup.context, "language": plan.language}
        self.records: list[tuple[str, dict[str, Any]]] = []

    def notes(self) -> Notes:
        """The call's last notes, less what stands on a call that was forgotten."""
        notes = _last_notes(self._log) or Notes()
        return without_gone(notes, self._left.turns) if self._left.gone else notes

    def analysis(self) -> Analysis:
        """The call's analysis; made now if it had none, or quotes a call that was forgotten."""
        turns = self._left.turns
        if (last := _last_analysis(self._log)) and not self._left.gone.in_any(last):
            return last
        made = self.run(ANALYST, AnalystInput(**self.about, goal=self._goal, turns=turns, notes=self.notes()))
        checked = check_analysis(made, turns)
        self.records.append(("analysis", checked.model_dump(mode="json")))
        return checked

    def run(self, agent: Agent[Any, Any], data: AgentInput) -> Any:
        """The agent's output. Raises AgentError."""
        job_id = f"{agent.name}-{self._version}"
        write = self._on_text if agent is WRITER and self._on_text else _nothing
        ran = run_streamed(self._backend, agent, data, job_id, write)
        if ran.output is None:
            raise AgentError(f"the {agent.name} failed: {ran.error}; try again", retryable=True)
        asked = agent.ask(data)
        facts = {"job_id": job_id, "agent": agent.name, "version": agent.version, "input_hash": data.digest}
        sizes = {"prompt_tokens": asked.tokens, "prompt_cut": asked.cut}
        self.records.append(("job", {**facts, "cycle": 0, "outcome": "ok", **sizes, **asdict(ran)}))
        return agent.parse(ran.output)


def append(log: CallLog, records: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Add (kind, data) records to the journal of a call that is over. Raises JournalError."""
    t_ms = log.contents.lines[-1].t_ms
    with Journal.reopen(log.path) as journal:
        for kind, data in records:
            journal.write("rec", t_ms, {"kind": kind, "data": data})


def _nothing(_: str) -> None:
    return None


def _guide(store: Store, log: CallLog, turns: tuple[Said, ...], backend: Backend) -> VoiceGuide:
    """The guest's guide from all their calls; of a guest who is not known by name, from this interview alone."""
    guest, settings = log.setup.guest, log.setup.settings.style
    if not is_known(log, guest):
        return own_voice(turns, settings)
    interview = str(log.contents.head.get("interview_id") or "")
    return style_guide(store, guest, interview=interview, backend=backend, settings=settings)


def _new_file(place: Home, call_id: str, version: int, markdown: str) -> tuple[int, Path]:
    """Write into the first file from this version on that is not there yet."""
    while True:
        path = draft_path(place, call_id, version)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(harmless(markdown))
        except FileExistsError:
            version += 1
            continue
        except OSError as error:
            raise JournalError(f"cannot write the draft {path}: {error.strerror}") from None
        return version, path


def _last_notes(log: CallLog) -> Notes | None:
    found = records_with_names(log, "notes")
    return found[-1][1].model(Notes.model_validate(found[-1][0]["notes"])) if found else None


def _last_analysis(log: CallLog) -> Analysis | None:
    found = records_with_names(log, "analysis")
    return found[-1][1].model(Analysis.model_validate(found[-1][0])) if found else None


def correct(store: Store, call: str, wrong: str, right: str) -> str:
    """Put a mis-heard name right in a call that has ended, and in the other calls of its interview that have.

    It is right in their turns, notes, analyses and every later draft; calls that run or were interrupted follow when
    a draft of them is written. What was heard stays in the journals. Returns the call's id. Raises NotFound if nobody
    said it, InterviewerError for names that cannot be, JournalError.
    """
    if problem := why_not(wrong, right):
        raise InterviewerError(problem)
    log = CallLog.read(store.journal_path(call))
    names = Corrections().adding(wrong, right)
    others = [link.log for link in chain_of(store, log.call_id).readable if link.log and link.call_id != log.call_id]
    found = [(each, records) for each in (log, *others) if (records := _put_right(each, names))]
    if not found:
        raise NotFound(f"call {log.call_id}: nobody said {wrong!r}")
    if log.end_reason is None:
        raise JournalError(f"call {log.call_id} has not come to its end; names can be put right then")
    for each, records in found:
        if each.end_reason is not None:
            append(each, records)
    store.ingest_all()
    return log.call_id


def catch_up(store: Store, call: str) -> CallLog:
    """A call that has ended, with the names right that were put right in other calls of its interview.

    Raises NotFound for the call, JournalError if it has not ended.
    """
    log = CallLog.read(store.journal_path(call))
    if log.end_reason is None:
        raise JournalError(f"call {log.call_id} has not come to its end; a draft can be written then")
    known = corrections(log).pairs
    for wrong, right in reversed(names_of(chain_of(store, log.call_id)).pairs):
        if (wrong, right) not in known and (records := _put_right(log, Corrections().adding(wrong, right))):
            append(log, records)
            log = CallLog.read(log.path)
    return log


def _put_right(log: CallLog, names: Corrections) -> list[tuple[str, dict[str, Any]]]:
    """The records that put names right in a call; none if nobody said them, in it or in what it remembers."""
    before = turn_records(log)
    turns = [data | {name: names.text(data[name]) for name in ("text", "heard")} for data in before]
    if turns == before and names.turns(chain_said(log)) == chain_said(log):
        return []
    records: list[tuple[str, dict[str, Any]]] = [
        ("correction", {"wrong": wrong, "right": right}) for wrong, right in names.pairs
    ]
    records += [("turn", now) for now, data in zip(turns, before, strict=True) if now != data]
    if notes := _last_notes(log):
        records.append(("notes", {"cycle": 0, "notes": names.model(notes).model_dump(mode="json")}))
    if analysis := _last_analysis(log):
        records.append(("analysis", names.model(analysis).model_dump(mode="json")))
    return records
