"""Run: python -m evals.clients NAME|clients|servers|all [--out FILE]. Exits 1 unless everything went as it must.

Clients are other people's programs that speak with the simulated service; servers are other people's services that
this package's live call is held with. Each is installed for the purpose and thrown away.
"""

import argparse
import json
import platform
import time
from pathlib import Path

from evals.clients.clients import CLIENTS
from evals.clients.environment import CannotInstall
from evals.clients.exchange import Outcome
from evals.clients.servers import SERVERS

_ALL = {**CLIENTS, **SERVERS}
_TOLD_ELSEWHERE = ("items", "audio", "problem", "cpu_s", "heard_ms")
_GROUPS = {"clients": list(CLIENTS), "servers": list(SERVERS), "all": list(_ALL)}


def main() -> int:
    """Run what is named; print what each came to."""
    parser = argparse.ArgumentParser(prog="python -m evals.clients", description=__doc__)
    parser.add_argument("name", choices=[*_ALL, *_GROUPS])
    parser.add_argument("--out", type=Path, help="file for the results, as JSON")
    options = parser.parse_args()
    rows = [_run(name) for name in _GROUPS.get(options.name, [options.name])]
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        report = {"python": platform.python_version(), "system": platform.system(), "results": rows}
        options.out.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(any(row["wrong"] for row in rows))


def _run(name: str) -> dict[str, object]:
    began = time.monotonic()
    try:
        outcome = _ALL[name]()
    except CannotInstall as error:
        outcome = Outcome(name, {}, (f"could not be installed: {error}",))
    seconds = round(time.monotonic() - began, 1)
    for line in outcome.summary.get("items", ()):
        print(f"  {line['role']:>11}: {line['text']}")
    print(f"{outcome.client}: {'as it must' if not outcome.wrong else 'WRONG'}, {seconds:.0f} s")
    for problem in outcome.wrong:
        print(f"  {problem}")
    exchanged = {key: value for key, value in outcome.summary.items() if key not in _TOLD_ELSEWHERE}
    exchanged["transcript"] = [f"{line['role']}: {line['text']}" for line in outcome.summary.get("items", ())]
    if "audio" in outcome.summary:
        exchanged["replies_heard"] = len(outcome.summary["audio"])
    return {
        "name": name,
        "packages": outcome.client,
        "seconds": seconds,
        "wrong": list(outcome.wrong),
        "exchanged": exchanged,
    }


if __name__ == "__main__":
    raise SystemExit(main())
