"""A name put right in any call of an interview is right in all of them."""

from pathlib import Path

import pytest

from interviewer.errors import NotFound
from interviewer.kept.chain import chain_of
from interviewer.kept.drafts import correct, write_draft
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.llm.router import Router
from interviewer.settings import Settings
from interviewer.store.store import Store

TALK = """Anna: {asked}

Bo: I learned it from Marten, who kept the blue hives behind the old barn.

Anna: What did {who} teach you about them?

Bo: That Marten would {what}, and that I should never believe him about the weather.
"""


@pytest.fixture
def chain(fresh_home: Path, tmp_path: Path) -> tuple[Store, list[str]]:
    """Two transcripts of one interview in which somebody is called Marten, and one in which nobody is."""
    store = Store.open(fresh_home)
    texts = (
        TALK.format(asked="Who taught you to keep bees?", who="Marten", what="never wear gloves"),
        TALK.format(asked="Who taught you to bake?", who="he", what="always burn the crust"),
        "Anna: What came then?\n\nBo: Then came the winter, and nobody came to see us.\n",
    )
    ids: list[str] = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.txt"
        path.write_text(text)
        interview = ids[0] if ids else None
        ids += [one.call_id for one in import_files(store, [path], topic="Bees", interview=interview).calls]
    return store, ids


def told(store: Store, call: str) -> str:
    return " ".join(turn.text for turn in said(CallLog.read(store.journal_path(call))))


def test_it_is_right_in_the_other_calls_too(chain: tuple[Store, list[str]]) -> None:
    store, (first, second, third) = chain
    before = store.journal_path(third).read_bytes()
    correct(store, first, "Marten", "Martin Ek")
    assert told(store, first).count("Martin Ek") == 3
    assert told(store, second).count("Martin Ek") == 2
    assert "Marten" not in f"{told(store, first)} {told(store, second)}"
    assert "Marten" not in " ".join(store.transcript(second)["text"])
    assert "Marten" not in write_draft(store, second, Router(Settings.load())).essay.markdown
    assert store.journal_path(third).read_bytes() == before


def test_any_call_of_the_interview_can_be_named(chain: tuple[Store, list[str]]) -> None:
    store, (first, second, third) = chain
    assert correct(store, third, "Marten", "Martin Ek") == third
    assert "Martin Ek" in told(store, first)
    assert "Martin Ek" in told(store, second)
    with pytest.raises(NotFound, match="nobody said 'Zebedee'"):
        correct(store, second, "Zebedee", "X")


def test_a_call_that_had_not_ended_follows_with_its_next_draft(chain: tuple[Store, list[str]]) -> None:
    store, (first, second, _) = chain
    path = store.journal_path(second)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    correct(store, first, "Marten", "Martin Ek")
    assert "Marten" in told(store, second)
    path.write_bytes(whole)
    store.ingest_all()
    draft = write_draft(store, second, Router(Settings.load()))
    assert "Marten" not in draft.essay.markdown + told(store, second)
    assert len(draft.trace()) == len([each for each in draft.trace() if each.turn])


def test_a_transcript_that_joins_later_has_it_right(chain: tuple[Store, list[str]], tmp_path: Path) -> None:
    store, (first, *_) = chain
    correct(store, first, "Marten", "Martin Ek")
    late = tmp_path / "late.txt"
    late.write_text(TALK.format(asked="Who was there?", who="he", what="sing to the queen"))
    (joined,) = import_files(store, [late], interview=first).calls
    assert "Marten" not in told(store, joined.call_id)
    assert len(chain_of(store, first)) == 4
