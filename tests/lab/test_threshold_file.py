"""Thresholds of a home are kept by one process after the other."""

import os
import threading
from pathlib import Path

import pytest

from interviewer.errors import MatchError
from interviewer.lab.threshold_file import keep
from interviewer.matching import thresholds
from interviewer.store.locks import hold
from tests.matching.test_thresholds import MINE


def test_what_others_keep_at_the_same_time_is_not_lost(tmp_path: Path) -> None:
    names = [f"mine{number}" for number in range(8)]
    together = threading.Barrier(len(names))

    def one(name: str) -> None:
        together.wait()
        keep(MINE.model_copy(update={"name": name}), tmp_path)

    threads = [threading.Thread(target=one, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(names) <= set(thresholds.load_all(tmp_path))


def test_a_file_that_another_holds_is_left_alone_and_that_is_said(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "thresholds.lock", os.O_RDWR | os.O_CREAT)
    assert hold(descriptor)
    with pytest.raises(MatchError, match="another process: try once more"):
        keep(MINE, tmp_path)
    os.close(descriptor)
    keep(MINE, tmp_path)
    with pytest.raises(MatchError, match="add --replace"):
        keep(MINE, tmp_path)
