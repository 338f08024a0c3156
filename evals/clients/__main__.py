"""`python -m evals.clients openai-agents|sdk|all`: exit code 0 if the exchange went as it must."""

import argparse
import time

from evals.clients.clients import CLIENTS
from evals.clients.environment import CannotInstall


def main() -> int:
    """Run the clients named; print what each came to."""
    parser = argparse.ArgumentParser(prog="python -m evals.clients", description=__doc__)
    parser.add_argument("client", choices=[*CLIENTS, "all"])
    named = parser.parse_args().client
    return max([_run(name) for name in CLIENTS if named in (name, "all")])


def _run(name: str) -> int:
    began = time.monotonic()
    try:
        outcome = CLIENTS[name]()
    except CannotInstall as error:
        print(f"{name}: could not be installed: {error}")
        return 1
    for item in outcome.summary.get("items", ()):
        print(f"  {item['role']:>9}: {item['text']}")
    print(f"{outcome.client}: {'as it must' if not outcome.wrong else 'WRONG'}, {time.monotonic() - began:.0f} s")
    for problem in outcome.wrong:
        print(f"  {problem}")
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
