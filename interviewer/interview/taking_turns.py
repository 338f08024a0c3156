"""One call of an interview at a time, and none that begins with less than what is remembered by then."""

import contextlib
import os
from collections.abc import Iterator

from interviewer.call.setup import CallSetup
from interviewer.errors import JournalBusy, NotFound, StoreError, StoreReadOnly
from interviewer.interview.returning import follow_up
from interviewer.kept.chain import chain_of
from interviewer.llm.backend import Backend
from interviewer.memory.earlier import Earlier, PastCall, Thread
from interviewer.model.corrections import Corrections
from interviewer.model.turn import call_of, marked
from interviewer.store.home import Home, safe_id
from interviewer.store.locks import hold
from interviewer.store.store import Store

_CHANGED = "the interview has changed since this call was drawn up, so what is remembered was put together anew"


@contextlib.contextmanager
def alone(place: Home, interview_id: str) -> Iterator[None]:
    """Nobody else begins a call of this interview meanwhile. Raises JournalBusy if somebody is about to."""
    path = place.root / "locks" / safe_id(interview_id)
    try:
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise StoreReadOnly(f"cannot write {path}: {error.strerror}") from None
    try:
        if not hold(descriptor):
            raise JournalBusy(f"another call of interview {interview_id} is beginning; go on with it once that is over")
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def up_to_date(place: Home, setup: CallSetup, backend: Backend) -> Iterator[CallSetup]:
    """A follow-up's setup with all that is remembered by now; nobody else begins a call of its interview meanwhile.

    If a call came, went, went on or was put right since it was drawn up, memory, plan and voice guide are looked at
    again, and `problems` says so; what was asked for stays asked for. A first call's setup is as it was, and so is one
    whose interview is not kept in this home, or whose database is in use. Raises JournalBusy while another call of the
    interview runs or begins.
    """
    if setup.earlier is None or not setup.earlier.interview_id:
        yield setup
        return
    with alone(place, setup.earlier.interview_id):
        yield _looked_at_again(place, setup, backend)


def _looked_at_again(place: Home, setup: CallSetup, backend: Backend) -> CallSetup:
    known = setup.earlier
    assert known is not None
    try:
        store = Store.open(place.root)
        chain = chain_of(store, known.interview_id)
    except (NotFound, StoreError):
        return setup
    chain.check_over()
    if [_state(link.past) for link in chain] == [_state(past) for past in known.calls]:
        return setup
    fresh = follow_up(store, known.interview_id, plan=setup.plan, backend=backend, settings=setup.settings)
    assert fresh.earlier is not None
    asked_for = tuple(
        now.id
        for then, now in zip(setup.plan.questions, fresh.plan.questions, strict=True)
        if then.id in known.asked_for
    )
    update = {
        "asked_for": asked_for,
        "touched": tuple(each for each in fresh.earlier.touched if each.question_id not in asked_for),
        "thread": _still_there(known, fresh.earlier) if known.asked_for else fresh.earlier.thread,
        "problems": (*fresh.earlier.problems, _CHANGED),
    }
    earlier = fresh.earlier.model_copy(update=update)
    return setup.model_copy(update={"plan": fresh.plan, "earlier": earlier, "voice_guide": fresh.voice_guide})


def _state(past: PastCall) -> tuple[str, str]:
    return past.call_id, past.digest


def _still_there(known: Earlier, now: Earlier) -> Thread | None:
    """The thread that was picked up, where it stands now; None if nobody said it any more."""
    if known.thread is None or (number := call_of(known.thread.turn)) is None:
        return None
    call_id, own = known.calls[number - 1].call_id, known.thread.turn.partition(".")[2]
    turn = next((marked(n, own) for n, past in enumerate(now.calls, 1) if past.call_id == call_id), "")
    quote = Corrections(pairs=now.names).text(known.thread.quote)
    said = any(each.id == turn and quote in each.text for each in now.turns)
    return Thread(quote=quote, turn=turn) if said else None
