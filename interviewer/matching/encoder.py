"""Texts to vectors: the sentence model on one thread, with a memory of what it has read."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import ModelMissing
from interviewer.matching.tokens import tokens
from interviewer.matching.weights import Weights, weights

if TYPE_CHECKING:
    from tokenizers import Encoding

Vectors = NDArray[np.float64]

LONGEST = 256
"""Word pieces that the model was trained to read, its two marks among them (model card of all-MiniLM-L6-v2)."""

_BATCH = 32
_KEPT = 20_000
# A list of so many texts is kept whole: all earlier questions come again with each new one.
_MANY, _LATELY = 64, 4
_KNOWN_SHARE = 0.5


class Encoder:
    """Unit vectors of texts. Each text is embedded once; the latest 20,000 are kept (about 60 MB). Thread-safe."""

    def __init__(self, files: Weights) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelMissing(f"{error.name} is not installed: pip install 'interviewer[minilm]'") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
            self._session: Any = onnxruntime.InferenceSession(
                str(files.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both raise classes of their own for a file they cannot read
            raise ModelMissing(f"{files.model} or {files.tokenizer.name} cannot be loaded: {error}") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._unknown = int(self._tokenizer.token_to_id("[UNK]") or 0)
        self._size = int(self._session.get_outputs()[0].shape[-1])
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lately: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()
        self._lock = threading.Lock()
        self.version = files.version

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), size); a row of NaN for a text the model cannot read.

        That is one without a word, of more than 256 word pieces (about 190 words: give its sentences) or with more
        word pieces unknown than known, as in scripts it was not trained on. It knows English best by far.
        """
        key = tuple(texts) if len(texts) >= _MANY else ()
        with self._lock:
            if key and key in self._lately:
                return self._lately[key]
            missing = sorted({text for text in texts if text not in self._kept})
            for text, vector in zip(missing, self._embed(missing), strict=True):
                self._kept[text] = vector
            found = [self._kept[text] for text in texts]
            for text in texts:
                self._kept.move_to_end(text)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            vectors = np.array(found, dtype=np.float64).reshape(len(texts), self._size)
            if key:
                vectors.flags.writeable = False
                self._lately[key] = vectors
                while len(self._lately) > _LATELY:
                    self._lately.popitem(last=False)
        return vectors

    def _embed(self, texts: list[str]) -> Vectors:
        vectors = np.full((len(texts), self._size), np.nan)
        encodings = self._tokenizer.encode_batch(texts) if texts else []
        readable = [at for at, text in enumerate(texts) if self._readable(text, encodings[at])]
        # Texts of about one length go together: padding is what costs.
        readable.sort(key=lambda at: (len(encodings[at].ids), at))
        for start in range(0, len(readable), _BATCH):
            batch = readable[start : start + _BATCH]
            vectors[batch] = self._run([encodings[at].ids for at in batch])
        return vectors

    def _readable(self, text: str, encoding: "Encoding") -> bool:
        if not 2 < len(encoding.ids) <= LONGEST or not tokens(text):
            return False
        return encoding.ids.count(self._unknown) <= _KNOWN_SHARE * (len(encoding.ids) - 2)

    def _run(self, pieces: list[list[int]]) -> Vectors:
        lengths = np.array([len(ids) for ids in pieces])
        mask = (np.arange(lengths.max()) < lengths[:, None]).astype(np.int64)
        padded = np.zeros(mask.shape, dtype=np.int64)
        padded[mask.astype(bool)] = np.concatenate(pieces)
        feed = {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)}
        hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0].astype(np.float64)
        pooled = (hidden * mask[:, :, None]).sum(axis=1)  # the mean, but for a factor that the norm takes out
        vectors: Vectors = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors


def encoder(folder: Path | None = None) -> Encoder:
    """The one encoder of these files, loaded when first asked for (about half a second). Errors: see `weights`."""
    return _encoder(weights(folder))


@cache
def _encoder(files: Weights) -> Encoder:
    return Encoder(files)
