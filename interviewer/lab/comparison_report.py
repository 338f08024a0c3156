"""A comparison as one page to pass on: Markdown or HTML, every text escaped; without what was said if one wishes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from interviewer import palette
from interviewer.errors import ReplayError
from interviewer.kept.html import safe
from interviewer.lab.comparing import Compared, Comparison
from interviewer.lab.divergences import Choice, Divergence
from interviewer.lab.run_rows import call_of
from interviewer.metrics.statistics import Difference, Estimate
from interviewer.model.counting import counted
from interviewer.store import exported
from interviewer.store.home import Home
from interviewer.store.mending import write_whole
from interviewer.store.plain import harmless

_MOST: Final = 50
"""Divergences that are shown: one page is read, a hundred are not."""
_NOTHING: Final = "nothing: the voice was left free"
_LINKED: Final = re.compile(r"(?<=@)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where an empty comment, of which nothing shows, keeps GitHub's Markdown from linking bare addresses and names."""

Row = Sequence[str]


def write_report(comparison: Comparison, out: Path, place: Home, *, text: bool = True) -> Path:
    """Write the page to `out`, as its ending says: .html or .md. Without `text` it holds figures and settings only.

    A page that quotes calls of the home goes when they are forgotten. Raises ReplayError for another ending, or if the
    file cannot be written.
    """
    makers = {".html": html_page, ".htm": html_page, ".md": markdown_page}
    if out.suffix.lower() not in makers:
        raise ReplayError(f"{out}: a report is .html or .md")
    try:
        write_whole(out, makers[out.suffix.lower()](comparison, text=text))
    except OSError as error:
        raise ReplayError(f"cannot write {out}: {error.strerror}") from None
    if text:
        for call_id in _calls(comparison):
            exported.note(place.root, call_id, [out])
    return out


def markdown_page(comparison: Comparison, *, text: bool = True) -> str:
    """The page as Markdown; texts are shown as they were written, never as markup."""
    lines = [f"# {_title(comparison)}", "", *_facts(comparison), "", comparison.claim.capitalize() + ".", ""]
    for title, header, rows in _tables(comparison, text=text):
        lines += [f"## {title}", "", _bar(header), _bar("---" for _ in header)]
        lines += [*(_bar(_plain(cell) for cell in row) for row in rows), ""]
    lines += [f"## {_diverging(comparison)}", ""]
    if text:
        for each in comparison.divergences[:_MOST]:
            lines += [f"### {_plain(_where(each))}", ""]
            lines += [f"- {_plain(who)}: {_plain(said)}" for who, said in _told(each)] + [""]
    return "\n".join(lines).rstrip() + "\n"


def html_page(comparison: Comparison, *, text: bool = True) -> str:
    """The page as one HTML file that loads nothing and runs nothing."""
    title = safe(_title(comparison))
    body = [f"<h1>{title}</h1>", *(f"<p>{safe(line)}</p>" for line in _facts(comparison))]
    body.append(f"<p><b>{safe(comparison.claim.capitalize())}.</b></p>")
    for name, header, rows in _tables(comparison, text=text):
        head = "".join(f"<th>{safe(cell)}</th>" for cell in header)
        cells = "".join("<tr>" + "".join(f"<td>{safe(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        body.append(f"<h2>{safe(name)}</h2><table><tr>{head}</tr>{cells}</table>")
    body.append(f"<h2>{safe(_diverging(comparison))}</h2>")
    if text:
        for each in comparison.divergences[:_MOST]:
            told = "".join(f"<dt>{safe(who)}</dt><dd>{safe(said)}</dd>" for who, said in _told(each))
            body.append(f"<section><h3>{safe(_where(each))}</h3><dl>{told}</dl></section>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{_CSS}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def shown_estimate(found: Estimate) -> str:
    """A figure with its interval, or why there is none."""
    if found.value is None:
        return f"not enough: {found.why}" if found.why else "not enough"
    return f"{number(found.value)}{_interval(found.low, found.high)}"


def shown_difference(found: Difference) -> str:
    """A difference with its interval; why there is none, `lacking` says once for all."""
    if found.value is None:
        return "not enough"
    sign = "+" if found.value >= 0 else ""
    return f"{sign}{number(found.value)}{_interval(found.low, found.high)}"


def lacking(comparison: Comparison) -> list[str]:
    """Why differences have no figure, each reason once."""
    return list(dict.fromkeys(each.difference.why for each in comparison.measures if each.difference.value is None))


def number(value: float) -> str:
    """A figure to read, to three digits; whole where it has more, never as a power of ten."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def shown_p(each: Compared) -> str:
    """The p of a measure, as it is and put right for there being several."""
    p, corrected = each.difference.p, each.p_holm
    return "" if p is None or corrected is None else f"{p:.3g} ({corrected:.3g})"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{number(low)}, {number(high)}]"


def _title(comparison: Comparison) -> str:
    return f"Runs {comparison.a.run_id} (A) and {comparison.b.run_id} (B), {comparison.kind}"


def _facts(comparison: Comparison) -> Iterator[str]:
    only_a, only_b = len(comparison.only_a), len(comparison.only_b)
    yield f"{counted(len(comparison.shared), 'recording')} in both, {only_a} in A only, {only_b} in B only."
    if comparison.differing:
        yield f"{len(comparison.differing)} left out, for what bears their name does not say the same in both."
    for why in filter(None, lacking(comparison)):
        yield f"Not enough: {why}."
    if comparison.caution:
        yield comparison.caution
    for name, run in (("A", comparison.a), ("B", comparison.b)):
        stopped = ", stopped before its end" if run.stopped else ""
        yield f"{name}: {run.started_at}, version {run.version}, {len(run.failures)} failed{stopped}."


def _tables(comparison: Comparison, *, text: bool) -> Iterator[tuple[str, Row, list[Row]]]:
    header = ("measure", "A", "B", "A - B", "p (Holm)", "pairs")
    rows: list[Row] = [
        (
            f"{each.measure.about} ({each.measure.unit})",
            shown_estimate(each.a),
            shown_estimate(each.b),
            shown_difference(each.difference),
            shown_p(each),
            str(sum(a is not None and b is not None for _, a, b in each.pairs)),
        )
        for each in comparison.measures
    ]
    yield "Figures", header, rows
    if told := comparison.told_settings(text=text):
        yield "Settings that differ", ("setting", "A", "B"), [_strings(row) for row in told]
    if comparison.agents:
        yield "Agents that differ", ("agent", "A", "B"), [_strings(row) for row in comparison.agents]


def _strings(row: Iterable[Any]) -> Row:
    return [str(cell) for cell in row]


def _diverging(comparison: Comparison) -> str:
    shown = f"; the first {_MOST}" if len(comparison.divergences) > _MOST else ""
    of = f" of {comparison.moments} turns" if comparison.moments else ""
    return f"They choose otherwise at {len(comparison.divergences)}{of}{shown}"


def _where(each: Divergence) -> str:
    seconds = each.t_ms // 1000
    return f"{each.recording}, {each.turn}, at {seconds // 60}:{seconds % 60:02d}"


def _told(each: Divergence) -> Iterator[tuple[str, str]]:
    yield from ((turn.speaker.capitalize(), turn.text) for turn in each.before)
    if each.asked:
        yield "Recording", each.asked
    yield "A", _chosen(each.a)
    yield "B", _chosen(each.b)


def _chosen(choice: Choice) -> str:
    why = f" ({choice.source}: {choice.why})" if choice.why else f" ({choice.source})" if choice.source else ""
    return f"{choice.text}{why}" if choice.text else _NOTHING


def _calls(comparison: Comparison) -> set[str]:
    origins = {each.source: each.origin for run in (comparison.a, comparison.b) for each in run.results}
    return {call for name in comparison.shared if (call := call_of(name, origins[name]))}


def _bar(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """`text` on one line of Markdown, none of it markup, and no address or @name that a renderer makes a link of."""
    line = " ".join(harmless(text).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = "".join(f"\\{char}" if char in r"\`*_{}[]|~#!" else char for char in line)
    return _LINKED.sub("<!-- -->", line)


_CSS: Final = f"""
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  background: {palette.PAPER}; color: {palette.INK}; overflow-wrap: anywhere; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid {palette.RULE}; }}
h3 {{ font-size: 1rem; color: {palette.DIM}; }}
dt {{ color: {palette.DIM}; font-size: .85rem; }}
dd {{ margin: 0 0 .4rem; }}
"""
