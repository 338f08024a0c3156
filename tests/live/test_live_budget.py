"""A live call that costs money: what the voice used is priced, and a used-up budget brings the goodbye."""

from typing import Any

from interviewer.llm.budget import Budget
from interviewer.llm.meter import Meter
from interviewer.llm.prices import Prices
from interviewer.settings import AgentSettings, VoiceSettings
from tests.live.service import Rig, Talk, service

# gpt-realtime-2.1: 1,000 tokens of audio read at 32 and 500 spoken at 64 dollars a million are 0.064 dollars.
USAGE = {
    "input_token_details": {"text_tokens": 0, "audio_tokens": 1_000},
    "output_token_details": {"text_tokens": 0, "audio_tokens": 500},
}
REPLY_USD = 0.064


def done(**usage: Any) -> dict[str, Any]:
    return {"type": "response.done", "response": {"id": "r1", "status": "completed", "usage": usage}}


def meter(limit: float, service: str = "openai") -> Meter:
    voice = VoiceSettings.model_validate({"service": service, "url": "ws://127.0.0.1:1/v1"})
    return Meter(Budget(AgentSettings(budget_usd=limit)), Prices.load(), voice)


def test_each_reply_is_priced_in_its_own_usage() -> None:
    counting = meter(1.0)
    frame = counting.priced(done(**USAGE))
    assert abs(frame["response"]["usage"].pop("cost_usd") - REPLY_USD) < 1e-9
    assert frame == done(**USAGE)
    assert abs(counting.budget.spent_usd - REPLY_USD) < 1e-9


def test_a_simulated_voice_costs_nothing() -> None:
    counting = meter(1.0, "simulator")
    assert counting.priced(done(**USAGE)) == done(**USAGE)
    assert counting.budget.spent_usd == 0


def test_other_and_malformed_frames_pass_as_they_are() -> None:
    counting = meter(1.0)
    others: list[dict[str, Any]] = [
        {"type": "response.created", "response": {}},
        {"type": "response.done"},
        {"type": "response.done", "response": {"usage": None}},
    ]
    assert [counting.priced(frame) for frame in others] == others
    assert counting.priced(done(total_tokens=9))["response"]["usage"]["cost_usd"] is None


def test_each_state_of_the_budget_is_news_once() -> None:
    counting = meter(2.5 * REPLY_USD)
    seen = []
    for _ in range(4):
        counting.priced(done(**USAGE))
        seen.append(counting.news())
    assert seen == [None, "warned", "used_up", None]


def test_a_transcript_is_priced_by_the_minute_or_by_its_tokens() -> None:
    counting = meter(1.0)
    frame = {"type": "conversation.item.input_audio_transcription.completed", "item_id": "i1", "transcript": "Yes."}
    timed = counting.priced({**frame, "usage": {"type": "duration", "seconds": 40}})
    # gpt-transcribe: 0.0045 dollars a minute.
    assert abs(timed["usage"]["cost_usd"] - 0.003) < 1e-9
    assert abs(counting.budget.spent_usd - 0.003) < 1e-9
    assert counting.priced(frame) == frame


def costly(talk: Talk) -> None:
    talk.created()
    while True:
        event = talk.get()
        if event["type"] == "session.update":
            talk.updated(event)
        elif event["type"] == "response.create":
            response_id = talk.begin(event)
            talk.speak(response_id, "How did you come to build bridges?")
            response = {"id": response_id, "status": "completed", "metadata": event["response"]["metadata"]}
            talk.send("response.done", response={**response, "output": [], "usage": USAGE})


def test_a_live_call_whose_budget_is_used_up_wraps_up_and_keeps_what_it_cost() -> None:
    with service(costly) as (url, _):
        rig = Rig(url, key="test", voice={"service": "openai"}, meter=meter(REPLY_USD)).start()
        phase = rig.until_record("phase", phase="wrap_up")
        rig.end()
    assert phase["locked"] is True
    assert [line["state"] for line in rig.of("in") if line["type"] == "spent"] == ["used_up"]
    (told,) = (line["data"] for line in rig.of("rec") if line["kind"] == "budget")
    assert told == {"state": "used_up", "note": "0.0640 of 0.064 USD spent"}
    replies = [line["data"] for line in rig.of("rec") if line["kind"] == "reply"]
    assert abs(replies[0]["usage"]["cost_usd"] - REPLY_USD) < 1e-9
