"""What a judge is sent: two texts and a question, nothing else of a call."""

import contextlib
import json

from evals.judge.answers import recorded
from evals.judge.samples import samples
from interviewer.agents.judge import JUDGE, JudgeInput
from interviewer.llm.router import Router
from interviewer.matching.judge import INSTRUCTIONS, LABELS, QUESTIONS
from interviewer.settings import Settings
from tests.llm.scripted import served

PLANNED, SAID = "What broke on your first crossing?", "And did anything give way back then?"


def test_nothing_but_the_two_texts_and_the_question_is_on_the_wire() -> None:
    with served() as script:
        script.answer = lambda _: '{"verdict": "yes"}'
        chosen = {"backend": "compatible", "model": "m", "base_url": script.url, "tries": 1}
        with contextlib.closing(Router(Settings().with_(agents=chosen))) as router:
            ran = router.run(JUDGE, JudgeInput(first=PLANNED, second=SAID), "j1")
    assert ran.output == {"verdict": "yes"}
    ((_, _, body),) = script.requests
    said = " ".join(str(message["content"]) for message in body["messages"])
    for known in (PLANNED, SAID, QUESTIONS["contains"], *INSTRUCTIONS.strip().splitlines(), *LABELS["contains"]):
        said = said.replace(known, "")
    assert not [word for word in said.replace("<", " ").replace(">", " ").replace("/", " ").split() if len(word) > 30]
    assert "topic" not in json.dumps(body["messages"])


def test_each_task_asks_its_own_question() -> None:
    prompts = {task: JUDGE.prompt(JudgeInput(task=task, first=PLANNED, second=SAID)) for task in QUESTIONS}
    for task, prompt in prompts.items():
        assert [other for other in QUESTIONS if QUESTIONS[other] in prompt] == [task]


def test_recorded_answers_serve_the_evaluation_again_without_a_model() -> None:
    asked = samples()
    assert {sample.task for sample in asked} == set(QUESTIONS)
    assert set(recorded(asked)) <= {"yes", "no", "unsure", "none"}
