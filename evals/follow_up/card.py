"""The one-page card of the results, in Markdown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.follow_up.calls import PLAN, TOPIC, WITH
from evals.follow_up.summary import TARGET

Row = dict[str, Any]

TABLES = ("calls", "returned", "compared", "rebuilt", "planned")
"""What the card is made of."""

_HEAD = """
A follow-up of six minutes after a call of which only the transcript is left, with memory and without, against the
same simulated guest, agents by rules. {chains} chains made from real interviews (`data/labels/interviews`, from seven
sources in turn): the first half is the old transcript; the guest knows what both halves tell, remembers the first as
told, and tells of the second what it is asked for. Intervals are of 95 %, by resampling chains.

- *One plan for both calls*: the same plan in both calls of a pair, drawn from the whole interview, so that the old half
  asked about half of its questions; with memory their coverage is reconstructed. This is the same call with and without
  memory.
- *A topic that was picked*: the first topic the Follow-Up agent offers, against a call whose plan the Planner draws up
  for the same topic, knowing nothing of the old half. The plans differ, so this compares two ways to come back.

A *repeat* is a question, heard to its end, that the old half asked in these words, or by which the guest takes itself
to be asked for what it told then and not for what is left (the guest's own rule: rare words, cues and kinds, of which
the interviewer knows nothing). Questions that only point at the last answer, or at words of the guest's quoted before
them ("what led up to that?"), are none: they ask on, and of a reply the sentence that asks is what the guest answers.
*Alike* are those that MiniLM takes for one of the old half's (cosine from .70), *both* are both.
"""
_REBUILT = """
Calls of our own of seven minutes under a plan for fourteen, so that half of the plan is never asked; the transcript
alone goes in, the simulated voice's own record says what was asked. The voice keeps near the planned words, people do
not: on real talk all of these find less (`evals/contains/results`).
"""
_LIMITS = """
The guest is simulated, and kinder than people: it answers what it is asked and never tires of a question. Some of the
chains were looked at while it was chosen in which order the rules ask what a transcript touched on (from a score of .5
after all that is open, at most two in a call, from .9 one); they are not held out.

The plan for both calls is drawn from the interview by rules that take over what was asked as it was asked: {in_old} of
its {planned} questions stand word for word in the old half. So the first scenario measures in part whether a text is
found to equal itself, which a plan that people write, or a model, does not offer; `evals/contains/results` has how well
a question is found in other words. With memory {repeats} repeats are left, in {repeating} of {calls} calls, at most
{most} in one: a reconstruction lowers a question's priority and bars nothing. Of the 26 of 2026-11-30, held against the
plan by their words, 18 are questions that were taken to be asked beyond doubt (from .9) and came back all the same, 5
are such as no transcript was found to touch on, and 3 are the voice's own.

Where a topic is picked there is little to save, and nothing is: a plan drawn up anew hardly meets what a person asked
in other words, and asks for one kind of detail after the other, which suits this guest; a topic asks on, about one
thing. What the guest counts as repeats there are mostly general questions that fill up the time ("what happened, step
by step?", "the oddest decision"), for whose kind of answer it has told all it has. To it they are repeats, and the
first may be to a person who was asked to "walk me through a recent project": the rules know words, not such kinds.

Regenerate: `python -m evals.follow_up` (`--interviews FOLDER` for others, as described in `data/labels/README.md`).
"""


def card(tables: Mapping[str, Sequence[Row]], day: str) -> str:
    """What was measured, what is reached and what is not; `tables` by name, those of `TABLES`."""
    returned, compared, rebuilt = tables["returned"], tables["compared"], tables["rebuilt"]
    chains = max(row["chains"] for row in returned)
    return "\n".join(
        [
            f"# Returning to a conversation: results ({day})",
            _HEAD.format(chains=chains),
            f"## Asked twice, and brought out\n\n{_verdict(compared, tables['planned'])}\n",
            _table(
                returned,
                ("scenario", "memory", "heard", "repeats"),
                ("repeat_rate", "alike_rate", "both_rate", "refused_per_call", "new_details", "new_details_asked"),
            ),
            "\nWhat memory leaves of a rate, and what it changes in details of a call; p after Holm:\n",
            _table(compared, ("scenario", "figure", "value", "low", "high", "p_holm"), ()),
            "\n![Repeats, new details, reconstruction](follow_up.png)\n",
            "## Rebuilt from a transcript",
            _REBUILT,
            _table(rebuilt, ("way", "threshold", "questions", "asked", "taken"), ("precision", "recall"))
            + "\n\nAverage precision: "
            + "; ".join(f"{row['way']} {row['average_precision']}" for row in rebuilt)
            + ".\n",
            f"## Limits\n{_LIMITS.format(**_counts(tables))}",
        ]
    )


_MEASURES = {
    "repeats": "by the guest's own rule",
    "alike": "by MiniLM",
    "both": "by both at once",
    "new": "new details",
    "new_asked": "those asked for",
}


def _verdict(compared: Sequence[Row], planned: Sequence[Row]) -> str:
    """Every measure of both scenarios, whether it is reached or not."""
    lines = []
    for scenario in (PLAN, TOPIC):
        told = {row["figure"].partition(":")[0]: row for row in compared if row["scenario"] == scenario}
        few = "; ".join(
            f"{_MEASURES[name]} {_told(told[name], lambda value: value <= TARGET)}"
            for name in ("repeats", "alike", "both")
        )
        many = "; ".join(
            f"{_MEASURES[name]} {_told(told[name], lambda value: value >= 0)}" for name in ("new", "new_asked")
        )
        lines.append(f"- *{scenario[0].upper()}{scenario[1:]}*. At most a fifth of the repeats left: {few}.")
        lines.append(f"  No fewer details, the difference a call: {many}.")
    in_old, whole = sum(row["in_old_half"] for row in planned), sum(row["planned"] for row in planned)
    lines.append(
        f"\n{in_old} of the {whole} questions of the one plan stand in the old half word for word: see Limits."
    )
    return "\n".join(lines)


def _counts(tables: Mapping[str, Sequence[Row]]) -> dict[str, int]:
    repeats = [row["repeats"] for row in tables["calls"] if (row["scenario"], row["memory"]) == (PLAN, WITH)]
    return {
        "in_old": sum(row["in_old_half"] for row in tables["planned"]),
        "planned": sum(row["planned"] for row in tables["planned"]),
        "repeats": sum(repeats),
        "repeating": sum(map(bool, repeats)),
        "calls": len(repeats),
        "most": max(repeats),
    }


def _told(row: Row, reached: Callable[[float], bool]) -> str:
    if row["value"] is None:
        return "(nothing was repeated without memory either)"
    return f"{row['value']} [{row['low']}, {row['high']}], {'reached' if reached(row['value']) else 'missed'}"


def _table(rows: Sequence[Row], plain: Sequence[str], ranges: Sequence[str]) -> str:
    names = [name.replace("_", " ") for name in (*plain, *ranges)]
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    for row in rows:
        cells = [str(row[name]) for name in plain]
        cells += [f"{row[name]} [{row[f'{name}_low']}, {row[f'{name}_high']}]" for name in ranges]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
