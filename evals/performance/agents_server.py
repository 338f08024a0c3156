"""A process of its own: an OpenAI-style server that answers at once with what was prepared for a question.

Prints its address; its standard input holds the answers as one line of JSON, by the last message of a request. GET
gives the last request. It serves until its input ends.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_ANSWERS: dict[str, str] = {}
_LAST: dict[str, Any] = {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A reply in two small packets would wait for the other side's delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        self._json(_LAST["request"])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        _LAST["request"] = body
        message = {"role": "assistant", "content": _ANSWERS[body["messages"][-1]["content"]], "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = {"id": "c", "object": "chat.completion", "created": 1, "model": body["model"], "choices": [choice]}
        self._json({**whole, "usage": usage})

    def _json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    """Serve until standard input ends."""
    _ANSWERS.update(json.loads(sys.stdin.readline()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
