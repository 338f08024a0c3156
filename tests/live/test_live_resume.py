"""A call whose program died goes on in another one: same clock, same conversation, same ledger."""

import json
import time
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from interviewer.call.inputs import Resumed, decode, encode
from interviewer.live.line import Line
from tests.live.service import Rig, Talk, service
from tests.patience import until

HEARD = "How did you come to build bridges?"
SAID = "My grandfather kept the ferry at Barrow"


def talk_once(talk: Talk) -> None:
    """The first connection: a question, an answer, and a reply that is cut off in the middle."""
    talk.created()
    talk.updated(talk.wait_for("session.update"))
    talk.reply(talk.wait_for("response.create"), f"Hello. {HEARD}")
    talk.guest_said("item_guest", SAID)
    asked = talk.wait_for("response.create")
    response_id = talk.begin(asked)
    talk.speak(response_id, "And what broke on your first", ms=200)
    talk.go_on()


def script(talk: Talk) -> None:
    if talk.number == 1:
        talk_once(talk)
    else:
        talk.created()
        talk.go_on()


def killed(url: str) -> Rig:
    """A call that stopped as if its process had been killed: nothing was ended or closed."""
    rig = Rig(url, speed=1.0).start()
    rig.until_record("turn", speaker="guest", state="final")
    until(lambda: any(data.get("response_id") == "resp_1_2" for data in rig.of("in")))
    rig.call.stop()
    return rig.over()


def of(talk: Talk, kind: str) -> list[dict[str, Any]]:
    return [event for event in talk.received if event["type"] == kind]


def test_a_call_goes_on_in_another_program() -> None:
    with service(script) as (url, talks):
        first = killed(url)
        stopped_ms = first.lines[-1][1]
        elapsed_ms = first.call.core.elapsed_ms
        time.sleep(0.3)
        second = Rig(url, speed=1.0, after=first).start()
        second.until_record("reply", kind="resume", status="completed")
        went_on_ms = next(t for kind, t, data in second.lines if kind == "in" and data["type"] == "resumed")
        second.end()
    # The time between is no time of the call.
    assert went_on_ms == stopped_ms
    assert second.call.core.elapsed_ms >= elapsed_ms
    resumed = next(data for kind, _, data in second.lines if kind == "rec" and data["data"].get("status") == "resumed")
    assert resumed["data"]["epoch"] == 1
    # The new session knows what the old one knew: instructions, what was heard, the conversation as items.
    update = talks[1].received[0]
    assert update["type"] == "session.update"
    assert "Learn why some bridges last" in update["session"]["instructions"]
    assert HEARD in update["session"]["instructions"]
    items = [event["item"] for event in of(talks[1], "conversation.item.create")]
    assert [item["role"] for item in items][:2] == ["assistant", "user"]
    assert SAID in items[1]["content"][0]["text"]
    # The guest is told, once.
    asked = [event["response"] for event in of(talks[1], "response.create")]
    assert [event["metadata"]["kind"] for event in asked].count("resume") == 1
    assert "The line was cut for a moment" in asked[0]["instructions"]
    # What was under way is given up, and the whole journal folds to the same ledger.
    assert [a.id for a in second.call.core.ledger.attempts.values() if a.outcome == "open"] == []
    stored = [data for kind, _, data in second.lines if kind == "ev"]
    assert json.loads(json.dumps(stored)) == second.folded_again()


def test_a_call_can_be_resumed_twice() -> None:
    with service(script) as (url, _):
        first = killed(url)
        second = Rig(url, speed=1.0, after=first).start()
        second.until_record("status", status="live", epoch=2)
        second.call.stop()
        second.over()
        third = Rig(url, speed=1.0, after=second).start()
        third.until_record("status", status="live", epoch=3)
        third.until_record("reply", kind="resume", status="completed")
        third.end()
    epochs = [data["data"]["epoch"] for kind, _, data in third.lines if kind == "rec" and data["kind"] == "status"
              and data["data"].get("status") == "live"]  # fmt: skip
    assert epochs == [1, 2, 3]
    assert [data for kind, _, data in third.lines if kind == "ev"] == third.folded_again()
    times = [t for kind, t, _ in third.lines if kind == "in"]
    assert times == sorted(times)


def test_a_pause_and_a_shut_microphone_do_not_outlive_their_program() -> None:
    with service(script) as (url, _):
        first = Rig(url, speed=1.0).start()
        first.until_record("turn", speaker="guest", state="final")
        first.call.command("mute")
        first.call.command("pause")
        # Commands are taken in order: once this one is in, they are.
        first.call.command("ask", "What is a bridge?")
        first.until(lambda action: "What is a bridge?" in repr(action))
        first.call.stop()
        first.over()
        second = Rig(url, speed=1.0, after=first).start()
        second.until_record("status", status="live", epoch=2)
        assert second.call._gate.on
        second.until_record("reply", kind="resume")
        assert second.call.core.elapsed_ms > first.call.core.elapsed_ms
        second.end()


def test_resumed_is_a_record_like_any_other() -> None:
    assert decode(json.loads(json.dumps(encode(Resumed(5, 7, close=True))))) == Resumed(5, 7, close=True)


def test_all_of_a_step_is_written_before_any_of_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    send = Line.send

    def sending(line: Line, event: Mapping[str, Any]) -> None:
        written.append(len(rig.lines))
        send(line, event)

    with service(script) as (url, _):
        first = killed(url)
        monkeypatch.setattr(Line, "send", sending)
        rig = Rig(url, speed=1.0, after=first)
        rig.start().until_record("reply", kind="resume", status="completed")
        rig.end()
    ends = [at for at, (kind, _, _) in enumerate(rig.lines) if kind == "in"] + [len(rig.lines)]
    assert [count for count in written if count not in ends] == []
    # The conversation goes out as several items in one step: there the order shows.
    sent = [[kind for kind, _, _ in rig.lines[a:b]].count("out") for a, b in pairwise(ends)]
    assert max(sent) >= 2
