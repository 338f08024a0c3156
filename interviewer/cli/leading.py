"""How leading the questions of calls are, asked of the judge for `metrics`."""

import contextlib
import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.cli.session import Session
from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from interviewer.metrics.leading import Calibration
    from interviewer.metrics.metric import Metric
    from interviewer.metrics.record import CallFacts

_COLUMNS = ("judge", "people")


def rated(session: Session, groups: "Sequence[Sequence[CallFacts]]", calibration: Path | None) -> "Metric":
    """The metric, after one short run of the judge for each question of the calls.

    Raises MetricError for a calibration that cannot be used, before anything is asked; SettingsError, AgentError.
    """
    from tqdm import tqdm

    from interviewer.lab.leading import rate_leading
    from interviewer.llm.router import Router
    from interviewer.metrics.leading import leading_metric

    right = _calibration(calibration) if calibration else None
    calls = [call for group in groups for call in group]
    questions = sum(len(call.questions) for call in calls)
    bar = tqdm(total=questions, unit="question", file=sys.stderr, disable=session.quiet or None)
    with contextlib.closing(Router(session.settings)) as judge, bar:
        ratings = rate_leading(calls, judge, lambda _done, _all: bar.update())
        spent = f"; {judge.budget}" if judge.budget.spent_usd or judge.budget.uncounted else ""
    rating = sum(each is not None for call in ratings for each in call)
    session.tell(f"{rating} of {counted(questions, 'question')} rated by the judge{one_line(spent)}")
    return leading_metric({call.id: each for call, each in zip(calls, ratings, strict=True)}, right)


def _calibration(path: Path) -> "Calibration":
    """From a CSV file with the columns judge, 1 to 5, and people, the mean of theirs, a row a question."""
    from interviewer.errors import MetricError
    from interviewer.metrics.leading import Calibration

    judged, people = list[int](), list[float]()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if lacking := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
                raise MetricError(f"{path}, line 1: no column {' and no column '.join(lacking)}")
            for row in reader:
                try:
                    judged.append(int(row["judge"]))
                    people.append(float(row["people"]))
                except (TypeError, ValueError):
                    raise MetricError(
                        f"{path}, line {reader.line_num}: judge is a whole number and people a number, each 1 to 5"
                    ) from None
    except OSError as error:
        raise MetricError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise MetricError(f"{path} is no CSV file in UTF-8: {error}") from None
    try:
        return Calibration.of(judged, people)
    except MetricError as error:
        raise MetricError(f"{path}: {error}") from None
