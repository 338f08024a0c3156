"""What a guest types is never lost, at whatever moment it comes: it is in the conversation, told to the service, and
answered."""

from collections.abc import Callable

import pytest

from interviewer.call.actions import Connect, Send
from tests.call.bench import Q1, Bench, opened

TYPED = "We lost two of them."
SPOKEN = "I grew up beside a river."


def paused() -> Bench:
    bench = opened()
    bench.guest(SPOKEN)
    bench.command("pause")
    bench.command("type", TYPED)
    bench.wait(5_000)
    assert bench.requests == ["opening"]  # nobody speaks in a pause
    bench.command("resume")
    return bench


def just_gone_on_with() -> Bench:
    """The reply that waited for the end of the pause is on its way."""
    bench = opened()
    bench.guest(SPOKEN)
    bench.command("pause")
    bench.wait(5_000)
    bench.command("resume")
    assert bench.requests == ["opening", "free"]
    bench.command("type", TYPED)
    bench.reply("A river!", 2_000)
    return bench


def spoken_to() -> Bench:
    bench = opened()
    bench.guest(SPOKEN)
    bench.wait(300)
    bench.say("A river! And what came of it?", 4_000)
    bench.wait(1_000)
    bench.played(1_000)
    bench.command("type", TYPED)
    bench.hear(4_000)
    return bench


def considered() -> Bench:
    """The agents are at work on what was said before."""
    bench = Bench(agents=False).ready()
    bench.reply(f"Welcome. {Q1}")
    bench.guest(SPOKEN)
    bench.command("type", TYPED)
    bench.wait(300)
    return bench


def cut_off() -> Bench:
    bench = opened()
    bench.drop()
    bench.command("type", TYPED)
    bench.until(bench.core.deadline or 0)
    bench.connect()
    return bench


@pytest.mark.parametrize("at", [paused, just_gone_on_with, spoken_to, considered, cut_off])
def test_it_is_kept_told_once_and_answered(at: Callable[[], Bench]) -> None:
    bench = at()
    bench.run(3_000)
    guest = " ".join(text for speaker, text in bench.transcript() if speaker == "guest")
    assert guest.count(TYPED) == 1
    newest = bench.actions.index(bench.of(Connect)[-1])
    events = [action.event for action in bench.actions[newest:] if isinstance(action, Send)]
    told = [at for at, event in enumerate(events) if TYPED in str(event.get("item"))]
    assert len(told) == 1
    assert "response.create" in [event["type"] for event in events[told[0] :]]


def test_what_is_typed_before_the_reply_begins_goes_on_with_the_turn() -> None:
    assert just_gone_on_with().transcript()[1] == ("guest", f"{SPOKEN} {TYPED}")
    assert spoken_to().transcript()[-1] == ("guest", TYPED)
