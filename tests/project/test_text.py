import re
from pathlib import Path

from tests.project.checkout import ROOT, files

# Spelled in parts: this file is read by its own tests.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("security", "debian", "org"),
        ("archive", "ubuntu", "com"),
        ("conda", "anaconda", "org"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
    )
]
HOST = re.compile("|".join(re.escape(host) for host in HOSTS), re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.~})/-])/(?:home|Users|root|work)/\w|\b[A-Za-z]:\\+Users\\")
SECRET = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-(?=[\w-]*\d)[\w-]{20,}|gh[pousr]_\w{30,}|hf_\w{30,}|AKIA[A-Z0-9]{16})"
    r"|-{5}BEGIN [A-Z ]*PRIVATE KEY"
)
LARGEST_BYTES = 2 * 2**20


def _matches(pattern: re.Pattern[str]) -> list[str]:
    """Places where `pattern` occurs, as `file:line`; the text itself may be a secret and is not shown."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files()
        for number, line in enumerate(_lines(path), start=1)
        if pattern.search(line)
    ]


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", errors="replace").splitlines()


def test_no_file_names_a_package_registry() -> None:
    assert _matches(HOST) == []


def test_no_file_holds_a_path_of_somebodys_machine() -> None:
    assert _matches(MACHINE_PATH) == []


def test_no_file_holds_a_key() -> None:
    assert _matches(SECRET) == []


def test_no_file_is_larger_than_two_mebibytes() -> None:
    assert [str(path.relative_to(ROOT)) for path in files() if path.stat().st_size > LARGEST_BYTES] == []
