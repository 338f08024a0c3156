"""Where API keys come from. They are never stored, logged or shown, not even among the variables of a traceback."""

import importlib
import ipaddress
import os
import re
from typing import Final, SupportsIndex
from urllib.parse import urlsplit

from interviewer.errors import MissingKey
from interviewer.settings import VoiceSettings

VARIABLE: Final = "OPENAI_API_KEY"
KEYRING_SERVICE: Final = "openai"
KEYRING_USER: Final = "api_key"

_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_*-]{8,}")


class Key(str):
    """A key: text to whoever sends it, and nothing to see for whoever shows a variable, whole or in part."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'[key]'"

    def __getitem__(self, part: SupportsIndex | slice) -> "Key":
        return Key(super().__getitem__(part))


_given_out: set[str] = set()
_SHORTEST: Final = 8  # what is shorter is no key, and would be found in any text


def api_key() -> Key | None:
    """The key from the environment, else from the system's keyring if the `keyring` package is there, else None."""
    return _key(os.environ.get(VARIABLE)) or _from_keyring(KEYRING_SERVICE)


def key_named(name: str) -> Key | None:
    """The key of another service: from the environment variable `name`, else from the keyring's service `name`."""
    return _key(os.environ.get(name)) or _from_keyring(name)


def require_key() -> Key:
    """The key. Raises MissingKey, which says how to give one."""
    if key := api_key():
        return key
    raise MissingKey(
        f"no API key for the voice service: set {VARIABLE}; or install the package keyring and run "
        f"`keyring set {KEYRING_SERVICE} {KEYRING_USER}`; or use the simulator (setting voice.service), it needs none"
    )


def needs_key(settings: VoiceSettings) -> bool:
    """Whether these settings lead to a service that asks for a key: not the simulator, nor a server on this machine."""
    return settings.service == "openai" and not is_loopback(settings.url)


def is_loopback(url: str) -> bool:
    """Whether `url` leads to this machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def without_keys(text: str, *keys: str | None) -> str:
    """`text` with these keys, all that were found here, and anything that looks like one of OpenAI's left out."""
    for key in sorted({*_given_out, *filter(None, keys)}, key=len, reverse=True):
        text = text.replace(key, "[key]")
    return _LOOKS_LIKE_A_KEY.sub("[key]", text)


def _key(found: object) -> Key | None:
    """What was found, without the space around it; None if that is nothing."""
    text = str(found or "").strip()
    if len(text) >= _SHORTEST:
        _given_out.add(text)
    return Key(text) if text else None


def _from_keyring(service: str) -> Key | None:
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    try:
        return _key(keyring.get_password(service, KEYRING_USER))
    # A locked or absent keyring, of any backend, means that there is no key there.
    except Exception:
        return None
