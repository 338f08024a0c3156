"""An OpenAI-style HTTP server on this machine that answers, or fails, as it is told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
HTML = "<!DOCTYPE html><html><body>Welcome to nginx</body></html>"


class Scripted:
    """`answer` gives the model's text for a request; `behave` decides how it is served, by the name of a failure."""

    def __init__(self) -> None:
        self.answer: Callable[[Body], str] = lambda _: "{}"
        self.behave: Callable[[int, Body], str] = lambda _number, _body: "ok"
        self.requests: list[tuple[str, dict[str, str], Body]] = []
        self.drips_models = False
        self.told: Body = {}  # what an answer tells of itself instead: its model, its usage
        self.before: list[Body] = []  # items that come before the message, of the Responses API
        self.url = ""
        self.lock = threading.Lock()
        self.over = threading.Event()


@contextmanager
def served() -> Iterator[Scripted]:
    """A server for as long as the context lasts; its address is `url`."""
    script = Scripted()

    class Handler(_Handler):
        scripted = script

    server = _Server(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64  # all agents knock at once


class _Handler(BaseHTTPRequestHandler):
    scripted: Scripted

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def handle_one_request(self) -> None:
        """A client that hangs up in the middle is nothing to report."""
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def do_GET(self) -> None:
        if self.scripted.drips_models:
            self._drip({})
            return
        models = {"object": "list", "data": [{"id": "m1", "object": "model", "meta": {"n_ctx": 4096}}]}
        self._json(200, models)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.scripted.lock:
            self.scripted.requests.append((self.path, dict(self.headers), body))
            number = len(self.scripted.requests)
        getattr(self, f"_{self.scripted.behave(number, body)}")(body)

    # -- what may happen ---------------------------------------------------------------------------------------

    def _ok(self, body: Body) -> None:
        self._text(body, self.scripted.answer(body))

    def _invalid_json(self, body: Body) -> None:
        self._text(body, '{"title": "unfinished')

    def _wrong_shape(self, body: Body) -> None:
        self._text(body, '{"wholly": "different"}')

    def _wrapped(self, body: Body) -> None:
        self._text(body, f"Certainly! {{}}\n```json\n{self.scripted.answer(body)}\n```\nI hope this helps.")

    def _unknown_finish(self, body: Body) -> None:
        self._text(body, self.scripted.answer(body), finish="galaxy")

    def _cut(self, body: Body) -> None:
        self._text(body, '{"title": "unfin', finish="length")

    def _filtered(self, body: Body) -> None:
        self._text(body, "", finish="content_filter")

    def _nothing(self, body: Body) -> None:
        self._text(body, "")

    def _refusal(self, body: Body) -> None:
        self._text(body, "", refusal="I cannot help with that.")

    def _empty_choices(self, body: Body) -> None:
        if "messages" in body:
            self._json(200, {"id": "c", "object": "chat.completion", "created": 1, "model": "m1", "choices": []})
        else:
            self._json(200, _response(body, []))

    def _rate_limited(self, _: Body) -> None:
        self._error(429, "Too many requests", {"retry-after": "0.05"})

    def _rate_limited_long(self, _: Body) -> None:
        self._error(429, "Too many requests", {"retry-after": "60"})

    def _out_of_order(self, _: Body) -> None:
        self._error(500, "Internal error")

    def _wrong_key(self, _: Body) -> None:
        self._error(401, f"Incorrect API key provided: {self.headers['authorization'].removeprefix('Bearer ')}")

    def _unknown_model(self, body: Body) -> None:
        self._error(404, f"The model `{body['model']}` does not exist", code="model_not_found")

    def _too_long(self, _: Body) -> None:
        self._error(400, "This model's maximum context length is 4096 tokens", code="context_length_exceeded")

    def _no_schema(self, body: Body) -> None:
        kind = (body.get("response_format") or body.get("text", {}).get("format") or {}).get("type", "text")
        if kind == "json_schema":
            self._error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported")
        else:
            self._ok(body)

    def _no_form_at_all(self, body: Body) -> None:
        if "response_format" in body:
            self._error(422, "extra fields not permitted")
        else:
            self._ok(body)

    def _html(self, _: Body) -> None:
        self._send(200, HTML.encode(), "text/html")

    def _html_404(self, _: Body) -> None:
        self._send(404, HTML.encode(), "text/html")

    def _no_json(self, _: Body) -> None:
        self._send(200, b"{oops", "application/json")

    def _other_json(self, _: Body) -> None:
        self._json(200, {"hello": "world"})

    def _time_out(self, _: Body) -> None:
        self.scripted.over.wait(20)

    def _drip(self, _: Body) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "4000")
        self.end_headers()
        for _second in range(200):
            self.wfile.write(b" ")
            if self.scripted.over.wait(0.05):
                return

    def _half_a_stream(self, body: Body) -> None:
        text = self.scripted.answer(body)
        if not body.get("stream"):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "100000")
            self.end_headers()
            self.wfile.write(b'{"id": "x", "out')
            self.close_connection = True
            return
        self._stream_head()
        for event in _events(body, text)[:-2]:
            self._event(event)
        self.close_connection = True

    # -- how -------------------------------------------------------------------------------------------------------

    def _text(self, body: Body, text: str, *, finish: str = "stop", refusal: str | None = None) -> None:
        if body.get("stream"):
            self._stream_head()
            for event in _events(body, text, finish, refusal):
                self._event(event)
            if "messages" in body:
                self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True
        elif "messages" in body:
            self._json(200, _chat(body, text, finish, refusal) | self.scripted.told)
        else:
            whole = _response(body, [*self.scripted.before, *_message(text, refusal)], finish)
            self._json(200, whole | self.scripted.told)

    def _stream_head(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()

    def _event(self, event: Body) -> None:
        name = f"event: {event['type']}\n" if "type" in event else ""
        self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def _error(self, status: int, message: str, headers: dict[str, str] | None = None, code: str = "") -> None:
        self._json(status, {"error": {"message": message, "type": "error", "code": code or None}}, headers)

    def _json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), "application/json", headers)

    def _send(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _chat(body: Body, text: str, finish: str, refusal: str | None) -> Body:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    usage_details = {"prompt_tokens_details": {"cached_tokens": 60}}
    return {
        "id": "c1", "object": "chat.completion", "created": int(time.time()), "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": {**usage, **usage_details},
    }  # fmt: skip


def _message(text: str, refusal: str | None) -> list[Body]:
    part = {"type": "refusal", "refusal": refusal} if refusal else _output_text(text)
    return [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}]


def _output_text(text: str) -> Body:
    return {"type": "output_text", "text": text, "annotations": []}


def _response(body: Body, output: list[Body], finish: str = "stop") -> Body:
    status = {"stop": "completed", "length": "incomplete", "content_filter": "incomplete"}.get(finish, finish)
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(finish)
    return {
        "id": "r1", "object": "response", "created_at": time.time(), "model": body["model"], "status": status,
        "incomplete_details": {"reason": reason} if reason else None, "error": None, "output": output,
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
        "usage": {
            "input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}, "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120,
        },
    }  # fmt: skip


def _events(body: Body, text: str, finish: str = "stop", refusal: str | None = None) -> list[Body]:
    pieces = [text[start : start + 40] for start in range(0, len(text), 40)]
    if "messages" in body:
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        chunks: list[Body] = [
            {**head, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces
        ]
        delta = {"refusal": refusal} if refusal else {}
        chunks.append({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        return [*chunks, {**head, "choices": [], "usage": _chat(body, "", "", None)["usage"]}]
    where = {"item_id": "m", "output_index": 0, "content_index": 0, "logprobs": []}
    deltas: list[Body] = [
        {"type": "response.output_text.delta", "delta": piece, "sequence_number": number, **where}
        for number, piece in enumerate(pieces)
    ]
    kind = "response.completed" if finish == "stop" else "response.incomplete"
    whole = _response(body, _message(text, refusal), finish)
    done = {"type": "response.output_text.done", "text": text, "sequence_number": 900, **where}
    return [*deltas, done, {"type": kind, "response": whole, "sequence_number": 999}]
