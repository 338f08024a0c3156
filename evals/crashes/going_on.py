"""A call that was killed goes on where it stopped, with another guest who knows the same."""

from evals.crashes.point import Point
from interviewer.audio.speech import duration_ms
from interviewer.call.core import Core
from interviewer.kept.folding import Folded
from interviewer.kept.records import CallRecord
from interviewer.kept.resume import mark_seam
from interviewer.llm.rules import Rules
from interviewer.simulate import dossier as dossiers
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.guest import Guest
from interviewer.simulate.service import InProcess
from interviewer.simulate.virtual import VirtualCall
from interviewer.store.store import Store


def go_on(point: Point, store: Store, folded: Folded) -> Core:
    """Resume the call and hold it to its end; gives the core at that end."""
    dossier = dossiers.load_all()[point.dossier % len(dossiers.load_all())]
    backend = Rules(folded.setup.settings.agents, point.seed)
    call = VirtualCall(
        folded.core,
        InProcess(lambda: VoiceBrain(point.seed), point.seed),
        Guest(dossier, seed=point.seed, duration_ms=duration_ms),
        backend,
        write=lambda *line: record.write(*line),
        resumes_ms=folded.now_ms if folded.began else None,
    )
    with CallRecord.again(store.home, folded.call_id) as record:
        mark_seam(folded, record, backend)
        call.run()
    return call.core
