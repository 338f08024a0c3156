"""Whoever looks on at a live call is told of the essay while it is written; that can cost the call nothing."""

from pydantic import BaseModel

from interviewer.agents.writer import WRITER
from interviewer.llm.backend import OnText, Ran, Task
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from tests.live.service import Rig, Talk, service


class Typing(Rules):
    """Rules whose Writer shows its text in three steps, the last one twice as if it had begun again."""

    streamed: tuple[str, ...] = ()

    def stream(self, task: Task, data: BaseModel, job_id: str, on_text: OnText) -> Ran:
        ran = self.run(task, data, job_id)
        self.streamed += (task.name,)
        assert ran.output is not None
        text = ran.output["markdown"]
        for end in (5, len(text), 5, len(text)):
            on_text(text[:end])
        return ran


def talkative(talk: Talk) -> None:
    talk.created()
    talk.go_on()


def a_call(on_text: OnText | None) -> tuple[Rig, Typing]:
    backend = Typing(Settings().with_(agents={"latency_low_ms": 0, "latency_high_ms": 0}).agents, 1)
    with service(talkative) as (url, _):
        rig = Rig(url, backend=backend, on_text=on_text).start()
        rig.until_record("reply", kind="opening")
        rig.call.command("type", "I came to bridges because my uncle built them, in the winter of 1987, by hand.")
        rig.end()
    return rig, backend


def test_the_essay_is_told_while_it_is_written_and_kept_whole() -> None:
    seen: list[str] = []
    rig, backend = a_call(seen.append)
    (essay,) = (line["data"] for line in rig.of("rec") if line["kind"] == "essay")
    assert seen == [essay["markdown"][:5], essay["markdown"], essay["markdown"][:5], essay["markdown"]]
    assert set(backend.streamed) == {WRITER.name}


def test_an_onlooker_that_fails_costs_only_what_it_would_show() -> None:
    def broken(_: str) -> None:
        raise ValueError("no screen")

    rig, _ = a_call(broken)
    assert rig.call.error is None
    assert [line for line in rig.of("rec") if line["kind"] == "essay"]


def test_nobody_who_looks_on_means_nothing_is_streamed() -> None:
    rig, backend = a_call(None)
    assert backend.streamed == ()
    assert [line for line in rig.of("rec") if line["kind"] == "essay"]
