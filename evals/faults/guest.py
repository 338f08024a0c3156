"""What the guest really said, held against the turns in the journal: all of it, in order, and nothing else."""

from collections.abc import Iterator, Sequence
from typing import Any

from evals.faults.evidence import Log
from interviewer.call.sieve import CUT, ECHO
from interviewer.matching.text import words
from interviewer.model.turn import Turn
from interviewer.realtime.engine import Taken

_STARTED = "input_audio_buffer.speech_started"
_STOPPED = "input_audio_buffer.speech_stopped"
_COMMITTED = "input_audio_buffer.committed"
_TRANSCRIBED = "conversation.item.input_audio_transcription.completed"
_NEAR_MS = 2_000
_A_WORD_OR_TWO = 2


def misheard(log: Log, taken: Sequence[Taken], turns: Sequence[Turn]) -> Iterator[str]:
    """Turns that the journal lacks or tells otherwise; words that are lost, out of order, or nobody's."""
    stored = {line.data["id"]: line.data for line in log.recorded("turn")}
    for turn in turns:
        told = stored.pop(turn.id, None)
        if told is None or (told["text"], told["state"]) != (turn.text, turn.state):
            yield f"the journal tells turn {turn.id} otherwise"
    yield from (f"turn {turn_id} of the journal is none of the call's" for turn_id in stored)
    yield from _words(log, taken, [turn for turn in turns if turn.speaker == "guest"])


def _words(log: Log, taken: Sequence[Taken], turns: Sequence[Turn]) -> Iterator[str]:
    began, committed, texts = _heard(log)
    real = {item.item_id for item in taken if any(item.said)}
    # Where the voice's own words were cut off, just what the guest said must be left.
    truly = {item.item_id: " ".join(text for text in item.said if text) for item in taken}
    # An item's name may be spoiled where its words are told: they are the guest's all the same.
    whole = {truly[item_id] for item_id in real}
    real |= {item_id for item_id in texts.keys() - truly.keys() if texts[item_id] in whole}
    real -= _drowned(log, truly)
    cut = {line.data["item_id"] for line in log.recorded("ignored") if line.data["what"] == CUT}
    texts |= {item_id: truly.get(item_id, "") for item_id in cut}
    script = " ".join(turn.text for turn in turns if turn.text)
    # Of words made of silence only their length and the transcriber's doubts tell: both may have been spoiled.
    untold = {i for i in began if i not in real and texts.get(i, "") in script} - _told(log)
    said = [texts[i] for i, at in began.items() if i in real | untold and at < log.over_at and texts.get(i)]
    if script != " ".join(said):
        yield f"the guest said ...{' '.join(said)[-200:]!r}, the turns hold ...{script[-200:]!r}"
    over_ms = log.lines[log.over_at][1] if log.over_at < len(log.lines) else log.lines[-1][1]
    for item_id in sorted(real & committed.keys()):
        if not texts.get(item_id) and not any(
            turn.started_ms <= committed[item_id] <= (turn.ended_ms or over_ms) + _NEAR_MS for turn in turns
        ):
            yield f"{item_id} has no turn"


def _heard(log: Log) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    """The line at which each item began, in order; when it was committed, in ms; the words that came for it in time."""
    began: dict[str, int] = {}
    committed: dict[str, int] = {}
    texts: dict[str, str] = {}
    for at, t_ms, _, frame in log.frames:
        item_id: Any = frame.get("item_id")
        if not isinstance(item_id, str):
            continue
        if frame["type"] in (_STARTED, _COMMITTED, _TRANSCRIBED):
            began.setdefault(item_id, at)
        if frame["type"] == _COMMITTED and at < log.over_at:
            committed.setdefault(item_id, t_ms)
        if frame["type"] == _TRANSCRIBED and isinstance(frame.get("transcript"), str) and at < log.after_at:
            texts.setdefault(item_id, frame["transcript"].strip())
    return began, committed, texts


def _told(log: Log) -> set[str]:
    """Items of which it was told how long they are, or how sure their transcriber was."""
    starts: dict[str, int] = {}
    told: set[str] = set()
    for _, _, _, frame in log.frames:
        item_id: Any = frame.get("item_id")
        if not isinstance(item_id, str):
            continue
        if frame["type"] == _STARTED and type(frame.get("audio_start_ms")) is int:
            starts[item_id] = frame["audio_start_ms"]
        elif frame["type"] == _STOPPED and type(frame.get("audio_end_ms")) is int:
            if item_id in starts and frame["audio_end_ms"] > starts[item_id]:
                told.add(item_id)
        elif frame["type"] == _TRANSCRIBED and isinstance(frame.get("logprobs"), list) and frame["logprobs"]:
            told.add(item_id)
    return told


def _drowned(log: Log, truly: dict[str, str]) -> set[str]:
    """Items set aside as an echo in which a word or two of the guest's stand where the voice says the same.

    "There are no", and "Right." over "right answers": in what was written down nobody can tell whose it is.
    """
    voice = [f" {' '.join(words(line.data['text']))} " for line in log.recorded("turn")]
    aside = [line.data for line in log.recorded("ignored") if line.data["what"] == ECHO]
    return {
        one["item_id"]
        for one in aside
        if len(words(truly.get(one["item_id"], ""))) <= _A_WORD_OR_TWO
        and any(f" {' '.join(words(one['text']))} " in text for text in voice)
    }
