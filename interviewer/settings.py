"""Every default in one place, each with its unit and where the figure comes from.

A setting can be given as a keyword (`Settings.load(call={"target_ms": 360_000})`), in the environment
(`INTERVIEWER_CALL__TARGET_MS=360000`) or in a file (YAML or TOML). Keywords win over the environment, the
environment over the file. `describe()` lists them all.
"""

import json
import math
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import parse_qsl, urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from interviewer.errors import SettingsError

BackendName = Literal["rules", "openai", "compatible", "cassette"]
Effort = Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]
AgentName = Literal[
    "planner",
    "note_taker",
    "researcher",
    "orchestrator",
    "analyst",
    "follow_up",
    "writer",
    "style_extractor",
    "reverse_planner",
    "judge",
]

ENV_PREFIX = "INTERVIEWER_"
_NOT_SETTINGS = {"INTERVIEWER_HOME", "INTERVIEWER_MINILM"}
_SECRETS = re.compile(r"(?<=//)\S+(?=@)|(?<=[?#])[^\s']+|\bsk-[A-Za-z0-9_*-]{8,}")
_PLAIN_QUERY = {"model", "intent", "language", "api-version", "deployment"}

_ESSAY_1 = "essay: Seven agents, fourteen minutes"
_ESSAY_2 = "essay: The question ledger"
_APP = "the Swift app the essays describe"
_PROTOCOL = "OpenAI Realtime protocol"
_OURS = "chosen here"


def _f(default: Any, unit: str, source: str, about: str, **bounds: Any) -> Any:
    return Field(default, description=about, json_schema_extra={"unit": unit, "source": source}, **bounds)


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)


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


class CallSettings(_Group):
    """The clock, the phases and the policy for silence."""

    target_ms: int = _f(840_000, "ms", _ESSAY_1, "length of a call", ge=30_000, le=3_600_000)
    follow_up_ms: int = _f(360_000, "ms", _ESSAY_1, "length of a follow-up call", ge=30_000, le=3_600_000)
    opening_until: float = _f(0.15, "share of target", _APP, "the opening ends here", ge=0, le=1)
    wrap_up_from: float = _f(0.85, "share of target", _ESSAY_1, "phase locks to wrap_up here", ge=0, le=1)
    goodbye_counts_last_ms: int = _f(60_000, "ms", _OURS, "a goodbye counts in the last stretch, or in wrap_up", ge=0)
    goodbye_heard_out_ms: int = _f(12_000, "ms", _OURS, "longest wait for a goodbye to be heard to its end", ge=0)
    goodbye_within_ms: int = _f(25_000, "ms", _OURS, "a guest turn that ends this late is answered by a goodbye", ge=0)
    overrun_ms: int = _f(20_000, "ms", _OURS, "time up while the guest speaks: wait this long for the turn's end", ge=0)
    must_ask_ms: int = _f(45_000, "ms", _OURS, "time a must-ask needs in wrap_up", ge=0)
    must_asks: int = _f(2, "questions", _OURS, "must-asks that wrap_up may still take", ge=0, le=5)
    nudge_after_ms: int = _f(20_000, "ms", _OURS, "guest silent: one gentle nudge", ge=1_000)
    offer_pause_after_ms: int = _f(40_000, "ms", _OURS, "still silent after the nudge: offer to pause or end", ge=1_000)
    pause_ends_ms: int = _f(1_800_000, "ms", _OURS, "paused this long: the call closes itself", ge=60_000)
    silence_ends_ms: int = _f(180_000, "ms", _OURS, "silent this long in all: the call closes itself", ge=5_000)
    reply_wait_ms: int = _f(
        300, "ms", _OURS, "longest wait for an accepted proposal, then a free reply", ge=0, le=5_000
    )
    backchannel_ms: int = _f(700, "ms", _OURS, "speech shorter than this does not stop the voice", ge=0, le=3_000)
    early_answer_ms: int = _f(
        500,
        "ms",
        _OURS,
        "what begins this close to the voice's end answers it, and is no listening noise",
        ge=0,
        le=2_000,
    )
    shortest_speech_ms: int = _f(
        300, "ms", _OURS, "speech shorter than this is answered once its words are known", ge=0, le=2_000
    )
    least_logprob: float = _f(
        -1.5, "nat", _OURS, "a transcript less sure than this on average is made of silence", ge=-20, le=0
    )
    answer_words: int = _f(4, "words", _OURS, "a guest turn this long answers what was just asked", ge=1, le=50)
    wrap_up_free: int = _f(2, "replies", _OURS, "free replies in wrap_up before the goodbye", ge=0, le=20)
    reconnect_tries: int = _f(
        5, "tries", _OURS, "connections tried after a drop before the call is closed", ge=0, le=20
    )
    reconnect_ms: int = _f(500, "ms", _OURS, "first pause before a reconnect, doubling up to eight times it", ge=0)
    session_ms: int = _f(3_600_000, "ms", _PROTOCOL, "longest life of a session, if it does not say", ge=10_000)
    renew_before_ms: int = _f(
        120_000, "ms", _OURS, "a new session is begun this long before the old one ends, between turns", ge=0
    )
    renew_needs_ms: int = _f(1_500, "ms", _OURS, "playback still to come under which a session is renewed", ge=0)
    held_returns: int = _f(2, "times", _OURS, "how often a held question may come back", ge=0, le=5)
    delivered_returns: int = _f(
        1, "times", _OURS, "how often a call may return to one question that was asked and heard", ge=0, le=5
    )
    return_after: int = _f(3, "questions", _OURS, "other questions heard before such a return", ge=0, le=50)
    closing_phrases: dict[str, tuple[str, ...]] = _f(
        _CLOSING_PHRASES, "", _APP, "the interviewer's goodbye, by language; those in English began with the app's"
    )


class WaitSettings(_Group):
    """How long anything may be waited for."""

    connect_ms: int = _f(15_000, "ms", _OURS, "connection and first session.updated", ge=100)
    ack_ms: int = _f(3_000, "ms", _OURS, "acknowledgement of an instruction update", ge=50)
    ack_after_turn_ms: int = _f(1_500, "ms", _OURS, "the same, once the guest's turn was committed", ge=0)
    created_ms: int = _f(5_000, "ms", _OURS, "response.created after response.create", ge=50)
    first_audio_ms: int = _f(8_000, "ms", _OURS, "first audio of a response", ge=50)
    audio_gap_ms: int = _f(8_000, "ms", _OURS, "next audio of a response that is not done", ge=50)
    playback_over_ms: int = _f(3_000, "ms", _OURS, "playback end beyond the audio's length", ge=0)
    retry_reply_ms: int = _f(1_000, "ms", _OURS, "pause before a failed reply is asked for again", ge=0)
    reply_tries: int = _f(3, "tries", _OURS, "replies asked for after one guest turn before giving up", ge=1, le=10)
    transcript_ms: int = _f(10_000, "ms", _OURS, "transcript of a committed guest turn", ge=100)
    close_ms: int = _f(3_000, "ms", _OURS, "closing handshake", ge=0)


class CycleSettings(_Group):
    """The live agent cycle, its windows, deadlines and memory."""

    every_ms: int = _f(10_000, "ms", _ESSAY_1, "a live cycle starts this often", ge=500)
    nothing_new_ms: int = _f(30_000, "ms", _ESSAY_1, "Orchestrator runs again without new content", ge=500)
    note_taker_window: int = _f(20, "turns", _ESSAY_1, "what the Note-Taker reads", ge=2, le=200)
    researcher_window: int = _f(20, "turns", _ESSAY_1, "what the Researcher reads", ge=2, le=200)
    orchestrator_window: int = _f(30, "turns", _ESSAY_1, "what the Orchestrator reads", ge=2, le=200)
    note_taker_ms: int = _f(8_000, "ms", _OURS, "deadline; missed: previous notes", ge=50)
    researcher_ms: int = _f(8_000, "ms", _OURS, "deadline; missed: no items", ge=50)
    orchestrator_ms: int = _f(6_000, "ms", _OURS, "deadline; missed: next available by priority", ge=50)
    after_call_ms: int = _f(120_000, "ms", _OURS, "deadline of an agent after the call", ge=50)
    recent_proposals: int = _f(10, "proposals", _ESSAY_1, "kept and shown to the Orchestrator", ge=0, le=100)
    research_items: int = _f(2, "items", _ESSAY_1, "most a pass may bring", ge=0, le=10)
    research_again_ms: int = _f(300_000, "ms", _ESSAY_1, "a tried subject may return with new context", ge=0)
    research_failures: int = _f(5, "cycles", _ESSAY_1, "failed this often in a row: cool down", ge=1)
    research_cooldown: int = _f(5, "cycles", _APP, "length of the cool-down", ge=0)
    on_partial_text: bool = _f(False, "", _OURS, "cycles may run on text still being transcribed")


class MatchSettings(_Group):
    """Telling whether two texts are the same question."""

    scorer: str = _f("jaccard", "", _ESSAY_1, "name of the scorer")
    threshold: str = _f("", "", _OURS, "stored threshold of this scorer that says what recovery is; empty: recovery")
    recovery: float = _f(0.35, "score", _ESSAY_1, "a proposal without valid id is a plan question above", ge=0, le=1)
    contains: float | str = _f(
        "contains",
        "",
        _OURS,
        "tells whether a reply asked the planned question: the name of a stored grey band of the scorer contains; or a "
        "score (essay: 0.35) above which a sentence is the question by match.scorer",
    )
    grey_band: tuple[float, float] | None = _f(
        None,
        "score",
        _OURS,
        "what the band that match.contains names meant when the call began: no below, yes above; empty: looked up",
    )
    judge: bool = _f(True, "", _OURS, "where agents run on a model, one short question to it settles the grey band")
    judge_ms: int = _f(4_000, "ms", _OURS, "deadline of the judge; missed: unconfirmed", ge=50, le=60_000)
    reconstruction: float = _f(0.40, "score", _APP, "an old transcript covers a question above this", ge=0, le=1)
    fastest_ms_per_char: int = _f(
        40, "ms", _OURS, "speech is never faster than this: shorter audio lacks a part of its transcript", ge=1, le=200
    )
    delivered_tolerance_ms: int = _f(250, "ms", _OURS, "how much of a sentence's end may be unplayed", ge=0)

    @field_validator("grey_band", mode="before")
    @classmethod
    def _band(cls, given: object) -> object:
        """The environment holds JSON."""
        return json.loads(given) if isinstance(given, str) else given

    @field_validator("grey_band")
    @classmethod
    def _in_order(cls, band: tuple[float, float] | None) -> tuple[float, float] | None:
        if band is not None and not 0 <= band[0] <= band[1] <= 1:
            raise ValueError("no below and yes above lie between 0 and 1, in this order")
        return band

    @field_validator("contains", mode="before")
    @classmethod
    def _score_or_name(cls, given: object) -> object:
        """A number may come as text, from the environment."""
        try:
            score = float(given) if isinstance(given, str | int | float) else math.nan
        except ValueError:
            return given
        if not 0 <= score <= 1:
            raise ValueError("a score lies between 0 and 1")
        return score


class VoiceSettings(_Group):
    """The voice service: models, voice activity, audio."""

    service: Literal["simulator", "openai"] = _f("simulator", "", _OURS, "which voice service")
    url: str = _f("", "", _OURS, "another server's address, e.g. ws://127.0.0.1:8765/v1; empty: the service's own")
    model: str = _f("gpt-realtime-2.1", "", _PROTOCOL, "speaking model")
    transcription_model: str = _f("gpt-transcribe", "", _PROTOCOL, "model that writes down the guest")
    voice: str = _f("marin", "", _PROTOCOL, "voice; cannot change after the first audio")
    vad: Literal["server_vad", "semantic_vad"] = _f("server_vad", "", _PROTOCOL, "how the end of a turn is found")
    vad_threshold: float = _f(0.5, "", _PROTOCOL, "server VAD activation", ge=0, le=1)
    prefix_ms: int = _f(300, "ms", _PROTOCOL, "audio kept from before the speech", ge=0, le=2_000)
    silence_ms: int = _f(1_200, "ms", _OURS, "guest's silence that ends a turn", ge=200, le=6_000)
    eagerness: Literal["low", "medium", "high", "auto"] = _f("low", "", _PROTOCOL, "semantic VAD")
    rate: int = _f(24_000, "Hz", _PROTOCOL, "16-bit mono PCM", ge=24_000, le=24_000)
    frame_ms: int = _f(40, "ms", "measured", "length of a microphone frame", ge=10, le=200)
    max_frame_bytes: int = _f(15 * 2**20, "bytes", _PROTOCOL, "largest frame either side may send", ge=1_024)
    max_output_tokens: int = _f(4_096, "tokens", _PROTOCOL, "cap of one response, audio counts", ge=64, le=4_096)
    context_tokens: int = _f(
        8_000, "tokens", _OURS, "most of the conversation that each reply reads, and is billed for", ge=1_000, le=28_000
    )
    retention_ratio: float = _f(
        0.8,
        "share of context_tokens",
        _PROTOCOL,
        "kept when the oldest is dropped, so that it is so seldom",
        ge=0,
        le=1,
    )

    @field_validator("url")
    @classmethod
    def _no_key(cls, url: str) -> str:
        address, _, query = url.partition("?")
        names = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
        if "@" in url or "#" in url or (query and not names) or names - _PLAIN_QUERY or _SECRETS.search(address):
            raise ValueError("an address holds no key; it is taken from OPENAI_API_KEY or the keyring")
        return url


class AudioSettings(_Group):
    """The sound on this machine: what is kept of it, and what a good level is."""

    keep: bool = _f(False, "", _OURS, "keep each live call's sound, both sides, as FLAC in the folder audio")
    check_ms: int = _f(3_000, "ms", _OURS, "a microphone is listened to for so long to tell its level", ge=100)
    silent_dbfs: float = _f(-70.0, "dB", _OURS, "a microphone whose peaks stay below hears nothing", ge=-100, le=0)
    clipped_share: float = _f(0.001, "share of samples", _OURS, "more than this at full scale: too loud", ge=0, le=1)
    lost_ms: int = _f(2_000, "ms", _OURS, "a sound card that gives or takes no sound for so long is lost", ge=200)
    reopen_ms: int = _f(2_000, "ms", _OURS, "a lost sound card is tried again this often", ge=100)
    clip_lead_ms: int = _f(
        500, "ms", _OURS, "a clip of a turn begins so long before the service noticed the speech", ge=0, le=5_000
    )


class AgentChoice(_Group):
    """What one agent does otherwise than the rest; None: as the rest."""

    backend: BackendName | None = None
    model: str | None = None
    effort: Effort | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    base_url: str | None = None
    key_name: str | None = None
    web_search: bool | None = None

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str | None) -> str | None:
        return url and _endpoint(url)

    @field_validator("key_name")
    @classmethod
    def _no_key(cls, name: str | None) -> str | None:
        return name and _key_name(name)


class AgentSettings(_Group):
    """Who answers for the agents."""

    backend: BackendName = _f("rules", "", _OURS, "where agents run")
    model: str = _f("gpt-6-luna", "", "OpenAI's list of models, November 2026", "model of the agents")
    effort: Effort = _f("", "", "OpenAI Responses API", "reasoning effort; empty: the model's own")
    temperature: float | None = _f(None, "", "OpenAI Responses API", "none: the model's own", ge=0, le=2)
    overrides: dict[AgentName, AgentChoice] = _f({}, "", _OURS, "agents that run otherwise, by name")
    base_url: str = _f("", "", _OURS, "address of an OpenAI-style server, e.g. http://127.0.0.1:11434/v1")
    key_name: str = _f("", "", _OURS, "environment variable or keyring service with that server's key; empty: none")
    cassette: str = _f("", "", _OURS, "file of recorded runs")
    cassette_records: BackendName | None = _f(None, "", _OURS, "backend to record on the cassette; none: play back")
    web_search: bool = _f(
        False, "", "OpenAI Responses API", "the Researcher may use OpenAI's own web search (backend openai)"
    )
    search: str = _f("", "", _OURS, "a search of one's own for the Researcher, as module:function; empty: none")
    tries: int = _f(3, "tries", _OURS, "calls of a backend before giving up", ge=1, le=10)
    backoff_ms: int = _f(1_000, "ms", _OURS, "first pause between tries, doubling", ge=0)
    backoff_cap_ms: int = _f(30_000, "ms", _OURS, "longest pause between tries", ge=0)
    repairs: int = _f(1, "times", _OURS, "a model is shown what is wrong with its output this often", ge=0, le=3)
    max_output_tokens: int = _f(8_000, "tokens", _OURS, "cap of one output, reasoning counts", ge=64)
    longest_text: int = _f(
        0, "characters", _OURS, "bound of each text of a small model on one's own server; 0: none", ge=0
    )
    longest_list: int = _f(0, "items", _OURS, "bound of each list of a small model on one's own server; 0: none", ge=0)
    budget_usd: float = _f(
        0.0, "USD", _OURS, "what a call may cost, voice and agents; 0: not limited", ge=0, allow_inf_nan=False
    )
    budget_warning: float = _f(0.8, "share of budget", _OURS, "spent this much: a warning", ge=0, le=1)
    prices: str = _f("", "", _OURS, "file of prices (YAML or TOML) that come before the built-in ones")
    latency_low_ms: int = _f(1_000, "ms", _OURS, "shortest simulated latency of an agent", ge=0)
    latency_high_ms: int = _f(4_000, "ms", _OURS, "longest simulated latency of an agent", ge=0)

    @field_validator("overrides", mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        """The environment holds JSON."""
        return json.loads(given) if isinstance(given, str) else given

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str) -> str:
        return _endpoint(url)

    @field_validator("key_name")
    @classmethod
    def _no_key(cls, name: str) -> str:
        return _key_name(name)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for agent in (None, *self.overrides):
            chosen = self.of(agent)
            whose = f" of the {agent}" if agent else ""
            if chosen.backend == "compatible" and not chosen.base_url:
                raise ValueError(f"backend compatible{whose} needs base_url, the server's address")
            if chosen.backend in ("openai", "compatible") and not chosen.model.strip():
                raise ValueError(f"backend {chosen.backend}{whose} needs a model")
            if chosen.backend == "cassette" and not self.cassette:
                raise ValueError(f"backend cassette{whose} needs cassette, the file")
        if self.cassette_records == "cassette":
            raise ValueError("cassette_records names the backend to record, not the cassette itself")
        if self.cassette_records == "compatible" and not self.base_url:
            raise ValueError("cassette_records compatible needs base_url, the server's address")
        return self

    def searches(self, agent: str) -> bool:
        """Whether this agent's model looks things up on the web by itself."""
        chosen = self.of(agent)
        return agent == "researcher" and chosen.backend in ("openai", "cassette") and chosen.web_search

    def of(self, agent: str | None) -> "AgentSettings":
        """The settings as they are for this agent, with what `overrides` says of it."""
        chosen = next((choice for name, choice in self.overrides.items() if name == agent), None)
        if chosen is None:
            return self
        update = chosen.model_dump(exclude_none=True)
        # A key goes to no other server than the one it was named for.
        if chosen.base_url is not None and chosen.base_url != self.base_url:
            update.setdefault("key_name", "")
        return self.model_copy(update=update)


def _key_name(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("it is the name of an environment variable, never the key itself")
    return name


def _endpoint(url: str) -> str:
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("an address begins with http:// or https:// and a host")
    if parts.username or parts.password or parts.query:
        raise ValueError("an address holds no key; name it in key_name")
    return url.rstrip("/")


class StyleSettings(_Group):
    """What the StyleExtractor reads."""

    drafts: int = _f(3, "drafts", _APP, "past drafts", ge=0)
    quotes: int = _f(20, "quotes", _APP, "quotes", ge=0)
    turns: int = _f(30, "turns", _APP, "the guest's own turns", ge=0)
    turn_words: int = _f(10, "words", _APP, "shortest turn that counts", ge=1)


class MemorySettings(_Group):
    """What a follow-up's voice is told of earlier calls."""

    ideas: int = _f(5, "ideas", _APP, "ideas", ge=0)
    stories: int = _f(3, "stories", _APP, "stories", ge=0)
    claims: int = _f(4, "claims", _APP, "claims", ge=0)
    heard: int = _f(10, "questions", _ESSAY_2, "latest heard questions", ge=0)


class ImportSettings(_Group):
    """How transcripts from elsewhere are read."""

    most_bytes: int = _f(50_000_000, "bytes", _OURS, "largest file that is taken for a transcript", ge=1)
    merge: bool = _f(True, "", _OURS, "what one person says in several cues running becomes one turn")
    merge_gap_ms: int = _f(0, "ms", _OURS, "but not over a silence longer than this; 0: over any", ge=0)
    words_per_minute: int = _f(
        150, "words/minute", "average of English speech, National Center for Voice and Speech", "missing times", ge=30
    )
    slowest_wpm: int = _f(75, "words/minute", _OURS, "slower than this is a pause, where times are derived", ge=1)
    sure_by_name: float = _f(0.95, "probability", _OURS, "a name such as Host tells who interviews", ge=0.5, le=1)
    sure_by_asking: float = _f(
        0.99, "probability", "121 of 121 interviews, Laplace's rule", "whoever asks most interviews", ge=0.5, le=1
    )
    also_asks: float = _f(
        0.3, "share", "fitted to 7 podcasts of three and more", "asks this often beside the first: interviews too", ge=0
    )


class KeepSettings(_Group):
    """How a call is kept, and for how long."""

    sync_ms: int = _f(
        1_000, "ms", _OURS, "a live call's journal is brought to the disk this often; 0: at its end", ge=0
    )
    retention_days: int = _f(
        0, "days", _OURS, "a call is due to be forgotten this long after it began; 0: never", ge=0, le=36_500
    )


class Settings(_Group):
    """All settings. Immutable; `with_` makes a changed copy."""

    call: CallSettings = CallSettings()
    wait: WaitSettings = WaitSettings()
    cycle: CycleSettings = CycleSettings()
    match: MatchSettings = MatchSettings()
    voice: VoiceSettings = VoiceSettings()
    audio: AudioSettings = AudioSettings()
    agents: AgentSettings = AgentSettings()
    style: StyleSettings = StyleSettings()
    memory: MemorySettings = MemorySettings()
    importing: ImportSettings = ImportSettings()
    keep: KeepSettings = KeepSettings()

    @classmethod
    def load(cls, file: Path | None = None, env: Mapping[str, str] | None = None, **groups: Mapping[str, Any]) -> Self:
        """Settings from `file`, then the environment (default: this process's), then keywords.

        Raises SettingsError naming the setting and where it was given.
        """
        merged: dict[str, Any] = {}
        origin: dict[tuple[str, ...], str] = {}
        environment = os.environ if env is None else env
        sources = [(_from_file(file), f"file {file}")] if file else []
        sources += [(_from_env(environment), "environment"), (dict(groups), "keyword")]
        for values, where in sources:
            for group, fields in values.items():
                origin[(str(group),)] = where
                for name, value in _named(group, fields, where):
                    merged.setdefault(group, {})[name] = value
                    origin[group, name] = where
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            raise SettingsError(_explain(error, origin)) from None

    def with_(self, **groups: Mapping[str, Any]) -> Self:
        """A copy with some settings changed: `settings.with_(call={"target_ms": 60_000})`."""
        merged = self.model_dump(exclude_unset=True)  # what was left to its default stays so
        for group, fields in groups.items():
            merged.setdefault(group, {}).update(_named(group, fields, "keyword"))
        try:
            return type(self).model_validate(merged)
        except ValidationError as error:
            raise SettingsError(_explain(error, {})) from None

    @classmethod
    def describe(cls) -> Iterator[tuple[str, Any, str, str, str]]:
        """(name, default, unit, source, meaning) of every setting."""
        for group, outer in cls.model_fields.items():
            model = outer.annotation
            assert isinstance(model, type)
            assert issubclass(model, BaseModel)
            for name, field in model.model_fields.items():
                extra = field.json_schema_extra
                assert isinstance(extra, dict)
                about = field.description or ""
                yield f"{group}.{name}", field.default, str(extra["unit"]), str(extra["source"]), about


def _named(group: str, fields: Any, where: str) -> Iterable[tuple[str, Any]]:
    if not isinstance(fields, Mapping):
        raise SettingsError(f"{group} ({where}): a group of settings is a mapping, not {type(fields).__name__}")
    return fields.items()


def _from_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        loaded = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    except OSError as error:
        raise SettingsError(f"cannot read settings file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {path} is not valid {path.suffix or 'YAML'}: {error}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise SettingsError(f"settings file {path} must hold groups such as 'call:', not a {type(loaded).__name__}")
    return loaded


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in sorted(env):
        if key.startswith(ENV_PREFIX) and key not in _NOT_SETTINGS:
            group, _, name = key.removeprefix(ENV_PREFIX).lower().partition("__")
            if not name:
                raise SettingsError(f"{key} (environment): settings are named {ENV_PREFIX}GROUP__NAME")
            found.setdefault(group, {})[name] = env[key]
    return found


def _explain(error: ValidationError, origin: Mapping[tuple[str, ...], str]) -> str:
    lines = []
    for item in error.errors():
        at = tuple(str(part) for part in item["loc"])
        where = origin.get(at[:2]) or origin.get(at[:1], "keyword")
        # An unknown name may hold a key put there by mistake: its value is never shown.
        unknown = item["type"] in ("extra_forbidden", "invalid_key")
        given = _SECRETS.sub("...", repr(item["input"]))
        problem = "there is no such setting" if unknown else item["msg"]
        # Where a key's name belongs a key may have been put.
        if not unknown and at[1:] and at[-1] != "key_name":
            problem += f"; it was {given}"
        lines.append(f"setting {'.'.join(at)} ({where}): {problem}")
    return "\n".join(lines)
