"""The campaign can fail: each planted bug makes it find a broken promise, within a hundred calls."""

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evals.faults import __main__ as campaign
from evals.faults.one import run_one
from interviewer.call import core
from interviewer.call.attempts import Attempts, Offer
from interviewer.call.conversation import Conversation, GuestItem
from interviewer.call.core import Core
from interviewer.call.floor import Floor
from interviewer.call.hearing import Hearing
from interviewer.call.inputs import Frame
from interviewer.call.reading import Reading, Sentence
from interviewer.call.replies import Replies, Reply
from interviewer.call.sieve import Sieve
from interviewer.call.updates import Updates
from interviewer.realtime.engine import Faults
from interviewer.realtime.engine.faults import FAULTS

MOST = 100


@contextmanager
def planted(owner: Any, name: str, bug: Any) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, bug)
        yield


def calls_until_caught(spec: str) -> tuple[int, str]:
    """How many calls it took, and what was found."""
    for seed in range(MOST):
        if broken := run_one(seed, 1.0, Faults.parse(spec, seed)).broken:
            return seed + 1, broken[0]
    return MOST + 1, ""


# Selection counts as delivery: what was chosen is taken as asked, spoken or not.
_release = Attempts.release


def selection_is_delivery(self: Attempts, offer: Offer, reason: str, heard_ms: int = 0, **evidence: Any) -> None:
    if reason in ("not_played", "wandered"):
        response_id = evidence.get("response_id")
        common: dict[str, Any] = {
            "response_id": response_id,
            "item_id": "",
            "score": 1.0,
            "sentence": offer.text,
            "end_ms": 1,
        }
        self._hub.log("generated", offer.question_id, offer.attempt_id, **common)
        common |= {"status": "completed", "played_ms": 1_000, "tolerance_ms": 250}
        self._hub.log("delivered", offer.question_id, offer.attempt_id, **common)
        self._close(offer)
    else:
        _release(self, offer, reason, heard_ms, **evidence)


# Acceptance without echo: a text counts as taken as soon as it is on its way.
_send = Updates._send


def accepted_without_echo(self: Updates, guidance: Any, attempt_id: str | None, session: dict[str, Any]) -> None:
    _send(self, guidance, attempt_id, session)
    if self.in_flight is not None and self._hub.online:
        self._on_accepted(self.in_flight)


# An update that is given up is taken as accepted when it comes to the reply.
def accepted_when_lost(self: Updates, reason: str, detail: str) -> bool:
    update, self.in_flight = self.in_flight, None
    assert update is not None
    self.accepted = update
    self._on_accepted(update)
    self.go_on()
    return True


# A late event revives: what was released is closed only in name.
def late_revives(self: Attempts, offer: Offer) -> None:
    self.updates.forget(offer.attempt_id)
    if self.next is offer:
        self.next = None


# Playback is not awaited: what has been generated counts as heard.
def not_awaited(self: Hearing, reply: Reply, sentence: Sentence) -> bool:
    return reply.done_ms is not None


# Release is forgotten on disconnect.
def forgotten(self: Attempts) -> None:
    self.updates.drop()


# A foreign response is credited: whatever begins is taken for ours.
def credited(self: Replies, response: Mapping[str, Any], *, by_order: bool = False) -> Reply | None:
    reply = self.active
    if reply is None or reply.response_id is not None:
        return None
    reply.response_id, reply.created_ms = response["id"], self._hub.now
    self._bound[response["id"]] = reply
    if reply.cancelled_ms is None:
        self._listener.reply_started(reply)
    return reply


# A question that was heard and earned no credit is forgotten.
_remember = Hearing._remember


def forgetful(self: Hearing, reply: Reply, reading: Reading, sentence: Sentence, offer: Offer | None) -> None:
    if offer is not None:
        _remember(self, reply, reading, sentence, offer)


# A guest's words stand where they arrive, not where they were said.
_transcribed = Conversation.transcribed


def in_order_of_arrival(self: Conversation, item_id: str, text: str) -> bool:
    entry = self._entry_of.get(item_id)
    if entry is not None and entry in self.entries:
        self.entries.remove(entry)
        self.entries.append(entry)
    return _transcribed(self, item_id, text)


# Words that come late are dropped.
def too_late(self: Conversation, item_id: str, text: str) -> bool:
    item = self.item(item_id)
    return item is not None and not item.failed and _transcribed(self, item_id, text)


# Noise counts as what the guest said.
def all_ears(self: Sieve, item: GuestItem, text: str, frame: Mapping[str, Any]) -> str:
    return ""


# What was on its way when a connection went is taken for the new one's.
def any_epoch(self: Core, record: Frame) -> None:
    handler = core._FRAMES.get(str(record.frame.get("type")))
    if handler is not None:
        self._handle(handler, record.frame)


# A reply that is given up plays on.
def plays_on(self: Replies, reply: Reply, status: str, reason: str) -> None:
    reply.status, reply.reason = status, reason or reply.reason
    self._end(reply)


# A reply that comes to nothing is waited for, and not asked for again.
def gives_up(self: Floor, reply: Reply) -> None:
    return


BUGS: dict[str, tuple[Any, str, Any, str]] = {
    "selection counts as delivery": (Attempts, "release", selection_is_delivery, "other_reply=0.3"),
    "acceptance without echo": (Updates, "_send", accepted_without_echo, "late_ack=0.7"),
    "acceptance of what was lost": (Updates, "_lose", accepted_when_lost, "lost_ack=0.6"),
    "a late event revives": (Attempts, "_close", late_revives, "cancelled=0.3,late_ack=0.2"),
    "playback not awaited": (Hearing, "_reached", not_awaited, "drop=0.05,noise=0.1"),
    "release forgotten on disconnect": (Attempts, "drop", forgotten, "drop=0.4@accepted"),
    "a foreign response credited": (Replies, "_bind", credited, "idle_timeout=0.5,no_metadata=0.3"),
    "heard questions forgotten": (Hearing, "_remember", forgetful, "other_reply=0.3"),
    "turns in order of arrival": (Conversation, "transcribed", in_order_of_arrival, "late_transcript=0.5,failed=0.5"),
    "late words dropped": (Conversation, "transcribed", too_late, "late_transcript"),
    "noise taken for words": (Sieve, "why_not", all_ears, "invented_words=0.3"),
    "an old connection's frames taken": (core, "_INPUTS", {**core._INPUTS, Frame: any_epoch}, "drop=0.1"),
    "a reply that was given up plays on": (Replies, "_fail", plays_on, "drop=0.1"),
    "no second try": (Floor, "reply_over", gives_up, "failed"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str) -> None:
    owner, name, variant, spec = BUGS[bug]
    with planted(owner, name, variant):
        calls, found = calls_until_caught(spec)
    assert calls <= MOST, "the campaign would not have noticed"
    assert found


@pytest.mark.parametrize("bug", BUGS)
def test_without_the_bug_the_same_calls_keep_their_promises(bug: str) -> None:
    spec = BUGS[bug][3]
    assert [run_one(seed, 1.0, Faults.parse(spec, seed)).broken for seed in range(2)] == [()] * 2


def test_the_campaign_writes_its_figures_and_a_seed_repeats_its_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["faults", "--calls", "4", "--seed", "3", "--minutes", "1", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert campaign.main() == 0
    report = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "summary.json").read_text()) == report
    assert (report["calls"], report["calls_with_violation"]) == (4, 0)
    with (tmp_path / "faults_by_stage.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["fired"]) for row in rows) == report["strikes"] > 0
    first, again = run_one(3, 1.0), run_one(3, 1.0)
    assert (first.strikes, first.attempts, first.over_ms) == (again.strikes, again.attempts, again.over_ms)


def test_a_broken_promise_fails_the_campaign_and_says_how_to_have_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["faults", "--calls", "1", "--minutes", "1", "--spec", "drop@started"])
    with planted(Attempts, "drop", forgotten):
        assert campaign.main() == 1
    assert '--seed 0 --minutes 1 --spec "drop@started#1"' in capsys.readouterr().err


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_alone_at_each_of_its_stages_breaks_no_promise(name: str) -> None:
    for stage in FAULTS[name].stages or (None,):
        call = run_one(1, 0.5, Faults.parse(f"{name}@{stage}" if stage else name, 1))
        assert call.broken == (), stage
        assert {strike.stage for strike in call.strikes} <= {stage or ""}
