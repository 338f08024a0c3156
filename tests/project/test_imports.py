from tests.project.checkout import python

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_rooms_import_downwards_and_each_outside_world_has_one_door() -> None:
    python("-c", LINT_IMPORTS, "--no-logo", "--no-cache")
