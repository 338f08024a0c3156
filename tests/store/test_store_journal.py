import json
import os
import signal
import subprocess
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import JournalError
from interviewer.store.journal import Journal, canonical, read
from interviewer.store.lines import call_seal, encode
from tests.store import journals

TEXTS = ["plain", "naïve “quotes”", "line\u2028separator\u0085next", "tab\tnewline\nend", "half \ud83d character", ""]
READ = [text.replace("\ud83d", "\ufffd") for text in TEXTS]  # what no file and no database holds


def _numbered(path: Path) -> list[int]:
    return [line.n for line in read(path).lines]


def _journal(path: Path, count: int = 6) -> Path:
    with Journal.create(path, {"call_id": "c"}) as journal:
        for number in range(count):
            journal.write("rec", number * 10, {"text": TEXTS[number % len(TEXTS)]})
    return path


def test_what_is_written_is_read_back_exactly(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    contents = read(path)
    assert contents.head == {"format": 2, "call_id": "c"}
    assert [(line.n, line.kind, line.t_ms, line.data["text"]) for line in contents.lines] == [
        (number + 2, "rec", number * 10, text) for number, text in enumerate(READ)
    ]
    assert (contents.damaged, contents.torn) == ([], False)


def test_a_line_is_laid_out_as_documented_and_other_programs_can_check_it(tmp_path: Path) -> None:
    raw = _journal(tmp_path / "c.jsonl").read_bytes()
    second = raw.split(b"\n")[1]
    body, check = second[:-16], second[-16:]
    assert body == b'{"n":2,"k":"rec","t":0,"d":{"text":"plain"}'
    assert check == b',"c":"%08x"}' % zlib.crc32(body, zlib.crc32(b"c"))  # goes on from the call's id
    head = raw.split(b"\n")[0]
    assert head.endswith(b',"c":"%08x"}' % zlib.crc32(head[:-16]))
    assert raw.decode("utf-8").count("\n") == 7  # valid UTF-8 even with half a character
    assert [json.loads(line)["n"] for line in raw.split(b"\n")[:-1]] == [1, 2, 3, 4, 5, 6, 7]
    assert "naïve “quotes”".encode() in raw


def test_half_a_character_that_an_older_version_escaped_is_read_as_none(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with Journal.create(path, {"format": 1, "call_id": "c"}) as journal:
        for number in range(2, 8):
            journal.write("rec", number, {})
    body = rb'{"n":8,"k":"rec","t":9,"d":{"text":"a \uD83D b","\udc00":["\ud83d\ude00"]}'
    with path.open("ab") as file:
        file.write(body + b',"c":"%08x"}\n' % zlib.crc32(body))
    contents = read(path)
    assert contents.damaged == []
    assert contents.lines[-1].data == {"text": "a \ufffd b", "\ufffd": ["\U0001f600"]}
    assert list(canonical(path))[-1] == '{"d":{"text":"a \ufffd b","\ufffd":["\U0001f600"]},"k":"rec","t":9}'


def test_write_gives_the_number_of_the_line(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "c.jsonl", {"call_id": "c"}) as journal:
        assert [journal.write("in", 0, {}), journal.write("in", 5, {})] == [2, 3]


def test_a_line_can_be_read_while_the_journal_is_open(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "c.jsonl", {"call_id": "c"}) as journal:
        journal.write("in", 1, {"a": 1})
        assert _numbered(tmp_path / "c.jsonl") == [2]


def test_an_existing_journal_is_never_overwritten(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"c\.jsonl exists already"):
        Journal.create(path, {"call_id": "c"})
    assert path.read_bytes() == before


def test_a_journal_in_a_folder_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"nowhere.c\.jsonl"):
        Journal.create(tmp_path / "nowhere" / "c.jsonl", {})
    with pytest.raises(JournalError, match=r"nowhere.c\.jsonl"):
        read(tmp_path / "nowhere" / "c.jsonl")
    with pytest.raises(JournalError, match=r"nowhere.c\.jsonl"):
        Journal.reopen(tmp_path / "nowhere" / "c.jsonl")


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_json_cannot_hold_is_refused_and_leaves_the_journal_whole(tmp_path: Path, value: object) -> None:
    path = tmp_path / "c.jsonl"
    with Journal.create(path, {"call_id": "c"}) as journal:
        with pytest.raises(JournalError, match=r"c\.jsonl, line 2 \(in\)"):
            journal.write("in", 0, {"value": value})
        assert journal.write("in", 1, {"value": 1}) == 2
    assert _numbered(path) == [2]


def test_a_head_that_json_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="head"):
        Journal.create(tmp_path / "c.jsonl", {"call_id": object()})
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_the_disk_takes_only_half_is_cut_off_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.jsonl"
    real = os.write
    room = [10, 0]

    def full(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        return real(descriptor, data[: room.pop(0)])

    with Journal.create(path, {"call_id": "c"}) as journal:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(JournalError, match="No space left"):
            journal.write("in", 0, {"a": 1})
        monkeypatch.setattr(os, "write", real)
        assert journal.write("in", 1, {"a": 2}) == 2
    contents = read(path)
    assert [line.data for line in contents.lines] == [{"a": 2}]
    assert contents.damaged == []


def test_a_closed_journal_takes_no_more(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "c.jsonl", {"call_id": "c"})
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.write("in", 0, {})


def test_a_torn_tail_is_no_damage_and_reopening_moves_it_aside(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(whole[: last + 20])
    contents = read(path)
    assert (contents.torn, contents.damaged, [line.n for line in contents.lines]) == (True, [], [2, 3, 4, 5, 6])
    with Journal.reopen(path) as journal:
        assert journal.write("in", 99, {"again": True}) == 7
    contents = read(path)
    assert (contents.torn, contents.damaged) == (False, [])
    assert contents.lines[-1].data == {"again": True}
    assert (tmp_path / "c.jsonl.torn").read_bytes() == whole[last : last + 20]


def test_reopening_an_unhurt_journal_goes_on_counting(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    with Journal.reopen(path) as journal:
        assert journal.write("in", 1, {}) == 8
    assert read(path).damaged == []
    assert [item.name for item in tmp_path.iterdir()] == ["c.jsonl"]


def test_reopening_after_a_lost_last_line_end_keeps_the_line(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    path.write_bytes(path.read_bytes()[:-1])
    with Journal.reopen(path) as journal:
        assert journal.write("in", 1, {}) == 8
    contents = read(path)
    assert ([line.n for line in contents.lines], contents.damaged) == ([2, 3, 4, 5, 6, 7, 8], [])


def test_a_damaged_line_is_reported_with_its_place_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"quotes", b"quoted")
    path.write_bytes(b"\n".join(lines))
    contents = read(path)
    assert [line.n for line in contents.lines] == [2, 4, 5, 6, 7]
    assert [(damage.line_number, damage.raw) for damage in contents.damaged] == [(3, lines[2])]
    assert "checksum" in contents.damaged[0].reason


def test_missing_and_repeated_lines_are_reported(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], *lines[4:6], lines[5], *lines[6:]]))
    contents = read(path)
    assert [line.n for line in contents.lines] == [2, 5, 6, 7]
    assert [(damage.line_number, damage.reason) for damage in contents.damaged] == [
        (3, "2 lines are missing before this one"),
        (5, "number 6 stands here again, the same as on line 4; nothing is lost"),
    ]


def test_a_damaged_head_does_not_lose_the_call(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"call_id"', b'"cull_id"', 1))
    contents = read(path)
    assert (contents.head, len(contents.lines), contents.damaged[0].line_number) == ({}, 6, 1)


def test_no_bit_of_the_head_loses_a_call_whose_file_was_renamed(tmp_path: Path) -> None:
    call_id = "c-20261130-131500-2b4cfe8a"  # with characters that are a bit away from a quotation mark
    path = tmp_path / "Anna, first talk.jsonl"
    with Journal.create(path, {"call_id": call_id, "interview_id": "i-1"}) as journal:
        journal.write("rec", 1, {"text": "one"})
        journal.write("rec", 2, {"text": "two"})
    raw = path.read_bytes()
    at = raw.index(b'"call_id"')
    of_the_id = range(8 * at, 8 * (at + 12 + len(call_id)))
    for bit in (*of_the_id, *range(0, 8 * raw.index(b"\n"), 7)):
        flipped = bytearray(raw)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        contents = read(path)
        assert [line.data["text"] for line in contents.lines] == ["one", "two"], bit
        assert (contents.call_id, contents.head) == (call_id, {}), bit


def test_a_copy_with_a_damaged_head_is_known_by_how_its_name_begins(tmp_path: Path) -> None:
    lines = _two_calls(tmp_path)[0]
    path = tmp_path / "c-1.copy.jsonl"
    path.write_bytes(b"".join([b"\0" * 40 + b"\n", *lines[1:]]))
    contents = read(path)
    assert (contents.call_id, len(contents.lines)) == ("c-1", 4)


def test_lines_whose_call_nothing_names_are_nobodys(tmp_path: Path) -> None:
    path = tmp_path / "piece.jsonl"
    path.write_bytes(b"".join(_two_calls(tmp_path)[0][1:]))
    with pytest.raises(JournalError, match="not a journal of this package, or nothing of it is left"):
        read(path)


def _two_calls(folder: Path) -> tuple[list[bytes], list[bytes]]:
    """The lines of two journals that hold the same records, in format 2."""
    both = []
    for call_id in ("c-1", "c-2"):
        with Journal.create(folder / f"{call_id}.jsonl", {"call_id": call_id}) as journal:
            for number in range(4):
                journal.write("rec", number, {"text": f"line {number}"})
        both.append((folder / f"{call_id}.jsonl").read_bytes().splitlines(keepends=True))
    return both[0], both[1]


def test_a_line_of_another_call_in_the_place_of_a_line_is_damage(tmp_path: Path) -> None:
    ours, theirs = _two_calls(tmp_path)
    path = tmp_path / "c-1.jsonl"
    path.write_bytes(b"".join([*ours[:2], theirs[2], *ours[3:]]))
    contents = read(path)
    assert [(d.line_number, d.reason) for d in contents.damaged] == [(3, "the checksum does not match")]
    assert _numbered(path) == [2, 4, 5]


def test_the_head_of_another_call_costs_only_the_head(tmp_path: Path) -> None:
    ours, theirs = _two_calls(tmp_path)
    path = tmp_path / "c-1.jsonl"
    path.write_bytes(b"".join([theirs[0], *ours[1:]]))
    contents = read(path)
    assert [(d.line_number, d.reason) for d in contents.damaged] == [
        (1, "the first line is of another call than the rest")
    ]
    assert (contents.head, _numbered(path)) == ({}, [2, 3, 4, 5])


def test_a_journal_of_the_old_format_goes_on_in_it(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    Journal.create(path, {"format": 1, "call_id": "c"}).close()
    with Journal.reopen(path) as journal:
        journal.write("rec", 1, {"text": "later"})
    second = path.read_bytes().split(b"\n")[1]
    assert second.endswith(b',"c":"%08x"}' % zlib.crc32(second[:-16]))
    assert (read(path).damaged, _numbered(path)) == ([], [2])


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ({"format": 3}, "line 1: written in format 3.*update"),
        ({"format": "x"}, "line 1: not a journal of this package"),
    ],
)
def test_a_newer_or_foreign_format_is_refused(tmp_path: Path, head: dict[str, object], message: str) -> None:
    path = tmp_path / "c.jsonl"
    Journal.create(path, head).close()
    with pytest.raises(JournalError, match=rf"c\.jsonl, {message}"):
        read(path)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    for content in (b"", b'{"n":1}\n', b"hello\n", b"\xff\x00" * 50, b"[" * 100_000 + b"\n"):
        path.write_bytes(content)
        with pytest.raises(JournalError, match=r"c\.jsonl, line 1: not a journal"):
            read(path)


def test_a_journal_without_its_head_keeps_its_lines(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    contents = read(path)
    assert (contents.head, [line.n for line in contents.lines]) == ({}, [2, 3, 4, 5, 6, 7])
    assert [(d.line_number, d.reason) for d in contents.damaged] == [(1, "1 line is missing before this one")]


def test_lines_are_read_by_their_numbers_wherever_they_stand(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    whole = read(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(reversed(lines)))
    turned = read(path)
    assert turned.head == whole.head
    assert [line.data for line in turned.lines] == [line.data for line in whole.lines]
    assert [d.reason for d in turned.damaged] == ["6 lines stand after later ones; they are read in their order"]
    path.write_bytes(b"".join([*lines[:2], lines[-1], *lines[2:]]))
    assert [line.data for line in read(path).lines] == [line.data for line in whole.lines]


def test_of_two_different_lines_with_one_number_the_first_counts(tmp_path: Path) -> None:
    path = _journal(tmp_path / "c.jsonl")
    with path.open("ab") as file:
        file.write(encode(3, "rec", 10, {"text": "another"}, call_seal("c")))
    contents = read(path)
    assert [line.n for line in contents.lines] == [2, 3, 4, 5, 6, 7]
    assert contents.lines[1].data == {"text": TEXTS[1]}
    assert [(d.line_number, d.reason) for d in contents.damaged] == [
        (8, "number 3 stands here again, other than on line 3: this one is left out")
    ]


def test_the_canonical_form_leaves_out_what_differs_between_equal_calls(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.jsonl", {"call_id": "a", "started_at": "2026-01-01"}) as journal:
        journal.write("in", 5, {"b": 1, "a": "é"})
    with Journal.create(tmp_path / "b.jsonl", {"call_id": "b", "started_at": "2027-01-01"}) as journal:
        journal.write("in", 5, {"a": "é", "b": 1})
    assert list(canonical(tmp_path / "a.jsonl")) == ['{"d":{"a":"é","b":1},"k":"in","t":5}']
    assert list(canonical(tmp_path / "b.jsonl")) == list(canonical(tmp_path / "a.jsonl"))


def test_the_canonical_form_can_always_be_written_to_a_file(tmp_path: Path) -> None:
    assert "".join(canonical(_journal(tmp_path / "c.jsonl"))).encode()


WRITER = """
import sys
from pathlib import Path
from interviewer.store.journal import Journal
with Journal.create(Path(sys.argv[1]), {"call_id": "c"}) as journal:
    while True:
        print(journal.write("in", 1, {"text": "x" * 200}), flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_every_line_that_was_written_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        for _ in range(300):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        acknowledged = [int(line) for line in writer.stdout if line.endswith("\n")]
    contents = read(path)
    assert contents.damaged == []
    assert contents.last_n >= max(acknowledged, default=301) >= 301
    with Journal.reopen(path) as journal:
        assert journal.write("in", 2, {}) == contents.last_n + 1


@given(
    flips=st.dictionaries(st.integers(0, 10_000), st.integers(1, 255), min_size=1, max_size=4), cut=st.integers(0, 400)
)
def test_bytes_flipped_anywhere_cost_only_the_lines_they_hit(
    tmp_path_factory: pytest.TempPathFactory, flips: dict[int, int], cut: int
) -> None:
    path = tmp_path_factory.mktemp("flips") / "c.jsonl"
    raw = bytearray(_journal(path).read_bytes())
    starts = [0, *(at + 1 for at, byte in enumerate(raw) if byte == 10)]
    spans = list(pairwise(starts))  # of each line, with its line end
    del raw[len(raw) - cut :]
    hit = {place % len(raw) for place in flips}
    for place, mask in flips.items():
        raw[place % len(raw)] ^= mask
    path.write_bytes(raw)
    whole = [n for n, (a, b) in enumerate(spans, 1) if b - 1 <= len(raw) and not hit & set(range(a, b - 1))]
    try:
        contents = read(path)
    except JournalError:
        assert whole == []
        return
    found = [line.n for line in contents.lines] + ([1] if contents.head else [])
    assert set(whole) <= set(found)
    intact = dict(enumerate(READ, 2))
    assert all(line.data["text"] == intact[line.n] for line in contents.lines)
    assert contents.damaged or contents.torn or not _differs(flips, len(raw))


def _differs(flips: dict[int, int], size: int) -> bool:
    masks: dict[int, int] = {}
    for place, mask in flips.items():
        masks[place % size] = masks.get(place % size, 0) ^ mask
    return any(masks.values())


def test_the_builder_of_these_tests_writes_whole_journals(tmp_path: Path) -> None:
    contents = read(journals.write(tmp_path / "c-1.jsonl"))
    assert (contents.head["call_id"], contents.damaged, contents.lines[-1].kind) == ("c-1", [], "end")
