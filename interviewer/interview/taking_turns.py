"""One call of an interview at a time, and none that begins with less than what is remembered by then."""

import contextlib
import os
from collections.abc import Iterator

from interviewer.call.setup import CallSetup
from interviewer.errors import JournalBusy, NotFound, StoreError, StoreReadOnly
from interviewer.interview.returning import follow_up
from interviewer.kept.chain import chain_of
from interviewer.llm.backend import Backend
from interviewer.store.home import Home, safe_id
from interviewer.store.locks import hold
from interviewer.store.store import Store

_GREW = "the interview has other calls than when this one was drawn up, so what is remembered was put together anew"


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

    If calls came or went since it was drawn up, memory, plan and voice guide are looked at again, and `problems` says
    so. A first call's setup is as it was, and so is one whose interview is not kept in this home, or whose database
    is in use. Raises JournalBusy while another call of the interview runs or begins.
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
    if [link.call_id for link in chain] == [past.call_id for past in known.calls]:
        return setup
    fresh = follow_up(store, known.interview_id, plan=setup.plan, backend=backend, settings=setup.settings)
    assert fresh.earlier is not None
    earlier = fresh.earlier.model_copy(update={"problems": (*fresh.earlier.problems, _GREW)})
    return setup.model_copy(update={"plan": fresh.plan, "earlier": earlier, "voice_guide": fresh.voice_guide})
