"""Several files: what cannot be read says where and why, the others go in; content tells what a file is."""

import pickle
from pathlib import Path

import pytest

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript, read_transcripts
from interviewer.model.recorded import Format
from interviewer.settings import ImportSettings
from tests.importing.conftest import Written

TALK = "Anna: Why?\nBo: So.\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\nAnna: Why?\n\n2\n00:00:02,000 --> 00:00:03,000\nBo: So.\n"
FILES: dict[Format, str] = {
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Why?\n\n00:02.000 --> 00:03.000\n<v Bo>So.\n",
    "srt": SRT,
    "jsonl": '{"id": "x", "turns": [{"speaker": "Anna", "text": "Why?"}, {"speaker": "Bo", "text": "So."}]}\n',
    "json": '[{"speaker": "Anna", "text": "Why?"}, {"speaker": "Bo", "text": "So."}]',
    "html": "<cite>Anna:</cite><p>Why?</p><cite>Bo:</cite><p>So.</p>",
    "markdown": "**Anna:** Why?\n\n**Bo:** So.\n",
    "csv": "speaker,text\nAnna,Why?\nBo,So.\n",
    "otter": "Anna  0:01\nWhy?\n\nBo  0:02\nSo.\n",
    "text": TALK,
}


@pytest.mark.parametrize(
    ("kind", "name"),
    # Plain text may be of any kind: there the name decides.
    [
        (kind, name)
        for kind in FILES
        for name in ("talk", "x.txt", "x.vtt", "x.json", "X.MD")
        if kind != "text" or name in ("talk", "x.txt")
    ],
)
def test_what_stands_in_a_file_counts_more_than_its_name(written: Written, kind: Format, name: str) -> None:
    found = read_transcript(written(FILES[kind], name))
    assert (found.format, found.interviewers, [turn.text for turn in found.turns]) == (
        "vtt" if (kind, name) == ("srt", "x.vtt") else kind,
        ("Anna",),
        ["Why?", "So."],
    )


def test_a_format_can_be_named(written: Written) -> None:
    assert read_transcript(written(TALK), format="markdown").format == "markdown"
    with pytest.raises(TranscriptError, match=r"talk\.txt: it holds nothing that was said, read as vtt"):
        read_transcript(written(TALK), format="vtt")


def test_the_others_go_in(written: Written, tmp_path: Path) -> None:
    good = [written(text, f"{kind}.x") for kind, text in FILES.items()]
    bad = [written("{", "broken.json"), tmp_path / "gone.txt", tmp_path, written("Prose.", "prose.txt")]
    found = read_transcripts([bad[0], *good, *bad[1:]])
    assert [one.format for one in found.good] == list(FILES)
    assert [one.id for one in found.good] == ["x" if kind == "jsonl" else kind for kind in FILES]
    assert [error.line for error in found.failures] == [1, None, None, None]
    for path, error in zip(bad, found.failures, strict=True):
        assert str(path) in str(error)


def test_a_file_over_the_limit_is_not_read(written: Written) -> None:
    with pytest.raises(TranscriptError, match=r"talk\.txt: over 1e-05 MB are no transcript \(importing\.most_bytes\)"):
        read_transcript(written(TALK), settings=ImportSettings(most_bytes=10))


def test_an_error_crosses_to_another_process_whole(tmp_path: Path) -> None:
    error = pickle.loads(pickle.dumps(TranscriptError("no JSON", tmp_path, 3)))
    assert (str(error), error.path, error.line) == (f"{tmp_path}, line 3: no JSON", tmp_path, 3)
