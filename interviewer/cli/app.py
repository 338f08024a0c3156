"""The commands, put together."""

import io
import sys
from typing import Annotated

import typer

from interviewer.cli import (
    call,
    calls,
    compare,
    contains,
    demo,
    doctor,
    export,
    follow_up,
    forget,
    import_,
    lab,
    metrics,
    pairs,
    plan,
    recover,
    replay,
    score,
    search,
    simulate,
    style,
    sweep,
    tune,
    verify,
)
from interviewer.cli.session import ConfigOption, HomeOption, JsonOption, QuietOption, Session

app = typer.Typer(
    name="interviewer",
    help="A research workbench for timed AI voice interviews. `interviewer demo` needs no key, microphone or network.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("interviewer"))
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    home: HomeOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    ctx.obj = Session(home, config, json, quiet)


for part in (
    demo,
    call,
    follow_up,
    plan,
    lab,
    doctor,
    simulate,
    calls,
    search,
    export,
    style,
    verify,
    recover,
    forget,
    import_,
    replay,
    pairs,
    score,
    contains,
    tune,
    metrics,
    compare,
    sweep,
):
    part.register(app)


def run() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows another one instead.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="interviewer")
