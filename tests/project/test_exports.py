import interviewer
from tests.project.checkout import python

HEAVY = {"IPython", "duckdb", "matplotlib", "numpy", "openai", "pandas", "pyarrow", "pydantic"}


def test_every_public_name_is_there() -> None:
    assert [name for name in interviewer.__all__ if not hasattr(interviewer, name)] == []
    assert set(interviewer.__all__) <= set(dir(interviewer))


def test_a_name_nobody_exports_is_an_attribute_error() -> None:
    assert not hasattr(interviewer, "no_such_name")


def test_importing_the_package_is_light() -> None:
    loaded = set(python("-c", "import sys, interviewer; print(*sys.modules)").split())
    assert "interviewer" in loaded
    assert loaded & HEAVY == set()
