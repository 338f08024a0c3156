"""What a call must never do, whatever goes wrong."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from evals.faults.delivery import unproven
from evals.faults.evidence import Log
from evals.faults.going_on import strayed
from evals.faults.guest import misheard
from interviewer.call.actions import Append
from interviewer.call.core import Core
from interviewer.ledger.fold import fold
from interviewer.ledger.views import reason
from interviewer.realtime.engine import Taken
from interviewer.settings import Settings
from interviewer.simulate.run import Simulated


def violations(call: Simulated, log: Log, taken: Sequence[Taken]) -> Iterator[str]:
    """Every promise the call broke, in words."""
    ledger = call.core.ledger
    yield from (f"anomaly {seq}: {what}" for seq, what in ledger.anomalies)
    yield from (f"{q.id} without a reason" for q in ledger.questions.values() if q.planned and not reason(q))
    yield from (f"{q.id} still pending" for q in ledger.questions.values() if q.status == "pending")
    yield from _true(call)
    yield from unproven(log)
    yield from _ended(call, log)
    yield from misheard(log, taken, call.core.turns)
    yield from strayed(log, call.core.setup.settings)
    yield from _again(call, log)


# -- the truth ----------------------------------------------------------------------------------------------------


def _true(call: Simulated) -> Iterator[str]:
    """Credit only for what was asked and heard; memory of every question that was heard."""
    yield from (f"false delivery {attempt}" for attempt in call.truth.false_deliveries)
    heard = Counter(question.response_id for question in call.truth.voiced if question.heard)
    remembered = Counter(str(one.evidence.get("response_id")) for one in call.core.ledger.heard)
    for response_id, count in (heard - remembered).items():
        yield f"{count} questions heard in {response_id} are forgotten"


# -- the end ------------------------------------------------------------------------------------------------------


def bound_ms(settings: Settings, *, dialled: bool) -> int:
    """The longest a call may go on beyond its target: a guest who talks on, every goodbye failing.

    `dialled`: it had to connect again, and every connection may fail once more.
    """
    call, wait = settings.call, settings.wait
    goodbye = wait.reply_tries * (wait.created_ms + wait.first_audio_ms + wait.audio_gap_ms + wait.retry_reply_ms)
    dialling = (call.reconnect_tries + 1) * (wait.connect_ms + 8 * call.reconnect_ms) if dialled else 0
    return call.overrun_ms + goodbye + dialling + call.goodbye_heard_out_ms + wait.close_ms


def _ended(call: Simulated, log: Log) -> Iterator[str]:
    if not call.core.ended:
        yield "it did not end"
    over_ms = call.core.elapsed_ms - call.core.target_ms
    connections = sum(line.data["status"] == "connected" for line in log.recorded("status"))
    if over_ms > bound_ms(call.core.setup.settings, dialled=connections > 1):
        yield f"it ended {over_ms} ms after its target"
    told = log.recorded("status")[-1].data
    if told.get("status") != "done":
        yield f"its last status is {told.get('status')}"


# -- the same again -----------------------------------------------------------------------------------------------


def _again(call: Simulated, log: Log) -> Iterator[str]:
    core = Core(call.core.setup)
    fresh = [action.event for record in log.inputs() for action in core.step(record) if isinstance(action, Append)]
    stored = list(log.events())
    for before, after in zip_longest(stored, fresh):
        if before != after:
            yield f"the same inputs give another ledger from event {(before or after).seq}"
            return
    if fold(stored).snapshot() != call.core.ledger.snapshot():
        yield "the stored events fold to another ledger"
