"""One connection to a voice service: the official SDK on a thread and an event loop of its own.

A busy notebook cell then neither misses pings nor delays audio. There is no reconnecting here: a new session knows
nothing of the old one, so whoever owns the call dials again and restores it.
"""

import asyncio
import contextlib
import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Never

from websockets.exceptions import ConnectionClosed

from interviewer.errors import ConnectionFailed, FrameError, RealtimeError
from interviewer.keys import Key, is_loopback, needs_key, require_key
from interviewer.realtime.endings import Explainer
from interviewer.realtime.events import BadFrame, Closed, End, Event, Failed, Frame, Opened
from interviewer.realtime.frames import parse, strip_audio
from interviewer.settings import VoiceSettings

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection

__all__ = ["BadFrame", "Closed", "Connection", "End", "Event", "Failed", "Frame", "Opened"]

_SERVICE: Final = "wss://api.openai.com/v1"
_NO_KEY: Final = "none-needed"  # the SDK insists on one
_PING_S: Final = 20.0
_STALLED_S: Final = 20.0  # a socket that takes nothing also hides missed pings
_SMALL: Final = 16_384  # bytes; asyncio lets 64 KiB wait
_HANDSHAKE_S: Final = 2.0  # longest closing handshake that the library waits for
_GRACE_S: Final = 1.0

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
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="voice-connection", daemon=True)
        self._lock = threading.Lock()
        self._outbox: deque[str] = deque()
        self._woken = False
        self._closing = False
        self._ended = False
        self._loop: asyncio.AbstractEventLoop | None = None
        # Of the loop, touched only on its thread.
        self._wake: asyncio.Event
        self._talk: asyncio.Task[End]
        self._open = False

    def start(self) -> None:
        """Dial, in the background. Whatever goes wrong is reported as `Failed`."""
        self._thread.start()

    def send(self, event: Mapping[str, Any]) -> None:
        """Send `event` after those before it; returns at once. Before `Opened` it waits, after the end it is dropped.

        Raises FrameError if it is larger than the service takes.
        """
        text = _encode(event)
        limit = self._settings.max_frame_bytes
        if len(text) > limit:
            raise FrameError(f"{event.get('type')} of {len(text)} bytes; the limit is {limit}")
        if self._ended:
            return
        self._outbox.append(text)
        if not self._woken:
            self._woken = True
            self._on_loop(lambda: self._wake.set())

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
        if self._open:
            self._wake.set()
        else:
            self._talk.cancel()

    def _on_loop(self, function: Callable[[], object]) -> None:
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function)

    async def _live(self) -> None:
        self._wake = asyncio.Event()
        self._talk = asyncio.create_task(self._connect_and_talk())
        with self._lock:
            self._loop = asyncio.get_running_loop()
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
        self._open = True
        self._emit(Opened())
        # Not public in the SDK, and the only way out of a socket that takes nothing.
        transport = wire._connection.transport
        writer = asyncio.create_task(self._write(wire))
        writer.add_done_callback(lambda task: None if task.cancelled() or not task.exception() else transport.abort())
        self._wake.set()
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

    async def _write(self, wire: "AsyncRealtimeConnection") -> None:
        """Send what is waiting; once closing and all is sent, close. Raises TimeoutError if the socket is stuck."""
        # Past the SDK, whose way to the socket costs as much again for every frame of the microphone.
        socket = wire._connection
        with contextlib.suppress(ConnectionClosed):
            while not (self._closing and not self._outbox):
                await self._wake.wait()
                self._wake.clear()
                self._woken = False
                while self._outbox:
                    text = self._outbox.popleft()
                    # What fits in an empty buffer is never waited for.
                    fits = len(text) < _SMALL and not socket.transport.get_write_buffer_size()
                    async with contextlib.nullcontext() if fits else asyncio.timeout(_STALLED_S):
                        await socket.send(text)
            await wire.close()

    def _emit(self, event: Event) -> None:
        try:
            self._on_event(event)
        except Exception:
            _log.exception("the receiver of a connection's %s failed", type(event).__name__)
