"""Writes down recordings with PocketSphinx and its own English model: `python recogniser.py FOLDER`.

Runs in an environment of its own. Prints, for every `.raw` file (16 kHz, 16-bit mono), its words.
"""

import json
import sys
from pathlib import Path

from pocketsphinx import Decoder  # type: ignore[import-not-found]

NO_WORDS = ("<s>", "</s>", "<sil>", "[NOISE]", "[COUGH]", "[SMACK]", "[UH]", "[UM]")


def write_down(decoder: Decoder, pcm: bytes) -> list[str]:
    """The words of a recording."""
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()
    return [part.word.split("(")[0] for part in decoder.seg() or () if part.word not in NO_WORDS]


def main() -> None:
    """Write down every recording of the folder."""
    # The settings that its manual gives for speed; the last pass is for accuracy alone.
    decoder = Decoder(loglevel="FATAL", ds=2, topn=2, maxwpf=5, maxhmmpf=3000, pl_window=10, fwdflat=False)
    files = sorted(Path(sys.argv[1]).glob("*.raw"))
    print(json.dumps({path.stem: write_down(decoder, path.read_bytes()) for path in files}))


if __name__ == "__main__":
    main()
