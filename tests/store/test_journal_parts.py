"""Who needs a few kinds of lines reads those alone, and finds the same as who reads them all."""

from pathlib import Path

import pytest

from interviewer.store.journal import Journal, read, read_parts

PARTS = frozenset(("setup", "rec/turn", "in/command"))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "c-1.jsonl"
    with Journal.create(path, {"call_id": "c-1"}) as written:
        written.write("setup", 0, {"plan": "x"})
        for at in range(5):
            written.write("in", at, {"type": "tick", "t_ms": at})
            # What somebody said must not be taken for a line.
            text = '\n{"n":9,"k":"setup","t":0,"d":{"plan":"y"}\nrec "turn"'
            written.write("rec", at, {"kind": "turn", "data": {"id": f"t{at}", "text": text}})
            written.write("rec", at, {"kind": "turns", "data": {}})
        written.write("in", 9, {"type": "command", "name": "extend"})
        written.write("end", 9, {"reason": "over"})
    return path


@pytest.mark.parametrize("more", [frozenset[str](), frozenset(("in", "end"))], ids=["few", "most"])
def test_they_are_the_same_lines(journal: Path, more: frozenset[str]) -> None:
    wanted = PARTS | more

    def named(kind: str, data: dict[str, object]) -> bool:
        part = data.get("kind") or data.get("type")
        return kind in wanted or f"{kind}/{part}" in wanted

    found, whole = read_parts(journal, wanted), read(journal)
    assert found.lines == [line for line in whole.lines if named(line.kind, line.data)]
    assert len(found.lines) >= 7
    assert (found.head, found.seal, found.damaged) == (whole.head, whole.seal, [])


def test_a_damaged_line_that_was_wanted_is_told(journal: Path) -> None:
    lines = journal.read_bytes().split(b"\n")
    assert b'"k":"rec"' in lines[3]
    lines[3] = lines[3].replace(b'"t0"', b'"t9"')
    lines.append(b'{"n":99,"k":"setup","t":0,"d":{"plan":')
    journal.write_bytes(b"\n".join(lines))
    found = read_parts(journal, PARTS)
    assert [(damage.line_number, damage.reason) for damage in found.damaged] == [(4, "the checksum does not match")]
    assert [line.data["data"]["id"] for line in found.lines if line.kind == "rec"] == ["t1", "t2", "t3", "t4"]
