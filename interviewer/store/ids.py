"""Names for new calls, and the time of day they are made of."""

import secrets
from datetime import UTC, datetime


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)


def new_call_id(at: datetime | None = None) -> str:
    """A new id such as `c-20261130-131500-1f09ab12`: sorts by time to the second, unique by 32 random bits."""
    return f"c-{(at or now()).astimezone(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
