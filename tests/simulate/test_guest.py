from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.simulate import guest as behaviour
from interviewer.simulate import replies
from interviewer.simulate.answers import Knowledge
from interviewer.simulate.dossier import Dossier, by_name, load_all
from interviewer.simulate.guest import Edge, Guest

DOSSIERS = load_all()
WELLINGTON = by_name("rents-in-wellington")
GENERIC = (
    "How did you get into this?",
    "Walk me through a typical day.",
    "What do people get wrong about it?",
    "Tell me about a time it went badly.",
    "What happened next?",
    "What decision would you make differently?",
    "What do you distrust, and why?",
    "What surprised you?",
    "Which figure convinced you?",
    "What workaround do you use?",
    "Tell me more about that.",
    "Who disagreed with you?",
    "What would you tell a newcomer?",
    "What changes next?",
)
each_dossier = pytest.mark.parametrize("dossier", DOSSIERS, ids=lambda dossier: dossier.id)


def spoken_ms(text: str) -> int:
    return len(text.encode()) * 70


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets rates of behaviour; all that are not named become never."""

    def fix(**rates: float) -> None:
        for name in [name for name in vars(behaviour) if name.endswith("_RATE")]:
            monkeypatch.setattr(behaviour, name, rates.pop(name, 0.0))
        assert not rates

    return fix


def guest_of(dossier: Dossier = WELLINGTON, seed: int = 1) -> Guest:
    return Guest(dossier, seed=seed, duration_ms=spoken_ms)


def finish(guest: Guest) -> list[Edge]:
    """All the guest does if the interviewer stays silent."""
    while (due := guest.deadline) is not None:
        guest.advance(due)
    return guest.take()


def ask(guest: Guest, t_ms: int, text: str) -> list[Edge]:
    guest.voice_started(t_ms)
    guest.voice_ended(t_ms + spoken_ms(text), text, True)
    return finish(guest)


def interview(dossier: Dossier, seed: int, texts: tuple[str, ...] = GENERIC) -> tuple[Guest, list[Edge]]:
    guest, edges, t_ms = guest_of(dossier, seed), list[Edge](), 0
    for text in texts:
        edges += ask(guest, t_ms, text)
        t_ms = max(t_ms + spoken_ms(text), edges[-1].t_ms if edges else 0) + 1_500
    return guest, edges


def said(edges: list[Edge]) -> str:
    return " ".join(edge.text for edge in edges if edge.text)


@each_dossier
def test_all_that_is_disclosed_was_spoken_in_the_dossiers_own_words(dossier: Dossier) -> None:
    guest, edges = interview(dossier, seed=3)
    texts = {detail.id: detail.text for detail in dossier.details}
    assert len(guest.disclosures) >= 10
    for disclosure in guest.disclosures:
        end = next(edge for edge in edges if edge.t_ms == disclosure.t_ms and not edge.on)
        assert texts[disclosure.detail_id] in (end.text or "")


@each_dossier
@pytest.mark.parametrize("seed", range(3))
def test_no_detail_is_told_twice(dossier: Dossier, seed: int) -> None:
    guest, _ = interview(dossier, seed, GENERIC * 3)
    ids = [disclosure.detail_id for disclosure in guest.disclosures]
    assert len(ids) == len(set(ids)) <= guest.details_total


@each_dossier
def test_a_hidden_detail_comes_unasked_only_beside_what_was_told(dossier: Dossier) -> None:
    hidden = {detail.id: detail for detail in dossier.hidden}
    for seed in range(4):
        guest, _ = interview(dossier, seed)
        told = {disclosure.detail_id for disclosure in guest.disclosures}
        lies_beside = {detail.after for detail in dossier.details if detail.id in told}
        for disclosure in guest.disclosures:
            if disclosure.detail_id in hidden and not disclosure.asked:
                detail = hidden[disclosure.detail_id]
                assert detail.after in told or detail.id in lies_beside


@each_dossier
def test_a_guest_who_is_never_asked_keeps_most_of_what_is_hidden(dossier: Dossier) -> None:
    guest, _ = interview(dossier, 1, ("I see.", "That is interesting.") * 12)
    assert not any(disclosure.asked for disclosure in guest.disclosures)
    hidden = {detail.id for detail in dossier.hidden}
    assert not hidden & {disclosure.detail_id for disclosure in guest.disclosures}


def test_a_question_made_of_two_cues_reaches_its_detail_in_nineteen_of_twenty_cases() -> None:
    # 99.8 % of 2,311 when this was written; with a single cue, which others may share, 84 %.
    hits = [
        detail.id in {told.detail_id for told in Knowledge(dossier).answer(question, Random(1)).told}
        for dossier in DOSSIERS
        for detail in dossier.details
        for question in [f"Could you tell me about {detail.cues[0]} and {detail.cues[1]}?"]
    ]
    assert sum(hits) / len(hits) >= 0.95


@each_dossier
@pytest.mark.parametrize(
    "question",
    [
        "What is your favourite recipe for pancakes?",
        "What breed is your dog and where does it sleep?",
        "Do you play the violin or the cello?",
        "Have you ever been to Iceland on holiday?",
    ],
)
def test_a_question_about_something_else_reaches_nothing(dossier: Dossier, question: str) -> None:
    assert not any(told.asked for told in Knowledge(dossier).answer(question, Random(1)).told)


@pytest.mark.parametrize(
    ("question", "name", "expected"),
    [
        ("Who has disagreed with you, and over what?", "quitting-open-source", "big boy pants"),
        ("Which figure convinced you?", "bets-on-bitcoin", "roughly 30% of payments"),
        ("Would you make that decision again?", "rebuilding-freshbooks", "refactor it?"),
        ("Did anyone spot a strange mistake in the references?", "one-person-media-company", "made up directors"),
        ("Was there an outage that was your own fault?", "incidents-and-on-call", "took down production"),
        ("How many pages do you have to read?", "medical-device-audits", "at least 100 pages"),
        ("Did you go to a specialist about the standard errors?", "rents-in-wellington", "specialist"),
        ("What happened at the conference at Carnegie Mellon?", "a-welcoming-code-library", "Carnegie Mellon"),
    ],
)
def test_a_pointed_question_gets_the_thing_it_points_at(question: str, name: str, expected: str) -> None:
    assert expected in Knowledge(by_name(name)).answer(question, Random(2)).text


def test_what_happened_next_continues_the_story() -> None:
    knowledge = Knowledge(by_name("quitting-open-source"))
    knowledge.say(knowledge.answer("Tell me about the accident on your bike.", Random(3)))
    story = [detail.text for detail in by_name("quitting-open-source").details if "bike" in detail.text]
    assert any(detail in knowledge.answer("And what happened next?", Random(3)).text for detail in story[1:])


def test_asked_two_things_the_guest_answers_the_last(always: Callable[..., None]) -> None:
    always()
    told = said(ask(guest_of(), 0, "Where do the bus stops come in? And who was the specialist that helped you?"))
    assert "specialist" in told
    assert "bus stops" not in told


def test_already_answered_is_said_only_of_what_was_really_asked() -> None:
    question = "Which specialist helped you with standard errors?"
    for seed in range(40):
        fresh = Knowledge(WELLINGTON).answer(question, Random(seed))
        assert fresh.text not in replies.ALREADY
    again = set()
    for seed in range(40):
        knowledge = Knowledge(WELLINGTON)
        knowledge.say(knowledge.answer(question, Random(seed)))
        again.add(knowledge.answer(question, Random(seed)).text)
    assert again & set(replies.ALREADY)
    assert again - set(replies.ALREADY)


def test_an_exhausted_guest_says_so() -> None:
    knowledge = Knowledge(WELLINGTON)
    knowledge.told.update(detail.id for detail in WELLINGTON.details)
    assert knowledge.answer("What is your favourite recipe?", Random(1)).text in replies.EXHAUSTED


def test_the_same_seed_is_the_same_guest_and_another_seed_is_not() -> None:
    assert interview(WELLINGTON, 7)[1] == interview(WELLINGTON, 7)[1]
    assert interview(WELLINGTON, 7)[1] != interview(WELLINGTON, 8)[1]


def test_how_often_time_is_advanced_changes_nothing() -> None:
    coarse, fine = guest_of(seed=5), guest_of(seed=5)
    for guest in (coarse, fine):
        guest.voice_ended(1_000, GENERIC[3], True)
    for t_ms in range(1_000, 90_000, 40):
        fine.advance(t_ms)
    coarse.advance(90_000)
    assert fine.take() == coarse.take()


def test_the_guest_thinks_before_it_answers(always: Callable[..., None]) -> None:
    always()
    starts = [ask(guest_of(seed=seed), 0, GENERIC[0])[0].t_ms - spoken_ms(GENERIC[0]) for seed in range(50)]
    assert all(600 <= pause <= 2_500 for pause in starts)
    assert len(set(starts)) > 30


def test_going_on_comes_after_a_pause_that_ends_a_turn(always: Callable[..., None]) -> None:
    always(GOES_ON_RATE=1.0)
    first_on, first_off, second_on, second_off = ask(guest_of(), 0, GENERIC[3])
    assert first_on.on
    assert second_on.on
    assert 1_400 <= second_on.t_ms - first_off.t_ms <= 2_200
    assert second_off.text not in (None, "", first_off.text)


def test_the_guest_yields_when_the_interviewer_speaks_before_it_goes_on(always: Callable[..., None]) -> None:
    always(GOES_ON_RATE=1.0)
    guest = guest_of()
    guest.voice_ended(0, GENERIC[3], True)
    while not any(edge.text for edge in guest.take()):
        assert guest.deadline is not None
        guest.advance(guest.deadline)
    assert guest.deadline is not None
    guest.voice_started(guest.deadline - 1)
    assert guest.deadline is None
    assert len(guest.disclosures) >= 1


def test_a_backchannel_is_short_and_falls_while_the_interviewer_speaks(always: Callable[..., None]) -> None:
    always(BACKCHANNEL_RATE=1.0)
    guest = guest_of()
    guest.voice_started(10_000)
    on, off = finish(guest)
    assert 11_200 <= on.t_ms <= 13_500
    assert 300 <= off.t_ms - on.t_ms <= 600
    assert off.text in replies.BACKCHANNEL


def test_a_backchannel_that_comes_too_late_is_dropped(always: Callable[..., None]) -> None:
    always(BACKCHANNEL_RATE=1.0)
    guest = guest_of()
    guest.voice_started(0)
    guest.voice_ended(900, GENERIC[0], True)
    assert not set(replies.BACKCHANNEL) & {edge.text for edge in finish(guest)}


def test_a_guest_who_breaks_in_answers_what_it_had_heard(always: Callable[..., None]) -> None:
    always(BARGE_RATE=1.0)
    guest = guest_of()
    guest.voice_started(0)
    assert guest.deadline is not None
    began = guest.deadline
    assert 2_000 <= began <= 4_500
    guest.advance(began)
    guest.voice_ended(began + 400, "And how did you come to talk to the specialist about the standard", False)
    edges = finish(guest)
    assert [edge.on for edge in edges] == [True, False, True, False]
    assert edges[1].text in replies.BARGE
    assert 300 <= edges[2].t_ms - edges[1].t_ms <= 800
    assert "specialist" in said(edges)


def test_skipping_tells_nothing(always: Callable[..., None]) -> None:
    always(SKIP_RATE=1.0)
    guest = guest_of()
    assert said(ask(guest, 0, GENERIC[3])) in replies.SKIP
    assert not guest.disclosures


def test_a_silent_guest_outlasts_the_first_nudge_and_answers_the_open_question_after_it(
    always: Callable[..., None],
) -> None:
    always(SILENT_RATE=1.0)
    guest = guest_of()
    guest.voice_ended(0, "Did you go to a specialist about the standard errors?", True)
    assert guest.deadline == 25_000
    guest.voice_started(20_000)
    guest.voice_ended(21_000, "Take your time, I'm still here.", True)
    assert "specialist" in said(finish(guest))


def test_on_a_nudge_the_guest_may_say_that_it_thinks(always: Callable[..., None]) -> None:
    always(SILENT_RATE=1.0, STILL_THINKING_RATE=1.0)
    guest = guest_of()
    guest.voice_ended(0, GENERIC[0], True)
    guest.voice_ended(21_000, "Are you still there?", True)
    edges = finish(guest)
    assert edges[1].text in replies.THINKING
    assert len(edges) == 4


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_goodbye_is_returned_or_not_and_then_the_guest_is_silent(always: Callable[..., None], rate: float) -> None:
    always(SAYS_GOODBYE_RATE=rate, BACKCHANNEL_RATE=1.0)
    guest = guest_of()
    guest.voice_ended(0, "Thank you so much for your time. Goodbye!", True)
    edges = finish(guest)
    assert [edge.text for edge in edges if not edge.on] == ([said(edges)] if rate else [])
    assert not rate or said(edges) in replies.GOODBYE
    assert not ask(guest, 60_000, "Alright.")


def test_thanks_in_the_middle_of_a_call_are_no_goodbye(always: Callable[..., None]) -> None:
    always()
    guest = guest_of()
    ask(guest, 0, "Thank you for sharing that. Did you go to a specialist about the standard errors?")
    assert guest.disclosures


@pytest.mark.parametrize(
    ("name", "rate", "texts"),
    [("SKIP_RATE", 1 / 30, replies.SKIP), ("BACKCHANNEL_RATE", 1 / 10, replies.BACKCHANNEL)],
)
def test_rates_are_about_what_they_say(name: str, rate: float, texts: tuple[str, ...]) -> None:
    assert getattr(behaviour, name) == pytest.approx(rate)
    long_enough = f"{'That makes sense to me. ' * 4}{GENERIC[0]}"
    count = 0
    for seed in range(600):
        guest = guest_of(seed=seed)
        guest.voice_started(0)
        guest.advance(4_500)
        guest.voice_ended(8_000, long_enough, True)
        count += any(edge.text in texts for edge in finish(guest))
    assert 0.6 * rate <= count / 600 <= 1.4 * rate


words_heard = st.one_of(
    st.sampled_from([*GENERIC, "Goodbye!", "Are you still there?", "I see.", "", "?", "Go on.", "And what about the"]),
    st.text(max_size=60),
)
turns = st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 9_000), words_heard, st.booleans()), max_size=12)


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), dossier=st.sampled_from(DOSSIERS), script=turns)
def test_edges_are_well_formed_whatever_is_heard(
    seed: int, dossier: Dossier, script: list[tuple[int, int, str, bool]]
) -> None:
    guest, t_ms = guest_of(dossier, seed), 0
    for gap_ms, lasts_ms, heard, finished in script:
        t_ms += gap_ms
        guest.voice_started(t_ms)
        t_ms += lasts_ms
        guest.voice_ended(t_ms, heard, finished)
    edges = finish(guest)
    assert [edge.on for edge in edges] == [True, False] * (len(edges) // 2)
    assert [edge.t_ms for edge in edges] == sorted(edge.t_ms for edge in edges)
    for on, off in zip(edges[::2], edges[1::2], strict=True):
        assert on.text is None
        assert off.text
        assert off.t_ms - on.t_ms == spoken_ms(off.text)
    ids = [disclosure.detail_id for disclosure in guest.disclosures]
    assert len(ids) == len(set(ids))
