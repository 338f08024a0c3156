"""Runs in an environment with inspect-ai: CALLS.json TIMES. Prints seconds of processor time a call, run by run.

A sample is a decision, as it is scored: `generate` for each agent of its cycle, with the prompt that the agent has,
answered by the mock model with the output that the agent gave; then what was proposed is held against what the
recording asked. Logs go to a folder that is thrown away. The calls are one task; with a task for each call it takes as
long. Prompts are made beforehand, and nothing is computed for an answer, as our rules have to.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import inspect_ai  # type: ignore[import-not-found]
from inspect_ai.dataset import Sample  # type: ignore[import-not-found]
from inspect_ai.model import (  # type: ignore[import-not-found]
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import match  # type: ignore[import-not-found]
from inspect_ai.solver import solver  # type: ignore[import-not-found]


@solver  # type: ignore[untyped-decorator]
def agents() -> Any:
    """One `generate` for each prompt of the sample."""

    async def solve(state: Any, generate: Any) -> Any:
        for prompt in state.metadata["prompts"]:
            state.messages = [ChatMessageUser(content=prompt)]
            state = await generate(state)
            json.loads(state.output.completion)
        return state

    return solve


def answer(text: str) -> Any:
    """What the mock model says. With a usage of its own it counts no tokens, which would cost it time."""
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def main() -> None:
    """Go through all calls once more than is counted."""
    calls = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for number in range(int(sys.argv[2]) + 1):
        cycles = [cycle for call in calls for cycle in call]
        outputs = [answer(output) for cycle in cycles for output in cycle["outputs"]]
        samples = [Sample(input="next", target=cycle["asked"] or "-", metadata=cycle) for cycle in cycles]
        task = inspect_ai.Task(dataset=samples, solver=agents(), scorer=match(location="any"))
        with tempfile.TemporaryDirectory() as logs:
            began = time.process_time()
            (log,) = inspect_ai.eval(
                task,
                model=get_model("mockllm/model", custom_outputs=outputs, memoize=False),
                display="none",
                log_dir=logs,
                max_samples=1,
            )
            seconds = time.process_time() - began
        assert log.status == "success", log.error
        if number:  # the first run loads what the others have
            print(json.dumps(seconds / len(calls)), flush=True)


main()
