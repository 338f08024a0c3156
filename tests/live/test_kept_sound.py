"""The sound of a live call that is kept: on its own line of time, with silence where nobody was to be heard."""

import base64
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from interviewer.audio import flac, wav
from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.audio.pcm import Samples, from_base64, samples, silence, to_bytes
from interviewer.audio.recording import Recording
from interviewer.call.actions import Microphone
from tests.live.service import HandMicrophone, Rig, Talk, service

FRAME = 1_920  # bytes of 40 ms
MS = 24  # samples
MARKERS = 4


def marker(ms: int) -> bytes:
    seconds = np.arange(ms * MS) / 24_000
    return to_bytes((9_000 * np.sin(2 * np.pi * 1_000 * seconds)).astype(np.int16))


def sounds(side: Samples) -> list[tuple[float, float]]:
    """Where sound begins and ends, in ms, with at least 120 ms of silence between."""
    loud = np.flatnonzero(np.abs(side.astype(int)) > 1_000)
    parts = np.split(loud, np.flatnonzero(np.diff(loud) > 120 * MS) + 1)
    return [(float(part[0]) / MS, float(part[-1]) / MS) for part in parts]


def begins_ms(side: Samples) -> list[float]:
    return [began for began, _ in sounds(side)]


def noticing(talk: Talk) -> None:
    """Says at once when somebody begins and stops to sound, and answers with a marker of its own."""
    talk.created()
    sounding, item = False, 0
    while True:
        event = talk.get()
        if event["type"] == "session.update":
            talk.updated(event)
        elif event["type"] == "response.create":
            response_id = talk.begin(event)
            names = {"response_id": response_id, "item_id": f"i_{response_id}", "output_index": 0, "content_index": 0}
            talk.send("response.output_audio.delta", delta=base64.b64encode(marker(120)).decode(), **names)
            talk.send("response.output_audio_transcript.done", transcript="How did you come to build bridges?", **names)
            talk.done(response_id, event)
        elif event["type"] == "input_audio_buffer.append":
            loud = bool(np.abs(samples(from_base64(event["audio"])).astype(int)).max() > 1_000)
            if loud and not sounding:
                item += 1
                talk.send("input_audio_buffer.speech_started", item_id=f"g{item}", audio_start_ms=0)
            elif sounding and not loud:
                name: dict[str, Any] = {"item_id": f"g{item}"}
                talk.send("input_audio_buffer.speech_stopped", audio_end_ms=0, **name)
                talk.send("input_audio_buffer.committed", previous_item_id=None, **name)
                words = f"I built bridge number {item} by hand."
                talk.send("conversation.item.input_audio_transcription.completed", transcript=words, **name)
            sounding = loud


def test_markers_of_both_sides_lie_where_the_turns_say_within_a_frame(tmp_path: Path) -> None:
    wav.write(tmp_path / "guest.wav", silence(400) + MARKERS * (marker(160) + silence(440)))
    recording = Recording(tmp_path / "call.flac")
    with service(noticing) as (url, _):
        ends = FileMicrophone(tmp_path / "guest.wav"), FileSpeaker()
        rig = Rig(url, speed=1.0, ends=ends, recording=recording).start()
        time.sleep((400 + MARKERS * 600) / 1_000)
        rig.end()
    assert recording.error is None
    guest, voice = flac.read(recording.path).T
    inputs = [(t_ms, data) for kind, t_ms, data in rig.lines if kind == "in"]
    noticed = [t for t, data in inputs if data.get("frame", {}).get("type") == "input_audio_buffer.speech_started"]
    assert len(noticed) == MARKERS
    assert {turn.started_ms for turn in rig.call.core.turns if turn.speaker == "guest"} <= set(noticed)
    # The service says so with the frame's end, and on a busy machine the way there and back later.
    apart = [told - at for told, at in zip(noticed, begins_ms(guest), strict=True)]
    assert -20 <= min(apart) <= 60
    first: dict[str, int] = {}
    for t_ms, data in inputs:
        if data["type"] == "playback" and data["played_ms"]:
            first.setdefault(data["response_id"], t_ms - data["played_ms"])
    assert len(first) >= 2
    apart = [min(abs(told - at) for at in begins_ms(voice)) for told in first.values()]
    assert min(apart) <= 40


def test_what_the_service_does_not_hear_is_silence_in_the_file_and_keeps_its_length(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "call.flac")
    microphone = HandMicrophone()

    def hear(count: int) -> None:
        for _ in range(count):
            microphone.hear(marker(40))
            time.sleep(0.04)

    def until_microphone(on: bool) -> None:
        rig.until(lambda action: isinstance(action, Microphone) and action.on is on)

    with service(noticing) as (url, _):
        rig = Rig(url, speed=1.0, microphone=microphone, recording=recording).start()
        rig.until_record("reply", kind="opening")
        for name, on in (("mute", False), ("unmute", True), ("pause", False), ("resume", True)):
            hear(8)
            rig.call.command(name)  # type: ignore[arg-type]
            until_microphone(on)
        hear(8)
        rig.end()
    guest = flac.read(recording.path)[:, 0]
    # Heard, muted, heard, paused, heard: 320 ms each.
    heard = sounds(guest)
    assert len(heard) == 3
    assert all(300 <= ended - began <= 400 for began, ended in heard)
    assert all(300 <= later - ended <= 1_000 for (_, ended), (later, _) in pairwise(heard))


def test_a_disk_without_room_for_sound_costs_no_call(tmp_path: Path) -> None:
    (tmp_path / "audio").write_text("in the way")
    recording = Recording(tmp_path / "audio" / "call.flac")
    with service(noticing) as (url, _):
        rig = Rig(url, recording=recording).start()
        rig.until_record("reply", kind="opening")
        rig.end()
    assert rig.call.error is None
    assert "cannot be kept" in str(recording.error)
    assert rig.call.core.ledger.questions["q1"].status == "delivered"
