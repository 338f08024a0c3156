"""The plan of a call: sections of questions, each with an identity apart from its wording."""

from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Role = Literal["backbone", "follow_up"]
Importance = Literal["high", "medium", "low"]
SPARE: Final = "If there is time"
OPEN: Final = "Still open"


def tells(section_id: str, title: str) -> bool:
    """Whether a title says what its section is about: one that only fills up does not, nor an id in its place."""
    return title not in ("", section_id, SPARE, OPEN)


class Question(BaseModel):
    """One thing to find out. `text` is a purpose, not a script: the voice words it afresh."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=40)
    text: str = Field(min_length=1, max_length=600)
    role: Role = "backbone"
    priority: Literal[1, 2, 3] = 2
    notes: str = ""


class Section(BaseModel):
    """A stretch of the call about one side of the topic."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=40)
    title: str = Field(min_length=1)
    importance: Importance = "medium"
    seconds: int = Field(default=0, ge=0, description="time meant for it; 0: not said")
    questions: tuple[Question, ...] = ()


class Plan(BaseModel):
    """What a call wants to learn. Ids of sections and questions are unique in the plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str = Field(min_length=1)
    goal: str
    angle: str = ""
    sections: tuple[Section, ...] = Field(min_length=1)
    notes: str = ""
    language: str = "en"

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        ids = [s.id for s in self.sections] + [q.id for q in self.questions]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"ids used more than once: {', '.join(twice)}")
        if not self.questions:
            raise ValueError("the plan has no question")
        return self

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, in the order of the plan."""
        return tuple(q for s in self.sections for q in s.questions)

    def question(self, question_id: str) -> Question | None:
        """The planned question with this id, or None."""
        return next((q for q in self.questions if q.id == question_id), None)

    def section_of(self, question_id: str) -> Section | None:
        """The section that holds this question, or None."""
        return next((s for s in self.sections if any(q.id == question_id for q in s.questions)), None)
