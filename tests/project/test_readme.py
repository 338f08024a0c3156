import importlib.util
import re
from pathlib import Path

import pytest
import typer

from interviewer.cli.app import app
from interviewer.settings import Settings
from tests.project.checkout import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_first_commands_are_those_a_newcomer_is_promised() -> None:
    assert "\n    pip install uv && uv run interviewer demo\n    uv run pytest\n" in README


def test_the_python_and_sql_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec("\n".join(_blocks("python")), names)
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")


def test_its_settings_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(_blocks("yaml")[0], encoding="utf-8")
    assert Settings.load(tmp_path / "settings.yaml", env={}).voice.silence_ms == 1500


def test_its_settings_of_models_are_some(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text(_blocks("yaml")[1], encoding="utf-8")
    agents = Settings.load(tmp_path / "models.yaml", env={}).agents
    assert (agents.of("planner").backend, agents.of("writer").backend) == ("compatible", "openai")


def test_its_table_has_every_command_and_no_other() -> None:
    table = README.partition("| Command | Does |")[2].partition("\n\n")[0]
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    assert set(re.findall(r"^\| `([a-z-]+)", table, re.MULTILINE)) == set(group.commands)


def test_the_benchmarks_it_names_are_there() -> None:
    modules = set(re.findall(r"python -m ([a-z_.]+)", README))
    assert modules
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []


def test_the_files_it_points_to_are_there() -> None:
    pointed = set(re.findall(r"\]\(([^)#:]+)\)", README)) | set(re.findall(r"`(data/[\w./-]+)`", README))
    assert "data/pictures/demo.svg" in pointed
    assert [path for path in pointed if path != "data/home" and not (ROOT / path).exists()] == []


def test_every_room_is_in_its_list() -> None:
    listed = README.partition("| Room of `interviewer/` | Holds |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", listed))
    rooms = {path.parent.name for path in (ROOT / "interviewer").glob("*/__init__.py")}
    assert rooms - named == set()
