"""The plan of a follow-up: its own questions, then those of the calls before that are open still, with their ids."""

from collections.abc import Iterable, Mapping, Sequence

from interviewer.agents.planner_rules import question_count, section_seconds
from interviewer.agents.repeats import closest, pieces
from interviewer.matching.text import words
from interviewer.memory.earlier import Earlier, Standing
from interviewer.memory.standing import open_still
from interviewer.model.outcome import FollowUpTopic
from interviewer.model.plan import OPEN, SPARE, Plan, Question, Section
from interviewer.settings import MatchSettings

_OWN_SHARE = 0.6  # of the time, for what was picked; chosen here
_ALIKE = MatchSettings().recovery
_TITLE = 80  # characters
_SPARE_WHY = "Other topics that came out of the calls before, and what a first call would ask."


def follow_up_plan(
    earlier: Earlier,
    plans: Sequence[Plan],
    topic: FollowUpTopic,
    others: Sequence[FollowUpTopic] = (),
    more: Sequence[str] = (),
    *,
    target_ms: int,
    held_returns: int = 2,
) -> Plan:
    """A plan for a call of `target_ms` after those of `earlier`, whose plans were `plans`, oldest first.

    Questions that are open keep their ids, texts and sections; those of `topic`, which have the first priority, get ids
    that nothing in the chain has, `f2q1` for the second call, unless they are open ones. Where that is too little for
    the time, questions of `others` and `more` are added last: those that begin a topic are chosen first, then `more`,
    then the rest; those of a topic stay together. None is planned that was heard before, as far as words tell; if all
    of `topic`'s were, they stay.
    """
    known = {standing.id for standing in earlier.standings} | {i for plan in plans for i in _ids(plan)}
    prefix = _prefix(len(earlier.calls) + 1, known)
    heard = pieces(heard_before(earlier))
    offered = list({words(text): text for text in reversed(topic.questions)}.values())[::-1]
    fresh = [text for text in offered if closest(text, heard) <= _ALIKE] or offered
    still = open_still(earlier.standings, held_returns)
    left = [q for q in still if closest(q.text, fresh) <= _ALIKE]
    same = {words(q.text): q.id for q in still}
    own = _numbered(prefix, fresh, priority=1, known=same)
    wanted = question_count(target_ms) - len(own) - len(left)
    told = pieces([*heard, *fresh, *(q.text for q in left)])
    spare: list[str] = []
    begin, further = (
        [text for other in others for text in other.questions[part]] for part in (slice(1), slice(1, None))
    )
    for text in (*begin, *more, *further):
        if len(spare) < wanted and closest(text, [*told, *spare]) <= _ALIKE:
            spare.append(text)
    # A further question of a topic speaks of what the one before it asked, so they stay together.
    together = [text for other in others for text in other.questions]
    spare.sort(key=lambda text: together.index(text) if text in together else len(together))
    seconds = section_seconds(target_ms)
    own_seconds = round(seconds * (_OWN_SHARE if left or spare else 1.0))
    sections = [Section(id=prefix, title=_title(topic), importance="high", seconds=own_seconds, questions=own)]
    sections += _open_sections(left, plans, seconds - own_seconds, f"{prefix}o")
    if spare:
        asked = _numbered(prefix, spare, priority=3, start=len(own))
        taken = sum(section.seconds for section in sections)
        rest = max(0, seconds - taken)
        sections.append(Section(id=f"{prefix}z", title=SPARE, importance="low", seconds=rest, questions=asked))
    first = plans[-1] if plans else None
    return Plan(
        topic=plans[0].topic if plans else _title(topic),
        goal=f"Come back to this: {_title(topic)}. {topic.why}".strip(),
        angle=first.angle if first else "",
        sections=tuple(sections),
        notes=_SPARE_WHY if spare else "",
        language=first.language if first else "en",
    )


def heard_before(earlier: Earlier) -> tuple[str, ...]:
    """What the guest has heard, and what it was planned as: one that came across in other words is known by both."""
    tried = (standing.text for standing in earlier.standings if standing.status != "available")
    return (*(asked.text for asked in earlier.heard), *tried)


def _ids(plan: Plan) -> Iterable[str]:
    return (*(section.id for section in plan.sections), *(question.id for question in plan.questions))


def _prefix(number: int, known: set[str]) -> str:
    """`f2`, `f3`, ... : the first with which no id of the chain begins."""
    while any(each.startswith(f"f{number}") for each in known):
        number += 1
    return f"f{number}"


def _numbered(
    prefix: str,
    texts: Iterable[str],
    *,
    priority: int,
    start: int = 0,
    known: Mapping[tuple[str, ...], str] | None = None,
) -> tuple[Question, ...]:
    """Questions with new ids; one that is `known`, by its words, keeps its own."""
    ids = known or {}
    return tuple(
        Question.model_validate(
            {"id": ids.get(words(text), f"{prefix}q{number}"), "text": text[:600], "priority": priority}
        )
        for number, text in enumerate(texts, start + 1)
    )


def _title(topic: FollowUpTopic) -> str:
    return " ".join(topic.title.split())[:_TITLE] or "What was left open"


def _open_sections(left: Sequence[Standing], plans: Sequence[Plan], seconds: int, name: str) -> list[Section]:
    """The sections of earlier plans in which something is open; what is in none of them has one called `name`."""
    known = {section.id: section for plan in plans for section in plan.sections}
    asked = {question.id: question for plan in plans for question in plan.questions}
    groups: dict[str, list[Standing]] = {}
    for each in left:
        groups.setdefault(each.section_id if each.section_id in known else "", []).append(each)
    made = []
    for key, group in groups.items():
        questions = tuple(asked.get(q.id) or _question(q) for q in group)
        share = round(seconds * len(group) / len(left))
        if key:
            made.append(known[key].model_copy(update={"questions": questions, "seconds": share}))
        else:
            made.append(Section(id=name, title=OPEN, seconds=share, questions=questions))
    return made


def _question(standing: Standing) -> Question:
    about = {"id": standing.id, "text": standing.text[:600], "priority": standing.priority, "role": standing.role}
    return Question.model_validate(about)
