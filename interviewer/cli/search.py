"""`search`: everything said in any call."""

from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import clock, counted, one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from interviewer.kept.searching import Passage


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "search")(search)


def search(
    session: Session,
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORDS", help="Words, all of them; in quotes a phrase; run* also finds running."),
    ],
    interview: Annotated[
        str | None,
        typer.Option("--in", metavar="INTERVIEW", help="Only in this interview: its id, or one of its calls."),
    ] = None,
    who: Annotated[
        Literal["interviewer", "guest"] | None, typer.Option("--who", help="Only what one of them said.")
    ] = None,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="How many places to show.")] = 20,
) -> None:
    """Search everything that was said: the latest call first."""
    from interviewer.kept.searching import search as look

    # The shell has taken the quotes away: an argument of several words was a phrase.
    typed = " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words)
    found = look(session.kept, typed, interview=interview, speaker=who)
    if session.json:
        session.result({"found": len(found), "passages": [asdict(each) for each in found[:most]]})
    elif not found:
        session.show(f"Nobody said {one_line(typed) or 'that'}{'' if interview is None else ' there'}.")
    else:
        session.show(*_told(found[:most]))
        session.tell(_counted(len(found), most))


def _told(found: "Iterable[Passage]") -> "Iterable[RenderableType]":
    """The passages under their calls."""
    from rich.text import Text

    from interviewer.cli.tables import SPEAKER_STYLE, Hanging

    for call_id, passages in groupby(found, key=lambda passage: passage.call_id):
        for number, passage in enumerate(passages):
            if number == 0:
                about = ", with ".join(filter(None, (passage.topic, passage.guest)))
                yield Text(f"{call_id}  {one_line(about)}", "bold")
            label = Text(f"{clock(passage.at_ms):>6}  {passage.number:>3}  ", "dim", end="")
            said = Text(f"{passage.speaker.capitalize()}: ", SPEAKER_STYLE[passage.speaker])
            for piece in passage.pieces:
                # A piece may begin or end with the space between two words.
                said.append(_spaced(piece.text), "bold reverse" if piece.hit else "")
            yield Hanging(label, said)


def _spaced(text: str) -> str:
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' * before}{one_line(text)}{' ' * (after and bool(text.strip()))}"


def _counted(found: int, most: int) -> str:
    places = counted(found, "place")
    return f"{places}; the first {most} are shown, --most N shows more" if found > most else places
