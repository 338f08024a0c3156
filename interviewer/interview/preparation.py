"""What is settled before an interview's call: the form, the plan, and the setup that comes of both."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interviewer.call.setup import CallSetup
from interviewer.errors import InterviewerError, PlanError
from interviewer.interview.form import Form, destinations, first_form
from interviewer.interview.plan_file import load_plan, path_of, plan_of, save_plan
from interviewer.interview.plan_mistakes import unfit
from interviewer.interview.planning import plan_call
from interviewer.interview.returning import with_plan
from interviewer.interview.slices import plain
from interviewer.interview.tasks import Tasks
from interviewer.kept.style import is_nobody, known_voice
from interviewer.llm.router import Router
from interviewer.model.consent import consented
from interviewer.model.plan import Plan
from interviewer.settings import Settings
from interviewer.store.store import Store


class Preparation:
    """Form and plan of one interview. Safe to use from several threads.

    `is_open`: whether they can still be changed. They cannot once a call has begun. `returning`: what was drawn up for
    a follow-up, with all that is remembered; None for a first call.
    """

    def __init__(
        self,
        topic: str | None,
        plan: Plan | None,
        settings: Settings,
        tasks: Tasks,
        agents: Callable[[], Router],
        returning: CallSetup | None = None,
        **fields: Any,
    ) -> None:
        """`fields`: what else the form holds. Raises SettingsError for what cannot be."""
        self._settings, self._tasks, self._agents = settings, tasks, agents
        self._places = destinations(settings)
        self._lock = threading.RLock()
        self._topic_asked = topic.strip() if plan is not None and topic is not None else ""
        if plan is not None:
            fields |= {"topic": plan.topic, "language": plan.language}
        elif topic is not None:
            fields["topic"] = topic
        self.is_open = True
        self.returning = returning
        self.form: Form = first_form(settings, **fields)
        self.plan: Plan | None = plan
        self._plan_problem = ""
        self._plan_version, self._plan_by = 0, ""
        self._plan_file = ""

    def change(self, **fields: Any) -> None:
        """Fill in the form. Raises SettingsError naming the field; then nothing has changed."""
        with self._lock:
            self._only_before()
            self.form = self.form.changed(fields, self._settings)
            if "topic" in fields:
                self._topic_asked = self.form.topic

    def draw_up(self) -> None:
        """Have the Planner draw up a plan about what the form says; `plan` holds it in the end.

        Raises InterviewerError for a follow-up: its plan comes of what is returned to.
        """
        self._only_before()
        if self.returning is not None:
            raise InterviewerError("the plan of a follow-up comes of its topic: go back to the call and pick another")
        self._tasks.begin("plan", "Drawing up the plan", self._draw_up)

    def change_plan(self, data: Any, by: str = "") -> None:
        """Take a plan as plain values, changed by whom `by` names. What does not fit is said in `slice`."""
        with self._lock:
            self._only_before()
            self._plan_by = by
            self._plan_version += 1
            try:
                self.plan = plan_of(data, "plan")
                self._plan_problem = ""
            except PlanError as error:
                self._plan_problem = str(error)

    def save_plan(self, file: str) -> Path:
        """Write the plan as YAML. Raises PlanError."""
        path = path_of(file)
        if self.plan is None:
            raise PlanError("there is no plan to save yet")
        save_plan(self.plan, path)
        self._plan_file = str(path)
        return path

    def load_plan(self, file: str) -> Plan:
        """Read a plan from YAML or TOML. Raises PlanError naming file and field; the old one stays."""
        plan = load_plan(path_of(file))
        with self._lock:
            self._only_before()
            self._take_plan(plan)
            self._plan_file = file
        return plan

    @property
    def plan_notice(self) -> str:
        """What whoever starts must know of the plan: that it is about something else than was asked for."""
        if self.plan is None or self._topic_asked in ("", self.plan.topic):
            return ""
        return (
            f"The plan is about “{self.plan.topic}”, not “{self._topic_asked}”, and the plan is what is asked: "
            "draw up another one, or keep it."
        )

    def close(self) -> Plan:
        """The plan that a call begins with; nothing can be changed from now on. Raises PlanError without one."""
        with self._lock:
            self._only_before()
            if self.plan is None or self._plan_problem:
                raise PlanError(self._plan_problem or "there is no plan yet: draw one up, or load one from a file")
            if problem := unfit(self.plan):
                raise PlanError(f"plan: {problem}")
            self.is_open = False
            return self.plan.model_copy(update={"language": self.form.language})

    def setup(self, plan: Plan, consent: str | None, home: Path | None) -> CallSetup:
        """The call as it was prepared. `consent`: who has agreed; `home`: where the guest's earlier calls are."""
        form = self.form
        about: dict[str, Any] = {
            "context": form.context,
            "guest": form.guest,
            "settings": form.settings(self._settings),
        }
        if consent is not None:
            about["consent"] = consented(consent, form.consent())
        if self.returning is not None:
            # A person speaks, whoever did before.
            begun = self.returning.model_copy(update={**about, "world": "real"})
            return with_plan(Store.open(home), begun, plan)
        if not is_nobody(form.guest):
            store, style = Store.open(home), self._settings.style
            about["voice_guide"] = known_voice(store, form.guest, backend=self._agents(), settings=style)
        return CallSetup(plan=plan, **about)

    def slice(self) -> dict[str, Any]:
        """What there is to show of it but the plan itself, as plain values."""
        with self._lock:
            return {
                "form": {name: plain(getattr(self.form, name)) for name in Form.__slots__},
                "destinations": plain(self._places),
                "consent": self.form.consent(),
                "plan_version": self._plan_version,
                "plan_by": plain(self._plan_by),
                "plan_problem": plain(self._plan_problem),
                "plan_notice": plain(self.plan_notice),
                "plan_file": plain(self._plan_file),
                "follows": self._follows,
            }

    @property
    def _follows(self) -> dict[str, Any] | None:
        """The call that a follow-up goes on from, and its own number in the chain."""
        earlier = self.returning.earlier if self.returning else None
        if earlier is None:
            return None
        thread = earlier.thread.quote if earlier.thread else ""
        told = {"number": len(earlier.calls) + 1, "thread": plain(thread), "problems": plain(earlier.problems)}
        return {"call_id": earlier.calls[-1].call_id, **told}

    def _only_before(self) -> None:
        if not self.is_open:
            raise InterviewerError("that can only be changed before the call; for another call make a new Interview")

    def _draw_up(self) -> None:
        form = self.form
        target_ms = round(form.minutes * 60_000)
        self._take_plan(plan_call(form.topic, form.context, target_ms, form.language, self._agents()).plan)

    def _take_plan(self, plan: Plan) -> None:
        with self._lock:
            self.plan, self._plan_problem, self._plan_by = plan, "", ""
            self._topic_asked = plan.topic
            self._plan_version += 1
            self.form = self.form.changed({"topic": plan.topic, "language": plan.language}, self._settings)
