"""One connection to a voice service: the official SDK on a thread and an event loop of its own.

A busy notebook cell then neither misses pings nor delays audio. There is no reconnecting here: a new session knows
nothing of the old one, so whoever owns the call dials again and restores it.
"""

import asyncio
import base64
import contextlib
import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Never

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame as WireFrame
from websockets.frames import Opcode
from websockets.protocol import State

from interviewer.errors import ConnectionFailed, FrameError, RealtimeError
from interviewer.keys import Key, is_loopback, needs_key, require_key
from interviewer.realtime.bell import Bell
from interviewer.realtime.endings import Explainer
from interviewer.realtime.events import BadFrame, Closed, End, Event, Failed, Frame, Opened
from interviewer.realtime.frames import parse, strip_audio
from interviewer.settings import VoiceSettings

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection
    from websockets.asyncio.client import ClientConnection

__all__ = ["BadFrame", "Closed", "Connection", "End", "Event", "Failed", "Frame", "Opened"]

_SERVICE: Final = "wss://api.openai.com/v1"
_NO_KEY: Final = "none-needed"  # the SDK insists on one
_PING_S: Final = 20.0
_STALLED_S: Final = 20.0  # a socket that takes nothing also hides missed pings
_SMALL: Final = 16_384  # bytes; asyncio lets 64 KiB wait, and fewer than this in an empty buffer are never waited for
_HANDSHAKE_S: Final = 2.0  # longest closing handshake that the library waits for
_GRACE_S: Final = 1.0
_APPEND: Final = "input_audio_buffer.append"
_HEAD: Final = f'{{"type":"{_APPEND}","audio":"'.encode()

_encode: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
_log = logging.getLogger(__name__)
# The libraries' debug lines would show the request's headers, and the key is one.
_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)


class Connection:
    """Reports everything to `on_event`, from its own thread, in order; the last report is `Closed` or `Failed`.

    Used once: a further attempt is a further Connection. `on_event` must not wait; what it raises is logged.
    """

    def __init__(
        self,
        settings: VoiceSettings,
        *,
        on_event: Callable[[Event], None],
        key: str | None = None,
        connect_timeout_s: float,
    ) -> None:
        """`key`: None takes it from the environment or keyring, if the service asks for one."""
        self._settings = settings
        self._on_event = on_event
        self._key = Key((key or "").strip())
        self._connect_timeout_s = connect_timeout_s
        self._thread = threading.Thread(target=self._run, name="voice-connection", daemon=True)
        self._lock = threading.Lock()
        self._outbox: deque[bytes] = deque()
        self._told = False  # the loop is about to look into it
        self._closing = False
        self._ended = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: Bell | None = None
        # Of the loop, touched only on its thread.
        self._wake: asyncio.Event
        self._talk: asyncio.Task[End]
        self._wire: AsyncRealtimeConnection | None = None  # while it is open
        self._writing = False

    def start(self) -> None:
        """Dial, in the background. Whatever goes wrong is reported as `Failed`."""
        self._thread.start()

    def send(self, event: Mapping[str, Any]) -> None:
        """Send `event` after those before it; returns at once. Before `Opened` it waits, after the end it is dropped.

        Raises FrameError if it is larger than the service takes.
        """
        self._put(str(event.get("type")), _encode(event).encode("ascii"))

    def send_audio(self, pcm: bytes) -> None:
        """Send `pcm`, 16-bit mono at the service's rate, as a frame of the microphone; otherwise as `send` does."""
        # Base64 needs no escaping; going through JSON costs more than all else that is done here.
        self._put(_APPEND, _HEAD + base64.b64encode(pcm) + b'"}')

    def _put(self, kind: str, raw: bytes) -> None:
        limit = self._settings.max_frame_bytes
        if len(raw) > limit:
            raise FrameError(f"{kind} of {len(raw)} bytes; the limit is {limit}")
        if self._ended:
            return
        self._outbox.append(raw)
        if not self._told:
            self._told = True
            # Until there is one, whoever makes it looks by itself.
            if self._bell is not None:
                self._bell.ring()

    def close(self, timeout_s: float) -> None:
        """Send what is still waiting, say goodbye and end; after `timeout_s` hang up. May be called again.

        From within `on_event` it only asks for the end, and returns at once.
        """
        self._closing = True
        if self._thread.ident is None:
            return
        self._on_loop(self._begin_close)
        if threading.current_thread() is self._thread:
            return
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            self._on_loop(lambda: self._talk.cancel())
            self._thread.join(_GRACE_S)

    def _begin_close(self) -> None:
        # A connection that is still being made has nothing to say goodbye to.
        if self._wire:
            self._wake.set()
        else:
            self._talk.cancel()

    def _on_loop(self, function: Callable[[], object]) -> None:
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function)

    def _run(self) -> None:
        # Not Windows' own loop, which hears no bell.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        self._wake = asyncio.Event()
        self._talk = asyncio.create_task(self._connect_and_talk())
        loop = asyncio.get_running_loop()
        with Bell(loop, self._look) as self._bell:
            with self._lock:
                self._loop = loop
            if self._closing:
                self._talk.cancel()
            try:
                end = await self._talk
            except asyncio.CancelledError:
                end = Closed(None, "", by_us=True)
            with self._lock:
                self._loop = None
        self._ended = True
        self._outbox.clear()
        self._emit(end)

    async def _connect_and_talk(self) -> End:
        # Takes a second the first time.
        from openai import AsyncOpenAI

        try:
            url, key = self._target()
        except RealtimeError as error:
            return Failed(error)
        explain = Explainer(url, key)
        try:
            async with AsyncOpenAI(api_key=key, websocket_base_url=url) as client:
                async with asyncio.timeout(self._connect_timeout_s):
                    wire = await client.realtime.connect(
                        model=self._settings.model, websocket_connection_options=self._options(url)
                    ).enter()
                return await self._exchange(wire, explain)
        except Exception as error:
            return Failed(explain.refused(error, self._connect_timeout_s))

    def _target(self) -> tuple[str, str]:
        """Address and key."""
        url = self._settings.url or (_SERVICE if self._settings.service == "openai" else "")
        if not url:
            raise ConnectionFailed("the simulator has no address yet (setting voice.url): start it first")
        return url, self._key or (require_key() if needs_key(self._settings) else _NO_KEY)

    def _options(self, url: str) -> Any:
        """What the SDK hands on to `websockets`; asyncio itself sets TCP_NODELAY."""
        return {
            # Twice the limit, so that a frame a little too long costs that frame and not the call.
            "max_size": 2 * self._settings.max_frame_bytes,
            "compression": None,
            "open_timeout": None,
            "close_timeout": _HANDSHAKE_S,
            "ping_interval": _PING_S,
            "ping_timeout": _PING_S,
            "proxy": None if is_loopback(url) else True,
            "logger": _quiet,
        }

    async def _exchange(self, wire: "AsyncRealtimeConnection", explain: Explainer) -> End:
        self._emit(Opened())
        # Not public in the SDK, and the only way out of a socket that takes nothing.
        transport = wire._connection.transport
        writer = asyncio.create_task(self._write(wire))
        writer.add_done_callback(lambda task: None if task.cancelled() or not task.exception() else transport.abort())
        self._wire = wire
        self._look()
        try:
            return await self._read(wire)
        except ConnectionClosed as error:
            if writer.done() and not writer.cancelled() and isinstance(writer.exception(), TimeoutError):
                return Failed(explain.stalled(_STALLED_S))
            return explain.ended(error, by_us=self._closing)
        finally:
            writer.cancel()
            transport.abort()

    async def _read(self, wire: "AsyncRealtimeConnection") -> Never:
        while True:
            raw = await wire.recv_bytes()
            try:
                event: Event = Frame(*strip_audio(parse(raw, self._settings.max_frame_bytes), self._settings.rate))
            except FrameError as error:
                event = BadFrame(error)
            self._emit(event)

    def _look(self) -> None:
        """On the loop: write at once what need not be waited for; the rest is for `_write`."""
        self._told = False
        if self._wire is None or self._writing or self._closing:
            self._wake.set()
            return
        # Past the SDK and the library's coroutines: for every frame of the microphone they cost several times this.
        wire = self._wire._connection
        while self._outbox:
            if not _fits(wire, self._outbox[0]):
                self._wake.set()
                return
            wire.transport.write(WireFrame(Opcode.TEXT, self._outbox.popleft()).serialize(mask=True))

    async def _write(self, wire: "AsyncRealtimeConnection") -> None:
        """Send what is waiting; once closing and all is sent, close. Raises TimeoutError if the socket is stuck."""
        with contextlib.suppress(ConnectionClosed):
            while not (self._closing and not self._outbox):
                await self._wake.wait()
                self._wake.clear()
                self._writing = True
                while self._outbox:
                    async with asyncio.timeout(_STALLED_S):
                        await wire._connection.send(self._outbox.popleft(), text=True)
                self._writing = False
            await wire.close()

    def _emit(self, event: Event) -> None:
        try:
            self._on_event(event)
        except Exception:
            _log.exception("the receiver of a connection's %s failed", type(event).__name__)


def _fits(wire: "ClientConnection", raw: bytes) -> bool:
    """Whether the socket takes `raw` without being waited for."""
    return len(raw) < _SMALL and wire.state is State.OPEN and not wire.transport.get_write_buffer_size()
