"""A reply that is still being played when a new session begins: that is told what was heard of it, when it is over."""

from typing import Any

from interviewer.call.actions import Connect, Send
from tests.call.bench import Q1, Bench, opened

VOICE = "A river, then. Tell me what broke on your first crossing and how did you put it right?"


def seeds(bench: Bench, epoch: int = 2) -> list[tuple[str, str]]:
    """The items of a session in its order, as (role, text): a service puts one after the item that is named."""
    items: list[dict[str, Any]] = []
    for event in bench.sent("conversation.item.create"):
        if event["item"]["id"].startswith(f"again_{epoch}_"):
            ids = [item["id"] for item in items]
            before = event.get("previous_item_id", ids[-1] if ids else "root")
            items.insert(0 if before == "root" else ids.index(before) + 1, event["item"])
    return [(item["role"], item["content"][0]["text"]) for item in items]


def played_into_the_next_session(bench: Bench) -> None:
    """A reply of 8 s, of which 1 s was played as the connection went, and 2 s as there is a new one."""
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say(VOICE, 8_000)
    bench.played(1_000)
    bench.drop()
    bench.wait(1_000)
    bench.connect()
    bench.played(2_000)


BEFORE = [("assistant", f"Welcome. {Q1}"), ("user", "I grew up beside a river.")]


def test_what_is_cut_off_in_the_next_session_is_told_as_far_as_it_was_heard() -> None:
    bench = opened()
    played_into_the_next_session(bench)
    assert seeds(bench) == BEFORE
    bench.mic(True)
    bench.starts()
    bench.wait(1_000)
    assert bench.stopped == [bench.response]
    bench.played(4_000, ended=True)
    # Half of its sound was heard, so half of its words.
    assert seeds(bench) == [*BEFORE, ("assistant", VOICE[: len(VOICE) // 2].strip())]
    assert bench.sent("conversation.item.truncate") == [], "the item is the old session's"


def test_what_is_heard_to_its_end_is_told_whole_before_the_voice_goes_on() -> None:
    bench = opened()
    played_into_the_next_session(bench)
    bench.wait(6_000)
    bench.played(8_000, ended=True)
    assert seeds(bench) == [*BEFORE, ("assistant", VOICE)]
    sent = [action.event["type"] for action in bench.of(Send)]
    assert sent[-2:] == ["conversation.item.create", "response.create"]
    assert bench.requests[-1] == "resume"


def test_it_stands_before_what_the_guest_said_over_it() -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.say(VOICE, 8_000)
    bench.played(1_000)
    bench.guest("Yes, that river.", 300)
    bench.drop()
    bench.wait(1_000)
    bench.connect()
    bench.played(8_000, ended=True)
    assert seeds(bench) == [*BEFORE, ("assistant", VOICE), ("user", "Yes, that river.")]


def test_the_first_reply_of_a_call_stands_first() -> None:
    bench = Bench().ready()
    bench.say(f"Welcome. {Q1}")
    bench.played(1_000)
    bench.drop()
    bench.wait(1_000)
    bench.connect()
    bench.played(4_000, ended=True)
    assert seeds(bench) == [("assistant", f"Welcome. {Q1}")]
    assert bench.sent("conversation.item.create")[-1]["previous_item_id"] == "root"


def test_it_is_told_once_to_each_session() -> None:
    bench = opened()
    played_into_the_next_session(bench)
    bench.drop()
    bench.wait(2_000)
    assert bench.of(Connect)[-1].epoch == 3
    bench.played(8_000, ended=True)
    assert seeds(bench, 2) == BEFORE
    bench.connect()
    assert seeds(bench, 3) == [*BEFORE, ("assistant", VOICE)]
