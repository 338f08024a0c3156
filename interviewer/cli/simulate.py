"""`simulate`: the loopback Realtime server."""

from typing import Annotated

import typer

from interviewer.cli.session import Session, command

FAULTS_HELP = "What goes wrong: names with =P (probability), @STAGE and #N, as in late_ack=0.2,drop@started."


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "simulate")(simulate)


def simulate(
    session: Session,
    port: Annotated[int, typer.Option("--port", metavar="P", min=0, max=65535, help="0 takes a free one.")],
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed, the same voice.")] = 0,
    speed: Annotated[float, typer.Option("--speed", metavar="X", min=0.1, help="Times real time.")] = 1.0,
    faults: Annotated[str, typer.Option("--faults", metavar="SPEC", help=FAULTS_HELP)] = "",
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
) -> None:
    """Serve the simulated Realtime service until Ctrl-C.

    Its voice follows only the marks of this package's own guidance (<ask>, <reply>); other clients get small talk.
    """
    from interviewer.realtime.engine import Faults
    from interviewer.simulate.server import run_server

    mix = Faults.parse(faults, seed)

    def ready(url: str) -> None:
        if session.json:
            session.result({"url": url, "seed": seed, "speed": speed, "faults": str(mix)})
        else:
            session.show(url)
        session.tell(
            f"This package: INTERVIEWER_VOICE__URL={url}",
            f'OpenAI SDK:   OpenAI(api_key="any", websocket_base_url="{url}").realtime.connect(model="gpt-realtime")',
            "Ctrl-C ends it.",
        )

    run_server(port, seed=seed, speed=speed, host=host, faults=mix, on_ready=ready)
