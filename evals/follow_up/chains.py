"""Chains made from real interviews: the first half as an old transcript, all of it as what the guest knows."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.errors import TranscriptError
from interviewer.matching.text import questions
from interviewer.model.turn import Said
from interviewer.simulate.dossier import Dossier
from interviewer.simulate.from_turns import Piece, dossier_of, pieces_of

INTERVIEWS = Path(__file__).resolve().parents[2] / "data" / "labels" / "interviews"
LEAST_DETAILS = 8
"""Details that each half must hold, for a call to have something to repeat and something to bring out."""


@dataclass(frozen=True, slots=True)
class Chain:
    """An interview cut in two. `told`: ids of the details of `dossier` that the first half, `old`, tells.

    `led_to`: what was asked just before a detail, by its id; empty for what was told without a question.
    """

    id: str
    source: str
    whole: tuple[Said, ...]
    cut: int
    dossier: Dossier
    told: frozenset[str]
    led_to: dict[str, str]

    @property
    def old(self) -> tuple[Said, ...]:
        """The first half."""
        return self.whole[: self.cut]

    def write(self, folder: Path) -> Path:
        """The old half as a file that can be imported."""
        roles = {"interviewer": "interviewer", "guest": "interviewee"}
        turns = [{"role": roles[turn.speaker], "text": turn.text} for turn in self.old]
        path = folder / f"{self.dossier.id}.jsonl"
        line = {"id": self.id, "source": self.source, "turns": turns}
        path.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
        return path


def chains(folder: Path = INTERVIEWS, most: int = 40) -> list[Chain]:
    """The first interviews of every source that are long enough, taken from the sources in turn.

    `folder` holds JSON lines as described in `data/labels/README.md`. Raises TranscriptError naming file and line.
    """
    waiting: dict[str, list[Chain]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and (chain := _chain(line, path, number)) is not None:
                waiting[chain.source].append(chain)
    if not waiting:
        raise TranscriptError("no interview here is long enough to be cut in two", folder)
    return list(_in_turn(list(waiting.values())))[:most]


def _in_turn(queues: list[list[Chain]]) -> Iterator[Chain]:
    for place in range(max(map(len, queues))):
        yield from (queue[place] for queue in queues if place < len(queue))


def _chain(line: str, path: Path, number: int) -> Chain | None:
    try:
        data: dict[str, Any] = json.loads(line)
        turns = [
            Said(f"t{at}", "interviewer" if turn["role"] == "interviewer" else "guest", str(turn["text"]))
            for at, turn in enumerate(data["turns"], 1)
        ]
        name, source = str(data["id"]), str(data.get("source") or path.stem)
    except (ValueError, KeyError, TypeError) as error:
        raise TranscriptError(f"it is no interview: {error}", path, number) from None
    pieces = pieces_of(turns)
    if len(pieces) < 2 * LEAST_DETAILS:
        return None
    # The cut lies before the question that leads to the middle one of the details.
    middle = int(pieces[len(pieces) // 2].turn.removeprefix("t")) - 1
    cut = max((at for at in range(1, middle + 1) if turns[at].speaker == "interviewer"), default=0)
    told = frozenset(piece.detail.id for piece in pieces if int(piece.turn.removeprefix("t")) <= cut)
    if min(len(told), len(pieces) - len(told)) < LEAST_DETAILS:
        return None
    dossier = dossier_of(turns, name=f"{source}-{name}", source=name)
    led_to = {piece.detail.id: _question(turns, piece) for piece in pieces}
    return Chain(name, source, tuple(turns), cut, dossier, told, led_to)


def _question(turns: Sequence[Said], piece: Piece) -> str:
    before = int(piece.turn.removeprefix("t")) - 2
    if not piece.asked or before < 0 or turns[before].speaker != "interviewer":
        return ""
    return " ".join(span.text for span in questions(turns[before].text))
