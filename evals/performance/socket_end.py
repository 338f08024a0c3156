"""The other end of a measured call's socket: notes when each frame of the guest arrives, and speaks without end."""

import base64
import contextlib
import json
import threading
import time
from types import TracebackType
from typing import Any, Final, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from interviewer.audio.pcm import to_bytes
from interviewer.audio.speech import synthesise

_CHUNK_S: Final = 1.0


class SocketEnd:
    """As much of the Realtime protocol as a call needs to begin; a context manager.

    `arrived` holds when each frame came, in s of the Unix clock. The first reply lasts as long as the connection.
    """

    def __init__(self) -> None:
        self.arrived: list[float] = []
        self._server = serve(self._talk, "127.0.0.1", 0, compression=None, ping_interval=None)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """What a call dials."""
        return f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()

    def _talk(self, socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            _send(socket, "session.created", session={"type": "realtime"})
            for message in socket:
                # A frame is told by its beginning: reading it whole would cost more than it takes to arrive.
                if message[:80].find("input_audio_buffer.append") >= 0:  # type: ignore[arg-type]
                    self.arrived.append(time.time())
                    continue
                event = json.loads(message)
                if event["type"] == "session.update":
                    _send(socket, "session.updated", session=event["session"])
                elif event["type"] == "response.create":
                    threading.Thread(target=self._speak, args=(socket, event), daemon=True).start()

    def _speak(self, socket: ServerConnection, event: dict[str, Any]) -> None:
        metadata = event["response"]["metadata"]
        response_id = f"resp_{time.monotonic_ns()}"
        response = {"id": response_id, "status": "in_progress", "metadata": metadata}
        names = {"response_id": response_id, "item_id": f"i_{response_id}", "output_index": 0, "content_index": 0}
        second = base64.b64encode(to_bytes(synthesise("A voice speaks."))[:48_000]).decode("ascii")
        with contextlib.suppress(ConnectionClosed):
            _send(socket, "response.created", response=response)
            while True:
                _send(socket, "response.output_audio.delta", delta=second, **names)
                if self._over.wait(_CHUNK_S):
                    return


def _send(socket: ServerConnection, kind: str, **fields: Any) -> None:
    socket.send(json.dumps({"type": kind, "event_id": f"e{time.monotonic_ns()}", **fields}))
