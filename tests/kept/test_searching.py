from pathlib import Path

import pytest

from interviewer.kept.searching import Passage, search
from interviewer.store.store import Store
from tests.store.journals import setup, turn, write

LONG = "We began late. The Café was dark, so to speak. Nobody came. It was a dark dark café."


def _found(home: Path, words: str, text: str = LONG) -> tuple[Passage, ...]:
    write(home / "journals" / "c-1.jsonl", iter([setup(), turn(1, "guest", text, 61_000)]))
    return search(Store.open(home), words)


def _shown(passage: Passage) -> str:
    return "".join(f"[{piece.text}]" if piece.hit else piece.text for piece in passage.pieces)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("cafe", "… The [Café] was dark, so to speak. … It was a dark dark [café]."),
        ("dar*", "… The Café was [dark], so to speak. … It was a [dark] [dark] café."),
        ('"so to speak" began', "We [began] late. The Café was dark, [so to speak]. …"),
        ("nobody", "… [Nobody] came. …"),
    ],
)
def test_the_sentences_with_a_hit_are_shown_and_the_hit_is_marked(tmp_path: Path, words: str, shown: str) -> None:
    (passage,) = _found(tmp_path, words)
    assert _shown(passage) == shown


def test_a_passage_says_who_when_and_in_which_call(tmp_path: Path) -> None:
    (passage,) = _found(tmp_path, "nobody")
    place = (passage.call_id, passage.interview_id, passage.guest, passage.topic, passage.world, passage.started_at)
    assert place == ("c-1", "i-1", "Ada", "sourdough", "simulated", "2026-11-30T13:15:00")
    assert (passage.turn_id, passage.number, passage.speaker, passage.started_ms) == ("t1", 1, "guest", 61_000)


def test_signs_of_a_script_without_spaces_are_marked(tmp_path: Path) -> None:
    (passage,) = _found(tmp_path, "蜂蜜", "我喜欢蜂蜜")
    assert _shown(passage) == "我喜欢[蜂蜜]"
