"""LiveKit Agents and its OpenAI plugin: an `AgentSession` with a microphone and loudspeaker of ours, without a room."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from livekit import rtc  # type: ignore[import-not-found]
from livekit.agents import Agent, AgentSession  # type: ignore[import-not-found]
from livekit.agents.voice import io  # type: ignore[import-not-found]
from livekit.plugins import openai  # type: ignore[import-not-found]
from openai.types.realtime import AudioTranscription
from openai.types.realtime.realtime_audio_input_turn_detection import ServerVad

from evals.clients.programs.talk import Talk, run

RATE = 24_000


class Microphone(io.AudioInput):  # type: ignore[misc]
    """Frames that are put in, as the session takes them."""

    def __init__(self) -> None:
        super().__init__(label="microphone")
        self.frames: asyncio.Queue[rtc.AudioFrame] = asyncio.Queue()

    def put(self, pcm: bytes) -> None:
        """Another frame."""
        self.frames.put_nowait(rtc.AudioFrame(pcm, RATE, 1, len(pcm) // 2))

    async def __anext__(self) -> rtc.AudioFrame:
        return await self.frames.get()

    def __aiter__(self) -> AsyncIterator[rtc.AudioFrame]:
        return self


class Loudspeaker(io.AudioOutput):  # type: ignore[misc]
    """Plays to nobody at `speed` times real time, and says when it has played; `heard` gets every frame."""

    def __init__(self, heard: Any, speed: float = 1.0) -> None:
        super().__init__(label="loudspeaker", capabilities=io.AudioOutputCapabilities(pause=False), sample_rate=RATE)
        self._heard, self._speed = heard, speed
        self.segments = 0
        self._length_s = self._began_s = 0.0
        self._playing: asyncio.Task[None] | None = None

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        """A frame to play."""
        await super().capture_frame(frame)
        if not self._length_s:
            self.segments, self._began_s = self.segments + 1, time.monotonic()
            self.on_playback_started(created_at=time.time())
        self._length_s += frame.duration
        self._heard(self.segments, bytes(frame.data))

    def flush(self) -> None:
        """The segment is whole."""
        super().flush()
        if self._length_s and self._playing is None:
            self._playing = asyncio.create_task(self._play_out())

    async def _play_out(self) -> None:
        left_s = self._length_s / self._speed - (time.monotonic() - self._began_s)
        await asyncio.sleep(max(0.0, left_s))
        self._finish(interrupted=False)

    def clear_buffer(self) -> None:
        """Fall silent."""
        if self._playing is not None:
            self._playing.cancel()
        if self._length_s:
            self._finish(interrupted=True)

    def _finish(self, *, interrupted: bool) -> None:
        played_s = min(self._length_s, (time.monotonic() - self._began_s) * self._speed)
        self._length_s, self._playing = 0.0, None
        self.on_playback_finished(playback_position=played_s, interrupted=interrupted)


class Session(Talk):
    """Notes what the session says of the conversation; the sound of a reply is a segment of the loudspeaker's."""

    plays = True

    def __init__(self, plan: dict[str, Any], folder: Path, session: AgentSession) -> None:
        super().__init__(plan, folder)
        self.session = session
        self.microphone = session.input.audio = Microphone()
        session.output.audio = Loudspeaker(self._heard, plan["speed"])
        self._stirred = asyncio.Event()
        session.on("conversation_item_added", self._added)
        session.on("user_input_transcribed", self._transcribed)
        session.on("error", lambda event: self.errors.append(str(event.error)))

    async def listen(self) -> None:
        """See `Talk.listen`."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            await self.happened()

    def _heard(self, segment: int, pcm: bytes) -> None:
        self.hear(f"reply_{segment}", pcm)
        self._stirred.set()

    def _added(self, event: Any) -> None:
        item = event.item
        if item.type == "message" and item.role == "assistant":
            self.ended += 1
            self.interrupted += bool(item.interrupted)
            self.note(f"reply_{self.ended}", "assistant", item.text_content or "")
        elif item.type == "message":
            self.note(item.id, "user", item.text_content or "")
        self._stirred.set()

    def _transcribed(self, event: Any) -> None:
        if event.is_final and event.item_id:
            self.note(event.item_id, "user", event.transcript)
            self._stirred.set()

    async def send_audio(self, pcm: bytes) -> None:
        """See `Talk.send_audio`."""
        self.microphone.put(pcm)

    async def send_text(self, text: str) -> None:
        """See `Talk.send_text`."""
        self.session.generate_reply(user_input=text)


def voice(plan: dict[str, Any]) -> openai.realtime.RealtimeModel:
    """The speaking model: server VAD that answers by itself and can be broken in on."""
    detection = ServerVad(type="server_vad", silence_duration_ms=600, create_response=True, interrupt_response=True)
    return openai.realtime.RealtimeModel(
        model=plan["model"],
        voice="marin",
        base_url=plan["url"].replace("ws://", "http://"),
        api_key="any-key",
        input_audio_transcription=AudioTranscription(model="gpt-transcribe"),
        turn_detection=detection,
    )


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Hold the exchange and print what happened."""
    session = AgentSession(llm=voice(plan))
    talk = Session(plan, folder, session)
    await session.start(Agent(instructions=plan["instructions"]))
    problem = await talk.hold()
    await session.aclose()
    talk.tell(problem)


if __name__ == "__main__":
    run(main)
