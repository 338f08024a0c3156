"""An interview from topic to drafts without a page: what whoever shows it relies on."""

from pathlib import Path

import pytest

from interviewer.audio import wav
from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.audio.pcm import silence
from interviewer.errors import InterviewerError, PlanError
from interviewer.interview.demo import run_demo
from interviewer.interview.session import InterviewSession
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings
from interviewer.store.store import Store
from tests.patience import until

PLAN = Plan(
    topic="Bees",
    goal="Why",
    sections=(Section(id="s1", title="Start", questions=(Question(id="q1", text="Why roofs?"),)),),
)


@pytest.fixture
def microphone(tmp_path: Path) -> FileMicrophone:
    wav.write(tmp_path / "guest.wav", silence(40))
    return FileMicrophone(tmp_path / "guest.wav")


def test_a_plan_is_drawn_up_about_what_the_form_says(fresh_home: Path) -> None:
    session = InterviewSession("Keeping bees", minutes=6, home=fresh_home)
    session.preparation.draw_up()
    until(lambda: session.preparation.plan is not None and not session.restless)
    assert session.preparation.plan is not None
    assert session.preparation.plan.topic == "Keeping bees"
    assert len(session.preparation.plan.questions) == 8  # 6 minutes at one question every 43 s


def test_a_change_that_does_not_fit_is_named_and_the_plan_stays(microphone: FileMicrophone) -> None:
    session = InterviewSession(plan=PLAN)
    broken = PLAN.model_dump(mode="json")
    broken["sections"][0]["questions"][0]["text"] = " "
    session.preparation.change_plan(broken)
    assert "section 1, question 1: text is empty" in str(session.slices()["setup"]["plan_problem"])
    assert session.preparation.plan == PLAN
    with pytest.raises(PlanError, match="question 1: text is empty"):
        session.begin(microphone, FileSpeaker(Path("out.wav")))
    session.preparation.change_plan(PLAN.model_dump(mode="json"))
    assert session.slices()["setup"]["plan_problem"] == ""


def test_a_plan_goes_to_a_file_and_comes_back(tmp_path: Path) -> None:
    session = InterviewSession(plan=PLAN)
    file = str(tmp_path / "plan.yaml")
    session.preparation.save_plan(file)
    other = InterviewSession("Something else")
    other.preparation.load_plan(file)
    assert other.preparation.plan == PLAN
    assert other.preparation.form.topic == "Bees"
    (tmp_path / "plan.yaml").write_text("topic: Bees\nsections: 7\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"plan\.yaml.*sections"):
        other.preparation.load_plan(file)
    assert other.preparation.plan == PLAN
    for nowhere in ("a\0b.yaml", "~nobody-of-this-name/plan.yaml"):
        with pytest.raises(PlanError):
            other.preparation.load_plan(nowhere)
    (tmp_path / "deep.yaml").write_text("[" * 5_000, encoding="utf-8")
    with pytest.raises(PlanError, match=r"deep\.yaml.*too deep"):
        other.preparation.load_plan(str(tmp_path / "deep.yaml"))


def test_a_plan_about_something_else_than_was_asked_for_says_so(tmp_path: Path) -> None:
    session = InterviewSession("Wasps", plan=PLAN)
    assert session.preparation.form.topic == "Bees"  # the plan is what is asked
    assert "“Bees”, not “Wasps”" in session.slices()["setup"]["plan_notice"]
    session.preparation.change(topic="Bees")
    assert session.preparation.plan_notice == ""
    session.preparation.change(topic="Hornets")
    assert "“Bees”, not “Hornets”" in session.preparation.plan_notice
    session.preparation.save_plan(str(tmp_path / "plan.yaml"))
    session.preparation.load_plan(str(tmp_path / "plan.yaml"))
    assert session.preparation.plan_notice == ""


def test_whose_change_a_plan_is_tells_a_page_whether_to_show_it_anew() -> None:
    session = InterviewSession(plan=PLAN)
    session.preparation.change_plan(PLAN.model_dump(mode="json"), by="a page")
    mine = session.slices()["setup"]
    session.preparation.draw_up()
    until(lambda: not session.restless)
    theirs = session.slices()["setup"]
    assert (mine["plan_by"], theirs["plan_by"]) == ("a page", "")
    assert theirs["plan_version"] != mine["plan_version"]


def test_a_call_that_cannot_begin_says_why_and_the_form_is_still_there(
    fresh_home: Path, microphone: FileMicrophone
) -> None:
    settings = Settings.load(env={}, voice={"service": "openai"})
    session = InterviewSession(plan=PLAN, settings=settings, home=fresh_home)
    session.begin(microphone, FileSpeaker(fresh_home / "out.wav"))
    until(lambda: not session.restless)
    assert "OPENAI_API_KEY" in session.problem
    assert (session.stage, session.preparation.plan, session.call_id) == ("form", PLAN, None)


def test_a_kept_call_can_be_looked_at_written_of_anew_and_taken_away(fresh_home: Path) -> None:
    demo = run_demo(minutes=2, seed=3, home=fresh_home)
    session = InterviewSession.of_call("last", home=fresh_home)
    assert (session.stage, session.call_id) == ("over", demo.call_id)
    slices = session.slices()
    known = Store.open(fresh_home).question_state(demo.call_id)
    assert {q["id"]: q["state"] for q in slices["questions"]} == dict(zip(known.question_id, known.status, strict=True))
    assert slices["after"]["delivered"] == (known.planned & (known.status == "delivered")).sum()

    session.write("punchy")
    until(lambda: not session.restless)
    drafts = session.slices()["after"]["drafts"]
    assert [(draft["version"], draft["style"]) for draft in drafts] == [(1, "standard"), (2, "punchy")]
    session.export("md")
    until(lambda: not session.restless)
    exported = session.slices()["after"]["exported"]["md"]
    assert exported == [str(fresh_home / "exports" / demo.call_id / f"{demo.call_id}.md")]
    assert Path(exported[0]).is_file()
    session.export("wav")
    until(lambda: not session.restless)
    assert "the sound of call" in session.problem
    assert "was not kept" in session.problem
    session.write("baroque")
    until(lambda: not session.restless)
    assert "baroque" in session.problem
    with pytest.raises(InterviewerError, match="before the call"):
        session.preparation.change(topic="Another")


def test_what_is_no_command_is_said_also_while_no_call_is_on() -> None:
    session = InterviewSession(plan=PLAN)
    session.command("end")
    for name, value in (("dance", ""), ("ask", " "), ("extend", "-1"), ("type", 7)):
        with pytest.raises(InterviewerError, match=name):
            session.command(name, value)  # type: ignore[arg-type]
