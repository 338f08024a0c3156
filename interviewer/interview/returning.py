"""Returning to an interview: the topics it offers, and the call that goes on with it."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from pydantic import ValidationError

from interviewer.agents.follow_up import FOLLOW_UP, FollowUpInput
from interviewer.agents.open_ends import begin_with
from interviewer.agents.repeats import closest, pieces
from interviewer.agents.signals import stems
from interviewer.agents.topics import is_person
from interviewer.agents.topics import topic as fitted
from interviewer.agents.views import QuestionView
from interviewer.call.setup import CallSetup
from interviewer.errors import AgentError, JournalError, PlanError, SettingsError
from interviewer.interview.demo import as_long_as
from interviewer.interview.planning import plan_call
from interviewer.kept.chain import Chain, chain_of
from interviewer.kept.drafts import append
from interviewer.kept.remembering import earlier_of, plans_of, problems_of, touched_in
from interviewer.kept.said import records_with_names
from interviewer.kept.style import is_known, known_voice, own_voice
from interviewer.llm.backend import Backend
from interviewer.llm.router import Router
from interviewer.matching.in_force import all_in_force
from interviewer.matching.text import words
from interviewer.memory.earlier import Earlier, Standing, Thread
from interviewer.memory.identity import told_apart
from interviewer.memory.plan import follow_up_plan, heard_before
from interviewer.memory.standing import open_still
from interviewer.memory.thread import thread
from interviewer.model.characters import whole
from interviewer.model.language import is_english
from interviewer.model.outcome import FollowUp, FollowUpTopic
from interviewer.model.plan import Plan
from interviewer.model.voice import VoiceGuide
from interviewer.settings import Settings
from interviewer.store.store import Store

TOPICS = 3
_ALIKE = 0.35  # word-set Jaccard from which a question was heard before, as everywhere
_QUESTIONS = 3  # of a topic
_FROM_THE_THREAD = "You said “{it}”. Can you take me to one moment of it?"


class Offer(NamedTuple):
    """Topics to return to, and what of the chain they do without, in words for a person."""

    found: FollowUp
    problems: tuple[str, ...] = ()


def topics_of(
    store: Store, interview: str = "last", *, backend: Backend | None = None, settings: Settings | None = None
) -> FollowUp:
    """The three topics to return to, as the Follow-Up agent of the last call found them; see `offer_of`."""
    return offer_of(store, interview, backend=backend, settings=settings).found


def offer_of(
    store: Store, interview: str = "last", *, backend: Backend | None = None, settings: Settings | None = None
) -> Offer:
    """The three topics to return to, as the Follow-Up agent of the last call found them, and what they are lacking.

    If it found none, as after a crash or of a transcript, it runs now over the whole chain, by `backend` (default: as
    `settings` say), and what it finds is kept in that call's journal. Raises NotFound for the interview, JournalBusy
    while a call of it runs, JournalError if none of its calls can be read, AgentError if the agent fails.
    """
    chosen = settings or Settings.load()
    with _backend(backend, chosen) as agents:
        chain = chain_of(store, interview)
        chain.check_over()
        lost = [str(link.number) for link in chain if link.number > chain.last.number]
        after = f"what call {' and '.join(lost)} asked is not known, so it may be offered again"
        late = (after,) if lost else ()
        if kept := _kept_topics(chain):
            return Offer(kept, (*problems_of(chain, chosen), *late))
        earlier = earlier_of(chain, chosen, backend=agents)
        return Offer(_topics(store, chain, earlier, agents), (*earlier.problems, *late))


def follow_up(
    store: Store,
    interview: str = "last",
    *,
    pick: int | None = None,
    about: str | None = None,
    plan: Plan | None = None,
    minutes: float | None = None,
    backend: Backend | None = None,
    settings: Settings | None = None,
) -> CallSetup:
    """What the next call of an interview is begun with: give it to `hold_call`, or simulate it.

    `pick` is one of the three topics, 1 to 3; `about` says in one's own words what to return to; `plan` is one of one's
    own, whose questions keep their standing by id and words together. Exactly one of them. `minutes`: 0.5 to 60, by
    default setting call.follow_up_ms. `setup.earlier` holds what is remembered, and in `problems` what could not be.
    Raises as `topics_of`; PlanError for a pick there is not, for blank words or if not exactly one is given;
    SettingsError.
    """
    _check(pick, about, plan)
    chosen = _settings(settings or Settings.load(), minutes, store)
    with _backend(backend, chosen) as agents:
        chain = chain_of(store, interview)
        chain.check_over()
        last = chain.last
        earlier = earlier_of(chain, chosen, backend=agents)
        wanted: tuple[str, ...] = ()
        renamed: tuple[str, ...] = ()
        if plan is not None:
            plan, renamed = told_apart(plan, earlier)
            picked_up = thread(earlier.turns, earlier.notes)
        else:
            topic, others = _topic(store, chain, earlier, pick, about or "", chosen, agents)
            returns = chosen.call.held_returns
            target_ms = chosen.call.target_ms
            plans = plans_of(chain)
            picked_up = thread(earlier.turns, earlier.notes, topic, about or "")
            topic = _led(topic, earlier, picked_up, plans)
            more = _first_questions(chain, plans, chosen, agents)
            plan = follow_up_plan(earlier, plans, topic, others, more, target_ms=target_ms, held_returns=returns)
            # What was asked for is asked, and first, whatever an old transcript may have touched on.
            wanted = tuple(question.id for question in plan.sections[0].questions)
        looked_for = [question for question in plan.questions if question.id not in wanted]
        touched, problems = touched_in(chain, earlier, looked_for, chosen, store.home.root)
        problems = (*earlier.problems, *problems, *renamed)
        update = {"touched": touched, "thread": picked_up, "asked_for": wanted, "problems": problems}
        guest = _guest(chain)
        return CallSetup(
            plan=plan,
            context=_context(chain),
            guest=guest,
            world="simulated" if last.past.world == "simulated" else "real",
            settings=chosen,
            earlier=earlier.model_copy(update=update),
            voice_guide=_unquoted(_voice(store, chain, guest, earlier, chosen, agents), chain),
        )


def with_plan(store: Store, setup: CallSetup, plan: Plan) -> CallSetup:
    """`setup`, of a follow-up, with another plan: what is remembered stays, what it touches on is reckoned anew.

    A question keeps its standing, and what was found of it, by id and words together; see `told_apart`. Raises NotFound
    if the interview is gone, and as `reconstruct`.
    """
    if setup.earlier is None or plan.questions == setup.plan.questions:
        return setup.model_copy(update={"plan": plan})
    plan, renamed = told_apart(plan, setup.earlier)
    same = {question.id: question.text for question in setup.plan.questions}
    new = [question for question in plan.questions if same.get(question.id) != question.text]
    stays = {question.id for question in plan.questions} - {question.id for question in new}
    chain = chain_of(store, setup.earlier.interview_id)
    touched, problems = touched_in(chain, setup.earlier, new, setup.settings, store.home.root)
    update = {
        "touched": (*(each for each in setup.earlier.touched if each.question_id in stays), *touched),
        "problems": tuple(dict.fromkeys((*setup.earlier.problems, *problems, *renamed))),
    }
    return setup.model_copy(update={"plan": plan, "earlier": setup.earlier.model_copy(update=update)})


def _check(pick: object, about: object, plan: object) -> None:
    """Raises PlanError naming what does not say what to return to."""
    if sum(given is not None for given in (pick, about, plan)) != 1:
        raise PlanError("say what to return to: one of the topics (pick, 1 to 3), or about, or a plan")
    if pick is not None and (isinstance(pick, bool) or not isinstance(pick, int) or not 1 <= pick <= TOPICS):
        raise PlanError(f"pick: there are {TOPICS} topics, 1 to {TOPICS}, not {pick!r}")
    if about is not None and not isinstance(about, str):
        raise PlanError(f"about: it is a few words, not {about!r}")
    if about is not None and not about.strip():
        raise PlanError("about: it is empty; say in a few words what to return to")
    if about is not None and about != whole(about):
        raise PlanError("about: it holds bytes that are no text in UTF-8; type it again")
    if about is not None and not words(about):
        raise PlanError(f"about: there is no word in {about.strip()!r}; say in a few words what to return to")
    if plan is not None and not isinstance(plan, Plan):
        raise PlanError(f"plan: it is a Plan, as load_plan and plan_call give one, not {type(plan).__name__}")


def _settings(given: Settings, minutes: float | None, store: Store) -> Settings:
    if isinstance(minutes, bool) or not isinstance(minutes, int | float | None):
        raise SettingsError(f"minutes: a call is 0.5 to 60 of them, not {minutes!r}")
    follow_up_ms = given.call.follow_up_ms
    chosen = given.with_(call={"target_ms": follow_up_ms}) if minutes is None else as_long_as(given, minutes)
    return all_in_force(chosen, store.home.root)


@contextlib.contextmanager
def _backend(given: Backend | None, settings: Settings) -> Iterator[Backend]:
    if given is not None:
        yield given
        return
    with contextlib.closing(Router(settings)) as own:
        yield own


def _kept_topics(chain: Chain) -> FollowUp | None:
    """Those of the last call; none if they quote a call that was forgotten."""
    log = chain.last.log
    found = records_with_names(log, "follow_up") if log else []
    try:
        topics = found[-1][1].model(FollowUp.model_validate(found[-1][0])) if found else None
    except ValidationError:  # of another version
        return None
    return None if chain.gone.in_any(topics) else topics


def _topics(store: Store, chain: Chain, earlier: Earlier, backend: Backend) -> FollowUp:
    """Run the Follow-Up agent over the whole chain, and keep what it found with the last call."""
    last = chain.last
    plans = plans_of(chain)
    # As after a call: what was never meant to be asked is not left open.
    meant = (each for each in earlier.standings if each.planned or each.status != "available")
    data = FollowUpInput(
        topic=plans[0].topic if plans else "",
        goal=plans[-1].goal if plans else "",
        language=plans[-1].language if plans else "en",
        turns=earlier.turns,
        notes=earlier.notes,
        questions=tuple(_view(each, earlier) for each in meant),
        titles=earlier.titles,
    )
    job_id = "follow-up"
    ran = backend.run(FOLLOW_UP, data, job_id)
    if ran.output is None:
        raise AgentError(f"the Follow-Up agent failed: {ran.error}; try again", retryable=True)
    found = FOLLOW_UP.parse(ran.output)
    asked = FOLLOW_UP.ask(data)
    facts = {"job_id": job_id, "agent": FOLLOW_UP.name, "version": FOLLOW_UP.version, "input_hash": data.digest}
    sizes = {"prompt_tokens": asked.tokens, "prompt_cut": asked.cut}
    job = {**facts, "cycle": 0, "outcome": "ok", **sizes, **asdict(ran)}
    if last.log is not None and last.log.contents.lines:
        with contextlib.suppress(JournalError):  # a home that cannot be written offers the topics all the same
            append(last.log, [("job", job), ("follow_up", found.model_dump(mode="json"))])
            store.ingest_all()
    return found


def _view(standing: Standing, earlier: Earlier) -> QuestionView:
    answered = [mark for mark in standing.marks if mark.kind == "answered"]
    return QuestionView(
        id=standing.id,
        text=standing.text,
        section_id=standing.section_id if standing.planned else None,
        role=standing.role,
        priority=standing.priority,
        status=standing.status,
        reason=f"in call {standing.call} of {len(earlier.calls)}" if standing.call else "in a call that is forgotten",
        selectable=bool(open_still([standing], held_returns=0)),
        answered=bool(answered),
        volunteered=any(mark.volunteered for mark in answered),
    )


def _topic(
    store: Store,
    chain: Chain,
    earlier: Earlier,
    pick: int | None,
    about: str,
    settings: Settings,
    backend: Backend,
) -> tuple[FollowUpTopic, tuple[FollowUpTopic, ...]]:
    """The topic that was picked, or one made of a person's own words, and the others that are on offer."""
    if pick is None:
        own = _own_topic(chain, earlier, about, settings, backend)
        with contextlib.suppress(AgentError):  # the others only fill up
            return own, (_kept_topics(chain) or _topics(store, chain, earlier, backend)).topics
        return own, ()
    topics = (_kept_topics(chain) or _topics(store, chain, earlier, backend)).topics
    return topics[pick - 1], tuple(topic for number, topic in enumerate(topics, 1) if number != pick)


def _led(topic: FollowUpTopic, earlier: Earlier, picked_up: Thread | None, plans: Sequence[Plan]) -> FollowUpTopic:
    """The topic with another first question if its own was heard before: what follows would hang in the air."""
    english = not plans or is_english(plans[-1].language)
    if not (english and picked_up) or closest(topic.questions[0], pieces(heard_before(earlier))) <= _ALIKE:
        return topic
    first = _FROM_THE_THREAD.replace("{it}", picked_up.quote)
    return topic.model_copy(update={"questions": (first, *topic.questions[1:])})


def _own_topic(chain: Chain, earlier: Earlier, about: str, settings: Settings, backend: Backend) -> FollowUpTopic:
    """Questions about a person's own words: from what the guest said of it, if anything, then as the Planner has it."""
    plans = plans_of(chain)
    language = plans[-1].language if plans else "en"
    context = _context(chain)
    drawn = plan_call(about, context, settings.call.target_ms, language, backend).plan
    heard = pieces(heard_before(earlier))
    planned = sorted(drawn.questions, key=lambda question: question.priority)
    fresh = [question.text for question in planned if closest(question.text, heard) <= _ALIKE]
    picked_up = thread(earlier.turns, earlier.notes, None, about)
    if is_english(language):
        if is_person(fitted(about).text) and settings.agents.backend == "rules":
            fresh = []  # rules ask about a thing
        if picked_up and stems(about) & stems(picked_up.quote):
            fresh.insert(0, _FROM_THE_THREAD.replace("{it}", picked_up.quote))
        general = begin_with(about)
        fresh += [question for question in general if closest(question, [*heard, *fresh]) <= _ALIKE]
    asked = tuple(dict.fromkeys([*fresh, *(question.text for question in planned)]))[:_QUESTIONS]
    return FollowUpTopic(title=" ".join(about.split()), why="asked for in these words", questions=asked)


def _first_questions(chain: Chain, plans: Sequence[Plan], settings: Settings, backend: Backend) -> tuple[str, ...]:
    """What a first call about the same topic would ask after its opening, the first priority first, if that can be had.

    Not where a plan of the chain's own led a call: what it left open is planned with its ids.
    """
    if not plans or any(not link.past.transcript_only for link in chain):
        return ()
    first = plans[0]
    try:
        drawn = plan_call(first.topic, _context(chain), settings.call.target_ms, first.language, backend).plan
    except (AgentError, PlanError):
        return ()
    return tuple(question.text for question in sorted(drawn.questions[1:], key=lambda question: question.priority))


def _context(chain: Chain) -> str:
    return next((link.setup.context for link in reversed(chain.readable) if link.setup), "")


def _guest(chain: Chain) -> str:
    for link in reversed(chain.readable):
        named: Any = link.setup.guest if link.setup else link.log.contents.head.get("guest") if link.log else None
        if named:
            return str(named)
    return "guest"


def _unquoted(guide: VoiceGuide, chain: Chain) -> VoiceGuide:
    """A guide without the words of a call that was forgotten, which later drafts may hold."""
    lists = {name: value for name, value in guide if isinstance(value, tuple)}
    left = {name: tuple(each for each in value if not chain.gone.in_any(each)) for name, value in lists.items()}
    return guide.model_copy(update=left) if chain.gone else guide


def _voice(
    store: Store, chain: Chain, guest: str, earlier: Earlier, settings: Settings, backend: Backend
) -> VoiceGuide:
    """How this guest speaks: from their own calls; of one who is not known by name from this interview alone."""
    if not all(is_known(link.log, guest) for link in chain if link.log):
        return own_voice(earlier.turns, settings.style)
    return known_voice(store, guest, interview=chain.interview_id, backend=backend, settings=settings.style)
