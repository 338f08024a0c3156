"""A call as tables and text for a notebook. Everything anybody said is escaped: it is shown, never interpreted."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interviewer.kept.html import essay_html, safe
from interviewer.ledger.fold import Ledger
from interviewer.ledger.views import why
from interviewer.plots.frames import rows
from interviewer.plots.style import OUTCOMES, SPEAKERS, clock

if TYPE_CHECKING:
    import pandas as pd

# The classes keep the page's formula typesetting away from what people said.
_OPEN = '<div class="tex2jax_ignore mathjax_ignore" style="max-width:60em;line-height:1.45">'
_CELL = "vertical-align:top;text-align:left;padding:.25em .8em .25em 0"
_UNHEARD = "text-decoration:line-through;opacity:.6"


@dataclass(frozen=True, slots=True)
class Html:
    """Something a notebook shows as HTML; `text` is whole and safe."""

    text: str

    def _repr_html_(self) -> str:
        return self.text


def transcript_table(turns: "pd.DataFrame") -> Html:
    """The turns of `Store.transcript` with speaker and the call's clock; what was not played is struck through."""
    return _table(
        (clock((turn["at_ms"] or 0) / 60_000), _speaker(turn["speaker"]), _said(turn)) for turn in rows(turns)
    )


def question_table(ledger: Ledger, shown: Callable[[int], int] = int) -> Html:
    """Each question of the ledger with its state and, line by line, why it stands there.

    Times are since the call was begun; with `shown`, such as `Core.elapsed_at`, what the call's clock showed then.
    """
    return _table(
        (
            safe(question.id),
            _coloured(question.status, OUTCOMES[question.status].color if question.status in OUTCOMES else ""),
            f"<b>{safe(question.text)}</b><br>{'<br>'.join(map(safe, why(ledger, question.id, shown).splitlines()))}",
        )
        for question in ledger.questions.values()
    )


def essay_page(markdown: str) -> Html:
    """An essay: its headings, quotations, slanted lines and paragraphs; all other markup is shown as written."""
    return Html(f"{_OPEN}{essay_html(markdown)}</div>")


def _table(cells: Iterable[tuple[str, ...]]) -> Html:
    lines = ("".join(f'<td style="{_CELL}" dir="auto">{cell}</td>' for cell in line) for line in cells)
    return Html(f"{_OPEN}<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div>")


def _speaker(name: str) -> str:
    return _coloured(str(name).capitalize(), SPEAKERS.get(name, ""))


def _coloured(words: str, color: str) -> str:
    """Words behind a bar of colour: the words themselves keep the page's colour, light or dark."""
    return f'<span style="border-left:.3em solid {color or "transparent"};padding-left:.5em">{safe(words)}</span>'


def _said(turn: dict[str, Any]) -> str:
    text, heard = turn["text"] or "", turn["heard"] or ""
    if turn["state"] == "inaudible" or not text:
        return "<i>inaudible</i>"
    if turn["speaker"] != "interviewer" or heard == text:
        return safe(text)
    rest = text.removeprefix(heard)
    return f'{safe(heard)} <span style="{_UNHEARD}" title="not heard">{safe(rest.strip())}</span>'
