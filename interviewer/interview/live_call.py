"""A live call with a person: microphone and loudspeaker of this machine or files, the service by configuration."""

import contextlib
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from interviewer.agents.research_search import Search, Searching, named_search
from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.audio.recording import Recording
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.errors import InterviewerError
from interviewer.interview.keeping import Keeping
from interviewer.interview.taking_turns import up_to_date
from interviewer.kept.folding import Folded
from interviewer.kept.records import CallRecord
from interviewer.kept.resume import mark_seam
from interviewer.keys import needs_key, require_key
from interviewer.live.call import LiveCall
from interviewer.llm.backend import Backend, OnText
from interviewer.llm.meter import Meter
from interviewer.matching.in_force import all_in_force
from interviewer.simulate.clocks import WallClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.server import SimulatorServer
from interviewer.simulate.virtual import Watcher
from interviewer.store.home import Home
from interviewer.store.home import home as find_home

_GLANCE_S = 0.2  # on the main thread, so that Ctrl-C is noticed


@dataclass(frozen=True)
class Held:
    """A call that was held.

    `error`, `journal_error`, `store_error`, `audio_error`: what went wrong on the way; what was said is kept.
    `audio_path`: the sound, if it was to be kept and some of it is.
    """

    call_id: str
    journal: Path
    essay_path: Path | None
    core: Core
    reason: str
    seconds: float
    error: InterviewerError | None
    journal_error: InterviewerError | None
    store_error: InterviewerError | None = None
    audio_error: InterviewerError | None = None
    audio_path: Path | None = None


def hold_call(
    setup: CallSetup,
    backend: Backend,
    microphone: MicrophoneSource,
    speaker: SpeakerSink,
    *,
    home: Path | None = None,
    simulate: bool = False,
    half_duplex: bool = True,
    watcher: Watcher | None = None,
    attend: Callable[[LiveCall], object] | None = None,
    resume: Folded | None = None,
    search: Search | None = None,
    on_text: OnText | None = None,
) -> Held:
    """Hold a call to its end and keep it under `home`.

    A follow-up begins with all that is remembered by then; see `interviewer.interview.taking_turns`. `resume` goes on
    with one that was interrupted; see `interviewer.kept.resume`. `setup` is then its own.

    The service is what `setup.settings.voice` says; `simulate` serves one of this machine instead. `attend` is given
    the running call and returns when it is over, or sooner to hang up; the default waits, and Ctrl-C once asks the
    call to end in order, with analysis and essay. `search`: from a query to sources, for the Researcher (default: what
    setting agents.search names). `on_text` is told of the essay while it is written, on another thread. Raises
    JournalBusy while another call of the interview runs; MissingKey before anything begins if the real service is asked
    for without a key; AudioError, ConnectionFailed or what else kept the call from coming about, if nobody said a word:
    then nothing is kept.
    """
    began = time.perf_counter()
    place = find_home(home)
    with contextlib.ExitStack() as stack:
        voice = setup.settings.voice
        if simulate or (voice.service == "simulator" and not voice.url):
            hosted = stack.enter_context(Hosted(SimulatorServer(seed=0, clock=WallClock(1.0))))
            voice = voice.model_copy(update={"service": "simulator", "url": hosted.server.url})
        if needs_key(voice):
            require_key()
        search = search or named_search(setup.settings.agents.search)
        with contextlib.nullcontext(setup) if resume else up_to_date(place, setup, backend) as setup:
            core = resume.core if resume else Core(_in_force(setup, place, searches=search is not None))
            setup = core.setup
            record = stack.enter_context(_record(place, setup, resume, backend))
        recording = Recording(_new(place.recording(record.call_id))) if setup.settings.audio.keep else None
        keeping = stack.enter_context(Keeping(place, record, recording))
        call = LiveCall(
            core,
            voice=voice,
            microphone=microphone,
            speaker=speaker,
            backend=Searching(backend, search) if search else backend,
            write=record.write,
            on_actions=watcher.saw if watcher else None,
            half_duplex=half_duplex,
            wait=setup.settings.wait,
            meter=Meter.of(backend, voice),
            recording=recording,
            resumes_ms=resume.now_ms if resume and resume.began else None,
            on_text=on_text,
            keeps=lambda: keeping.problem,
        )
        call.start()
        try:
            (attend or to_its_end)(call)
        finally:
            call.stop()
            call.join()
        if call.error is not None and resume is None and not core.turns:
            record.discard()
            if recording is not None:
                recording.path.unlink(missing_ok=True)
            raise call.error
    return Held(
        record.call_id,
        record.path,
        record.essay_path,
        core,
        call.reason,
        time.perf_counter() - began,
        call.error,
        call.journal_error or record.journal_problem,
        record.problem,
        recording.error if recording else None,
        recording.path if recording and recording.path.exists() else None,
    )


def _in_force(setup: CallSetup, place: Home, *, searches: bool) -> CallSetup:
    settings = all_in_force(setup.settings, place.root)
    return setup.model_copy(update={"searches": searches, "settings": settings})


def _record(place: Home, setup: CallSetup, resume: Folded | None, backend: Backend) -> CallRecord:
    if resume is None:
        return CallRecord.begin(place, setup, source="call")
    record = CallRecord.again(place, resume.call_id, setup.settings.keep.sync_ms)
    mark_seam(resume, record, backend)
    return record


def _new(path: Path) -> Path:
    """A file of its own for the sound of each part of a call that was interrupted."""
    numbered = (path.with_name(f"{path.stem}.{number}{path.suffix}") for number in itertools.count(2))
    return next(each for each in itertools.chain([path], numbered) if not each.exists())


def to_its_end(call: LiveCall) -> None:
    """Wait for the end. Ctrl-C asks for it, a second one hangs up."""
    if not _waited(call):
        call.command("end")
        _waited(call)


def _waited(call: LiveCall) -> bool:
    """Wait for the end; False if Ctrl-C came first."""
    try:
        while not call.wait(_GLANCE_S):
            pass
    except KeyboardInterrupt:
        return False
    return True
