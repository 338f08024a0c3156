"""Faults: what a spec says strikes, where it says, the same way every time."""

import json
from itertools import pairwise
from typing import Any

import pytest

from interviewer.errors import SettingsError
from interviewer.realtime.engine import Engine, Faults, Trouble
from interviewer.realtime.engine.brain import Asked, Spoken
from interviewer.realtime.engine.faults import FAULTS
from interviewer.realtime.engine.mischief import DAMAGE
from tests.realtime.engine_bench import Bench, Frame, Script, error_of, speech_ms, types

ASK = "What broke on your first river crossing?"
REPLY = Spoken(f"A river, then. {ASK}", (Asked(ASK, 15, 15 + len(ASK)),))
CREATED, DONE, SOUND = "response.created", "response.done", "response.output_audio.delta"


class Ailing(Bench):
    """A connected engine in which what `spec` says goes wrong."""

    def __init__(self, spec: str, *replies: Any, seed: int = 1) -> None:
        self.brain = Script(*replies)
        trouble = Trouble(Faults.parse(spec, seed))
        self.engine = Engine(self.brain, seed=seed, duration_ms=speech_ms, trouble=trouble)
        self.now_ms = 0
        self.timed: list[tuple[int, Frame]] = []
        self.engine.connect(0)
        self._collect()

    @property
    def fired(self) -> list[tuple[str, str | None]]:
        return [(fired.name, fired.stage) for fired in self.engine.fired]

    def reply(self, ms: int = 30_000, **response: Any) -> list[Frame]:
        """Everything that comes of a request."""
        seen = len(self.timed)
        self.send("response.create", event_id="mine", response={"metadata": {"reply": "1"}, **response})
        self.run(ms)
        return [frame for _, frame in self.timed[seen:]]

    def turn(self, text: str = "I grew up beside a river.") -> list[Frame]:
        """Everything that comes of a turn of the guest's."""
        seen = len(self.timed)
        self.speak(text, ms=2_000)
        self.run(30_000)
        return [frame for _, frame in self.timed[seen:]]


def named(frames: list[Frame], kind: str) -> list[Frame]:
    return [frame for frame in frames if frame["type"] == kind]


def test_a_spec_says_how_often_where_and_which_time() -> None:
    faults = Faults.parse("late_ack=0.2, drop@started,refused_update#2,no_metadata,stall=0.5")
    assert [(r.name, r.probability, r.stage, r.nth) for r in faults.rules] == [
        ("late_ack", 0.2, None, None),
        ("drop", 1.0, "started", 1),
        ("refused_update", 1.0, None, 2),
        ("no_metadata", 1.0, None, None),
        ("stall", 0.5, None, None),
    ]
    assert Faults.parse(str(faults)) == faults
    assert Faults.parse("") == Faults.none()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("latency", "no fault is called 'latency'"),
        ("drop@begun", "not at 'begun'"),
        ("late_ack@delivered", "late_ack may be at selected"),
        ("drop=2", "0 to 1"),
        ("drop=.", "0 to 1"),
        ("drop#0", "count from 1"),
        ("Drop now", "NAME[=PROBABILITY]"),
    ],
)
def test_what_cannot_be_is_refused_by_name(spec: str, says: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        Faults.parse(f"stall,{spec}")
    assert says in str(refusal.value)


def test_random_mixes_follow_from_their_seed_and_can_be_written_down() -> None:
    mixes = [Faults.random(seed) for seed in range(300)]
    assert mixes == [Faults.random(seed) for seed in range(300)]
    assert all(Faults.parse(str(mix), mix.seed) == mix for mix in mixes)
    assert {rule.name for mix in mixes for rule in mix.rules} == set(FAULTS)
    assert {rule.stage for mix in mixes for rule in mix.rules} > {
        "selected",
        "accepted",
        "started",
        "generated",
        "delivered",
    }


def test_acknowledgements_are_late_lost_or_doubled() -> None:
    late = Ailing("late_ack")
    late.configure(instructions="Ask.")
    assert not late.frames("session.updated")
    late.run(6_100)
    assert len(late.frames("session.updated")) == 1
    lost, double = Ailing("lost_ack"), Ailing("double_ack")
    for bench in (lost, double):
        bench.configure(instructions="Ask.")
        bench.run(10_000)
    assert len(lost.frames("session.updated")) == 0
    first, second = double.frames("session.updated")
    assert first["session"] == second["session"]
    assert first["event_id"] != second["event_id"]


def test_a_refused_update_changes_nothing_and_only_the_one_named() -> None:
    bench = Ailing("refused_update#2")
    for text in ("One.", "Two.", "Three."):
        bench.send("session.update", event_id=text, session={"type": "realtime", "instructions": text})
        bench.run(200)
    assert [f["session"]["instructions"] for f in bench.frames("session.updated")] == ["One.", "Three."]
    assert error_of(bench.frames())["event_id"] == "Two."
    assert bench.fired == [("refused_update", "selected")]


def test_a_refused_response_is_an_error_and_nothing_else() -> None:
    frames = Ailing("refused_response", REPLY).reply()
    assert types(frames) == ["error"]
    assert error_of(frames)["event_id"] == "mine"


def test_created_comes_late_or_never_and_metadata_is_forgotten() -> None:
    late = Ailing("created_after_cancel", REPLY)
    assert late.reply(1_000) == []
    late.run(8_000)
    assert late.frames(CREATED)
    never = Ailing("done_without_created", REPLY).reply()
    assert CREATED not in types(never)
    assert named(never, DONE)[0]["response"]["metadata"] == {"reply": "1"}
    forgotten = Ailing("no_metadata", REPLY).reply()
    assert [f["response"]["metadata"] for f in forgotten if f["type"] in (CREATED, DONE)] == [None, None]


@pytest.mark.parametrize(
    ("name", "reason"), [("failed", None), ("incomplete", "content_filter"), ("cancelled", "turn_detected")]
)
def test_a_response_ends_early(name: str, reason: str | None) -> None:
    (done,) = named(Ailing(name, REPLY).reply(), DONE)
    assert done["response"]["status"] == name
    assert done["response"]["status_details"].get("reason") == reason
    if name == "failed":
        assert done["response"]["status_details"]["error"]["code"] == "server_error"


def test_deltas_straggle_in_after_a_cancelled_response_is_done() -> None:
    bench = Ailing("deltas_after_cancel", REPLY)
    bench.reply(900)
    bench.send("response.cancel")
    bench.run(2_000)
    kinds = types(bench.frames("response."))
    assert SOUND in kinds[kinds.index(DONE) + 1 :]


def test_the_voice_says_something_else_and_the_truth_knows() -> None:
    bench = Ailing("other_reply", REPLY)
    bench.reply()
    (voiced,) = bench.engine.voiced
    assert ASK not in voiced.text
    assert all(asked.key.startswith("own: ") for asked in voiced.asks)


def test_a_reply_comes_in_several_items_which_hold_the_same() -> None:
    bench = Ailing("several_items", REPLY)
    bench.reply()
    first, second = bench.engine.voiced
    assert (first.text, second.text) == ("A river, then.", ASK)
    assert second.asks == (Asked(ASK, 0, len(ASK)),)


def test_audio_breaks_off_before_its_transcript_and_the_truth_knows() -> None:
    for spec in ("short_audio", "no_audio"):
        bench = Ailing(spec, REPLY)
        frames = bench.reply()
        (voiced,) = bench.engine.voiced
        assert voiced.text == REPLY.text
        assert voiced.asks == ()
        assert sum(f["audio_ms"] for f in named(frames, SOUND)) == voiced.total_ms <= speech_ms(REPLY.text) // 2
        assert voiced.spoken_ms(len(REPLY.text)) == speech_ms(REPLY.text)
    assert voiced.total_ms == 0


def test_transcripts_are_late_failed_or_empty() -> None:
    kinds: dict[str, list[Any]] = {}
    for name in ("late_transcript", "failed_transcript", "empty_transcript"):
        bench = Ailing(name)
        bench.listen()
        frames = bench.turn()
        kinds[name] = [f for f in frames if f["type"].endswith((".completed", ".failed"))]
        assert bench.engine.taken[0].said == ("I grew up beside a river.",)
        if name == "late_transcript":
            at_ms = next(t for t, f in bench.timed if f["type"].endswith(".completed"))
            assert at_ms >= 2_000 + 3_000
    assert kinds["late_transcript"][0]["transcript"] == "I grew up beside a river."
    assert kinds["failed_transcript"][0]["type"].endswith(".failed")
    assert kinds["empty_transcript"][0]["transcript"] == ""


@pytest.mark.parametrize("name", ["noise", "invented_words"])
def test_noise_and_silence_become_items_that_nobody_said(name: str) -> None:
    bench = Ailing(f"{name}#1")
    bench.listen(silence_duration_ms=200)
    bench.run(10_000)
    (taken,) = bench.engine.taken
    assert taken.said == ()
    if name == "invented_words":
        (told,) = bench.frames("conversation.item.input_audio_transcription.completed")
        assert told["transcript"]


def test_the_guest_who_speaks_into_noise_is_heard() -> None:
    bench = Ailing("noise@selected#1")
    bench.listen()
    bench.until("input_audio_buffer.speech_started")
    bench.turn("I grew up beside a river.")
    assert bench.engine.taken[0].said == ("I grew up beside a river.",)


def test_the_voices_own_words_come_back() -> None:
    bench = Ailing("echo", REPLY)
    bench.listen(silence_duration_ms=200)
    bench.reply()
    (told,) = bench.frames("conversation.item.input_audio_transcription.completed")
    assert REPLY.text.startswith(told["transcript"])
    assert bench.engine.taken[0].said == ()


def test_what_never_reached_the_client_does_not_come_back() -> None:
    """A reply of about ten seconds, most of it held up by a line that stands still."""
    came_back = set()
    for seed in range(12):
        bench = Ailing("echo,stall@started#1", " ".join(["A long answer."] * 40), seed=seed)
        bench.listen(silence_duration_ms=200)
        bench.configure(instructions="Ask.")
        bench.reply(60_000)
        told = bench.frames("conversation.item.input_audio_transcription.completed")
        stood = max(range(1, len(bench.timed)), key=lambda n: bench.timed[n][0] - bench.timed[n - 1][0])
        before = [frame for _, frame in bench.timed[:stood]]
        sound_ms = sum(f["audio_ms"] for f in before if f["type"] == "response.output_audio.delta")
        for one in told:
            # Nobody says more than five words a second.
            came_back.add(len(one["transcript"].split()) > 2)
            assert len(one["transcript"].split()) <= 2 + sound_ms / 200
    assert came_back


def test_a_silence_is_broken_by_a_response_without_metadata_though_nobody_asked_for_it() -> None:
    bench = Ailing("idle_timeout#1", REPLY)
    bench.listen()
    bench.run(10_000)
    kinds = types(bench.frames())
    assert "input_audio_buffer.timeout_triggered" in kinds
    assert bench.frames(CREATED)[0]["response"]["metadata"] is None


@pytest.mark.parametrize(
    ("name", "how", "code"),
    [("drop", "reset", 1006), ("no_close_frame", "unframed", 1006), ("silent_session_cap", "closed", 1001)],
)
@pytest.mark.parametrize("stage", ["selected", "accepted", "started", "generated", "delivered"])
def test_the_connection_ends_at_the_stage_named_and_nothing_happens_afterwards(
    name: str, how: str, code: int, stage: str
) -> None:
    bench = Ailing(f"{name}@{stage}", REPLY, REPLY)
    bench.configure(instructions="Ask.")
    bench.reply()
    ended = bench.engine.ended
    assert ended is not None
    assert (ended.how, ended.code) == (how, code)
    assert bench.fired == [(name, stage)]
    seen = len(bench.timed)
    bench.send("response.create")
    bench.run(60_000)
    assert len(bench.timed) == seen


def test_the_cap_is_announced_by_expires_at_and_told_by_an_error() -> None:
    bench = Ailing("session_cap")
    lifetime_s = bench.frames("session.created")[0]["session"]["expires_at"]
    assert 20 <= lifetime_s <= 90
    bench.run(1_000 * lifetime_s - 1)
    assert bench.engine.ended is None
    bench.run(1)
    assert error_of(bench.frames())["code"] == "session_expired"
    assert bench.engine.ended is not None


def test_a_session_without_faults_ends_after_an_hour() -> None:
    bench = Bench()
    bench.run(3_599_999)
    assert bench.engine.ended is None
    bench.run(1)
    assert bench.engine.ended is not None
    assert bench.engine.ended.code == 1001


def test_in_a_stall_nothing_arrives_and_then_all_of_it_or_the_connection_is_gone() -> None:
    ends = set()
    for seed in range(12):
        bench = Ailing("stall@started", " ".join(["A long answer."] * 40), seed=seed)
        bench.configure(instructions="Ask.")
        bench.reply(60_000)
        times = [t for t, _ in bench.timed]
        gap = max(after - before for before, after in pairwise(times))
        ends.add(bench.engine.ended is None)
        assert gap >= 1_500
        assert bench.engine.ended is not None or bench.frames(DONE)
    assert ends == {True, False}


def test_frames_are_unknown_anonymous_oversized_garbled_or_of_the_wrong_shape() -> None:
    bench = Ailing("unknown_event@accepted,anonymous_error@accepted", REPLY)
    bench.configure(instructions="Ask.")
    bench.run(2_000)
    assert error_of(bench.frames())["event_id"] is None
    assert "response.sparkle.delta" in types(bench.frames())
    for name in ("oversized", "garbled"):
        bench = Ailing(f"{name}_frame@selected#1")
        bench.configure(instructions="Ask.")
        assert bench.frames("session.updated")[0][DAMAGE] == name
    bench, whole = Ailing("malformed_frame@selected#1"), Ailing("")
    for each in (bench, whole):
        each.configure(instructions="Ask.")
    assert json.dumps(bench.frames()) != json.dumps(whole.frames())


@pytest.mark.parametrize("seed", range(20))
def test_a_mix_does_the_same_every_time_it_is_run(seed: int) -> None:
    def told() -> tuple[list[Frame], list[tuple[str, str | None]]]:
        bench = Ailing(str(Faults.random(seed)), *[REPLY] * 5, seed=seed)
        bench.listen()
        for number in range(4):
            bench.configure(instructions=f"Ask {number}.")
            bench.reply(6_000)
            bench.turn()
        return bench.frames(), bench.fired

    assert told() == told()


def test_faults_are_counted_over_all_sessions_of_a_call() -> None:
    trouble = Trouble(Faults.parse("refused_update#2"))
    for number in range(2):
        engine = Engine(Script(), seed=number, duration_ms=speech_ms, trouble=trouble)
        engine.connect(0)
        engine.receive(0, {"type": "session.update", "session": {"type": "realtime", "instructions": "Ask."}})
        engine.advance(200)
        assert ("session.updated" in types(engine.take())) is (number == 0)
    assert [(f.name, f.session) for f in trouble.fired] == [("refused_update", 1)]
