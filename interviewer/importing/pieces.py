"""What every format is read into: pieces of speech in the order of the file."""

from dataclasses import dataclass, field

from interviewer.model.recorded import Dated, Problem


@dataclass(slots=True)
class Piece:
    """A cue, line, paragraph or segment. An empty `speaker` is whoever spoke before; times are ms, None if unknown.

    `role` is what the file calls the speaker. `turn` says that the file has whole turns: it is joined with no other.
    """

    speaker: str
    text: str
    line: int
    last_line: int
    start_ms: int | None = None
    end_ms: int | None = None
    role: str = ""
    turn: bool = False


@dataclass(slots=True)
class Parsed:
    """One conversation of a file. `guests`: names that its own header calls so. `joint` stands between two pieces.

    `dated`: when it was held, if that stands beside it.
    """

    pieces: list[Piece]
    problems: list[Problem] = field(default_factory=list)
    id: str = ""
    title: str = ""
    guests: tuple[str, ...] = ()
    joint: str = " "
    dated: Dated | None = None

    def tell(self, line: int, text: str) -> None:
        """Remember a problem."""
        self.problems.append(Problem(line, text))
