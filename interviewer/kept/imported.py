"""Transcripts from elsewhere, kept as calls: a journal of the turns, where they are from, who was taken for whom."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from interviewer.call.setup import CallSetup
from interviewer.errors import PlanError, TranscriptError
from interviewer.importing.read import read_transcripts
from interviewer.kept.joining import Joined, joined
from interviewer.kept.reverse import plan_from
from interviewer.kept.settling import Settled, settled_language, settled_topic
from interviewer.kept.style import is_nobody
from interviewer.matching.in_force import in_force
from interviewer.model.corrections import Corrections
from interviewer.model.recorded import Format, Recorded
from interviewer.model.turn import Speaker
from interviewer.settings import Settings
from interviewer.store.ids import new_call_id, now
from interviewer.store.journal import Journal
from interviewer.store.store import Store

SOURCE: Final = "import"
_KNOWN: Final = "SELECT call_id FROM imports WHERE sha256 = ? AND transcript = ? ORDER BY call_id"


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation and the call it is kept as, with its topic and language, and the date it stands under.

    `before`: it was kept already, and nothing was done; the three are then None.
    """

    call_id: str
    recorded: Recorded
    before: bool = False
    topic: Settled | None = None
    language: Settled | None = None
    date: Settled | None = None


@dataclass(frozen=True, slots=True)
class Imports:
    """What came of several files: the calls, and an error for each conversation that could not be read."""

    calls: tuple[Imported, ...]
    failures: tuple[TranscriptError, ...]


def import_files(
    store: Store,
    paths: Iterable[Path],
    *,
    speakers: Mapping[str, Speaker] | None = None,
    format: Format | None = None,  # noqa: A002  what a caller would call it
    topic: str = "",
    guest: str = "",
    language: str = "",
    interview: str | None = None,
    date: datetime | None = None,
    settings: Settings | None = None,
) -> Imports:
    """Keep every conversation of these files as a call, with the plan it could have had if anybody asks in it.

    What cannot be read does not stop the others; a file whose bytes were imported before is left as it is kept.
    `speakers` and `format` as for `read_transcripts`. `guest`: who the guest is; if neither that nor `speakers` says
    so, the guest is not taken for whoever has the same name elsewhere. `topic` and `language` (such as "de") are told
    from the words if they are not given, and `date`, when they were held, by the file: a header, a line above the talk,
    the file's name; else it is now. `interview` puts them among the calls of one there is, by their dates; topic and a
    guest without a name are then its own. Stopped in the middle, whole calls are kept. Raises NotFound for the
    interview, JournalBusy while a call of it runs, TranscriptError for a date to come, StoreError or JournalError if
    nothing can be written.
    """
    chosen = settings or Settings.load()
    chosen = chosen.model_copy(update={"match": in_force(chosen.match, store.home.root)})
    if date is not None and date.astimezone() > now():
        raise TranscriptError(f"date: {date:%Y-%m-%d} is still to come; say when the conversation was held")
    into = joined(store, interview) if interview is not None else None
    given = _Given(topic or (into.topic if into else ""), guest.strip(), language, speakers or {}, into, date)
    calls: list[Imported] = []
    failures: list[TranscriptError] = []
    try:
        for path in paths:
            found = read_transcripts([path], speakers=speakers, format=format, settings=chosen.importing)
            failures += found.failures
            calls += _keep(store, found.good, replace(given, earlier=len(calls)), chosen)
    finally:
        store.ingest_all()
    return Imports(tuple(calls), tuple(failures))


@dataclass(frozen=True, slots=True)
class _Given:
    """What a person says of the conversations."""

    topic: str
    guest: str
    language: str
    speakers: Mapping[str, Speaker]
    into: Joined | None
    date: datetime | None
    earlier: int = 0

    def at(self, recorded: Recorded, number: int) -> tuple[datetime, Settled]:
        """When the conversation was held; several of one date keep the order they were given in."""
        dated = recorded.dated
        if self.date is not None:
            at, told = self.date, Settled(_day(self.date), said=True)
        elif dated is not None and dated.at <= now():
            at, told = dated.at, Settled(_day(dated.at), reason=dated.reason)
        else:
            late = f"{dated.reason} says {_day(dated.at)}, which is still to come" if dated else "the file does not say"
            return now(), Settled(_day(now()), reason=f"{late}, so it is today")
        return at.astimezone(UTC) + timedelta(milliseconds=self.earlier + number), told

    def guest_of(self, recorded: Recorded) -> tuple[str, bool]:
        """The guest's name, and whether it was said."""
        if self.guest:
            return self.guest, True
        named = {name.strip().casefold() for name, role in self.speakers.items() if role == "guest"}
        said = bool(recorded.guests) and {name.casefold() for name in recorded.guests} <= named
        name = ", ".join(recorded.guests)
        return (self.into.guest, self.into.guest_said) if self.into and is_nobody(name) else (name, said)


def _keep(store: Store, found: Iterable[Recorded], given: _Given, settings: Settings) -> Iterator[Imported]:
    digests: dict[str, str] = {}
    for number, recorded in enumerate(found):
        if recorded.file not in digests:
            digests[recorded.file] = hashlib.sha256(Path(recorded.file).read_bytes()).hexdigest()
        digest = digests[recorded.file]
        known = store.sql(_KNOWN, [digest, _own_name(recorded)])["call_id"].tolist()
        if known:
            yield Imported(str(known[0]), recorded, True)
            continue
        language = settled_language(recorded, given.language, given.into.language if given.into else "")
        topic = settled_topic(recorded, given.topic, language.value)
        at, date = given.at(recorded, number)
        call_id = _write(store, recorded, digest, given, at, topic.value, language.value, settings)
        yield Imported(call_id, recorded, topic=topic, language=language, date=date)


def _day(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d}"


def _write(
    store: Store,
    recorded: Recorded,
    digest: str,
    given: _Given,
    at: datetime,
    topic: str,
    language: str,
    settings: Settings,
) -> str:
    """The journal of the call: beside its place until it is whole, so that a crash leaves no half of it."""
    call_id = new_call_id(at)
    guest, guest_said = given.guest_of(recorded)
    path = store.home.journal(call_id)
    half = path.with_name(f"{path.name}.new")
    setup = _setup(recorded, guest, topic, language, settings)
    head = {
        "call_id": call_id,
        "interview_id": given.into.interview_id if given.into else call_id.replace("c-", "i-", 1),
        "follows": given.into.before(at) if given.into else None,
        "started_at": at.isoformat(timespec="milliseconds"),  # so that `last` is the last of many
        "version": version("interviewer"),
        "world": "real",
        "guest": guest,
        "topic": topic,
        "source": SOURCE,
    }
    try:
        with Journal.create(half, head) as journal:
            if setup:
                journal.write("setup", 0, setup.model_dump(mode="json"))
            journal.write("rec", 0, {"kind": "import", "data": {**_about(recorded, digest), "guest_said": guest_said}})
            for turn in _turns(recorded):
                journal.write("rec", turn["ended_ms"], {"kind": "turn", "data": turn})
            for kind, data in _put_right(recorded, given.into.names if given.into else Corrections()):
                journal.write("rec", recorded.duration_ms, {"kind": kind, "data": data})
            journal.write("rec", recorded.duration_ms, {"kind": "status", "data": {"status": "done"}})
            journal.write("end", recorded.duration_ms, {"reason": "imported"})
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
    return call_id


def _put_right(recorded: Recorded, names: Corrections) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records that put names right as they were in the other calls of the interview."""
    for wrong, right in reversed(names.pairs):
        if any(Corrections().adding(wrong, right).text(turn.text) != turn.text for turn in recorded.turns):
            yield "correction", {"wrong": wrong, "right": right}
    for turn in _turns(recorded):
        mended = {name: names.text(turn[name]) for name in ("text", "heard")}
        if mended["text"] != turn["text"]:
            yield "turn", turn | mended


def _setup(recorded: Recorded, guest: str, topic: str, language: str, settings: Settings) -> CallSetup | None:
    """What the call could have been begun with; None where nobody asks, for then it has no plan."""
    try:
        plan = plan_from(recorded, topic=topic, language=language).plan
    except PlanError:
        return None
    return CallSetup(plan=plan, guest=guest or "guest", world="real", settings=settings)


def _about(recorded: Recorded, digest: str) -> dict[str, Any]:
    """Where the conversation is from and how it was read; of the file's path the name only."""
    derived = sum(turn.times == "words" for turn in recorded.turns)
    return {
        "file": os.path.basename(recorded.file),  # noqa: PTH119  the name may be of another system's making
        "sha256": digest,
        "transcript": _own_name(recorded),
        "format": recorded.format,
        "encoding": recorded.encoding,
        "title": recorded.title,
        "interviewers": list(recorded.interviewers),
        "guests": list(recorded.guests),
        **{f"guess_{name}": value for name, value in asdict(recorded.guess).items()},
        "derived_times": derived,
        "problems": [str(problem) for problem in recorded.problems],
    }


def _own_name(recorded: Recorded) -> str:
    """What the file calls the conversation; "" where only the file's name does, which a copy need not share."""
    return "" if recorded.id == Path(recorded.file).stem else recorded.id


def _turns(recorded: Recorded) -> Iterator[dict[str, Any]]:
    for position, turn in enumerate(recorded.turns, 1):
        yield {
            "id": turn.id,
            "speaker": turn.role,
            "name": turn.speaker,
            "text": turn.text,
            "heard": turn.text if turn.role == "interviewer" else "",
            "state": "final",
            "started_ms": turn.started_ms,
            "ended_ms": turn.ended_ms,
            "times": turn.times,
            "position": position,
        }
