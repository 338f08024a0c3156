"""The one-page card of the results, in Markdown."""

from collections.abc import Callable, Sequence
from typing import Any

from evals.follow_up.calls import PLAN
from evals.follow_up.summary import TARGET

Row = dict[str, Any]

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
after all that is open, at most two in a call, from .9 one); they are not held out. In short interviews the open half
runs out within six minutes, and that one return makes most of the repeats that are left: a reconstruction bars nothing.

Where a topic is picked there is little to save, and nothing is: a plan drawn up anew hardly meets what a person asked
in other words, and asks for one kind of detail after the other, which suits this guest; a topic asks on, about one
thing. What the guest counts as repeats there are mostly general questions that fill up the time ("what happened, step
by step?", "the oddest decision"), for whose kind of answer it has told all it has. To it they are repeats, and the
first may be to a person who was asked to "walk me through a recent project": the rules know words, not such kinds.

Regenerate: `python -m evals.follow_up` (`--interviews FOLDER` for others, as described in `data/labels/README.md`).
"""


def card(returned: Sequence[Row], compared: Sequence[Row], rebuilt: Sequence[Row], day: str) -> str:
    """What was measured, what is reached and what is not."""
    chains = max(row["chains"] for row in returned)
    return "\n".join(
        [
            f"# Returning to a conversation: results ({day})",
            _HEAD.format(chains=chains),
            f"## Asked twice, and brought out\n\n{_verdict(compared)}\n",
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
            f"## Limits\n{_LIMITS}",
        ]
    )


def _verdict(compared: Sequence[Row]) -> str:
    left = next(row for row in compared if row["scenario"] == PLAN and row["figure"].startswith("repeats"))
    more = next(row for row in compared if row["scenario"] == PLAN and row["figure"].startswith("new:"))
    few = _told(left, lambda value: value <= TARGET)
    many = _told(more, lambda value: value >= 0)
    return f"Same call, at most a fifth of the repeats: {few}. No fewer new details, the difference a call: {many}."


def _told(row: Row, reached: Callable[[float], bool]) -> str:
    if row["value"] is None:
        return "too few chains to say"
    return f"{row['value']} [{row['low']}, {row['high']}], {'reached' if reached(row['value']) else 'missed'}"


def _table(rows: Sequence[Row], plain: Sequence[str], ranges: Sequence[str]) -> str:
    names = [name.replace("_", " ") for name in (*plain, *ranges)]
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    for row in rows:
        cells = [str(row[name]) for name in plain]
        cells += [f"{row[name]} [{row[f'{name}_low']}, {row[f'{name}_high']}]" for name in ranges]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
