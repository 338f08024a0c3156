"""Kept sound as a file: whole, still growing, cut off by a crash or a full disk."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from interviewer.audio import flac, wav
from interviewer.audio.pcm import Samples
from interviewer.errors import AudioError

SECOND = 24_000


def noise(seconds: float, seed: int = 0) -> Samples:
    """Both channels differ, and no second is like another; it hardly compresses."""
    made: Samples = np.random.default_rng(seed).integers(-9_000, 9_000, (int(seconds * SECOND), 2)).astype(np.int16)
    return made


def test_every_moment_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    sound = noise(3)
    writer = flac.FlacWriter(tmp_path / "audio" / "call.flac")
    for at in range(0, len(sound), 960):
        writer.write(sound[at : at + 960])
    writer.close()
    path = tmp_path / "audio" / "call.flac"
    assert flac.length_ms(path) == 3_000
    assert np.array_equal(flac.read(path), sound)
    assert np.array_equal(flac.read(path, 1_250, 2_000), sound[30_000:48_000])
    assert np.array_equal(flac.read(path, -100, 100), sound[:2_400])
    assert len(flac.read(path, 3_000, 9_000)) == 0


def test_it_can_be_read_while_it_grows_by_any_program(tmp_path: Path) -> None:
    path, sound = tmp_path / "call.flac", noise(4)
    writer = flac.FlacWriter(path)
    writer.write(sound[:960])
    assert flac.length_ms(path) == 0
    writer.write(sound[960 : 3 * SECOND])
    data, rate = soundfile.read(path, dtype="int16")
    # 17 whole blocks of 4,096 samples; the eighteenth is still being filled.
    assert (rate, len(data)) == (SECOND, 69_632)
    assert flac.length_ms(path) == 2_901
    assert np.array_equal(data, sound[: len(data)])
    writer.write(sound[3 * SECOND :])
    writer.close()
    assert np.array_equal(flac.read(path), sound)


KILLED = """
import os, sys
from pathlib import Path
from interviewer.audio.flac import FlacWriter
from tests.audio.test_flac import noise
writer = FlacWriter(Path(sys.argv[1]))
sound = noise(5)
for at in range(0, len(sound), 960):
    writer.write(sound[at : at + 960])
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_what_was_written_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "call.flac"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, timeout=60)
    assert killed.returncode == -9
    sound, kept = noise(5), flac.read(path)
    assert len(kept) >= 5 * SECOND - SECOND - 2 * 4_096
    assert np.array_equal(kept, sound[: len(kept)])
    assert np.array_equal(flac.read(path, 2_000, 2_500), sound[48_000:60_000])


def test_a_full_disk_is_named_and_leaves_what_was_written(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path, sound = tmp_path / "call.flac", noise(8)
    writer = flac.FlacWriter(path)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, unlimited[1]))  # 3 seconds of this noise
    try:
        with pytest.raises(AudioError, match=r"call\.flac: no more of the call's sound is kept: File too large"):
            writer.write(sound)
        with pytest.raises(AudioError, match="no more"):
            writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    kept = flac.read(path)
    assert len(kept) >= 2 * SECOND
    assert np.array_equal(kept, sound[: len(kept)])


def test_no_file_is_written_over_and_none_is_left_without_sound(tmp_path: Path) -> None:
    path = tmp_path / "call.flac"
    flac.FlacWriter(path).close()
    assert not path.exists()
    path.write_bytes(b"somebody's")
    with pytest.raises(AudioError, match=r"call\.flac: .*cannot be kept: File exists"):
        flac.FlacWriter(path)
    assert path.read_bytes() == b"somebody's"


def test_what_is_no_calls_sound_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match="no such"):
        flac.read(tmp_path / "gone.flac")
    (tmp_path / "text.flac").write_text("fLaC and nothing more")
    with pytest.raises(AudioError, match=r"text\.flac: cannot be read"):
        flac.read(tmp_path / "text.flac")
    wav.write(tmp_path / "mono.wav", b"\1\0" * 2_400)
    with pytest.raises(AudioError, match="1 channels at 24000 Hz"):
        flac.read(tmp_path / "mono.wav")


def test_the_wav_file_holds_the_same_sound(tmp_path: Path) -> None:
    sound = noise(11)
    writer = flac.FlacWriter(tmp_path / "call.flac")
    writer.write(sound)
    writer.close()
    flac.to_wav(tmp_path / "call.flac", tmp_path / "call.wav")
    data, rate = soundfile.read(tmp_path / "call.wav", dtype="int16")
    assert rate == SECOND
    assert np.array_equal(data, sound)
    with pytest.raises(AudioError, match=r"call\.wav: cannot be written"):
        flac.to_wav(tmp_path / "call.flac", tmp_path / "nowhere" / "call.wav")
