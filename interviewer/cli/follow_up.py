"""`follow-up`: the next call of an interview, live or simulated."""

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from interviewer.call.setup import CallSetup
    from interviewer.model.outcome import FollowUp
    from interviewer.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "follow-up")(follow_up)


def follow_up(
    session: Session,
    interview: Annotated[
        str, typer.Argument(metavar="INTERVIEW", help="An interview's or a call's id, a prefix only it has, or `last`.")
    ] = "last",
    pick: Annotated[int | None, typer.Option("--pick", metavar="1-3", help="Which of the three topics.")] = None,
    about: Annotated[
        str | None, typer.Option("--about", metavar="TEXT", help="In your own words what to return to.")
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Against the simulator, with the same guest, who has more to tell.")
    ] = False,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", help="Length, 0.5 to 60; by default 6.")
    ] = None,
    dossier: Annotated[
        str | None, typer.Option("--dossier", metavar="D", help="With --simulate: who the guest is, if another.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="With --simulate: the same seed, the same call.")
    ] = 0,
    mic: Annotated[str | None, typer.Option("--mic", metavar="DEVICE|FILE", help="As for `call`.")] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="DEVICE|FILE", help="As for `call`.")] = None,
    headphones: Annotated[bool, typer.Option("--headphones", help="As for `call`.")] = False,
    keep_audio: Annotated[bool, typer.Option("--keep-audio", help="Keep the sound, both sides.")] = False,
    consent: Annotated[
        str | None, typer.Option("--consent", metavar="NAME", help="Who has agreed to be recorded; kept with it.")
    ] = None,
) -> None:
    """Go on with an interview: a short call that remembers the ones before.

    Without --pick or --about it shows the three topics to return to, and asks for one on a terminal.
    """
    if pick is not None and about is not None:
        raise typer.BadParameter("give --pick or --about, not both")
    settings = session.settings.with_(audio={"keep": True}) if keep_audio else session.settings
    if pick is None and about is None:
        pick, about = _ask(session, interview, settings)
        if pick is None and about is None:
            return
    if simulate:
        _simulated(session, interview, pick, about, minutes, settings, dossier, seed)
    else:
        _live(session, interview, pick, about, minutes, settings, mic, speaker, headphones, consent)


def _ask(session: Session, interview: str, settings: "Settings") -> tuple[int | None, str | None]:
    """The topics, and which of them somebody at a terminal wants; neither if there is nobody to ask."""
    from interviewer.interview.returning import TOPICS, offer_of

    found, problems = offer_of(session.store, interview, settings=settings)
    for problem in problems:
        session.warn(problem)
    if session.json:
        session.result({"interview": interview, **found.model_dump(mode="json"), "problems": list(problems)})
        return None, None
    session.show(*_lines(found))
    if session.quiet or not sys.stdin.isatty():
        session.show("\nGo on with one of them: interviewer follow-up --pick 1-3, or --about in your own words.")
        return None, None
    wanted = typer.prompt(f"Which one, 1 to {TOPICS}, or what else in your own words", err=True).strip()
    return (int(wanted), None) if wanted.isdecimal() else (None, wanted)


def _lines(found: "FollowUp") -> "list[RenderableType]":
    from rich.text import Text

    from interviewer.cli.tables import Hanging, paragraph
    from interviewer.cli.text import one_line

    lines: list[RenderableType] = [paragraph(one_line(found.summary), "dim")]
    for number, topic in enumerate(found.topics, 1):
        lines.append(Hanging(Text(f"\n{number}  ", "bold cyan", end=""), Text(one_line(topic.title), "bold")))
        lines.append(Hanging(Text("   ", end=""), Text(one_line(topic.why), "dim")))
        lines += [Hanging(Text("   - ", end=""), Text(one_line(question))) for question in topic.questions]
    return lines


def _say_problems(session: Session, setup: "CallSetup") -> None:
    for problem in setup.earlier.problems if setup.earlier else ():
        session.warn(problem)


def _live(
    session: Session,
    interview: str,
    pick: int | None,
    about: str | None,
    minutes: float | None,
    settings: "Settings",
    mic: str | None,
    speaker: str | None,
    headphones: bool,
    consent: str | None,
) -> None:
    from interviewer.cli.call import consent_to, hold
    from interviewer.interview.returning import follow_up as drawn_up
    from interviewer.llm.router import Router

    with contextlib.closing(Router(settings)) as backend:
        setup = drawn_up(
            session.store, interview, pick=pick, about=about, minutes=minutes, backend=backend, settings=settings
        ).model_copy(update={"world": "real"})
        _say_problems(session, setup)
        if consent is not None:
            setup = setup.model_copy(update={"consent": consent_to(consent, setup.settings)})
        if settings.audio.keep:
            session.tell("The sound of this call is kept, both sides.")
        hold(session, setup, backend, mic, speaker, headphones=headphones)


def _simulated(
    session: Session,
    interview: str,
    pick: int | None,
    about: str | None,
    minutes: float | None,
    settings: "Settings",
    dossier: str | None,
    seed: int,
) -> None:
    from interviewer.cli.demo import tell_demo
    from interviewer.cli.onlooking import looking_on
    from interviewer.interview.return_demo import run_follow_up
    from interviewer.interview.snapshot import Heading
    from interviewer.kept.chain import chain_of
    from interviewer.kept.remembering import plans_of

    store = session.store
    chain = chain_of(store, interview)
    plans, last = plans_of(chain), chain.last
    guest = last.setup.guest if last.setup else ""
    heading = Heading(plans[0].topic if plans else interview, guest, settings.call.wrap_up_from)
    with looking_on(session, heading) as onlooker:
        done = run_follow_up(
            store,
            interview,
            pick=pick,
            about=about,
            minutes=minutes,
            seed=seed,
            dossier=dossier,
            settings=settings,
            watcher=onlooker,
        )
    _say_problems(session, done.call.core.setup)
    tell_demo(session, done)
