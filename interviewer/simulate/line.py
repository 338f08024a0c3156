"""One client's connection to the simulated service."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from interviewer.errors import ConnectionFailed
from interviewer.realtime.engine import Ended, Engine, Taken, Voiced
from interviewer.simulate.clocks import Clock
from interviewer.simulate.wire import Wire


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a line stands: messages sent to its client so far, when it has something to do next, whether it is over."""

    sent: int
    deadline: int | None
    over: bool = False


class Line:
    """Carries messages between a socket and the service.

    While a message waits for a client that does not read, this line takes nothing from that client and lets no time
    pass for it: neither side's backlog grows, and other lines do not notice.
    """

    def __init__(self, engine: Engine, socket: ServerConnection, clock: Clock) -> None:
        self.voiced: Sequence[Voiced] = engine.voiced
        self.taken: Sequence[Taken] = engine.taken
        self._wire = Wire(engine)
        self._socket = socket
        self._clock = clock
        self._busy = asyncio.Lock()
        self._received = 0
        self._sent = 0
        self._over = False
        self._came = asyncio.Condition()
        self._stirred = asyncio.Event()

    async def serve(self) -> None:
        """Until the connection ends, however it does."""
        tasks = {asyncio.create_task(self._read())}
        if self._clock.speed:
            tasks.add(asyncio.create_task(self._keep_time()))
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            self._over = True
            async with self._came:
                self._came.notify_all()
        for task in ended:
            with contextlib.suppress(ConnectionClosed):
                task.result()

    async def settle(self, received: int) -> Progress:
        """Wait until `received` messages of the client's were dealt with, then do what is due now.

        Raises ConnectionFailed if the connection has ended.
        """
        async with self._came:
            await self._came.wait_for(lambda: self._received >= received or self._over)
        try:
            await self._do(self._wire.advance)
        except ConnectionClosed:
            self._over = True
        if self._over:
            raise ConnectionFailed("the connection to the simulated service has ended")
        return Progress(self._sent, self._wire.deadline, self._over or self._wire.ended is not None)

    async def _read(self) -> None:
        await self._do(self._wire.connect)
        async for raw in self._socket:
            await self._take(raw)

    async def _take(self, raw: str | bytes) -> None:
        await self._do(lambda t_ms: self._wire.message(t_ms, raw))
        self._stirred.set()
        async with self._came:
            self._received += 1
            self._came.notify_all()

    async def _do(self, act: Callable[[int], None]) -> None:
        async with self._busy:
            act(self._clock.now_ms())
            for text in self._wire.take():
                await self._socket.send(text)
                self._sent += 1
            if ended := self._wire.ended:
                await self._end(ended)

    async def _end(self, ended: Ended) -> None:
        """The service ends the connection, properly or not."""
        match ended.how:
            case "closed":
                await self._socket.close(ended.code, ended.reason)
            case "unframed":
                self._socket.transport.close()
            case "reset":
                self._socket.transport.abort()

    async def _keep_time(self) -> None:
        while True:
            self._stirred.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rest_s()):
                    await self._stirred.wait()
            await self._do(self._wire.advance)

    def _rest_s(self) -> float | None:
        """Seconds until there is something to do; None for never."""
        if self._wire.deadline is None or not self._clock.speed:
            return None
        return max(0.0, (self._wire.deadline - self._clock.now_ms()) / 1_000 / self._clock.speed)
