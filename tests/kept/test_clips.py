"""A turn's moment out of a call's kept sound."""

import io
import wave
from pathlib import Path

import numpy as np
import pytest

from interviewer.audio.flac import FlacWriter
from interviewer.errors import NotFound
from interviewer.interview.demo import run_demo
from interviewer.kept.clips import clip, recordings, take_away
from interviewer.settings import Settings
from interviewer.store.store import Store

MS = 24  # samples


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    home = tmp_path_factory.mktemp("home")
    run_demo("Bees", minutes=0.5, seed=1, home=home)
    return Store.open(home)


def counting(path: Path, from_s: int, to_s: int) -> None:
    """Sound whose left side tells the second it is of, and the right side the negative; before it silence."""
    seconds = np.repeat(np.arange(to_s), 1_000 * MS).astype(np.int16)
    seconds[: from_s * 1_000 * MS] = 0
    writer = FlacWriter(path)
    writer.write(np.stack([seconds, -seconds], axis=1))
    writer.close()


def sound(content: bytes) -> list[int]:
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (1, 24_000, 2)
        return [int(value) for value in np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")]


def test_a_clip_is_its_speakers_side_from_the_turns_beginning_to_its_end(store: Store) -> None:
    with pytest.raises(NotFound, match=r"not kept.*--keep-audio"):
        clip(store, "last", "t1")
    assert recordings(store, "last") == []
    path = store.home.recording(store.resolve("last"))
    counting(path, 0, 60)
    turns = store.transcript("last").set_index("turn_id")
    guest = turns[(turns.speaker == "guest") & (turns.ended_ms < 60_000)].iloc[0]
    voice = turns[(turns.speaker == "interviewer") & (turns.ended_ms < 60_000)].iloc[0]
    settings = Settings().with_(audio={"clip_lead_ms": 300})
    heard = sound(clip(store, "last", str(guest.name), settings=settings))
    assert len(heard) == (guest.ended_ms - guest.started_ms + 300) * MS
    assert (heard[0], heard[-1]) == ((guest.started_ms - 300) // 1_000, guest.ended_ms // 1_000)
    heard = sound(clip(store, "last", str(voice.name)))
    assert len(heard) == (voice.ended_ms - voice.started_ms) * MS
    assert heard[-1] == -(voice.ended_ms // 1_000)
    with pytest.raises(NotFound, match="no turn 't99'"):
        clip(store, "last", "t99")


def test_a_resumed_call_has_its_sound_in_several_files(store: Store, tmp_path: Path) -> None:
    first = store.home.recording(store.resolve("last"))
    first.unlink(missing_ok=True)
    counting(first, 0, 1)
    turns = store.transcript("last")
    later = turns[turns.started_ms >= 1_000].iloc[0]
    with pytest.raises(NotFound, match=f"ends before turn {later.turn_id}"):
        clip(store, "last", later.turn_id)
    counting(first.with_suffix(".2.flac"), 1, 40)
    assert [path.name for path in recordings(store, "last")] == [first.name, f"{first.stem}.2.flac"]
    heard = sound(clip(store, "last", later.turn_id))
    assert abs(heard[-1]) == later.ended_ms // 1_000
    written = take_away(store, "last", "wav", tmp_path / "bees.wav")
    assert [path.name for path in written] == ["bees.wav", "bees.2.wav"]
