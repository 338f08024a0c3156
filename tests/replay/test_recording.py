"""A recording is brought into the form of a call: one speaks after the other, each as long as the words need."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from interviewer.replay.recording import LEAST_MS, Spoken, alternating

FASTEST = 40


def _spoken(speaker: str, text: str, started: int, ended: int | None) -> Spoken:
    return Spoken(f"{speaker}{started}", speaker, text, started, ended)  # type: ignore[arg-type]


def test_what_one_side_says_running_is_one_turn_and_overlaps_are_laid_one_after_the_other() -> None:
    told = alternating(
        [
            _spoken("interviewer", "How was it?", 0, 2_000),
            _spoken("guest", "Well.", 1_500, 2_500),
            _spoken("guest", "", 2_500, 2_600),
            _spoken("guest", "It rained.", 3_000, 4_000),
            _spoken("interviewer", "And then?", 4_000, None),
        ],
        FASTEST,
    )
    assert [(turn.speaker, turn.text) for turn in told] == [
        ("interviewer", "How was it?"),
        ("guest", "Well. It rained."),
        ("interviewer", "And then?"),
    ]
    # The guest begins over the interviewer, at 1,500 ms, for 2,500 ms: now from 2,000 to 4,500. The last turn has no
    # end, so that its nine characters and one more take 40 ms each.
    assert [(turn.started_ms, turn.ended_ms) for turn in told] == [(0, 2_000), (2_000, 4_500), (4_500, 4_900)]


TURNS = st.lists(
    st.tuples(
        st.sampled_from(["interviewer", "guest"]),
        st.text("ab ", max_size=30),
        st.integers(0, 60_000),
        st.none() | st.integers(0, 60_000),
    ),
    max_size=12,
)


@given(TURNS)
def test_no_word_is_lost_and_time_never_goes_back(turns: list[tuple[str, str, int, int | None]]) -> None:
    given_turns = [_spoken(*turn) for turn in turns]
    told = alternating(given_turns, FASTEST)
    words = [word for turn in given_turns for word in turn.text.split()]
    assert [word for turn in told for word in turn.text.split()] == words
    assert all(one.speaker != other.speaker for one, other in pairwise(told))
    assert all((one.ended_ms or 0) <= other.started_ms for one, other in pairwise(told))
    assert all((turn.ended_ms or 0) - turn.started_ms >= LEAST_MS for turn in told)
