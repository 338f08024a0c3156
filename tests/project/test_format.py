from tests.project.checkout import CODE, python


def test_the_code_is_formatted() -> None:
    python("-m", "ruff", "format", "--check", "--diff", *CODE)
