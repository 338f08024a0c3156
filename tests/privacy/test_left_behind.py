"""What a run leaves behind, in files, logs and output: never a key, and in the logs nothing that anybody said."""

import base64
import contextlib
import io
import json
import logging
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from rich.console import Console
from rich.traceback import Traceback

from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.cli.app import app
from interviewer.errors import InterviewerError
from interviewer.interview.demo import run_demo
from interviewer.kept.records import CallRecord
from interviewer.keys import Key, api_key, key_named
from interviewer.live import call as live
from interviewer.live.call import LiveCall
from interviewer.llm.router import Router
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.store.home import home as find_home
from tests.live.service import PLAN, HandMicrophone, HandSpeaker, Talk, service
from tests.patience import PATIENCE_S

# They look like no key that anything would know by its looks, so that only care can keep them out.
FROM_ENVIRONMENT = "quagga-74-morning-environment-KEY"
FROM_KEYRING = "axolotl-19-evening-keyring-KEY"
NAMED = "pangolin-33-noon-compatible-KEY"
KEYS = (FROM_ENVIRONMENT, FROM_KEYRING, NAMED)
SAID = "My grandfather kept the ferry at Barrow for thirty years"


class Echo(BaseHTTPRequestHandler):
    """A service that fails, and tells in its answer what it was sent."""

    seen: list[str] = []  # noqa: RUF012  one server, one test

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        sent = self.headers.get("authorization", "")
        type(self).seen += [sent, body]
        answer = json.dumps({"error": {"message": f"cannot take {sent}", "type": "server_error"}}).encode()
        self.send_response(500)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        return


@contextlib.contextmanager
def failing_server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which everything ends up: home, temp folder, log of all loggers at DEBUG, output."""
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    monkeypatch.setenv("OPENAI_API_KEY", FROM_ENVIRONMENT)
    monkeypatch.setenv("THEIR_KEY", NAMED)
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=lambda *_: FROM_KEYRING))
    handler = logging.FileHandler(tmp_path / "all.log", encoding="utf-8")
    root, before = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield tmp_path
    root.removeHandler(handler)
    root.setLevel(before)
    handler.close()


def run(left: Path, *arguments: str) -> int:
    """A command, its output kept in files."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app(list(arguments), prog_name="interviewer", standalone_mode=True)
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    for name, stream in (("out", out), ("err", err)):
        stream.flush()
        stream.seek(0)
        (left / f"{'-'.join(arguments[:2])}.{name}").write_text(stream.read(), encoding="utf-8")
    return code


def holding(folder: Path, *texts: str) -> list[str]:
    """Files that hold any of these, plainly or in base64."""
    wanted = [text.encode() for text in texts] + [base64.b64encode(text.encode())[:-4] for text in texts]
    files = ((path, bytes_of(path)) for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path, raw in files if any(each in raw for each in wanted))


def bytes_of(path: Path) -> bytes:
    """What stands in a file, also where it is packed."""
    return str(pq.read_table(path).to_pylist()).encode() if path.suffix == ".parquet" else path.read_bytes()


def show(left: Path, name: str, error: BaseException) -> None:
    """A traceback with all variables, as rich and as a notebook set to be verbose show it."""
    assert error.__traceback__ is not None
    console = Console(file=io.StringIO(), width=250)
    shown = Traceback.from_exception(type(error), error, error.__traceback__, show_locals=True, locals_max_string=1_000)
    console.print(shown)
    assert isinstance(console.file, io.StringIO)
    from IPython.core.ultratb import VerboseTB

    verbose = VerboseTB(include_vars=True).text(type(error), error, error.__traceback__)
    (left / f"{name}.traceback").write_text(f"{console.file.getvalue()}\n{verbose}", encoding="utf-8")


# -- keys ---------------------------------------------------------------------------------------------------------


def test_no_key_is_left_behind_by_anything(left: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (api_key(), key_named("THEIR_KEY"), key_named("ELSE")) == (FROM_ENVIRONMENT, NAMED, FROM_KEYRING)
    assert run(left, "demo", "--minutes", "0.5", "--json") == 0
    assert run(left, "export", "last", "--to", "json", "--out", str(left / "taken")) == 0
    with failing_server() as url:
        monkeypatch.setenv("INTERVIEWER_AGENTS__BACKEND", "compatible")
        for name, value in (("BASE_URL", url), ("KEY_NAME", "THEIR_KEY"), ("MODEL", "m"), ("TRIES", "1")):
            monkeypatch.setenv(f"INTERVIEWER_AGENTS__{name}", value)
        assert run(left, "plan", "Bees on roofs") == 1
        assert run(left, "doctor", "--models") in (0, 1)
    assert f"Bearer {NAMED}" in Echo.seen  # it was sent, and the service told of it
    monkeypatch.setenv("INTERVIEWER_AGENTS__BACKEND", "rules")
    call_live(left)
    for name, broken in (("service", "Service"), ("desk", "Desk")):
        show(left, name, broken_start(left, monkeypatch, broken))
    show(left, "keys", with_locals())
    assert holding(left, *KEYS) == []
    assert holding(left, *(key[:12] for key in KEYS)) == []
    assert "THEIR_KEY" in (left / "keys.traceback").read_text(encoding="utf-8")  # variables really are shown


def test_no_key_is_left_behind_by_replays_comparisons_figures_and_follow_ups(
    left: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(left, "demo", "--minutes", "0.5", "--json") == 0
    Echo.seen.clear()
    with failing_server() as url:
        monkeypatch.setenv("INTERVIEWER_AGENTS__BACKEND", "compatible")
        for name, value in (("BASE_URL", url), ("KEY_NAME", "THEIR_KEY"), ("MODEL", "m"), ("TRIES", "1")):
            monkeypatch.setenv(f"INTERVIEWER_AGENTS__{name}", value)
        assert run(left, "replay", "last") == 1  # all its agents failed
        assert run(left, "follow-up", "last", "--json") in (0, 1)
        assert run(left, "metrics", "last", "--only", "talk_share", "--json") == 0
    assert f"Bearer {NAMED}" in Echo.seen
    monkeypatch.setenv("INTERVIEWER_AGENTS__BACKEND", "rules")
    assert run(left, "replay", "--quiet", "last") == 0
    failed, sound = [path.name for path in sorted(find_home().runs.iterdir())]
    assert run(left, "compare", failed, sound, "--report", str(left / "report.html"), "--json") == 0
    assert run(left, "follow-up", "--simulate", "--pick", "1", "--minutes", "0.5", "--json") == 0
    parts = [path for path in left.rglob("*.parquet") if b"cannot take" in bytes_of(path)]
    assert parts  # what the service answered is kept, without the key that was in it
    assert (left / "report.html").stat().st_size > 1_000
    assert holding(left, *KEYS, *(key[:12] for key in KEYS)) == []


def call_live(left: Path) -> None:
    """A whole call with a service that demands the key and repeats it in a refusal."""

    def script(talk: Talk) -> None:
        talk.created()
        talk.send("error", error={"type": "invalid_request_error", "code": "odd", "message": FROM_ENVIRONMENT[:0]})
        talk.go_on()

    with service(script) as (url, talks):
        call, record = live_call(url)
        with record:
            call.start()
            while not talks or not any(event["type"] == "response.create" for event in talks[0].received):
                assert not call.wait(0.01)
            call.command("end")
            assert call.wait(PATIENCE_S)
            call.join()
        assert talks[0].ws.request is not None
        assert talks[0].ws.request.headers["authorization"] == f"Bearer {FROM_ENVIRONMENT}"


def live_call(url: str) -> tuple[LiveCall, CallRecord]:
    settings = Settings.load(env={}, voice={"service": "openai", "url": url}, agents={"latency_high_ms": 0})
    settings = settings.with_(agents={"latency_low_ms": 0, "latency_high_ms": 0})
    setup = CallSetup(plan=PLAN, settings=settings)
    record = CallRecord.begin(find_home(), setup, source="call")
    call = LiveCall(
        Core(setup),
        voice=settings.voice,
        microphone=HandMicrophone(),
        speaker=HandSpeaker(),
        backend=Rules(settings.agents, 1),
        write=record.write,
        key=api_key(),
        speed=4.0,
        wait=settings.wait,
    )
    return call, record


def broken_start(left: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> Exception:
    """The exception of a call that breaks in a frame that holds the key."""

    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr(live, part, breaks)
        try:
            call, record = live_call("ws://127.0.0.1:9/v1")
            with record:
                call.start()
        except RuntimeError as error:
            return error
    raise AssertionError("it did not break")


def with_locals() -> Exception:
    key, named, name = api_key(), key_named("THEIR_KEY"), "THEIR_KEY"
    part = key[:20] if key else ""
    try:
        raise InterviewerError(f"shown with {len((key, named, part))} variables of {name}")
    except InterviewerError as error:
        return error


def test_a_key_is_text_to_the_service_and_nothing_to_see() -> None:
    key = Key("secret-and-long")
    assert f"Bearer {key}" == "Bearer secret-and-long"
    assert key.encode() == b"secret-and-long"
    assert (repr(key), repr(key[:6]), repr([key]), f"{ {'key': key} }") == (
        "'[key]'", "'[key]'", "['[key]']", "{'key': '[key]'}"
    )  # fmt: skip


# -- words --------------------------------------------------------------------------------------------------------


def test_nothing_that_was_said_is_in_a_log(left: Path) -> None:
    with failing_server() as url:
        their = {"backend": "compatible", "model": "m", "base_url": url, "key_name": "THEIR_KEY"}
        settings = Settings.load(env={}, agents={"overrides": {"note_taker": their, "writer": their}, "tries": 1})
        demo = run_demo(dossier="medical-device-audits", minutes=1, seed=1, settings=settings)
        Router(settings).close()

    def script(talk: Talk) -> None:
        talk.created()
        talk.updated(talk.wait_for("session.update"))
        talk.reply(talk.wait_for("response.create"), "How did you come to build bridges?")
        talk.guest_said("item_1", SAID)
        talk.ws.send('{"type": "conversation.item.input_audio_transcription.completed", "transcript": "' + SAID)
        talk.go_on()

    with service(script) as (url, talks):
        call, record = live_call(url)
        with record:
            call.start()
            while len([event for talk in talks for event in talk.received if event["type"] == "response.create"]) < 2:
                assert not call.wait(0.01)
            call.command("end")
            assert call.wait(PATIENCE_S)
            call.join()
    said = [turn.text for turn in demo.call.core.turns] + [SAID]
    pieces = [" ".join(text.split()[at : at + 5]) for text in said for at in range(0, len(text.split()) - 4, 5)]
    log = (left / "all.log").read_text(encoding="utf-8")
    assert any(piece in "".join(Echo.seen) for piece in pieces)  # the words did go out
    assert "Received WebSocket message" in log  # the libraries did log
    assert "HTTP Request: POST" in log
    assert [piece for piece in pieces if piece in log] == []
    assert holding(left, *KEYS) == []
