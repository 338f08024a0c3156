"""What is said of an interview before it begins, and what of that a guest must know and agree to."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from interviewer.errors import SettingsError
from interviewer.interview.demo import as_long_as
from interviewer.keys import api_key, is_loopback
from interviewer.settings import Settings

Destination = Literal["simulator", "openai", "url"]

LANGUAGES: Final = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}
"""Languages that have closing phrases; any other may be asked for by its code."""

LONGEST_TEXT: Final = 20_000
"""Characters of the person's own context that are taken."""


@dataclass(frozen=True, slots=True)
class Form:
    """Topic, context, guest, language, length, where the voice goes, and whether the sound is kept."""

    topic: str = ""
    context: str = ""
    guest: str = "guest"
    language: str = "en"
    minutes: float = 14.0
    destination: Destination = "simulator"
    keep_sound: bool = False

    def changed(self, fields: dict[str, Any], settings: Settings) -> "Form":
        """A copy with some fields changed. Raises SettingsError naming the field that cannot be so."""
        known = {name: value for name, value in fields.items() if name in self.__slots__}
        if unknown := fields.keys() - known.keys():
            raise SettingsError(f"there is no field {', '.join(sorted(unknown))} to fill in")
        new = replace(self, **{name: _fitting(name, value) for name, value in known.items()})
        as_long_as(settings, new.minutes)
        if new.destination not in (place["id"] for place in destinations(settings)):
            raise SettingsError(f"the voice cannot go to {new.destination!r}")
        return new

    def settings(self, base: Settings) -> Settings:
        """The settings of a call as this form wants it."""
        service = {"simulator": "simulator", "openai": "openai"}.get(self.destination)
        voice = {"service": service, "url": ""} if service else {}
        return as_long_as(base, self.minutes).with_(voice=voice, audio={"keep": self.keep_sound})

    def consent(self) -> str:
        """What whoever speaks must know, in a few sentences."""
        goes = {
            "simulator": "The sound stays on this machine.",
            "openai": "The sound goes to OpenAI, which answers with the interviewer's voice.",
            "url": "The sound goes to the server that was chosen for the voice.",
        }[self.destination]
        kept = "The sound is kept here too, as a file." if self.keep_sound else "The sound is not kept."
        return (
            f"A machine leads this interview. {goes} What is said is written down and kept on this machine, "
            f"unencrypted. {kept}"
        )


def first_form(settings: Settings, **fields: Any) -> Form:
    """The form as it is before anybody has touched it: the real service if it is asked for, or a key is found."""
    voice = settings.voice
    asked = voice.service if "service" in voice.model_fields_set else None
    chosen: Destination = "url" if voice.url else asked or ("openai" if api_key() else "simulator")
    about = {"minutes": settings.call.target_ms / 60_000, "keep_sound": settings.audio.keep, "destination": chosen}
    return Form().changed(about | {name: value for name, value in fields.items() if value is not None}, settings)


def destinations(settings: Settings) -> list[dict[str, str]]:
    """Where the voice can go, each with an id, a name and what one should know."""
    found = [
        {
            "id": "simulator",
            "name": "Simulated service on this machine",
            "note": "It needs no key and costs nothing. It makes out its own voice only: a person can type.",
        }
    ]
    if api_key() or settings.voice.service == "openai":
        note = "It is paid by the minute, with the key found on this machine."
        note = note if api_key() else "No key is found: set OPENAI_API_KEY, or keep one in the system's keyring."
        found.append({"id": "openai", "name": f"OpenAI, {settings.voice.model}", "note": note})
    if settings.voice.url:
        host = urlsplit(settings.voice.url).hostname or "another server"
        where = "It is on this machine." if is_loopback(settings.voice.url) else "It is another machine."
        found.append({"id": "url", "name": host, "note": where})
    return found


def _fitting(name: str, value: Any) -> Any:
    if name == "keep_sound":
        return bool(value)
    if name == "minutes":
        try:
            return float(value)
        except (TypeError, ValueError):
            raise SettingsError(f"minutes: a call is 0.5 to 60 of them, not {str(value)[:20]!r}") from None
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    if len(text) > LONGEST_TEXT:
        raise SettingsError(f"{name}: it is longer than {LONGEST_TEXT} characters")
    return text if name == "context" else text.strip()
