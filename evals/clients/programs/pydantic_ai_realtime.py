"""Pydantic AI: an agent's realtime session. It tells of parts of messages, and keeps the history."""

from pathlib import Path
from typing import Any

from pydantic_ai import Agent  # type: ignore[import-not-found]
from pydantic_ai.messages import (  # type: ignore[import-not-found]
    ModelRequest,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    RealtimeInputSpeechStartEvent,
    RealtimeSessionErrorEvent,
    RealtimeTurnCompleteEvent,
    SpeechPart,
    UserPromptPart,
)
from pydantic_ai.providers.openai import OpenAIProvider  # type: ignore[import-not-found]
from pydantic_ai.realtime import RealtimeSession  # type: ignore[import-not-found]
from pydantic_ai.realtime.openai import OpenAIRealtimeModel  # type: ignore[import-not-found]

from evals.clients.programs.talk import Talk, run


class Session(Talk):
    """Notes the session's events; what was said is in its messages."""

    def __init__(self, plan: dict[str, Any], folder: Path, session: RealtimeSession) -> None:
        super().__init__(plan, folder)
        self.session = session
        self._speaking = ""

    async def listen(self) -> None:
        """See `Talk.listen`."""
        async for event in self.session:
            match event:
                case PartStartEvent(part=SpeechPart(speaker="assistant") as part):
                    self._speaking = part.id or f"part_{len(self.audio)}"
                case PartDeltaEvent(delta=delta) if getattr(delta, "audio_chunk", None):
                    self.hear(self._speaking, delta.audio_chunk)
                case PartEndEvent(part=SpeechPart(speaker="assistant") as part):
                    self.note(part.id or self._speaking, "assistant", part.transcript or "")
                    self.ended += 1
                case RealtimeInputSpeechStartEvent() if self._speaking and self.ended < len(self.audio):
                    self.interrupted += 1
                case RealtimeSessionErrorEvent():
                    self.errors.append(event.message)
                case RealtimeTurnCompleteEvent():
                    self._ours()
            self._ours()
            await self.happened()

    def _ours(self) -> None:
        ours = [p for m in self.session.all_messages() if isinstance(m, ModelRequest) for p in m.parts]
        for number, part in enumerate(ours):
            if isinstance(part, SpeechPart):
                self.note(f"ours_{number}", "user", part.transcript or "")
            elif isinstance(part, UserPromptPart):
                self.note(f"ours_{number}", "user", str(part.content))

    async def send_audio(self, pcm: bytes) -> None:
        """See `Talk.send_audio`."""
        await self.session.send_audio(pcm)

    async def send_text(self, text: str) -> None:
        """See `Talk.send_text`."""
        await self.session.send(text)


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Hold the exchange and print what happened."""
    provider = OpenAIProvider(base_url=plan["url"].replace("ws://", "http://"), api_key="any-key")
    model = OpenAIRealtimeModel(plan["model"], provider=provider)
    settings = {
        "openai_voice": "marin",
        "input_transcription_model": "gpt-transcribe",
        "turn_detection": {"silence_duration_ms": 600},
    }
    agent = Agent(instructions=plan["instructions"])
    async with agent.realtime(model, model_settings=settings).session() as session:
        talk = Session(plan, folder, session)
        problem = await talk.hold()
    talk.tell(problem)


if __name__ == "__main__":
    run(main)
