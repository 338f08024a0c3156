"""Who may connect to the simulated service, and what the others are told."""

import json
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from interviewer.realtime.engine import errors

PATH: Final = "/v1/realtime"
CLOSE_CODE: Final = 4000

_PROTOCOL: Final = Subprotocol("realtime")
_KEY_PROTOCOL: Final = "openai-insecure-api-key."  # browsers cannot set headers


def answer_http(connection: ServerConnection, request: Request) -> Response | None:
    """None to go on; or the refusal: 404 for another path, 401 without a key (any will do)."""
    if urlsplit(request.path).path != PATH:
        return _refusal(connection, 404, f"Invalid URL (GET {urlsplit(request.path).path})", None)
    offered = request.headers.get("Sec-WebSocket-Protocol", "")
    bearer = request.headers.get("Authorization", "").partition(" ")[2].strip()
    if "Upgrade" in request.headers and not bearer and _KEY_PROTOCOL not in offered:
        return _refusal(connection, 401, "Missing bearer or basic authentication in header", "invalid_api_key")
    return None


def choose_subprotocol(_connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """`realtime` if the client offers it; a client may offer none."""
    return _PROTOCOL if _PROTOCOL in offered else None


def model_of(request: Request) -> str:
    """The model asked for. Raises Refused for what the service answers with an `error` before it closes."""
    # A header may come several times.
    if any("realtime=v1" in value for value in request.headers.get_all("OpenAI-Beta")):
        raise errors.beta_shape()
    models = parse_qs(urlsplit(request.path).query).get("model")
    if not models:
        raise errors.missing_model()
    return models[0]


def _refusal(connection: ServerConnection, status: int, message: str, code: str | None) -> Response:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    response = connection.respond(status, json.dumps({"error": error}))
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    return response
