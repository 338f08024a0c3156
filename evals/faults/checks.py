"""What a call must never do, whatever goes wrong."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from evals.faults.evidence import Log
from interviewer.call.actions import Append
from interviewer.call.core import Core
from interviewer.ledger.events import STAGES
from interviewer.ledger.fold import fold
from interviewer.ledger.state import Attempt
from interviewer.ledger.views import reason
from interviewer.realtime.engine import Taken
from interviewer.settings import Settings
from interviewer.simulate.run import Simulated

_COMMITTED = "input_audio_buffer.committed"
_TRANSCRIBED = "conversation.item.input_audio_transcription.completed"
_NEAR_MS = 2_000


def violations(call: Simulated, log: Log, taken: Sequence[Taken]) -> Iterator[str]:
    """Every promise the call broke, in words."""
    ledger = call.core.ledger
    yield from (f"false delivery {attempt}" for attempt in call.truth.false_deliveries)
    yield from (f"anomaly {seq}: {what}" for seq, what in ledger.anomalies)
    yield from (f"{a.id} still open" for a in ledger.attempts.values() if a.outcome == "open")
    yield from (f"{q.id} without a reason" for q in ledger.questions.values() if q.planned and not reason(q))
    for attempt in ledger.attempts.values():
        if attempt.outcome == "delivered":
            yield from (f"{attempt.id} delivered without {what}" for what in _lacking(attempt, log))
    yield from _ended(call, log)
    yield from _guest(call, log, taken)
    yield from _again(call, log)


# -- evidence -----------------------------------------------------------------------------------------------------


def _lacking(attempt: Attempt, log: Log) -> Iterator[str]:
    """The pieces of evidence that the record itself, read apart from the core, does not bear out."""
    yield from (f"a {stage} event" for stage in STAGES if stage not in attempt.evidence)
    if len(attempt.evidence) < len(STAGES):
        return
    epoch, response_id = attempt.value("started", "epoch"), attempt.value("started", "response_id")
    if attempt.value("accepted", "epoch") != epoch:
        yield "acceptance in the epoch of its response"
    asked = [e for _, e in log.sent("response.create") if e["response"]["metadata"].get("attempt") == attempt.id]
    if not any(e["response"]["metadata"]["epoch"] == str(epoch) for e in asked):
        yield "a request in that epoch"
    timed = [(t_ms, frame) for t_ms, at, frame in log.frames() if at == epoch]
    frames = [frame for _, frame in timed]
    accepted_ms = attempt.evidence["accepted"].t_ms
    if not any(_accepts(attempt, frame) for t_ms, frame in timed if t_ms <= accepted_ms):
        yield "an acceptance on the wire"
    ended = next((f["response"] for f in frames if _is_done(f) and f["response"].get("id") == response_id), None)
    if ended is None or ended.get("status") != "completed":
        yield "a completed response in that epoch"
    elif (ended.get("metadata") or {}).get("attempt", _unnamed(attempt)) != attempt.id:
        yield "a response of its own"
    sentence, end_ms = str(attempt.value("generated", "sentence")), attempt.value("delivered", "end_ms")
    if not any(sentence in _said(frame) for frame in frames if _response_of(frame) == response_id):
        yield "its question in the transcript"
    played = log.played().get(str(response_id), 0)
    if not attempt.value("delivered", "displayed") and played + 250 < int(end_ms or 0):
        yield f"being played: {played} of {end_ms} ms"


def _unnamed(attempt: Attempt) -> str:
    """Whose a response is that names no attempt: by its order it may be this one's, if the ledger says no more."""
    return attempt.id if attempt.evidence["started"].basis == "inferred" else ""


def _accepts(attempt: Attempt, frame: dict[str, Any]) -> bool:
    """Whether a frame acknowledges the text that carried the question, or echoes the request that did, as claimed."""
    if attempt.value("accepted", "by") == "order":
        return attempt.evidence["accepted"].basis == "inferred"
    if attempt.value("accepted", "by") == "session.updated":
        session = frame.get("session") if frame["type"] == "session.updated" else None
        return isinstance(session, dict) and f">{attempt.value('selected', 'text')}</ask>" in str(
            session.get("instructions")
        )
    response = frame.get("response")
    if frame["type"] not in ("response.created", "response.done") or not isinstance(response, dict):
        return False
    return (response.get("metadata") or {}).get("attempt") == attempt.id


def _is_done(frame: dict[str, Any]) -> bool:
    return frame["type"] == "response.done" and isinstance(frame.get("response"), dict)


def _response_of(frame: dict[str, Any]) -> Any:
    response = frame.get("response")
    return response.get("id") if isinstance(response, dict) else frame.get("response_id")


def _said(frame: dict[str, Any]) -> str:
    """The words a frame carries."""
    if not _is_done(frame):
        return str(frame.get("transcript") or frame.get("text") or "")
    items = [item for item in frame["response"].get("output") or () if item.get("role") == "assistant"]
    return " ".join(str(p.get("transcript") or p.get("text") or "") for i in items for p in i.get("content") or ())


# -- the end ------------------------------------------------------------------------------------------------------


def bound_ms(settings: Settings) -> int:
    """The longest a call may go on beyond its target: a guest who talks on, every goodbye and connection failing."""
    call, wait = settings.call, settings.wait
    goodbye = wait.reply_tries * (wait.created_ms + wait.first_audio_ms + wait.audio_gap_ms + wait.retry_reply_ms)
    dialling = (call.reconnect_tries + 1) * (wait.connect_ms + 8 * call.reconnect_ms)
    return call.overrun_ms + goodbye + dialling + call.goodbye_heard_out_ms + wait.close_ms


def _ended(call: Simulated, log: Log) -> Iterator[str]:
    if not call.core.ended:
        yield "it did not end"
    over_ms = call.core.elapsed_ms - call.core.target_ms
    if over_ms > bound_ms(call.core.setup.settings):
        yield f"it ended {over_ms} ms after its target"
    told = log.recorded("status")[-1][1]
    if told.get("status") != "done":
        yield f"its last status is {told.get('status')}"


# -- the guest ----------------------------------------------------------------------------------------------------


def _guest(call: Simulated, log: Log, taken: Sequence[Taken]) -> Iterator[str]:
    """Everything the guest really said and the service took and told of is in the turns, in order; nothing else is."""
    over_ms = min((t for kind in ("goodbye", "status") for t, data in log.recorded(kind) if _is_over(kind, data)))
    told: dict[str, int] = {}
    texts: dict[str, str] = {}
    for t_ms, _, frame in log.frames():
        if isinstance(frame.get("item_id"), str) and t_ms <= over_ms:
            if frame["type"] == _COMMITTED:
                told.setdefault(frame["item_id"], t_ms)
            elif frame["type"] == _TRANSCRIBED and isinstance(frame.get("transcript"), str):
                texts.setdefault(frame["item_id"], frame["transcript"])
    turns = [turn for turn in call.core.turns if turn.speaker == "guest"]
    script = "\n".join(turn.text for turn in turns)
    late = {frame["item_id"]: str(frame.get("transcript")) for _, _, frame in log.frames() if _tells(frame)}
    real = [item.item_id for item in taken if item.said]
    at = 0
    for item in taken:
        words = texts.get(item.item_id, "").strip()
        if not item.said:
            if words and words in script and not any(words in late.get(other, "") for other in real):
                yield f"{item.item_id} was not said by the guest and stands in the turns"
        elif item.item_id in told and told[item.item_id] < over_ms:
            place = script.find(words, at)
            if words and place < 0:
                yield f"{item.item_id} is not in the turns, or out of order"
            at = max(at, place)
            if not words and not any(
                turn.started_ms <= told[item.item_id] <= (turn.ended_ms or over_ms) + _NEAR_MS for turn in turns
            ):
                yield f"{item.item_id} has no turn"


def _tells(frame: dict[str, Any]) -> bool:
    return frame["type"] == _TRANSCRIBED and isinstance(frame.get("item_id"), str)


def _is_over(kind: str, data: dict[str, Any]) -> bool:
    return kind == "goodbye" or data.get("status") == "closing" or data.get("status") == "after"


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
