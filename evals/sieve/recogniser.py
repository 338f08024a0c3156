"""Writes down recordings with PocketSphinx and its own English model: `python recogniser.py FOLDER`.

Runs in an environment of its own. Prints, for every `.raw` file (16 kHz, 16-bit mono), its words, each with the
natural logarithm of its posterior probability.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

from pocketsphinx import Decoder  # type: ignore[import-not-found]

NO_WORDS = ("<s>", "</s>", "<sil>", "[NOISE]", "[COUGH]", "[SMACK]", "[UH]", "[UM]")


def write_down(decoder: Decoder, pcm: bytes) -> list[tuple[str, float]]:
    """The words of a recording, each with its log-probability."""
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()
    scale: Any = decoder.get_logmath()
    found = []
    for part in decoder.seg() or ():
        if part.word not in NO_WORDS:
            found.append((part.word.split("(")[0], math.log(max(1e-9, scale.exp(part.prob)))))
    return found


def main() -> None:
    """Write down every recording of the folder."""
    # The settings that its manual gives for speed; the last pass is for accuracy alone.
    decoder = Decoder(loglevel="FATAL", ds=2, topn=2, maxwpf=5, maxhmmpf=3000, pl_window=10, fwdflat=False)
    files = sorted(Path(sys.argv[1]).glob("*.raw"))
    print(json.dumps({path.stem: write_down(decoder, path.read_bytes()) for path in files}))


if __name__ == "__main__":
    main()
