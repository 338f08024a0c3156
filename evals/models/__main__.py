"""`python -m evals.models [AGENT...]`: a real local model behind every agent; the table of what it came to.

The model is tiny and its prose is poor: what counts is whether outputs have the shape that was asked for.
"""

import argparse
import time

from evals.clients.environment import CannotInstall
from evals.models.local import Line, ask, served
from interviewer.agents.registry import AGENTS


def main() -> int:
    """Run the agents named, all by default; exit code 0 unless the model could not be had."""
    parser = argparse.ArgumentParser(prog="python -m evals.models", description=__doc__)
    parser.add_argument("agents", nargs="*", choices=[*AGENTS, []], metavar="AGENT")
    named = parser.parse_args().agents or list(AGENTS)
    began = time.monotonic()
    try:
        with served() as url:
            print(f"{'agent':<16}{'valid':<7}{'seconds':>8}{'read':>7}{'written':>9}{'repairs':>9}  error")
            ready = time.monotonic()
            for line in ask(url, named, seconds=600.0):
                print(_row(line), flush=True)
    except CannotInstall as error:
        print(f"the model cannot be had: {error}")
        return 1
    print(f"\n{ready - began:.1f} s to install and start, {time.monotonic() - ready:.1f} s for {len(named)} agents")
    return 0


def _row(line: Line) -> str:
    ran = line.ran
    return (
        f"{line.agent:<16}{'yes' if line.valid else 'no':<7}{ran.latency_ms / 1_000:>8.1f}{ran.input_tokens:>7}"
        f"{ran.output_tokens:>9}{ran.repairs:>9}  {ran.error[:80]}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
