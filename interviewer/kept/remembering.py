"""What a chain of calls leaves for the next one: one value, put together from the journals."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from interviewer.agents.expressions import distinctive
from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.notes_merge import merge
from interviewer.agents.passages import printable
from interviewer.agents.small_talk import idle
from interviewer.agents.themes import themes
from interviewer.errors import AgentError
from interviewer.kept.chain import Chain, Link
from interviewer.kept.languages import costs, language_of_call, language_of_chain, language_of_questions
from interviewer.kept.reading import CallLog
from interviewer.kept.said import corrections, records_with_names, turn_records
from interviewer.llm.backend import Backend
from interviewer.matching.text import sentences
from interviewer.memory.earlier import Asked, Earlier, Standing, Touched
from interviewer.memory.gone import Gone
from interviewer.memory.heard import heard_in
from interviewer.memory.merge import CallNotes, merged
from interviewer.memory.reconstruct import reconstruct
from interviewer.memory.standing import apart, joined, standings
from interviewer.model.corrections import Corrections
from interviewer.model.language import is_english
from interviewer.model.notes import Notes
from interviewer.model.plan import Plan, Question, tells
from interviewer.model.turn import Said, call_of, marked
from interviewer.settings import Settings

Known = TypeVar("Known", Standing, Asked)


def earlier_of(chain: Chain, settings: Settings, *, backend: Backend | None = None) -> Earlier:
    """All that a next call is to know of the calls of `chain`; what its plan will ask is not looked for in transcripts.

    `backend` runs the Note-Taker over calls that have no notes, such as transcripts (default: rules); if it fails they
    have none, and `problems` says so. What cannot be read is left out and said, too. See `touched_in` for the plan.
    """
    plans = plans_of(chain)
    problems = list(problems_of(chain, settings))
    notes: list[CallNotes] = []
    turns: list[Said] = []
    english: list[Said] = []
    heard: list[Asked] = []
    found: tuple[Standing, ...] = ()
    names = names_of(chain)
    for link in chain:
        own = link.turns
        here = [Said(marked(link.number, turn.id), turn.speaker, turn.text) for turn in own]
        turns += here
        english += here if is_english(language_of_call(link, plans)) else ()
        told, trouble = _notes(link, backend)
        numbers = _numbers(chain, link)
        follows = not link.past.transcript_only
        notes.append(CallNotes(link.number, told, own, numbers, follows, _is_whole(link, numbers)))
        problems += [f"call {link.number} ({link.call_id}): {trouble}"] if trouble else []
        stood = _standings(link, names, {each.call_id: each.number for each in chain})
        others = apart(found, stood, set(numbers.values()))
        found = joined(found, (_renamed(each, others) for each in stood))
        heard += [_renamed(each, others) for each in _heard(link)]
    gone = chain.gone
    whole = _unquoted_notes(merged(notes), gone)
    if not is_english(language_of_chain(plans)):
        english = []  # only of English is it known which words are common
    return Earlier(
        form=2,
        interview_id=chain.interview_id,
        calls=tuple(link.past for link in chain),
        turns=names.turns(turns),
        notes=names.model(whole),
        heard=tuple(
            each.model_copy(update={"text": names.text(each.text)}) for each in heard if not gone.quotes(each.text)
        ),
        covered=covered(whole, plans),
        titles=tuple({section.id: section.title for plan in plans for section in plan.sections}.items()),
        themes=tuple(theme.name for theme in themes(printable(english), plans[-1].topic if plans else "")),
        standings=unquoted(found, gone),
        researched=tuple(dict.fromkeys(subject for link in chain for subject in _researched(link, bool(gone)))),
        names=names.pairs,
        expressions=_expressions(english, settings),
        problems=tuple(problems),
    )


def problems_of(chain: Chain, settings: Settings) -> tuple[str, ...]:
    """What of a chain cannot be used, or only in part, in words for a person."""
    broken = (f"call {link.number} ({link.call_id}): {link.problem}" for link in chain if link.problem)
    return (*broken, *costs(chain, plans_of(chain), settings))


def names_of(chain: Chain) -> Corrections:
    """The names that a person put right in any call of a chain; the latest word counts."""
    names = Corrections()
    for link in chain:
        names = _names(names, link)
    return names


def touched_in(
    chain: Chain, earlier: Earlier, questions: Plan | Sequence[Question], settings: Settings, folder: Path | None = None
) -> tuple[tuple[Touched, ...], tuple[str, ...]]:
    """Which of `questions` the transcripts of a chain probably touched on, the likeliest turn each, and what hinders.

    Calls with a ledger are not looked at: what they asked is known. `folder`: a home's. Raises as `reconstruct`.
    """
    wanted = questions.questions if isinstance(questions, Plan) else tuple(questions)
    settled = {each.id for each in earlier.standings if each.status == "delivered"}
    wanted = tuple(question for question in wanted if question.id not in settled)
    plans = plans_of(chain)
    planned_in = language_of_questions(wanted, plans)
    best: dict[str, Touched] = {}
    problems: list[str] = []
    for link in chain:
        if not link.past.transcript_only or link.log is None or not link.turns:
            continue
        mine = [turn for turn in earlier.turns if call_of(turn.id) == link.number]
        rebuilt = reconstruct(
            mine,
            wanted,
            settings.match,
            call=link.number,
            folder=folder,
            language=language_of_call(link, plans),
            planned_in=planned_in,
        )
        problems += [f"call {link.number} ({link.call_id}): {problem}" for problem in rebuilt.problems]
        for touched in rebuilt.touched:
            if touched.question_id not in best or touched.score > best[touched.question_id].score:
                best[touched.question_id] = touched
    return tuple(best[q.id] for q in wanted if q.id in best), tuple(problems)


def plans_of(chain: Chain) -> tuple[Plan, ...]:
    """The plans that led calls, oldest first; if none did, those that were drawn up after the event.

    What quotes a call that was forgotten is left out of them.
    """
    led = [(link, _unquoted_plan(link.setup.plan, chain.gone)) for link in chain if link.setup is not None]
    own = tuple(plan for link, plan in led if not link.past.transcript_only)
    return own or tuple(plan for _, plan in led)


def _standings(link: Link, names: Corrections, calls: Mapping[str, int]) -> tuple[Standing, ...]:
    found = standings(link.ledger, link.number, calls) if link.ledger is not None else ()
    return tuple(each.model_copy(update={"text": names.text(each.text)}) for each in found)


def unquoted(found: Iterable[Standing], gone: Gone) -> tuple[Standing, ...]:
    """Questions that quote a forgotten call: what was heard keeps its id alone, others are asked no more."""
    told = ((each, gone.quotes(each.text)) for each in found)
    return tuple(
        each.model_copy(update={"text": each.id}) if quotes else each
        for each, quotes in told
        if not quotes or each.status == "delivered"
    )


def _unquoted_notes(notes: Notes, gone: Gone) -> Notes:
    """Notes that quote a forgotten call in nothing, not even in what was closed."""
    if not gone:
        return notes
    fields = {name: getattr(notes, name) for name in Notes.model_fields if name != "closed"}
    left = {name: tuple(note for note in found if not gone.in_any(note)) for name, found in fields.items()}
    closed = (
        each.model_copy(update={"wordings": tuple(text for text in each.wordings if not gone.quotes(text))})
        for each in notes.closed
    )
    return notes.model_copy(update={**left, "closed": tuple(each for each in closed if each.wordings)})


def _unquoted_plan(plan: Plan, gone: Gone) -> Plan:
    if not gone:
        return plan
    sections = tuple(
        section.model_copy(
            update={
                "title": section.id if gone.quotes(section.title) else section.title,
                "questions": tuple(question for question in section.questions if not gone.in_any(question)),
            }
        )
        for section in plan.sections
    )
    blank = {name: "" for name in ("goal", "angle", "notes") if gone.quotes(getattr(plan, name))}
    return plan.model_copy(update={"sections": sections, **blank})


def _is_whole(link: Link, numbers: Mapping[int, int]) -> bool:
    known = link.setup.earlier.calls if link.setup and link.setup.earlier else ()
    return len(numbers) == len(known)


def _renamed(each: Known, others: Mapping[str, str]) -> Known:
    """With another id, if its call gave it one that was taken."""
    field = "id" if isinstance(each, Standing) else "question_id"
    own = getattr(each, field)
    return each.model_copy(update={field: others[own]}) if own in others else each


def _names(names: Corrections, link: Link) -> Corrections:
    if link.log is None:
        return names
    before = link.setup.earlier.names if link.setup and link.setup.earlier else ()
    for wrong, right in (*reversed(before), *reversed(corrections(link.log).pairs)):
        if (wrong, right) not in names.pairs:
            names = names.adding(wrong, right)
    return names


def _numbers(chain: Chain, link: Link) -> dict[int, int]:
    """By the numbers that this call gave to the calls before it, those they have now."""
    now = {each.call_id: each.number for each in chain}
    known = link.setup.earlier.calls if link.setup and link.setup.earlier else ()
    return {number: now[past.call_id] for number, past in enumerate(known, 1) if past.call_id in now}


def _notes(link: Link, backend: Backend | None) -> tuple[Notes, str]:
    """The last notes of a call, made now if it has none; and why there are none."""
    if link.log is None:
        return Notes(), ""
    kept = records_with_names(link.log, "notes")
    trouble = ""
    if kept:
        try:
            return kept[-1][1].model(Notes.model_validate(kept[-1][0].get("notes"))), ""
        except ValidationError:
            trouble = "its notes do not fit this version, so they were taken anew"
    turns = link.turns
    if not any(turn.speaker == "guest" for turn in turns):
        return Notes(), ""
    plan = link.setup.plan if link.setup else None
    data = NoteTakerInput(
        topic=plan.topic if plan else "",
        goal=plan.goal if plan else "",
        language=plan.language if plan else "en",
        sections=plan.sections if plan else (),
        notes=Notes(),
        turns=turns,
        last=True,
    )
    if backend is None:
        return merge(Notes(), NOTE_TAKER.rules(data), turns), trouble
    ran = backend.run(NOTE_TAKER, data, f"notes-{link.number}")
    if ran.output is None:
        return Notes(), f"no notes could be taken of it: {ran.error}"
    try:
        return merge(Notes(), NOTE_TAKER.parse(ran.output), turns), trouble
    except AgentError as error:
        return Notes(), f"no notes could be taken of it: {error}"


def _heard(link: Link) -> list[Asked]:
    """What the guest heard in this call: by its ledger, else as a later call knows it, else by what was said."""
    if link.ledger is None and link.remembered is not None:
        then = link.remembered
        number = next(n for n, past in enumerate(then.calls, 1) if past.call_id == link.call_id)
        mine = (asked for asked in then.heard if asked.call == number)
        return [
            asked.model_copy(update={"call": link.number, "turn": _moved(asked.turn, link.number)}) for asked in mine
        ]
    if link.ledger is None:
        turns = [Said(marked(link.number, turn.id), turn.speaker, turn.text) for turn in link.turns]
        return list(heard_in(turns, link.number))
    assert link.log is not None
    at = _turns_by_response(link.log)
    return [
        Asked(
            text=heard.text,
            call=link.number,
            turn=marked(link.number, turn) if (turn := at.get(str(heard.evidence.get("response_id")))) else "",
            question_id=heard.question_id,
        )
        for heard in link.ledger.heard
    ]


def _moved(turn: str, call: int) -> str:
    return marked(call, turn.partition(".")[2]) if turn else ""


def _turns_by_response(log: CallLog) -> dict[str, str]:
    return {str(data["response_id"]): str(data["id"]) for data in turn_records(log) if data.get("response_id")}


def covered(notes: Notes, plans: Sequence[Plan]) -> tuple[str, ...]:
    """Titles of the sections that were reached in some depth; one that only fills up tells nothing."""
    titles = {s.id: s.title for plan in plans for s in plan.sections if tells(s.id, s.title)}
    reached = (each.section_id for each in notes.coverage if each.depth in ("some", "deep"))
    return tuple(titles[key] for key in reached if key in titles)


def _expressions(turns: Sequence[Said], settings: Settings) -> tuple[str, ...]:
    """The guest's own, out of what is no small talk."""
    told = (span.text for turn in turns if turn.speaker == "guest" for span in sentences(turn.text))
    return distinctive((text for text in told if not idle(text)), settings.memory.expressions)


def _researched(link: Link, gone: bool) -> list[str]:
    """Subjects that the Researcher tried, found or not, those of the calls before included unless some are `gone`."""
    before = list(link.setup.earlier.researched) if link.setup and link.setup.earlier and not gone else []
    passes = [data for _, data in link.log.records("research")] if link.log else []
    items = (item for data in passes for item in data.get("items") or () if isinstance(item, dict))
    tried = (subject for data in passes for subject in data.get("tried") or ())
    return [*before, *(str(item.get("subject")) for item in items), *map(str, tried)]
