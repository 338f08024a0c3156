"""The recognition of a guest's requests, measured on a set written by hand."""

import csv
from collections import Counter
from pathlib import Path

from interviewer.call.requests import guest_request

PATH = Path(__file__).parents[2] / "data" / "requests" / "english.csv"
with PATH.open(encoding="utf-8", newline="") as file:
    ROWS = [(row["text"], row["request"]) for row in csv.DictReader(file)]


def test_the_set_is_large_and_has_every_kind() -> None:
    kinds = Counter(request for _, request in ROWS)
    assert len(ROWS) >= 60
    assert kinds["none"] >= 25
    assert min(kinds[kind] for kind in ("skip", "stop", "answered", "back", "goodbye")) >= 6


def test_requests_are_told_from_stories() -> None:
    """Precision: of the requests recognised, the right ones; recall: of those made, the recognised ones."""
    told = [(wanted, guest_request(text) or "none") for text, wanted in ROWS]
    right = sum(wanted == given != "none" for wanted, given in told)
    recognised = sum(given != "none" for _, given in told)
    made = sum(wanted != "none" for wanted, _ in told)
    assert right / recognised >= 0.98
    assert right / made >= 0.95
