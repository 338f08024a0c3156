"""What a call is begun with. With it and the inputs a call can be folded again."""

from pydantic import BaseModel, ConfigDict

from interviewer.ledger.events import World
from interviewer.memory.earlier import Earlier
from interviewer.model.consent import Consent
from interviewer.model.plan import Plan
from interviewer.model.voice import VoiceGuide
from interviewer.settings import Settings


class CallSetup(BaseModel):
    """The plan, the person's context, the settings and the world a call happens in.

    `earlier`: what the calls before it left, if it continues an interview.
    `voice_guide`: how the guest speaks, from earlier calls; the Writer keeps to it. `searches`: a search is plugged in,
    so that what the Researcher brings may have sources. `consent`: who agreed to the call being kept, when and to which
    words; None if nobody was asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    plan: Plan
    context: str = ""
    guest: str = "guest"
    world: World = "real"
    settings: Settings = Settings()
    earlier: Earlier | None = None
    voice_guide: VoiceGuide = VoiceGuide()
    searches: bool = False
    consent: Consent | None = None

    @property
    def target_ms(self) -> int:
        """The length the call aims at."""
        return self.settings.call.target_ms
