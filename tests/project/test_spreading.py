"""Which files begin first and which stay together is told by their names; these must be true."""

from tests.project.checkout import ROOT
from tests.spreading import BROWSER, LONG, LongestFirst


def test_files_that_begin_first_are_there() -> None:
    assert [file for file in LONG if not list(ROOT.glob(file))] == []


def test_all_files_with_a_browser_stay_together_and_no_other_is_among_them() -> None:
    spread = LongestFirst.__new__(LongestFirst)
    for path in (ROOT / "tests").rglob("test_*.py"):
        file = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        opens = path.parent.name == "widgets" and ("playwright" in text or "open_notebook" in text)
        assert spread._split_scope(f"{file}::test_x[a/b::c]") == (BROWSER if opens else file), file
