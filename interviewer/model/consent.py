"""Who agreed to a call being held and kept, and to which words."""

import hashlib
from datetime import UTC, datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict

from interviewer.errors import InterviewerError


class Consent(BaseModel):
    """`by` agreed to `text` at the time `at`; `version` names the text: its first eight hexadecimal SHA-256 digits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    text: str
    version: str
    at: AwareDatetime


def consented(by: str, text: str) -> Consent:
    """Consent given now. Raises InterviewerError if nobody is named."""
    if not by.strip():
        raise InterviewerError("the consent is nobody's: say who has agreed, by the guest's name")
    version = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Consent(by=by, text=text, version=version, at=datetime.now(UTC).replace(microsecond=0))
