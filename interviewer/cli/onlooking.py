"""Which onlooker fits: the live view in a terminal, plain lines elsewhere."""

import contextlib
from collections.abc import Callable, Iterator

from interviewer.cli.session import Session
from interviewer.cli.watch import LiveView, Onlooker, Paced, PlainLines
from interviewer.interview.snapshot import Heading
from interviewer.simulate.virtual import Watcher


@contextlib.contextmanager
def looking_on(
    session: Session, heading: Heading, speed: float | None = None, keeps: Callable[[], str] = lambda: ""
) -> Iterator[Watcher]:
    """Look on while a call runs; `speed` holds a call on a virtual clock back to that many times real time.

    `keeps` says what keeps the call from being kept as usual, as long as something does.
    """
    console = session.console
    with contextlib.ExitStack() as stack:
        onlooker: Onlooker
        if console.is_terminal and not console.is_dumb_terminal and not session.json and not session.quiet:
            onlooker = stack.enter_context(LiveView(console, heading, paced=speed is not None, keeps=keeps))
        else:
            onlooker = PlainLines(session.tell, keeps)
        yield Paced(onlooker, speed) if speed else onlooker
