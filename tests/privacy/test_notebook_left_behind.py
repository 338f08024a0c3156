"""What a real notebook kernel leaves behind: never the key it has in its environment, not even in a traceback."""

import json
import os
from pathlib import Path
from typing import Any

from jupyter_client.manager import start_new_kernel
from nbformat.v4 import new_code_cell as new_cell
from nbformat.v4 import new_notebook, output_from_msg

from tests.privacy.test_left_behind import holding

KEY = "numbat-52-noon-notebook-KEY"
PATIENCE_S = 60
CELLS = (
    "%xmode Verbose",
    # A service that is not there: the call fails, and its exception is shown with every variable of every frame.
    """
from pathlib import Path
from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.audio import pcm, wav
from interviewer.call.setup import CallSetup
from interviewer.interview.live_call import hold_call
from interviewer.keys import api_key
from interviewer.llm.router import Router
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings

settings = Settings.load(voice={"service": "openai", "url": "ws://127.0.0.1:9/v1"}, call={"reconnect_tries": 0})
wav.write(Path("mic.wav"), pcm.silence(100))
plan = Plan(topic="Bees", goal="Why", sections=(
    Section(id="s1", title="Start", questions=(Question(id="q1", text="Why roofs?"),)),))

def through(key, setup):
    held = hold_call(setup, Router(settings), FileMicrophone(Path("mic.wav")), FileSpeaker(), home=Path("home"))
    raise held.error

through(api_key(), CallSetup(plan=plan, settings=settings))
""",
    "api_key()",
)


def outputs(client: Any, code: str) -> list[Any]:
    """What a notebook saves of a cell that is run."""
    got: list[Any] = []

    def came(message: dict[str, Any]) -> None:
        if message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
            got.append(output_from_msg(message))  # type: ignore[no-untyped-call]

    client.execute_interactive(code, timeout=PATIENCE_S, output_hook=came)
    return got


def test_a_notebook_whose_call_fails_is_saved_without_the_key(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    env = {**os.environ, "OPENAI_API_KEY": KEY, "INTERVIEWER_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(tmp_path), env=env)
    try:
        cells = [{**new_cell(code), "outputs": outputs(client, code)} for code in CELLS]  # type: ignore[no-untyped-call]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    saved = {**new_notebook(), "cells": cells}  # type: ignore[no-untyped-call]
    (tmp_path / "call.ipynb").write_text(json.dumps(saved), encoding="utf-8")
    _, failed, shown = (cell["outputs"] for cell in cells)
    (error,) = (output for output in failed if output.output_type == "error")
    assert error.ename == "ConnectionFailed"
    assert "[key]" in "".join(error.traceback)  # the variables are shown, the key's name for it among them
    assert shown[0].data["text/plain"] == "'[key]'"  # the kernel does have one
    assert holding(tmp_path, KEY, KEY[:12]) == []
