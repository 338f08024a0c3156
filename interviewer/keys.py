"""Where the API key comes from. It is never stored, logged or shown."""

import importlib
import ipaddress
import os
import re
from typing import Final
from urllib.parse import urlsplit

from interviewer.errors import MissingKey
from interviewer.settings import VoiceSettings

VARIABLE: Final = "OPENAI_API_KEY"
KEYRING_SERVICE: Final = "openai"
KEYRING_USER: Final = "api_key"

_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_*-]{8,}")


def api_key() -> str | None:
    """The key from the environment, else from the system's keyring if the `keyring` package is there, else None."""
    return os.environ.get(VARIABLE, "").strip() or _from_keyring(KEYRING_SERVICE)


def key_named(name: str) -> str | None:
    """The key of another service: from the environment variable `name`, else from the keyring's service `name`."""
    return os.environ.get(name, "").strip() or _from_keyring(name)


def require_key() -> str:
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
    """`text` with these keys, and anything that looks like a key of OpenAI's, left out."""
    for key in keys:
        if key:
            text = text.replace(key, "[key]")
    return _LOOKS_LIKE_A_KEY.sub("[key]", text)


def _from_keyring(service: str) -> str | None:
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    try:
        key = keyring.get_password(service, KEYRING_USER)
    # A locked or absent keyring, of any backend, means that there is no key there.
    except Exception:
        return None
    return str(key).strip() or None if key else None
