"""Pipecat: a pipeline of a transport of ours, its context aggregators and its OpenAI Realtime service."""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from loguru import logger  # type: ignore[import-not-found]
from pipecat.frames.frames import (  # type: ignore[import-not-found]
    ErrorFrame,
    Frame,
    InputAudioRawFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMMessagesAppendFrame,
    LLMRunFrame,
    LLMTextFrame,
    OutputAudioRawFrame,
    StartFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed  # type: ignore[import-not-found]
from pipecat.pipeline.pipeline import Pipeline  # type: ignore[import-not-found]
from pipecat.pipeline.worker import PipelineParams, PipelineWorker  # type: ignore[import-not-found]
from pipecat.processors.aggregators.llm_context import LLMContext  # type: ignore[import-not-found]
from pipecat.processors.aggregators.llm_response_universal import (  # type: ignore[import-not-found]
    LLMContextAggregatorPair,
)
from pipecat.services.openai.realtime.events import (  # type: ignore[import-not-found]
    AudioConfiguration,
    AudioInput,
    AudioOutput,
    InputAudioTranscription,
    SessionProperties,
    TurnDetection,
)
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService  # type: ignore[import-not-found]
from pipecat.transports.base_input import BaseInputTransport  # type: ignore[import-not-found]
from pipecat.transports.base_output import BaseOutputTransport  # type: ignore[import-not-found]
from pipecat.transports.base_transport import TransportParams  # type: ignore[import-not-found]
from pipecat.workers.runner import WorkerRunner  # type: ignore[import-not-found]

from evals.clients.programs.talk import Talk, run

RATE = 24_000


class Microphone(BaseInputTransport):  # type: ignore[misc]
    """Frames that are put in."""

    def __init__(self, params: TransportParams) -> None:
        super().__init__(params)
        self.ready = asyncio.Event()

    async def start(self, frame: StartFrame) -> None:
        """The pipeline begins."""
        await super().start(frame)
        await self.set_transport_ready(frame)
        self.ready.set()

    async def put(self, pcm: bytes) -> None:
        """Another frame."""
        await self.push_audio_frame(InputAudioRawFrame(audio=pcm, sample_rate=RATE, num_channels=1))


class Loudspeaker(BaseOutputTransport):  # type: ignore[misc]
    """Plays to nobody at `speed` times real time."""

    def __init__(self, params: TransportParams, speed: float) -> None:
        super().__init__(params)
        self._speed = speed
        self._free_s = 0.0

    async def start(self, frame: StartFrame) -> None:
        """The pipeline begins."""
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Play a frame, in its own time."""
        now_s = asyncio.get_running_loop().time()
        self._free_s = max(self._free_s, now_s) + len(frame.audio) / 2 / RATE / self._speed
        await asyncio.sleep(max(0.0, self._free_s - now_s))
        return True


class Notes(BaseObserver):  # type: ignore[misc]
    """Calls `take` once for every frame that its source pushes."""

    def __init__(self, take: Callable[[Frame, object], None]) -> None:
        super().__init__()
        self._take = take

    async def on_push_frame(self, data: FramePushed) -> None:
        """A frame goes from one processor to the next."""
        self._take(data.frame, data.source)


class Call(Talk):
    """Notes the frames that the service pushes; a reply is what comes between the start and the end of its speech."""

    plays = True

    def __init__(self, plan: dict[str, Any], folder: Path) -> None:
        super().__init__(plan, folder)
        self.service = service(plan)
        params = TransportParams(
            audio_in_enabled=True, audio_out_enabled=True, audio_in_sample_rate=RATE, audio_out_sample_rate=RATE
        )
        self.microphone = Microphone(params)
        pair = LLMContextAggregatorPair(LLMContext([]))
        pipeline = Pipeline(
            [self.microphone, pair.user(), self.service, Loudspeaker(params, plan["speed"]), pair.assistant()]
        )
        self.worker = PipelineWorker(
            pipeline,
            params=PipelineParams(audio_in_sample_rate=RATE, audio_out_sample_rate=RATE),
            observers=[Notes(self._take)],
        )
        self._stirred = asyncio.Event()
        self._replies = self._before = 0

    async def begin(self) -> None:
        """Its service takes the context once, and speaks to it: that greeting is not of the exchange."""
        await self.worker.queue_frames([LLMRunFrame()])
        await self.until(lambda: self.ended > 0)
        self.items.clear()
        self.audio.clear()
        self._before, self.ended = self._replies, 0

    async def listen(self) -> None:
        """See `Talk.listen`."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            await self.happened()

    def _take(self, frame: Frame, source: object) -> None:
        if isinstance(frame, InterruptionFrame) and source is self.service:
            self.interrupted += 1
        elif isinstance(frame, ErrorFrame):
            self.errors.append(frame.error)
        elif source is self.service:
            self._from_service(frame)
        self._stirred.set()

    def _from_service(self, frame: Frame) -> None:
        reply = f"reply_{self._replies}"
        if isinstance(frame, LLMFullResponseStartFrame):
            # It is told when a reply is asked for, and again when it begins.
            if reply not in self.items or self.items[reply]["text"]:
                self._replies += 1
                self.note(f"reply_{self._replies}", "assistant", "")
        elif isinstance(frame, TTSAudioRawFrame):
            self.hear(reply, frame.audio)
        elif isinstance(frame, LLMTextFrame):
            self.items[reply]["text"] += frame.text
        elif isinstance(frame, LLMFullResponseEndFrame):
            self.ended = self._replies - self._before
        elif isinstance(frame, TranscriptionFrame):
            self.note(f"ours_{frame.result.item_id}", "user", frame.text)

    async def send_audio(self, pcm: bytes) -> None:
        """See `Talk.send_audio`."""
        await self.microphone.put(pcm)

    async def send_text(self, text: str) -> None:
        """See `Talk.send_text`."""
        self.note("typed", "user", text)
        message = {"role": "user", "content": text}
        await self.service.queue_frame(LLMMessagesAppendFrame([message], run_llm=True))


def service(plan: dict[str, Any]) -> OpenAIRealtimeLLMService:
    """The speaking model: server VAD that answers by itself and can be broken in on."""
    heard = AudioInput(
        transcription=InputAudioTranscription(model="gpt-transcribe"),
        turn_detection=TurnDetection(silence_duration_ms=600),
    )
    properties = SessionProperties(
        instructions=plan["instructions"], audio=AudioConfiguration(input=heard, output=AudioOutput(voice="marin"))
    )
    return OpenAIRealtimeLLMService(
        api_key="any-key",
        base_url=f"{plan['url']}/realtime",
        settings=OpenAIRealtimeLLMService.Settings(model=plan["model"], session_properties=properties),
    )


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Hold the exchange and print what happened."""
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    talk = Call(plan, folder)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(talk.worker)
    running = asyncio.create_task(runner.run())
    await talk.microphone.ready.wait()
    problem = await talk.hold()
    await talk.worker.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    talk.tell(problem)


if __name__ == "__main__":
    run(main)
