"""Run: python -m evals.performance [--times N]. Writes evals/performance/results.json."""

import argparse
import json
import tempfile
from pathlib import Path

from evals.performance.inputs import demo_inputs
from evals.performance.measure import Figure, command, figure, machine, timed
from interviewer.call.core import Core


def main() -> int:
    """Measure, print and write down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=7)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        figures = [_demo(home, times), _core(times), _import(home, times)]
    report = {"machine": machine(), "figures": [f._asdict() for f in figures]}
    text = json.dumps(report, indent=2)
    (Path(__file__).parent / "results.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if all(f.kept for f in figures) else 1


def _demo(home: Path, times: int) -> Figure:
    seconds = timed(command("-m", "interviewer", "--quiet", "demo", "--json", home=home), times)
    return figure("fourteen-minute demo call, whole process", "s", seconds, 8.0, at_most=True)


def _core(times: int) -> Figure:
    setup, inputs = demo_inputs()

    def run() -> None:
        core = Core(setup)
        for record in inputs:
            core.step(record)
            _ = core.deadline

    rates = [len(inputs) / seconds for seconds in timed(run, times)]
    return figure("inputs the core takes, one core", "records/s", rates, 20_000.0, at_most=False)


def _import(home: Path, times: int) -> Figure:
    bare = timed(command("-c", "pass", home=home), times)
    ours = timed(command("-c", "import interviewer", home=home), times)
    seconds = [a - b for a, b in zip(sorted(ours), sorted(bare), strict=True)]
    return figure("import interviewer, beyond a bare interpreter", "s", seconds, 0.3, at_most=True)


if __name__ == "__main__":
    raise SystemExit(main())
