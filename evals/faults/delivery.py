"""A delivered question and its five pieces of evidence, each looked for on the wire and in the player's reports.

Nothing of the core or the ledger is asked: an attempt is what the stored events say of it, and each of them must be
borne out by lines that stand before it in the journal.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from evals.faults.evidence import Arrived, Line, Log
from interviewer.call.guidance import clean

STAGES = ("selected", "accepted", "started", "generated", "delivered")
_ENDS = ("delivered", "released", "held")
_TOLERANCE_MS = 250
_ECHOES = ("response.created", "response.done")
_DELTAS = ("response.output_audio_transcript.delta", "response.output_text.delta")
_WHOLE = ("response.output_audio_transcript.done", "response.output_text.done")


def unproven(log: Log) -> Iterator[str]:
    """Attempts that did not end, or not once; deliveries without their evidence."""
    attempts: dict[str, list[Line]] = defaultdict(list)
    for line in log.of("ev"):
        if line.data["attempt_id"] and line.data["kind"] in (*STAGES, *_ENDS):
            attempts[line.data["attempt_id"]].append(line)
    for attempt_id, lines in attempts.items():
        kinds = [line.data["kind"] for line in lines]
        ends = [kind for kind in kinds if kind in _ENDS]
        if len(ends) != 1 or kinds[-1] != ends[0]:
            yield f"{attempt_id} ended {len(ends)} times: {', '.join(kinds)}"
        elif ends == ["delivered"] and tuple(kinds) != STAGES:
            yield f"{attempt_id} delivered by way of {', '.join(kinds)}"
        elif ends == ["delivered"]:
            yield from (f"{attempt_id} delivered without {what}" for what in _Delivery(log, attempt_id, lines).lacks())


class _Delivery:
    """One attempt said to be delivered: its five events and what came of its response in its connection."""

    def __init__(self, log: Log, attempt_id: str, lines: list[Line]) -> None:
        self._log = log
        self._id = attempt_id
        self._at = {line.data["kind"]: line.at for line in lines}
        self._basis = {line.data["kind"]: line.data["basis"] for line in lines}
        self._of = {line.data["kind"]: line.data["evidence"] for line in lines}
        self._question = str(self._of["selected"]["text"])
        self._epoch = self._of["started"]["epoch"]
        self._response_id = self._of["started"]["response_id"]
        self._frames = [f for f in log.frames if f.epoch == self._epoch]
        self._own = [f for f in self._frames if f.response_id == self._response_id]

    def lacks(self) -> Iterator[str]:
        """What cannot be found."""
        yield from self._acceptance()
        yield from self._request()
        yield from self._start()
        yield from self._generation()
        yield from self._playback()

    def _asks(self, instructions: Any) -> bool:
        text = str(instructions)
        return f">{clean(self._question)}</ask>" in text or f">{self._question}</ask>" in text

    def _acceptance(self) -> Iterator[str]:
        by, at = self._of["accepted"]["by"], self._at["accepted"]
        before = [f for f in self._frames if f.at < at]
        if self._of["accepted"]["epoch"] != self._epoch:
            yield "acceptance in the connection of its response"
        if by == "session.updated":
            sent = [line.data["session"].get("instructions") for line in self._log.of("out", "session.update")]
            ours = [text for text in sent if text and self._asks(text)]
            if not any(f.type == by and _instructions(f) in ours for f in before):
                yield "the echo of an update that asks it"
        elif by == "response.created":
            if not any(f.type in _ECHOES and _metadata(f).get("attempt") == self._id for f in before):
                yield "the echo of its request"
        elif by != "order" or {self._basis["accepted"], self._basis["started"]} != {"inferred"}:
            yield "saying that its acceptance is inferred"

    def _request(self) -> Iterator[str]:
        asked = [
            line.data["response"]
            for line in self._log.of("out", "response.create")
            if line.at < self._at["started"] and line.data["response"]["metadata"].get("attempt") == self._id
        ]
        mine = [r for r in asked if r["metadata"]["epoch"] == str(self._epoch)]
        if len(mine) != 1 or not self._asks(mine[0]["instructions"]):
            yield "one request in that connection that asks it"

    def _start(self) -> Iterator[str]:
        if not any(f.at < self._at["started"] for f in self._own):
            yield "a response that had begun"
        named = {_metadata(f).get("attempt") for f in self._own if _metadata(f)}
        if named - {self._id}:
            yield "a response of its own"
        if not named and self._basis["started"] != "inferred":
            yield "saying that its response is inferred"

    def _generation(self) -> Iterator[str]:
        texts = _texts([f for f in self._own if f.at < self._at["generated"]])
        if not any(self._of["generated"]["sentence"] in text for text in texts.values()):
            yield "its question in the transcript"

    def _playback(self) -> Iterator[str]:
        before = [f for f in self._own if f.at < self._at["delivered"]]
        if not any(f.type == "response.done" and f.response.get("status") == "completed" for f in before):
            yield "a completed response before it"
        sound = _sound(before)
        if self._of["delivered"].get("displayed"):
            if sum(sound.values()) or not any(f.type.startswith("response.output_text") for f in before):
                yield "a text without sound that was shown"
            return
        end_ms = self._of["delivered"]["end_ms"]
        reports = [r.data["played_ms"] for r in self._log.playback(self._response_id) if r.at < self._at["delivered"]]
        played_ms = min(max(reports, default=0), sum(sound.values()))
        if not 0 < played_ms >= end_ms - min(_TOLERANCE_MS, end_ms // 2):
            yield f"being played: {played_ms} of {end_ms} ms"
        if end_ms + 1 < _end_ms(self._of["generated"]["sentence"], _texts(before), sound):
            yield "being played to the sentence's share of the characters"


def _instructions(frame: Arrived) -> Any:
    session = frame.frame.get("session")
    return session.get("instructions") if isinstance(session, dict) else None


def _metadata(frame: Arrived) -> dict[str, Any]:
    found = frame.response.get("metadata")
    return found if isinstance(found, dict) else {}


def _sound(frames: list[Arrived]) -> dict[str, int]:
    """Sound by item, in ms, in the order in which the items began."""
    found: dict[str, int] = {}
    for f in frames:
        item, length_ms = f.frame.get("item_id"), f.frame.get("audio_ms")
        if f.type == "response.output_audio.delta" and isinstance(item, str) and type(length_ms) is int:
            found[item] = found.get(item, 0) + length_ms
    return found


def _texts(frames: list[Arrived]) -> dict[str, str]:
    """Text by item: the final one, else the deltas so far."""
    deltas: dict[str, str] = {}
    final: dict[str, str] = {}
    for f in frames:
        item = f.frame.get("item_id")
        if f.type in _DELTAS and isinstance(item, str):
            deltas[item] = deltas.get(item, "") + str(f.frame.get("delta") or "")
        elif f.type in _WHOLE and isinstance(item, str):
            final[item] = str(f.frame.get("transcript") or f.frame.get("text") or "")
        for one in f.response.get("output") or ():
            if isinstance(one, dict) and one.get("role") == "assistant":
                parts = (str(p.get("transcript") or p.get("text") or "") for p in one.get("content") or ())
                final.setdefault(one["id"], " ".join(parts))
    return {**deltas, **{item: text for item, text in final.items() if text}}


def _end_ms(sentence: str, texts: dict[str, str], sound: dict[str, int]) -> int:
    """Where the sentence ends in the sound, by its share of the characters of its item."""
    before_ms = 0
    for item, length_ms in sound.items():
        text = texts.get(item, "")
        if sentence in text:
            return before_ms + length_ms * (text.index(sentence) + len(sentence)) // len(text)
        before_ms += length_ms
    return 0
