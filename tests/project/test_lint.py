from tests.project.checkout import CODE, python


def test_the_linter_finds_nothing() -> None:
    python("-m", "ruff", "check", *CODE)
