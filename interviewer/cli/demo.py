"""`demo`: a whole simulated call, before your eyes."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import INTERRUPTED, Session, command
from interviewer.cli.simulate import FAULTS_HELP

if TYPE_CHECKING:
    from interviewer.interview.demo import Demo
    from interviewer.interview.snapshot import Heading
    from interviewer.settings import Settings
    from interviewer.simulate.run import Simulated


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "demo")(demo)


def demo(
    session: Session,
    topic: Annotated[str | None, typer.Option("--topic", metavar="T", help="What to talk about.")] = None,
    dossier: Annotated[
        str | None, typer.Option("--dossier", metavar="D", help="Who the guest is: an id or a file; else the nearest.")
    ] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", metavar="M", help="Length, 0.5 to 60.")] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed, the same call.")] = 0,
    socket: Annotated[
        bool, typer.Option("--socket", help="Speak with the simulated service over a real socket, in sound.")
    ] = False,
    speed: Annotated[
        float | None,
        typer.Option("--speed", metavar="X", min=0.1, help="Times real time, to look on; else as fast as can be."),
    ] = None,
    faults: Annotated[str, typer.Option("--faults", metavar="SPEC", help=FAULTS_HELP)] = "",
) -> None:
    """Run a whole simulated call, from a topic to an essay.

    With --socket alone time stands while a message is on its way; with --speed as well the call is a live one, with
    sound, by the wall's clock.
    """
    from interviewer.cli.onlooking import looking_on
    from interviewer.interview.demo import DEFAULT_TOPIC, check_seed, run_demo
    from interviewer.realtime.engine import Faults
    from interviewer.store.home import home

    check_seed(seed)
    mix = Faults.parse(faults, seed)
    settings = session.settings
    place = home(session.home)
    before = set(place.journals.iterdir())

    heading = _heading(topic or DEFAULT_TOPIC, dossier, settings)
    try:
        with looking_on(session, heading, None if socket else speed) as onlooker:
            done = run_demo(
                topic,
                dossier=dossier,
                minutes=minutes,
                seed=seed,
                settings=settings,
                home=session.home,
                watcher=onlooker,
                simulate=_way(socket, speed),
                faults=mix if mix.rules else None,
            )
    except KeyboardInterrupt:
        kept = ", ".join(str(path) for path in sorted(set(place.journals.iterdir()) - before))
        session.fail("Interrupted", f"stopped; what was recorded is kept in {kept}" if kept else "stopped", INTERRUPTED)
    tell_demo(session, done)


def _way(socket: bool, speed: float | None) -> "Callable[..., Simulated] | None":
    """How the call is run: None is in one process, on a virtual clock."""
    if not socket:
        return None
    if speed is not None:
        from interviewer.interview.socket_demo import speak_call

        return partial(speak_call, speed=speed)
    from interviewer.interview.socket_demo import lock_step

    return lock_step


def _heading(topic: str, dossier: str | None, settings: "Settings") -> "Heading":
    from interviewer.interview.snapshot import Heading
    from interviewer.simulate.dossier import by_name, nearest

    known = nearest(topic) if dossier is None else by_name(dossier)
    return Heading(topic if dossier is None else known.topic, known.guest, settings.call.wrap_up_from)


def tell_demo(session: Session, done: "Demo") -> None:
    """What came of a simulated call; exits with 1 if it is not whole in its journal or database."""
    from interviewer.interview.report import demo_report
    from interviewer.kept.reading import CallLog

    if done.note:
        session.warn(done.note)
    log = CallLog.read(done.journal)
    report = demo_report(done, log)
    if done.problem is not None:
        session.warn(f"interviewer: {done.problem}")
        report["error"] = {"type": type(done.problem).__name__, "message": str(done.problem)}
    if session.json:
        session.result(report)
    elif session.quiet:
        session.show(done.call_id)
    else:
        from interviewer.cli.telling import tell_report

        session.show(*tell_report(log, report))
        session.show(*([f"\n{done.note[0].upper()}{done.note[1:]}."] if done.note else []))
        session.show(f"\nIt took {done.seconds:.1f} s. Look again: interviewer show {done.call_id} --transcript")
    if done.problem is not None:
        raise typer.Exit(1)
