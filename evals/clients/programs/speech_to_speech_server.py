"""speech-to-speech's own Realtime server, over a pipeline that has no models: `... --port PORT`.

Its queues, its service and its websocket layer are its own. In place of voice detection there is a threshold, in place
of the language model the question that the instructions ask for; recognition and voice are this project's synthetic
ones, which need numpy alone.
"""

import argparse
import re
import threading
from queue import Queue
from typing import Any

import numpy as np
import soxr  # type: ignore[import-not-found]
from speech_to_speech.api.openai_realtime.pipeline_unit import PipelineUnit  # type: ignore[import-not-found]
from speech_to_speech.api.openai_realtime.server import RealtimeServer  # type: ignore[import-not-found]
from speech_to_speech.api.openai_realtime.service import RealtimeService  # type: ignore[import-not-found]
from speech_to_speech.pipeline.cancel_scope import CancelScope  # type: ignore[import-not-found]
from speech_to_speech.pipeline.control import is_control_message  # type: ignore[import-not-found]
from speech_to_speech.pipeline.events import (  # type: ignore[import-not-found]
    AssistantOutputEvent,
    AssistantResponseDoneEvent,
    SpeechStartedEvent,
    SpeechStoppedEvent,
    TranscriptionCompletedEvent,
)
from speech_to_speech.pipeline.messages import (  # type: ignore[import-not-found]
    AUDIO_RESPONSE_DONE,
    AssistantTextPart,
    AudioOutput,
)

from interviewer.audio.pcm import to_bytes
from interviewer.audio.speech import Transcriber, synthesise

RATE = 16_000
OURS = 24_000
LOUD = 100
CHUNK = 512
SILENCE_MS = 1_000
SAID = {"closing": "Thank you so much for your time. Goodbye.", "nudge": "Take your time."}
FREE = "That is good to know."


class Ear(threading.Thread):
    """Tells of speech by its loudness, and of what was said once it is over."""

    def __init__(self, unit: PipelineUnit) -> None:
        super().__init__(daemon=True)
        self._unit = unit
        self._ms = self._began_ms = self._quiet_ms = 0
        self._speech: list[Any] | None = None

    def run(self) -> None:
        """Until the process ends."""
        while True:
            item = self._unit.input_queue.get()
            if is_control_message(item):
                self._unit.output_queue.put(item)
            else:
                self._hear(np.frombuffer(item[0], dtype=np.int16) if isinstance(item[0], bytes) else item[0])

    def _hear(self, pcm: Any) -> None:
        self._ms += len(pcm) * 1_000 // RATE
        loud = float(np.abs(pcm.astype(np.float32)).mean()) > LOUD
        if loud and self._speech is None:
            self._speech, self._began_ms = [], self._ms
            self._unit.text_output_queue.put(SpeechStartedEvent(audio_start_ms=self._ms))
        if self._speech is None:
            return
        self._speech.append(pcm)
        self._quiet_ms = 0 if loud else self._quiet_ms + len(pcm) * 1_000 // RATE
        if self._quiet_ms >= SILENCE_MS:
            self._tell(np.concatenate(self._speech))
            self._speech = None

    def _tell(self, speech: Any) -> None:
        put = self._unit.text_output_queue.put
        put(SpeechStoppedEvent(duration_s=(self._ms - self._began_ms) / 1_000, audio_end_ms=self._ms))
        ear = Transcriber()
        ear.feed(to_bytes(soxr.resample(speech, RATE, OURS)))
        put(TranscriptionCompletedEvent(transcript=ear.take() or "", language_code="en"))


class Mouth(threading.Thread):
    """Says the question that the instructions ask for, or what fits their kind."""

    def __init__(self, unit: PipelineUnit) -> None:
        super().__init__(daemon=True)
        self._unit = unit

    def run(self) -> None:
        """Until the process ends."""
        while True:
            request = self._unit.text_prompt_queue.get()
            if getattr(request, "tag", "") == "generate_response":
                self._say(request, _words(request))

    def _say(self, request: Any, text: str) -> None:
        about = {"response_key": request.response_key, "cancel_generation": self._unit.cancel_scope.generation}
        put = self._unit.output_queue.put
        put(AssistantOutputEvent(parts=[AssistantTextPart(text=text)], **about))
        sound = soxr.resample(synthesise(text), OURS, RATE)
        for start in range(0, len(sound), CHUNK):
            put(AudioOutput(audio=sound[start : start + CHUNK], **about))
        put(AssistantResponseDoneEvent(**about))
        put(AudioOutput(audio=AUDIO_RESPONSE_DONE, **about))


def _words(request: Any) -> str:
    instructions = getattr(request.response, "instructions", None) or request.runtime_config.session.instructions or ""
    asked = re.search(r"<ask[^>]*>(.*?)</ask>", instructions)
    kind = re.search(r"<reply>(\w+)</reply>", instructions)
    return f"I see. {asked.group(1)}" if asked else SAID.get(kind.group(1) if kind else "", FREE)


def main() -> None:
    """Serve until the process ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    prompts: Queue[Any] = Queue()
    listen, playing = threading.Event(), threading.Event()
    listen.set()
    unit = PipelineUnit(
        index=0,
        service=RealtimeService(text_prompt_queue=prompts, should_listen=listen),
        cancel_scope=CancelScope(),
        should_listen=listen,
        response_playing=playing,
        input_queue=Queue(),
        output_queue=Queue(),
        text_output_queue=Queue(),
        text_prompt_queue=prompts,
        handlers=[],
    )
    Ear(unit).start()
    Mouth(unit).start()
    RealtimeServer(threading.Event(), [unit], host="127.0.0.1", port=parser.parse_args().port).run()


if __name__ == "__main__":
    main()
