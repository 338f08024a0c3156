"""Short made-up talk for the tests of the agents."""

from interviewer.model.plan import Plan, Question, Section
from interviewer.model.turn import Said


def said(*texts: str, first: int = 1) -> tuple[Said, ...]:
    """Turns t1, t2, ...: a text that begins with "Q: " is the interviewer's."""
    return tuple(
        Said(f"t{number}", "interviewer" if text.startswith("Q: ") else "guest", text.removeprefix("Q: "))
        for number, text in enumerate(texts, first)
    )


def a_plan() -> Plan:
    """Two sections with two questions each."""
    return Plan(
        topic="Moving a shop to a new database",
        goal="what went on behind the migration",
        sections=(
            Section(
                id="s1",
                title="Start",
                seconds=60,
                questions=(
                    Question(id="q1", text="What convinced the team to replace the old database?", priority=1),
                    Question(id="q2", text="Which early mistake do you still think about?", priority=2),
                ),
            ),
            Section(
                id="s2",
                title="Trouble",
                seconds=60,
                questions=(
                    Question(id="q3", text="Where did you need a workaround to keep customers buying?", priority=1),
                    Question(id="q4", text="What do beginners nearly always get wrong?", priority=3, role="follow_up"),
                ),
            ),
        ),
    )
