"""The simulated service over WebSocket: any Realtime client can speak with it."""

import asyncio
import contextlib
import errno
import json
import logging
import signal
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from interviewer.audio.speech import duration_ms
from interviewer.errors import PortInUse, RealtimeError
from interviewer.realtime.engine import Brain, Engine, Faults, Trouble, errors
from interviewer.settings import VoiceSettings
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.clocks import Clock, WallClock
from interviewer.simulate.handshake import CLOSE_CODE, answer_http, choose_subprotocol, model_of
from interviewer.simulate.line import Line
from interviewer.simulate.service import engine_seed

LOOPBACK: Final = "127.0.0.1"

_CLOSE_S: Final = 2.0  # longest wait for a client to say goodbye
_log = logging.getLogger(__name__)
# Whatever knocks at a port is not worth a traceback.
_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)


class SimulatorServer:
    """Serves any number of clients at once, each with an engine and a brain of its own.

    Connections are numbered from 0; all that one says follows from `seed`, its number and what it is told. On a clock
    without speed time must be handed in, to the clock and then to every line by `Line.settle`.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        seed: int = 0,
        host: str = LOOPBACK,
        clock: Clock | None = None,
        brain: Callable[[int], Brain] | None = None,
        faults: Faults | None = None,
    ) -> None:
        """`port` 0 takes a free one; `brain` makes the one of a connection, by its number.

        What `faults` say goes wrong, counted over all connections.
        """
        self._port = port
        self._seed = seed
        self._host = host
        self._clock = clock or WallClock()
        self._brain = brain or (lambda number: VoiceBrain(seed + number))
        self.trouble = Trouble(faults or Faults.none())
        self._count = 0
        self._lines: dict[int, Line] = {}
        self._server: Server

    async def start(self) -> None:
        """Begin to listen. Raises PortInUse, or RealtimeError if the system allows no listening there."""
        try:
            self._server = await serve(
                self._handle,
                self._host,
                self._port,
                process_request=self._knock,
                select_subprotocol=choose_subprotocol,
                compression=None,
                max_size=VoiceSettings().max_frame_bytes,
                close_timeout=_CLOSE_S,
                logger=_quiet,
            )
        except OSError as error:
            raise self._explained(error) from None

    async def stop(self) -> None:
        """Say goodbye to every client (close code 1001) and listen no more."""
        self._server.close()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(next(iter(self._server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        """Its address, as setting voice.url takes it."""
        return f"ws://{self._host}:{self.port}/v1"

    def line(self, number: int) -> Line | None:
        """The open connection of this number, if there is one."""
        return self._lines.get(number)

    def _knock(self, connection: ServerConnection, request: Request) -> Response | None:
        refusal = answer_http(connection, request)
        if refusal is None and self.trouble.strikes("refused_connect", self._clock.now_ms(), None):
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "The server is overloaded.\n")
        return refusal

    async def _handle(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        number, self._count = self._count, self._count + 1
        try:
            engine = self._engine(number, model_of(socket.request))
        except errors.Refused as refused:
            await self._turn_away(socket, refused, number)
            return
        self._lines[number] = Line(engine, socket, self._clock)
        try:
            await self._lines[number].serve()
        except Exception:
            _log.exception("the simulated service failed on connection %d", number)
            raise
        finally:
            del self._lines[number]

    async def _turn_away(self, socket: ServerConnection, refused: errors.Refused, number: int) -> None:
        nobody = Engine(self._brain(number), seed=engine_seed(self._seed, number), duration_ms=duration_ms)
        nobody.refuse(0, refused)
        for frame in nobody.take():
            await socket.send(json.dumps(frame))
        await socket.close(CLOSE_CODE, f"invalid_request_error.{refused.code}")

    def _engine(self, number: int, model: str) -> Engine:
        # In handed time nothing comes from the wall, so that runs repeat exactly.
        started_s = int(time.time()) if self._clock.speed else self._clock.now_ms() // 1_000
        return Engine(
            self._brain(number),
            seed=engine_seed(self._seed, number),
            duration_ms=duration_ms,
            started_unix_s=started_s,
            model=model,
            trouble=self.trouble,
        )

    def _explained(self, error: OSError) -> RealtimeError:
        where = f"{self._host}:{self._port}"
        if error.errno == errno.EADDRINUSE:
            return PortInUse(f"port {self._port} is taken: stop what listens on {where}, or choose another port")
        return RealtimeError(f"cannot listen on {where}: {error.strerror or error}; choose another port")


def run_server(
    port: int,
    *,
    seed: int = 0,
    speed: float = 1.0,
    host: str = LOOPBACK,
    faults: Faults | None = None,
    on_ready: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until Ctrl-C or SIGTERM, then say goodbye to every client and return.

    `speed`: how many times faster than life time passes for the service; `faults`: what goes wrong. `on_ready` gets the
    address once it listens.
    Raises PortInUse. Must be called on the main thread.
    """
    server = SimulatorServer(port=port, seed=seed, host=host, clock=WallClock(speed), faults=faults)
    # Where asyncio cannot take signals, Ctrl-C arrives as this.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_until_stopped(server, on_ready))


async def _until_stopped(server: SimulatorServer, on_ready: Callable[[str], None]) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with server:
        on_ready(server.url)
        await stopped.wait()
