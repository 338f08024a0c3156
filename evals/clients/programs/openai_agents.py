"""The OpenAI Agents SDK, its public API only: a session of a `RealtimeRunner`."""

from pathlib import Path
from typing import Any

from agents.realtime import RealtimeAgent, RealtimeRunner, RealtimeSession  # type: ignore[import-not-found]

from evals.clients.programs.talk import Talk, run


class Agents(Talk):
    """Notes the session's events."""

    def __init__(self, plan: dict[str, Any], folder: Path, session: RealtimeSession) -> None:
        super().__init__(plan, folder)
        self.session = session

    async def listen(self) -> None:
        """See `Talk.listen`."""
        async for event in self.session:
            if event.type == "audio":
                self.hear(event.item_id, event.audio.data)
            elif event.type == "audio_interrupted":
                self.interrupted += 1
            elif event.type == "history_updated":
                for item in event.history:
                    self._keep(item)
            elif event.type == "history_added":
                self._keep(event.item)
            elif event.type == "error":
                self.errors.append(str(event.error))
            elif event.type == "raw_model_event" and event.data.type == "turn_ended":
                self.ended += 1
            await self.happened()

    def _keep(self, item: Any) -> None:
        if item.type == "message":
            parts = (getattr(p, "transcript", None) or getattr(p, "text", None) or "" for p in item.content)
            self.note(item.item_id, item.role, " ".join(parts))

    async def send_audio(self, pcm: bytes) -> None:
        """See `Talk.send_audio`."""
        await self.session.send_audio(pcm)

    async def send_text(self, text: str) -> None:
        """See `Talk.send_text`."""
        await self.session.send_message(text)


def settings(model: str) -> dict[str, Any]:
    """The session: server VAD that answers by itself and can be broken in on."""
    detection = {
        "type": "server_vad",
        "silence_duration_ms": 600,
        "create_response": True,
        "interrupt_response": True,
    }
    heard = {"format": "pcm16", "transcription": {"model": "gpt-transcribe"}, "turn_detection": detection}
    return {
        "model_name": model,
        "output_modalities": ["audio"],
        "audio": {"input": heard, "output": {"format": "pcm16", "voice": "marin"}},
    }


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Hold the exchange and print what happened."""
    agent = RealtimeAgent(name="Interviewer", instructions=plan["instructions"])
    runner = RealtimeRunner(agent, config={"model_settings": settings(plan["model"]), "tracing_disabled": True})
    where = {"url": f"{plan['url']}/realtime?model={plan['model']}", "api_key": "any-key"}
    async with await runner.run(model_config=where) as session:
        talk = Agents(plan, folder, session)
        problem = await talk.hold()
    talk.tell(problem)


if __name__ == "__main__":
    run(main)
