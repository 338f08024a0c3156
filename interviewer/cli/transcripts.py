"""What a transcript was taken for, in words and as plain values, so that a wrong guess is seen."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from interviewer.model.recorded import Recorded
    from interviewer.model.turn import Speaker

_UNSURE = 0.9
_MOST_PROBLEMS = 5


def read_lines(recorded: "Recorded", remedy: str) -> Iterator[str]:
    """Who was taken for whom, how sure that is, what was not as it should be; `remedy`: what to do if it is wrong."""
    guess = recorded.guess
    derived = sum(turn.times == "words" for turn in recorded.turns)
    turns = counted(len(recorded.turns), "turn")
    yield f"{one_line(recorded.id)}: {turns}, read as {recorded.format}, {recorded.encoding}"
    yield f"Interviewer: {names(recorded.interviewers)}. Guest: {names(recorded.guests)}."
    yield f"This is {guess.certainty:.0%} sure: {one_line(guess.reason)}."
    if guess.certainty < _UNSURE and recorded.interviewers:
        yield remedy
    if derived:
        yield f"Times of {counted(derived, 'turn')} were derived from the number of words."
    yield from (f"{one_line(problem)}" for problem in recorded.problems[:_MOST_PROBLEMS])
    if len(recorded.problems) > _MOST_PROBLEMS:
        yield f"... and {len(recorded.problems) - _MOST_PROBLEMS} more like it"


def roles(given: Sequence[str]) -> "dict[str, Speaker]":
    """Who is who, by name, from words such as `interviewer=Anna`. Raises BadParameter for any other."""
    found: dict[str, Speaker] = {}
    for each in given:
        match each.partition("="):
            case ("interviewer" | "guest") as role, "=", name if name.strip():
                found[name] = role
            case _:
                raise typer.BadParameter(f"--as {each}: give interviewer=NAME or guest=NAME")
    return found


def names(people: Sequence[str]) -> str:
    """People by name, on one line."""
    return ", ".join(map(one_line, people)) or "nobody"


def read_facts(recorded: "Recorded") -> dict[str, Any]:
    """The same as plain values."""
    return {
        "id": recorded.id,
        "format": recorded.format,
        "turns": len(recorded.turns),
        "interviewers": recorded.interviewers,
        "guests": recorded.guests,
        "guess": asdict(recorded.guess),
        "problems": [str(problem) for problem in recorded.problems],
    }
