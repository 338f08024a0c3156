"""The same exchange by the official SDK's own Realtime client: `python sdk_client.py PLAN`."""

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection
from openai.types.realtime import RealtimeConversationItemUserMessageParam, RealtimeSessionCreateRequestParam

FRAME_BYTES = 1920  # 40 ms
PATIENCE_S = 30
TRANSCRIPTS = ("conversation.item.input_audio_transcription.completed", "response.output_audio_transcript.done")


class Exchange:
    """Speaks, listens, and notes what came."""

    def __init__(self, wire: AsyncRealtimeConnection, plan: dict[str, Any], folder: Path) -> None:
        self.wire = wire
        self.plan = plan
        self.folder = folder
        self.to_say = bytearray()
        self.audio: dict[str, bytearray] = {}
        self.items: dict[str, dict[str, str]] = {}
        self.done: list[str] = []
        self.errors: list[str] = []
        self.happened = asyncio.Condition()

    async def microphone(self) -> None:
        """Frames all the time, silence when nothing is to be said."""
        while True:
            frame = bytes(self.to_say[:FRAME_BYTES])
            del self.to_say[:FRAME_BYTES]
            sound = frame + bytes(FRAME_BYTES - len(frame))
            await self.wire.input_audio_buffer.append(audio=base64.b64encode(sound).decode())
            await asyncio.sleep(0.04 / self.plan["speed"])

    async def listen(self) -> None:
        """Until the connection ends."""
        async for event in self.wire:
            self.note(event)
            async with self.happened:
                self.happened.notify_all()

    def note(self, event: Any) -> None:
        """Keep what the summary needs."""
        if event.type == "conversation.item.added":
            text = "".join(getattr(part, "text", None) or "" for part in event.item.content or ())
            self.items[event.item.id] = {"id": event.item.id, "role": event.item.role, "text": text}
        elif event.type in TRANSCRIPTS:
            self.items[event.item_id]["text"] = event.transcript
        elif event.type == "response.output_audio.delta":
            self.audio.setdefault(event.item_id, bytearray()).extend(base64.b64decode(event.delta))
        elif event.type == "response.done":
            self.done.append(event.response.status)
        elif event.type == "error":
            self.errors.append(event.error.message)

    async def until(self, true: Any) -> None:
        """Wait for something to be so."""
        async with self.happened, asyncio.timeout(PATIENCE_S):
            await self.happened.wait_for(true)

    def say(self, number: int) -> None:
        """Put an utterance before the microphone."""
        self.to_say += (self.folder / self.plan["said"][number]["pcm"]).read_bytes()

    async def hold(self) -> None:
        """The exchange."""
        await self.wire.session.update(session=session(self.plan))
        for number in (0, 1):
            self.say(number)
            await self.until(lambda number=number: len(self.done) > number)
        spoken = len(self.audio)
        self.say(2)
        await self.until(lambda: len(self.audio) > spoken)
        self.say(3)  # breaks in while the reply is still being made
        await self.until(lambda: len(self.done) > 3)
        message: RealtimeConversationItemUserMessageParam = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": self.plan["typed"]}],
        }
        await self.wire.conversation.item.create(item=message)
        await self.wire.response.create()
        await self.until(lambda: len(self.done) > 4 and all(item["text"] for item in self.items.values()))

    def summary(self) -> dict[str, Any]:
        """What happened."""
        for item_id, pcm in self.audio.items():
            (self.folder / f"{item_id}.pcm").write_bytes(pcm)
        return {
            "items": list(self.items.values()),
            "audio": {item_id: f"{item_id}.pcm" for item_id in self.audio},
            "interrupted": self.done.count("cancelled"),
            "errors": self.errors,
        }


def session(plan: dict[str, Any]) -> RealtimeSessionCreateRequestParam:
    """The settings: server VAD that answers by itself and can be broken in on."""
    return {
        "type": "realtime",
        "instructions": plan["instructions"],
        "audio": {
            "input": {
                "transcription": {"model": "gpt-transcribe"},
                "turn_detection": {
                    "type": "server_vad",
                    "silence_duration_ms": 600,
                    "create_response": True,
                    "interrupt_response": True,
                },
            },
            "output": {"voice": "marin"},
        },
    }


async def main(path: Path) -> None:
    """Hold the exchange and print what happened."""
    plan = json.loads(path.read_text(encoding="utf-8"))
    client = AsyncOpenAI(api_key="any-key", websocket_base_url=plan["url"])
    problem = ""
    async with client, client.realtime.connect(model=plan["model"]) as wire:
        exchange = Exchange(wire, plan, path.parent)
        tasks = [asyncio.create_task(exchange.listen()), asyncio.create_task(exchange.microphone())]
        try:
            await exchange.hold()
        except TimeoutError:
            problem = "timed out"
        for task in tasks:
            task.cancel()
    print(json.dumps({**exchange.summary(), "problem": problem}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
