"""All settings, and how they are loaded."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ValidationError

from interviewer.errors import SettingsError
from interviewer.settings.agents import AgentSettings
from interviewer.settings.call import CallSettings, CycleSettings, WaitSettings
from interviewer.settings.group import Group
from interviewer.settings.guard import GuardSettings
from interviewer.settings.importing import ImportSettings
from interviewer.settings.match import MatchSettings
from interviewer.settings.memory import KeepSettings, MemorySettings, StyleSettings
from interviewer.settings.metrics import MetricSettings
from interviewer.settings.replay import ReplaySettings
from interviewer.settings.sources import explain, from_env, from_file, named
from interviewer.settings.voice import AudioSettings, VoiceSettings


class Settings(Group):
    """All settings. Immutable; `with_` makes a changed copy."""

    call: CallSettings = CallSettings()
    wait: WaitSettings = WaitSettings()
    cycle: CycleSettings = CycleSettings()
    match: MatchSettings = MatchSettings()
    guard: GuardSettings = GuardSettings()
    voice: VoiceSettings = VoiceSettings()
    audio: AudioSettings = AudioSettings()
    agents: AgentSettings = AgentSettings()
    style: StyleSettings = StyleSettings()
    memory: MemorySettings = MemorySettings()
    importing: ImportSettings = ImportSettings()
    keep: KeepSettings = KeepSettings()
    metrics: MetricSettings = MetricSettings()
    replay: ReplaySettings = ReplaySettings()

    @classmethod
    def load(cls, file: Path | None = None, env: Mapping[str, str] | None = None, **groups: Mapping[str, Any]) -> Self:
        """Settings from `file`, then the environment (default: this process's), then keywords.

        Raises SettingsError naming the setting and where it was given.
        """
        merged: dict[str, Any] = {}
        origin: dict[tuple[str, ...], str] = {}
        environment = os.environ if env is None else env
        sources = [(from_file(file), f"file {file}")] if file else []
        sources += [(from_env(environment), "environment"), (dict(groups), "keyword")]
        for values, where in sources:
            for group, fields in values.items():
                origin[(str(group),)] = where
                for name, value in named(group, fields, where):
                    merged.setdefault(group, {})[name] = value
                    origin[group, name] = where
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            raise SettingsError(explain(error, origin)) from None

    def with_(self, **groups: Mapping[str, Any]) -> Self:
        """A copy with some settings changed: `settings.with_(call={"target_ms": 60_000})`."""
        merged = self.model_dump(exclude_unset=True)  # what was left to its default stays so
        for group, fields in groups.items():
            merged.setdefault(group, {}).update(named(group, fields, "keyword"))
        try:
            return type(self).model_validate(merged)
        except ValidationError as error:
            raise SettingsError(explain(error, {})) from None

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
