"""A finished call as a page of plain HTML: what a saved notebook holds of it, without a kernel or a script."""

from collections.abc import Iterable, Mapping
from typing import Any

from interviewer.interview.onlooker import View
from interviewer.kept.html import essay_html, safe
from interviewer.palette import OUTCOMES, SPEAKERS

# The classes keep the page's formula typesetting away from what people said.
_CLASSES = "iv-still tex2jax_ignore mathjax_ignore"
_BAR = "border-left:3px solid {};padding-left:.7em;margin:.5em 0"
_UNHEARD = "text-decoration:line-through;opacity:.6"
_STATE_COLOURS = {**OUTCOMES, "available": OUTCOMES["superseded"], "pending": OUTCOMES["open"]}


def still(after: Mapping[str, Any], questions: Iterable[Mapping[str, Any]], view: View, key: str) -> str:
    """The page of this view. All texts of others are escaped. `key` names the interview to a living view."""
    body = _guest(after) if view == "guest" else _researcher(after, questions)
    return f'<div class="{_CLASSES}" {_names(view, key)} style="max-width:60em;line-height:1.5">{"".join(body)}</div>'


def alive(words: str, view: View, key: str) -> str:
    """What stands for a view whose interview is not over yet, where the page cannot show the view itself."""
    return f'<div class="tex2jax_ignore mathjax_ignore" {_names(view, key)}>{safe(words)}</div>'


def _names(view: View, key: str) -> str:
    return f'data-interview="{safe(key)}" data-view="{view}"'


def _guest(after: Mapping[str, Any]) -> Iterable[str]:
    analysis, follow_up = after.get("analysis") or {}, after.get("follow_up") or {}
    yield f"<h2>{safe(analysis.get('title') or after.get('topic') or 'Interview')}</h2>"
    if analysis.get("subtitle"):
        yield f"<p><i>{safe(analysis['subtitle'])}</i></p>"
    yield _facts(after)
    if drafts := after.get("drafts"):
        yield f"<h3>Draft {drafts[-1]['version']}, {safe(drafts[-1]['style'])}</h3>{essay_html(drafts[-1]['markdown'])}"
    if quotes := analysis.get("quotes"):
        yield "<h3>Quotes</h3>"
        yield from (_bar(SPEAKERS["guest"], f"“{safe(quote['text'])}”") for quote in quotes)
    if topics := follow_up.get("topics"):
        items = "".join(f"<li><b>{safe(topic['title'])}</b><br>{safe(topic['why'])}</li>" for topic in topics)
        yield f"<h3>Three topics to return to</h3><ol>{items}</ol>"
    yield from _transcript(after)


def _researcher(after: Mapping[str, Any], questions: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    analysis = after.get("analysis") or {}
    yield f"<h2>{safe(after.get('topic') or 'Interview')}</h2>{_facts(after)}"
    if analysis:
        yield f"<p>{safe(analysis['assessment'])}</p>"
    yield "<h3>Questions</h3>"
    for question in questions:
        words = f"{safe(question['id'])} · {safe(question['text'])}<br><small>{safe(question['why'])}</small>"
        yield _bar(_STATE_COLOURS.get(question["state"], "transparent"), words)
    yield from _transcript(after)


def _facts(after: Mapping[str, Any]) -> str:
    seconds = (after.get("elapsed_ms") or 0) // 1000
    told = (
        f"Call {after.get('call_id')} with {after.get('guest')}, {seconds // 60}:{seconds % 60:02d} long, "
        f"{after.get('delivered')} of {after.get('planned')} questions delivered; {after.get('reason')}."
    )
    return f"<p><small>{safe(told)}</small></p>"


def _transcript(after: Mapping[str, Any]) -> Iterable[str]:
    turns = after.get("turns", [])
    lines = "".join(_bar(SPEAKERS.get(str(turn["speaker"]), "transparent"), _said(turn)) for turn in turns)
    yield f"<details><summary>Transcript, {len(turns)} turns</summary>{lines}</details>"


def _said(turn: Mapping[str, Any]) -> str:
    text, heard = turn["text"] or "", turn["heard"] or ""
    if turn["speaker"] != "interviewer" or heard == text:
        return safe(text) or "<i>could not be made out</i>"
    rest = text[len(heard) :] if text.startswith(heard) else text
    return f'{safe(heard)} <span style="{_UNHEARD}" title="not heard">{safe(rest.strip())}</span>'


def _bar(colour: str, words: str) -> str:
    return f'<div dir="auto" style="{_BAR.format(colour)}">{words}</div>'
