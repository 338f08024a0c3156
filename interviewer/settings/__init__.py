"""Every default in one place, each with its unit and where the figure comes from.

A setting can be given as a keyword (`Settings.load(call={"target_ms": 360_000})`), in the environment
(`INTERVIEWER_CALL__TARGET_MS=360000`) or in a file (YAML or TOML). Keywords win over the environment, the
environment over the file. `describe()` lists them all.
"""

from interviewer.settings.agents import AgentName, AgentSettings, BackendName
from interviewer.settings.call import CallSettings, CycleSettings, WaitSettings
from interviewer.settings.every import Settings
from interviewer.settings.guard import GuardSettings
from interviewer.settings.importing import ImportSettings
from interviewer.settings.match import MatchSettings
from interviewer.settings.memory import KeepSettings, MemorySettings, StyleSettings
from interviewer.settings.metrics import MetricSettings
from interviewer.settings.replay import ReplaySettings
from interviewer.settings.voice import AudioSettings, VoiceSettings

__all__ = [
    "AgentName",
    "AgentSettings",
    "AudioSettings",
    "BackendName",
    "CallSettings",
    "CycleSettings",
    "GuardSettings",
    "ImportSettings",
    "KeepSettings",
    "MatchSettings",
    "MemorySettings",
    "MetricSettings",
    "ReplaySettings",
    "Settings",
    "StyleSettings",
    "VoiceSettings",
    "WaitSettings",
]
