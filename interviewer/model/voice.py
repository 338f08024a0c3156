"""How a guest speaks and writes: what the Writer keeps to."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Trait = Literal["sentences", "person", "words", "openers", "figures", "stance"]


class VoiceBullet(BaseModel):
    """One habit of the guest's, with words of theirs that show it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trait: Trait
    text: str
    quotes: tuple[str, ...] = Field(description="copied letter for letter from what is given")


class VoiceGuide(BaseModel):
    """Four to six habits, or none where there was too little to see any.

    `expressions` are words and phrases of the guest's that should survive in a draft, the most telling first;
    `sentence_words` is the usual length of a sentence, 0 if it is not known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bullets: tuple[VoiceBullet, ...] = ()
    expressions: tuple[str, ...] = ()
    sentence_words: int = 0
