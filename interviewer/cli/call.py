"""`call`: a live call in the terminal."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import Session, command

if TYPE_CHECKING:
    from interviewer.call.setup import CallSetup
    from interviewer.kept.folding import Folded
    from interviewer.live.call import LiveCall
    from interviewer.llm.backend import Backend
    from interviewer.model.consent import Consent
    from interviewer.model.plan import Plan
    from interviewer.settings import AudioSettings, Settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "call")(call)


def call(
    session: Session,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="CALL", help="Go on with a call that was interrupted.")
    ] = None,
    topic: Annotated[str | None, typer.Option("--topic", metavar="T", help="What to talk about.")] = None,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="A plan to follow.")] = None,
    context: Annotated[str, typer.Option("--context", metavar="TEXT", help="Who you are, for every agent.")] = "",
    guest: Annotated[
        str,
        typer.Option("--guest", metavar="NAME", help="Who you are; your essay then sounds like your earlier calls."),
    ] = "guest",
    minutes: Annotated[float | None, typer.Option("--minutes", metavar="M", help="Length, 0.5 to 60.")] = None,
    mic: Annotated[
        str | None, typer.Option("--mic", metavar="DEVICE|FILE", help="A sound card's name or number, or a WAV file.")
    ] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", metavar="DEVICE|FILE", help="Likewise; a WAV file is written.")
    ] = None,
    headphones: Annotated[
        bool, typer.Option("--headphones", help="You wear some: the microphone stays open while the voice speaks.")
    ] = False,
    simulate: Annotated[bool, typer.Option("--simulate", help="Speak with the simulated service.")] = False,
    keep_audio: Annotated[bool, typer.Option("--keep-audio", help="Keep the sound, both sides.")] = False,
    consent: Annotated[
        str | None,
        typer.Option("--consent", metavar="NAME", help="Who has agreed to be recorded; kept with it."),
    ] = None,
) -> None:
    """Hold a live call. Ctrl-C ends it in order; a second one hangs up."""
    from interviewer.interview.demo import as_long_as
    from interviewer.llm.router import Router

    old = _interrupted(session, resume, topic, plan)
    settings = session.settings if minutes is None else as_long_as(session.settings, minutes)
    settings = settings.with_(audio={"keep": True}) if keep_audio else settings
    if settings.audio.keep:
        session.tell("The sound of this call is kept, both sides.")
    with contextlib.closing(Router(settings if old is None else old.setup.settings)) as backend:
        if old is None:
            chosen = _plan(topic, plan, context, settings, backend)
            setup = _setup(session, chosen, context, guest, settings, backend, consent)
        else:
            setup = old.setup
        hold(
            session,
            setup,
            backend,
            mic,
            speaker,
            headphones=headphones,
            simulate=simulate,
            resume=old,
            audio=settings.audio,
        )


def hold(
    session: Session,
    setup: "CallSetup",
    backend: "Backend",
    mic: str | None,
    speaker: str | None,
    *,
    headphones: bool = False,
    simulate: bool = False,
    resume: "Folded | None" = None,
    audio: "AudioSettings | None" = None,
) -> None:
    """Hold a live call before the eyes of whoever sits at the terminal, and tell what came of it."""
    from interviewer.cli.drafting import Drafting
    from interviewer.cli.ends import is_file, microphone
    from interviewer.cli.ends import speaker as loudspeaker
    from interviewer.cli.onlooking import looking_on
    from interviewer.interview.live_call import hold_call, to_its_end
    from interviewer.interview.report import call_report
    from interviewer.interview.snapshot import Heading
    from interviewer.kept.reading import CallLog

    sound = audio or setup.settings.audio
    drafting = Drafting(session, only_growing=True)
    heading = Heading(setup.plan.topic, setup.guest, setup.settings.call.wrap_up_from)
    running: list[LiveCall] = []
    with looking_on(session, heading, keeps=lambda: running[0].keep_problem if running else "") as onlooker:

        def attend(call: "LiveCall") -> None:
            running.append(call)
            to_its_end(call)

        held = hold_call(
            setup,
            backend,
            microphone(mic, sound),
            loudspeaker(speaker, sound, mic),
            home=session.home,
            simulate=simulate,
            half_duplex=not (headphones or is_file(mic)),
            watcher=onlooker,
            attend=attend,
            resume=resume,
            on_text=drafting.take,
        )
    for problem in (held.error, held.journal_error, held.store_error, held.audio_error):
        if problem is not None:
            session.tell(f"{type(problem).__name__}: {problem}")
    log = CallLog.read(held.journal)
    if drafting.begun and (essay := log.last("essay")):
        drafting.finish(str(essay["markdown"]))
    report = {**call_report(log, held.essay_path), "seconds": round(held.seconds, 3)}
    if held.audio_path is not None:
        report["audio"] = str(held.audio_path)
        session.tell(f"The sound is kept in {held.audio_path}")
    if session.json:
        session.result(report)
    elif session.quiet:
        session.show(held.call_id)
    else:
        from interviewer.cli.telling import tell_report

        session.show(*tell_report(log, report))
    if held.error is not None or held.store_error is not None or held.journal_error is not None:
        raise typer.Exit(1)


def _interrupted(session: Session, call: str | None, topic: str | None, plan: Path | None) -> "Folded | None":
    from interviewer.errors import PlanError
    from interviewer.kept.resume import resumable

    if call is None:
        return None
    if topic is not None or plan is not None:
        raise PlanError("--resume goes on with a call's own plan: leave out --topic and --plan")
    return resumable(session.store, call)


def consent_to(name: str, settings: "Settings") -> "Consent":
    """That `name` has agreed to what a call with these settings does with what is said."""
    from interviewer.interview.form import Form
    from interviewer.model.consent import consented

    where = "url" if settings.voice.url else settings.voice.service
    return consented(name, Form(destination=where, keep_sound=settings.audio.keep).consent())


def _setup(
    session: Session,
    plan: "Plan",
    context: str,
    guest: str,
    settings: "Settings",
    backend: "Backend",
    consent: str | None,
) -> "CallSetup":
    from interviewer.call.setup import CallSetup
    from interviewer.kept.style import is_nobody, known_voice

    about: dict[str, Any] = {}
    if not is_nobody(guest):
        about["voice_guide"] = known_voice(session.store, guest, backend=backend, settings=settings.style)
    if consent is not None:
        about["consent"] = consent_to(consent, settings)
    return CallSetup(plan=plan, context=context, guest=guest, settings=settings, **about)


def _plan(topic: str | None, file: Path | None, context: str, settings: "Settings", backend: "Backend") -> "Plan":
    from interviewer.errors import PlanError
    from interviewer.interview.plan_file import load_plan
    from interviewer.interview.planning import plan_call

    if file is not None:
        return load_plan(file)
    if topic is None:
        raise PlanError("say what to talk about with --topic, or give a plan with --plan")
    return plan_call(topic, context, settings.call.target_ms, "en", backend).plan
