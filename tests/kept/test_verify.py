"""`verify` finds every kind of damage, says where it is and what can be done."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.interview.demo import Demo, run_demo
from interviewer.kept.verify import verify
from interviewer.store.lines import Line, call_seal, decode, encode
from interviewer.store.store import Store


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(dossier="medical-device-audits", minutes=1, seed=1, home=tmp_path_factory.mktemp("once"))


@pytest.fixture
def made(once: Demo, fresh_home: Path) -> Demo:
    shutil.copytree(once.journal.parents[1], fresh_home, dirs_exist_ok=True)
    essay = fresh_home / "drafts" / f"{once.call_id}.md"
    return replace(once, journal=fresh_home / "journals" / once.journal.name, essay_path=essay)


def problems(made: Demo, change: Callable[[list[bytes]], list[bytes]]) -> list[str]:
    """What verify says once the lines of the journal are changed so."""
    lines = made.journal.read_bytes().splitlines(keepends=True)
    made.journal.write_bytes(b"".join(change(lines)))
    return verify(Store.open(made.journal.parents[1]), made.call_id).problems


def input_line(lines: list[bytes]) -> int:
    """The index of a line in the middle that the core is fed with."""
    return next(at for at, line in enumerate(lines) if at > len(lines) // 2 and b'"k":"in"' in line)


def test_an_unhurt_call_has_none(made: Demo) -> None:
    assert problems(made, lambda lines: lines) == []


def test_a_flipped_byte_is_found_by_its_line(made: Demo) -> None:
    place = [0]

    def flip(lines: list[bytes]) -> list[bytes]:
        place[0] = at = input_line(lines)
        lines[at] = lines[at][:40] + bytes([lines[at][40] ^ 1]) + lines[at][41:]
        return lines

    found = problems(made, flip)
    assert any(f"line {place[0] + 1}: the checksum does not match" in problem for problem in found)
    assert any("back from a copy, if there is one" in problem for problem in found)


def test_a_whole_line_that_the_database_could_not_take_in_is_told_of(made: Demo) -> None:
    def add(lines: list[bytes]) -> list[bytes]:
        seal = call_seal(made.call_id)
        found = decode(next(raw for raw in lines if b'"kind":"job"' in raw)[:-1], 0, seal)
        assert isinstance(found, Line)
        data = {**found.data, "data": {**found.data["data"], "job_id": "j999", "input_tokens": 10**19}}
        return [*lines, encode(len(lines) + 1, found.kind, found.t_ms, data, seal)]

    found = problems(made, add)
    assert any(
        "not in the database: rec of another shape" in problem and "input_tokens" in problem for problem in found
    )
    assert any("quarantine" in problem for problem in found)


def test_a_missing_line_is_found(made: Demo) -> None:
    found = problems(made, lambda lines: lines[: input_line(lines)] + lines[input_line(lines) + 1 :])
    assert any("1 line is missing before this one" in problem for problem in found)


def test_lines_in_another_order_are_found_and_read_in_theirs(made: Demo) -> None:
    def swap(lines: list[bytes]) -> list[bytes]:
        at = input_line(lines)
        lines[at], lines[at + 3] = lines[at + 3], lines[at]
        return lines

    found = problems(made, swap)
    assert any("stand after later ones; they are read in their order" in problem for problem in found)
    assert not any("ledger" in problem for problem in found)


def test_a_line_that_stands_twice_is_found_and_costs_nothing(made: Demo) -> None:
    at = [0]

    def twice(lines: list[bytes]) -> list[bytes]:
        at[0] = input_line(lines)
        return [*lines, lines[at[0]]]

    found = problems(made, twice)
    assert any(f"the same as on line {at[0] + 1}; nothing is lost" in problem for problem in found)


@pytest.mark.parametrize("cut", ["a line", "within"])
def test_an_end_that_is_gone_is_found_with_what_can_be_done(made: Demo, cut: str) -> None:
    def shorten(lines: list[bytes]) -> list[bytes]:
        at = len(lines) // 2
        return [*lines[:at], lines[at][:20]] if cut == "within" else lines[:at]

    gone, found = problems(made, shorten)
    assert "lines are gone from the end that stood there" in gone
    assert "has not come to its end" in found
    assert f"interviewer recover {made.call_id} --close" in found


def test_an_end_that_is_gone_after_the_call_was_over_is_found(made: Demo) -> None:
    (found,) = problems(made, lambda lines: lines[:-1])
    assert "1 line is gone from the end that stood there when it was last taken in" in found
    assert "1" in str(Store.open(made.journal.parents[1]).calls()["damaged"][0])


def test_a_line_that_was_changed_with_its_checksum_is_found_by_the_fold(made: Demo) -> None:
    seal = call_seal(made.call_id)

    def forge(lines: list[bytes]) -> list[bytes]:
        at = next(at for at, line in enumerate(lines) if b'"kind":"delivered"' in line)
        line = decode(lines[at][:-1], at, seal)
        assert isinstance(line, Line)
        line.data["evidence"]["played_ms"] += 1
        lines[at] = encode(line.n, line.kind, line.t_ms, line.data, seal)
        return lines

    found = problems(made, forge)
    assert any("delivered in the journal, evidence" in problem for problem in found)
    assert "put the journal back from a copy" in found[-1]


def test_a_draft_that_was_changed_or_deleted_is_found(made: Demo, fresh_home: Path) -> None:
    assert made.essay_path is not None
    store = Store.open(fresh_home)
    made.essay_path.write_text(made.essay_path.read_text(encoding="utf-8") + "And more.", encoding="utf-8")
    (found,) = verify(store, made.call_id).problems
    assert f"{made.essay_path} was changed since it was written" in found
    assert f"interviewer show {made.call_id} --essay --draft 1" in found
    made.essay_path.unlink()
    (found,) = verify(store, made.call_id).problems
    assert "cannot be read (FileNotFoundError)" in found
    assert f"interviewer recover {made.call_id}" in found


def test_rows_that_were_changed_in_the_database_are_found(made: Demo, fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    with store.database.connect() as connection:
        connection.execute("DELETE FROM ledger_events WHERE kind = 'delivered'")
    found = verify(store, made.call_id).problems
    assert any("the database says" in problem for problem in found)
    assert f"delete {store.database.path}: it is made again from the journals" in found
