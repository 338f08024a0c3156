from tests.project.checkout import python


def test_every_type_is_right() -> None:
    python("-m", "mypy")
