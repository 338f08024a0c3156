"""How a call runs: its clock, what may be waited for, and the agents' cycle."""

from interviewer.settings.group import APP, ESSAY_1, OURS, PROTOCOL, Group, figure

_CLOSING_PHRASES: dict[str, tuple[str, ...]] = {
    "en": (
        "thanks for sharing",
        "thank you for sharing",
        "thank you so much for",
        "thanks so much for",
        "great talking",
        "take care",
        "goodbye",
        "good bye",
        "that's all the time",
        "out of time",
        "wrap up our conversation",
        "bring it to a close",
        "final thoughts",
    ),
    "de": (
        "vielen dank für",
        "auf wiederhören",
        "auf wiedersehen",
        "tschüss",
        "machen sie's gut",
        "unsere zeit ist um",
    ),
    "fr": ("merci beaucoup pour", "merci d'avoir", "au revoir", "bonne continuation", "c'est tout le temps"),
    "es": ("muchas gracias por", "adiós", "hasta luego", "cuídate", "se nos acabó el tiempo"),
}


class CallSettings(Group):
    """The clock, the phases and the policy for silence."""

    target_ms: int = figure(840_000, "ms", ESSAY_1, "length of a call", ge=30_000, le=3_600_000)
    follow_up_ms: int = figure(360_000, "ms", ESSAY_1, "length of a follow-up call", ge=30_000, le=3_600_000)
    opening_until: float = figure(0.15, "share of target", APP, "the opening ends here", ge=0, le=1)
    wrap_up_from: float = figure(0.85, "share of target", ESSAY_1, "phase locks to wrap_up here", ge=0, le=1)
    goodbye_counts_last_ms: int = figure(
        60_000, "ms", OURS, "a goodbye counts in the last stretch, or in wrap_up", ge=0
    )
    goodbye_heard_out_ms: int = figure(12_000, "ms", OURS, "longest wait for a goodbye to be heard to its end", ge=0)
    goodbye_within_ms: int = figure(
        25_000, "ms", OURS, "a guest turn that ends this late is answered by a goodbye", ge=0
    )
    overrun_ms: int = figure(
        20_000, "ms", OURS, "time up while the guest speaks: wait this long for the turn's end", ge=0
    )
    must_ask_ms: int = figure(45_000, "ms", OURS, "time a must-ask needs in wrap_up", ge=0)
    must_asks: int = figure(2, "questions", OURS, "must-asks that wrap_up may still take", ge=0, le=5)
    nudge_after_ms: int = figure(20_000, "ms", OURS, "guest silent: one gentle nudge", ge=1_000)
    offer_pause_after_ms: int = figure(
        40_000, "ms", OURS, "still silent after the nudge: offer to pause or end", ge=1_000
    )
    pause_ends_ms: int = figure(1_800_000, "ms", OURS, "paused this long: the call closes itself", ge=60_000)
    silence_ends_ms: int = figure(180_000, "ms", OURS, "silent this long in all: the call closes itself", ge=5_000)
    reply_wait_ms: int = figure(
        300, "ms", OURS, "longest wait for an accepted proposal, then a free reply", ge=0, le=5_000
    )
    backchannel_ms: int = figure(700, "ms", OURS, "speech shorter than this does not stop the voice", ge=0, le=3_000)
    early_answer_ms: int = figure(
        500,
        "ms",
        OURS,
        "what begins this close to the voice's end answers it, and is no listening noise",
        ge=0,
        le=2_000,
    )
    shortest_speech_ms: int = figure(
        300, "ms", OURS, "speech shorter than this is answered once its words are known", ge=0, le=2_000
    )
    least_logprob: float = figure(
        -2.5,
        "nat",
        "measured (evals/sieve/results/sureness.json): 0 of 160 that were said are lost, 46 of 112 invented are caught",
        "a transcript less sure than this on average is made of silence",
        ge=-20,
        le=0,
    )
    answer_words: int = figure(4, "words", OURS, "a guest turn this long answers what was just asked", ge=1, le=50)
    wrap_up_free: int = figure(2, "replies", OURS, "free replies in wrap_up before the goodbye", ge=0, le=20)
    reconnect_tries: int = figure(
        5, "tries", OURS, "connections tried after a drop before the call is closed", ge=0, le=20
    )
    reconnect_ms: int = figure(500, "ms", OURS, "first pause before a reconnect, doubling up to eight times it", ge=0)
    session_ms: int = figure(3_600_000, "ms", PROTOCOL, "longest life of a session, if it does not say", ge=10_000)
    renew_before_ms: int = figure(
        120_000, "ms", OURS, "a new session is begun this long before the old one ends, between turns", ge=0
    )
    renew_needs_ms: int = figure(1_500, "ms", OURS, "playback still to come under which a session is renewed", ge=0)
    held_returns: int = figure(2, "times", OURS, "how often a held question may come back", ge=0, le=5)
    delivered_returns: int = figure(
        1, "times", OURS, "how often a call may return to one question that was asked and heard", ge=0, le=5
    )
    return_after: int = figure(3, "questions", OURS, "other questions heard before such a return", ge=0, le=50)
    closing_phrases: dict[str, tuple[str, ...]] = figure(
        _CLOSING_PHRASES, "", APP, "the interviewer's goodbye, by language; those in English began with the app's"
    )


class WaitSettings(Group):
    """How long anything may be waited for."""

    connect_ms: int = figure(15_000, "ms", OURS, "connection and first session.updated", ge=100)
    ack_ms: int = figure(3_000, "ms", OURS, "acknowledgement of an instruction update", ge=50)
    ack_after_turn_ms: int = figure(1_500, "ms", OURS, "the same, once the guest's turn was committed", ge=0)
    created_ms: int = figure(5_000, "ms", OURS, "response.created after response.create", ge=50)
    first_audio_ms: int = figure(8_000, "ms", OURS, "first audio of a response", ge=50)
    audio_gap_ms: int = figure(8_000, "ms", OURS, "next audio of a response that is not done", ge=50)
    playback_over_ms: int = figure(3_000, "ms", OURS, "playback end beyond the audio's length", ge=0)
    retry_reply_ms: int = figure(1_000, "ms", OURS, "pause before a failed reply is asked for again", ge=0)
    reply_tries: int = figure(3, "tries", OURS, "replies asked for after one guest turn before giving up", ge=1, le=10)
    transcript_ms: int = figure(10_000, "ms", OURS, "transcript of a committed guest turn", ge=100)
    close_ms: int = figure(3_000, "ms", OURS, "closing handshake", ge=0)


class CycleSettings(Group):
    """The live agent cycle, its windows, deadlines and memory."""

    every_ms: int = figure(10_000, "ms", ESSAY_1, "a live cycle starts this often", ge=500)
    nothing_new_ms: int = figure(30_000, "ms", ESSAY_1, "Orchestrator runs again without new content", ge=500)
    note_taker_window: int = figure(20, "turns", ESSAY_1, "what the Note-Taker reads", ge=2, le=200)
    researcher_window: int = figure(20, "turns", ESSAY_1, "what the Researcher reads", ge=2, le=200)
    orchestrator_window: int = figure(30, "turns", ESSAY_1, "what the Orchestrator reads", ge=2, le=200)
    note_taker_ms: int = figure(8_000, "ms", OURS, "deadline; missed: previous notes", ge=50)
    researcher_ms: int = figure(8_000, "ms", OURS, "deadline; missed: no items", ge=50)
    orchestrator_ms: int = figure(6_000, "ms", OURS, "deadline; missed: next available by priority", ge=50)
    after_call_ms: int = figure(120_000, "ms", OURS, "deadline of an agent after the call", ge=50)
    recent_proposals: int = figure(10, "proposals", ESSAY_1, "kept and shown to the Orchestrator", ge=0, le=100)
    research_items: int = figure(2, "items", ESSAY_1, "most a pass may bring", ge=0, le=10)
    research_again_ms: int = figure(300_000, "ms", ESSAY_1, "a tried subject may return with new context", ge=0)
    research_failures: int = figure(5, "cycles", ESSAY_1, "failed this often in a row: cool down", ge=1)
    research_cooldown: int = figure(5, "cycles", APP, "length of the cool-down", ge=0)
    theme_fade_ms: int = figure(
        300_000,
        "ms",
        OURS,
        "a theme counts half this long after it was proposed or covered, and no more after twice",
        ge=1_000,
    )
    on_partial_text: bool = figure(False, "", OURS, "cycles may run on text still being transcribed")
