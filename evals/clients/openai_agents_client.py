"""A spoken exchange by the OpenAI Agents SDK, its public API only.

Runs in an environment of its own, without this project: `python openai_agents_client.py PLAN`. PLAN is the JSON file
that `evals.clients.exchange` writes; what happened is printed as one JSON object.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from agents.realtime import RealtimeAgent, RealtimeRunner, RealtimeSession  # type: ignore[import-not-found]

FRAME_BYTES = 1920  # 40 ms
PATIENCE_S = 30


class Exchange:
    """Speaks, listens, and notes what came."""

    def __init__(self, session: RealtimeSession, plan: dict[str, Any], folder: Path) -> None:
        self.session = session
        self.plan = plan
        self.folder = folder
        self.to_say = bytearray()
        self.audio: dict[str, bytearray] = {}
        self.history: list[Any] = []
        self.ended = 0
        self.interrupted = 0
        self.errors: list[str] = []
        self.happened = asyncio.Condition()

    async def microphone(self) -> None:
        """Frames all the time, silence when nothing is to be said."""
        while True:
            frame = bytes(self.to_say[:FRAME_BYTES])
            del self.to_say[:FRAME_BYTES]
            await self.session.send_audio(frame + bytes(FRAME_BYTES - len(frame)))
            await asyncio.sleep(0.04 / self.plan["speed"])

    async def listen(self) -> None:
        """Until the session ends."""
        async for event in self.session:
            if event.type == "audio":
                self.audio.setdefault(event.item_id, bytearray()).extend(event.audio.data)
            elif event.type == "audio_interrupted":
                self.interrupted += 1
            elif event.type == "history_updated":
                self.history = event.history
            elif event.type == "history_added":
                self.history = [*(item for item in self.history if item.item_id != event.item.item_id), event.item]
            elif event.type == "error":
                self.errors.append(str(event.error))
            elif event.type == "raw_model_event" and event.data.type == "turn_ended":
                self.ended += 1
            async with self.happened:
                self.happened.notify_all()

    async def until(self, true: Any) -> None:
        """Wait for something to be so."""
        async with self.happened, asyncio.timeout(PATIENCE_S):
            await self.happened.wait_for(true)

    def say(self, number: int) -> None:
        """Put an utterance before the microphone."""
        self.to_say += (self.folder / self.plan["said"][number]["pcm"]).read_bytes()

    async def hold(self) -> None:
        """The exchange."""
        for number in (0, 1):
            ended = self.ended
            self.say(number)
            await self.until(lambda ended=ended: self.ended > ended)
        spoken, ended = len(self.audio), self.ended
        self.say(2)
        await self.until(lambda: len(self.audio) > spoken)
        self.say(3)  # breaks in while the reply is still being made
        await self.until(lambda: self.interrupted > 0 and self.ended >= ended + 2)
        ended = self.ended
        await self.session.send_message(self.plan["typed"])
        await self.until(lambda: self.ended > ended and not self.missing())

    def missing(self) -> bool:
        """Whether a transcript of ours is still to come."""
        ours = [item for item in self.history if item.type == "message" and item.role == "user"]
        return len([item for item in ours if text_of(item)]) < len(self.plan["said"]) + 1

    def summary(self) -> dict[str, Any]:
        """What happened."""
        messages = [item for item in self.history if item.type == "message"]
        for item_id, pcm in self.audio.items():
            (self.folder / f"{item_id}.pcm").write_bytes(pcm)
        return {
            "items": [{"id": item.item_id, "role": item.role, "text": text_of(item)} for item in messages],
            "audio": {item_id: f"{item_id}.pcm" for item_id in self.audio},
            "interrupted": self.interrupted,
            "errors": self.errors,
        }


def text_of(item: Any) -> str:
    """What was said or written in an item of the history."""
    return " ".join(
        getattr(part, "transcript", None) or getattr(part, "text", None) or "" for part in item.content
    ).strip()


async def main(path: Path) -> None:
    """Hold the exchange and print what happened."""
    plan = json.loads(path.read_text(encoding="utf-8"))
    detection = {
        "type": "server_vad",
        "silence_duration_ms": 600,
        "create_response": True,
        "interrupt_response": True,
    }
    settings = {
        "model_name": plan["model"],
        "output_modalities": ["audio"],
        "audio": {
            "input": {
                "format": "pcm16",
                "transcription": {"model": "gpt-transcribe"},
                "turn_detection": detection,
            },
            "output": {"format": "pcm16", "voice": "marin"},
        },
    }
    agent = RealtimeAgent(name="Interviewer", instructions=plan["instructions"])
    runner = RealtimeRunner(agent, config={"model_settings": settings, "tracing_disabled": True})
    where = {"url": f"{plan['url']}/realtime?model={plan['model']}", "api_key": "any-key"}
    async with await runner.run(model_config=where) as session:
        exchange = Exchange(session, plan, path.parent)
        tasks = [asyncio.create_task(exchange.listen()), asyncio.create_task(exchange.microphone())]
        problem = ""
        try:
            await exchange.hold()
        except TimeoutError:
            problem = "timed out"
        for task in tasks:
            task.cancel()
    print(json.dumps({**exchange.summary(), "problem": problem}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
