"""The official SDK's own Realtime client."""

import base64
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection
from openai.types.realtime import RealtimeConversationItemUserMessageParam, RealtimeSessionCreateRequestParam

from evals.clients.programs.talk import Talk, run

TRANSCRIPTS = ("conversation.item.input_audio_transcription.completed", "response.output_audio_transcript.done")


class Wire(Talk):
    """Notes the events of the connection."""

    def __init__(self, plan: dict[str, Any], folder: Path, wire: AsyncRealtimeConnection) -> None:
        super().__init__(plan, folder)
        self.wire = wire

    async def listen(self) -> None:
        """See `Talk.listen`."""
        async for event in self.wire:
            self._take(event)
            await self.happened()

    def _take(self, event: Any) -> None:
        if event.type == "conversation.item.added":
            text = "".join(getattr(part, "text", None) or "" for part in event.item.content or ())
            self.note(event.item.id, event.item.role, text)
        elif event.type in TRANSCRIPTS:
            self.note(event.item_id, self.items[event.item_id]["role"], event.transcript)
        elif event.type == "response.output_audio.delta":
            self.hear(event.item_id, base64.b64decode(event.delta))
        elif event.type == "response.done":
            self.ended += 1
            self.interrupted += event.response.status == "cancelled"
        elif event.type == "error":
            self.errors.append(event.error.message)

    async def send_audio(self, pcm: bytes) -> None:
        """See `Talk.send_audio`."""
        await self.wire.input_audio_buffer.append(audio=base64.b64encode(pcm).decode())

    async def send_text(self, text: str) -> None:
        """See `Talk.send_text`."""
        message: RealtimeConversationItemUserMessageParam = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }
        await self.wire.conversation.item.create(item=message)
        await self.wire.response.create()


def session(instructions: str) -> RealtimeSessionCreateRequestParam:
    """The settings: server VAD that answers by itself and can be broken in on."""
    return {
        "type": "realtime",
        "instructions": instructions,
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


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Hold the exchange and print what happened."""
    client = AsyncOpenAI(api_key="any-key", websocket_base_url=plan["url"])
    async with client, client.realtime.connect(model=plan["model"]) as wire:
        await wire.session.update(session=session(plan["instructions"]))
        talk = Wire(plan, folder, wire)
        problem = await talk.hold()
    talk.tell(problem)


if __name__ == "__main__":
    run(main)
