"""The voice service, and the sound on this machine."""

from typing import Literal
from urllib.parse import parse_qsl

from pydantic import field_validator

from interviewer.settings.group import OURS, PROTOCOL, SECRETS, Group, figure

_PLAIN_QUERY = {"model", "intent", "language", "api-version", "deployment"}


class VoiceSettings(Group):
    """The voice service: models, voice activity, audio."""

    service: Literal["simulator", "openai"] = figure("simulator", "", OURS, "which voice service")
    url: str = figure("", "", OURS, "another server's address, e.g. ws://127.0.0.1:8765/v1; empty: the service's own")
    model: str = figure("gpt-realtime-2.1", "", PROTOCOL, "speaking model")
    transcription_model: str = figure("gpt-transcribe", "", PROTOCOL, "model that writes down the guest")
    voice: str = figure("marin", "", PROTOCOL, "voice; cannot change after the first audio")
    vad: Literal["server_vad", "semantic_vad"] = figure("server_vad", "", PROTOCOL, "how the end of a turn is found")
    vad_threshold: float = figure(0.5, "", PROTOCOL, "server VAD activation", ge=0, le=1)
    prefix_ms: int = figure(300, "ms", PROTOCOL, "audio kept from before the speech", ge=0, le=2_000)
    silence_ms: int = figure(1_200, "ms", OURS, "guest's silence that ends a turn", ge=200, le=6_000)
    eagerness: Literal["low", "medium", "high", "auto"] = figure("low", "", PROTOCOL, "semantic VAD")
    rate: int = figure(24_000, "Hz", PROTOCOL, "16-bit mono PCM", ge=24_000, le=24_000)
    frame_ms: int = figure(40, "ms", "measured", "length of a microphone frame", ge=10, le=200)
    quiet_frame_ms: int = figure(
        120,
        "ms",
        OURS,
        "sound is sent in frames of this length while nobody has spoken for long; 40: as always",
        ge=40,
        le=200,
    )
    max_frame_bytes: int = figure(15 * 2**20, "bytes", PROTOCOL, "largest frame either side may send", ge=1_024)
    max_output_tokens: int = figure(4_096, "tokens", PROTOCOL, "cap of one response, audio counts", ge=64, le=4_096)
    context_tokens: int = figure(
        8_000, "tokens", OURS, "most of the conversation that each reply reads, and is billed for", ge=1_000, le=28_000
    )
    retention_ratio: float = figure(
        0.8,
        "share of context_tokens",
        PROTOCOL,
        "kept when the oldest is dropped, so that it is so seldom",
        ge=0,
        le=1,
    )

    @field_validator("url")
    @classmethod
    def _no_key(cls, url: str) -> str:
        address, _, query = url.partition("?")
        names = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
        if "@" in url or "#" in url or (query and not names) or names - _PLAIN_QUERY or SECRETS.search(address):
            raise ValueError("an address holds no key; it is taken from OPENAI_API_KEY or the keyring")
        return url


class AudioSettings(Group):
    """The sound on this machine: what is kept of it, and what a good level is."""

    keep: bool = figure(False, "", OURS, "keep each live call's sound, both sides, as FLAC in the folder audio")
    check_ms: int = figure(3_000, "ms", OURS, "a microphone is listened to for so long to tell its level", ge=100)
    silent_dbfs: float = figure(-70.0, "dB", OURS, "a microphone whose peaks stay below hears nothing", ge=-100, le=0)
    clipped_share: float = figure(0.001, "share of samples", OURS, "more than this at full scale: too loud", ge=0, le=1)
    lost_ms: int = figure(2_000, "ms", OURS, "a sound card that gives or takes no sound for so long is lost", ge=200)
    reopen_ms: int = figure(2_000, "ms", OURS, "a lost sound card is tried again this often", ge=100)
    clip_lead_ms: int = figure(
        500, "ms", OURS, "a clip of a turn begins so long before the service noticed the speech", ge=0, le=5_000
    )
