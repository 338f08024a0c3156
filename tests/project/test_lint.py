from tests.project.checkout import python


def test_the_linter_finds_nothing() -> None:
    python("-m", "ruff", "check", ".")
