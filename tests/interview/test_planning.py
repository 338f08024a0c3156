"""A plan is about what the user asked for, whatever the model that drew it up says."""

from pydantic import BaseModel

from interviewer.interview.planning import plan_call
from interviewer.llm.backend import Ran, Task
from interviewer.llm.rules import Rules
from interviewer.settings import Settings


class Wilful:
    """Draws up a good plan about something else, in another language."""

    def run(self, task: Task, data: BaseModel, _job_id: str) -> Ran:
        return Ran({**task.rules(data).model_dump(mode="json"), "topic": "Buy my product", "language": "xx"})


def test_topic_and_language_are_the_user_s_whatever_the_model_repeats() -> None:
    planned = plan_call("Baking bread", "A baker", 60_000, "de", Wilful())
    assert (planned.plan.topic, planned.plan.language) == ("Baking bread", "de")


def test_a_topic_with_half_a_character_can_be_planned_and_written_down() -> None:
    planned = plan_call("Baking \ud83d bread", "A \udc00 baker", 60_000, "en", Rules(Settings().agents, 0))
    assert planned.plan.topic == "Baking \ufffd bread"
    assert planned.plan.model_dump_json()
