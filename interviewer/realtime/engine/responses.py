"""The life of a response: asked for, created, generated, done."""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Protocol

from interviewer.realtime.engine import errors, usage
from interviewer.realtime.engine.brain import Brain, BrainRequest, Line, Spoken, Voiced
from interviewer.realtime.engine.core import Core, Timer
from interviewer.realtime.engine.generation import Output, Piece, pieces
from interviewer.realtime.engine.items import Conversation, Item, check_item, from_client
from interviewer.realtime.engine.schema import record, text
from interviewer.realtime.engine.session import RESPONSE, Session
from interviewer.realtime.engine.usage import Tokens

Ending = tuple[str, str | None]

COMPLETED: Ending = ("completed", None)
CREATED_MS = (80, 200)
FIRST_AUDIO_MS = (250, 600)
# The item is announced, and its first words come, this long before its first audio.
_ANNOUNCED_MS = 30
_NEXT_ITEM_MS = 60
_DONE_MS = 10

_CREATE = record({"response": RESPONSE}, extra=True)
_CANCEL = record({"response_id": text}, extra=True)


@dataclass(frozen=True, slots=True)
class _Step:
    at_ms: int
    output: Output | None
    piece: Piece | None
    ending: Ending = COMPLETED


@dataclass(slots=True)
class Response:
    """One response, from the request on; `timer` leads to its next step."""

    id: str
    request: BrainRequest
    settings: Mapping[str, Any]
    in_conversation: bool
    read: Tokens
    known: Tokens
    created_ms: int | None = None
    status: str = "in_progress"
    status_details: dict[str, Any] | None = None
    used: dict[str, Any] | None = None
    outputs: list[Output] = field(default_factory=list)
    steps: Iterator[_Step] = field(default_factory=lambda: iter(()))
    timer: Timer | None = None

    @property
    def audio(self) -> bool:
        """Whether it is spoken; otherwise it is written."""
        return bool(self.settings["output_modalities"] == ["audio"])

    def made(self) -> Tokens:
        """Tokens generated so far."""
        return Tokens(
            sum(usage.of_text(output.voiced.text) for output in self.outputs),
            sum(usage.of_model_audio(output.voiced.total_ms) for output in self.outputs),
        )

    def wire(self, conversation_id: str) -> dict[str, Any]:
        """The response as `response.created` and `response.done` carry it."""
        over = self.status != "in_progress"
        return {
            "object": "realtime.response",
            "id": self.id,
            "status": self.status,
            "status_details": self.status_details,
            "output": [output.item.wire() for output in self.outputs] if over else [],
            "conversation_id": conversation_id if self.in_conversation else None,
            **copy.deepcopy(self.settings),
            "usage": self.used,
        }


class Damage(Protocol):
    """What may go wrong with a response."""

    def ask(self) -> None:
        """Raises Refused for a request that is refused."""

    def made(self, response: Response) -> None:
        """The request has become a response."""

    def said(self, response: Response, spoken: tuple[Spoken, ...]) -> tuple[Spoken, ...]:
        """What is said in its place."""

    def ending(self, spoken: tuple[Spoken, ...]) -> tuple[int, Ending] | None:
        """After how many deltas it ends early, and how; None if it does not."""

    def audible(self, total_ms: int) -> int:
        """How much of an item's sound there is."""

    def stopped(self, response: Response) -> None:
        """It was cancelled and is done."""


class Responses:
    """Makes responses; at most one at a time writes to the conversation."""

    def __init__(
        self,
        core: Core,
        session: Session,
        conversation: Conversation,
        brain: Brain,
        *,
        duration_ms: Callable[[str], int],
        finished: Callable[[int], None],
    ) -> None:
        self._core = core
        self._session = session
        self._conversation = conversation
        self._brain = brain
        self._duration_ms = duration_ms
        self._finished = finished
        self._live: dict[str, Response] = {}
        self._count = 0
        self.damage: Damage | None = None
        self._last_read: tuple[str, Tokens] | None = None
        self.voiced: list[Voiced] = []

    @property
    def active(self) -> Response | None:
        """The response that writes to the conversation, from the request to its done."""
        return next((response for response in self._live.values() if response.in_conversation), None)

    def create(self, event: Mapping[str, Any]) -> None:
        """`response.create`, or with an empty event what turn detection does by itself."""
        _CREATE(event, "")
        asked: Mapping[str, Any] = event.get("response") or {}
        in_conversation = asked.get("conversation") != "none"
        if in_conversation and self.active:
            raise errors.already_active(self.active.id)
        if self.damage:
            self.damage.ask()
        items = self._input(asked.get("input"))
        response = self._prepared(asked, items, in_conversation=in_conversation)
        self._live[response.id] = response
        wait_ms = self._core.latency("created", *CREATED_MS)
        if self._core.strikes("created_after_cancel"):
            wait_ms += self._core.trouble.draw("created_after_cancel", 1_000, 8_000)
        if self.damage:
            self.damage.made(response)
        at_ms = self._core.now_ms + wait_ms
        response.timer = self._core.at(at_ms, partial(self._begin, response))

    def cancel(self, event: Mapping[str, Any]) -> None:
        """`response.cancel`: the response named, or the active one."""
        _CANCEL(event, "")
        named = event.get("response_id")
        response = self.active if named is None else self._live.get(named)
        if response is None:
            raise errors.nothing_to_cancel()
        self._stop(response, "client_cancelled")

    def interrupt(self) -> None:
        """The guest began to speak: the active response is cancelled."""
        if self.active:
            self._stop(self.active, "turn_detected")

    def _input(self, given: list[Any] | None) -> list[Item]:
        if given is None:
            return list(self._conversation)
        return [self._input_item(raw, f"response.input[{index}]") for index, raw in enumerate(given)]

    def _input_item(self, raw: Mapping[str, Any], at: str) -> Item:
        if raw["type"] != "item_reference":
            check_item(raw, at)
            return from_client(raw, raw.get("id") or "")
        record({"id": text}, ("id",), extra=True)(raw, at)
        item = self._conversation.find(raw["id"])
        if item is None:
            problem = f"Error referencing item: the item with id '{raw['id']}' does not exist."
            raise errors.Refused("invalid_value", problem, f"{at}.id")
        return item

    def _prepared(self, asked: Mapping[str, Any], items: list[Item], *, in_conversation: bool) -> Response:
        settings = self._settings(asked)
        instructions = asked.get("instructions") or self._session.setting("instructions")
        read = usage.of_input(instructions, items)
        before = self._last_read[1] if self._last_read and self._last_read[0] == instructions else None
        self._last_read = (instructions, read)
        lines: tuple[Line, ...] = tuple(item.line() for item in items if item.role)
        request = BrainRequest(instructions, lines, self._count)
        self._count += 1
        response_id = self._core.mint("resp")
        return Response(response_id, request, settings, in_conversation, read, usage.cached(read, before))

    def _settings(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        output = (asked.get("audio") or {}).get("output") or {}
        voice = output.get("voice") or self._session.output["voice"]
        self._session.check_voice(voice)
        return {
            "output_modalities": list(asked.get("output_modalities") or self._session.setting("output_modalities")),
            "max_output_tokens": asked.get("max_output_tokens") or self._session.setting("max_output_tokens"),
            "audio": {"output": {"format": output.get("format") or self._session.output["format"], "voice": voice}},
            "metadata": dict(asked["metadata"]) if asked.get("metadata") is not None else None,
        }

    def _announce(self, response: Response) -> None:
        response.created_ms = self._core.now_ms
        self._send_whole("response.created", response)

    def _begin(self, response: Response) -> None:
        self._announce(response)
        spoken = self._brain.reply(response.request)
        if self.damage:
            spoken = self.damage.said(response, spoken)
        first_ms = self._core.now_ms + self._core.latency("first_audio", *FIRST_AUDIO_MS)
        response.steps = self._script(response, spoken, first_ms)
        self._wait(response, next(response.steps))

    def _script(self, response: Response, spoken: tuple[Spoken, ...], first_ms: int) -> Iterator[_Step]:
        """Every step of the generation, broken off where it is to end early."""
        steps = self._undisturbed(response, spoken, first_ms)
        early = self.damage.ending(spoken) if self.damage and spoken else None
        if early is None:
            yield from steps
            return
        at_ms = first_ms
        for step in islice(steps, early[0]):
            at_ms = step.at_ms
            yield step
        yield _Step(at_ms + _DONE_MS, None, None, early[1])

    def _undisturbed(self, response: Response, spoken: tuple[Spoken, ...], first_ms: int) -> Iterator[_Step]:
        """An item opens, grows by pieces, the next one opens; last, the end."""
        at_ms = first_ms
        for index, item in enumerate(spoken):
            total_ms = self._duration_ms(item.text) if response.audio else 0
            output = self._output(response, item, total_ms)
            start_ms = at_ms + _NEXT_ITEM_MS if index else at_ms
            yield _Step(start_ms - _ANNOUNCED_MS, output, None)
            for piece in pieces(item.text, total_ms, audio=response.audio):
                at_ms = start_ms + piece.after_ms
                yield _Step(at_ms, output, piece)
        yield _Step(at_ms + _DONE_MS, None, None)

    def _output(self, response: Response, spoken: Spoken, total_ms: int) -> Output:
        body = {"type": "message", "status": "in_progress", "role": "assistant", "content": []}
        item = Item(self._core.mint("item"), body, "assistant", "")
        voiced = Voiced(response.id, item.id, "", (), 0, response.created_ms or 0, total_ms, len(spoken.text))
        index = len(response.outputs)
        output = Output(item, spoken, voiced, index=index, total_ms=total_ms, audio=response.audio)
        if self.damage:
            output.audible_ms = self.damage.audible(total_ms)
        return output

    def _wait(self, response: Response, step: _Step) -> None:
        response.timer = self._core.at(step.at_ms, partial(self._run, response, step))

    def _run(self, response: Response, step: _Step) -> None:
        """One step and all that are due with it."""
        while step.at_ms <= self._core.now_ms:
            if step.output is None:
                self._finish(response, *step.ending)
            elif step.piece is None:
                self._open(response, step.output)
            elif self._fits(response, step.piece):
                self._deliver(response, step.output, step.piece)
            else:
                self._finish(response, "incomplete", "max_output_tokens")
            if response.status != "in_progress":
                return
            step = next(response.steps)
        self._wait(response, step)

    def _open(self, response: Response, output: Output) -> None:
        response.outputs.append(output)
        self.voiced.append(output.voiced)
        item = output.item
        self._send_output(response, output, "output_item.added", item=item.wire())
        if response.in_conversation:
            self._conversation.place(item)
        self._send_part(response, output, "content_part.added", part=output.part())

    def _fits(self, response: Response, piece: Piece) -> bool:
        limit = response.settings["max_output_tokens"]
        if limit == "inf":
            return True
        more = usage.of_text(piece.word) if piece.word is not None else usage.of_model_audio(piece.audio_ms)
        return response.made().total + more <= int(limit)

    def _deliver(self, response: Response, output: Output, piece: Piece) -> None:
        if piece.word is None and piece.audio_ms > output.faint_ms:
            piece = replace(piece, audio_ms=output.faint_ms)
            if not piece.audio_ms:
                return
        output.grow(piece)
        if piece.word is None:
            self._session.audio_began = True
            self._send_part(response, output, "output_audio.delta", delta="", audio_ms=piece.audio_ms)
        else:
            kind = "output_audio_transcript.delta" if output.audio else "output_text.delta"
            self._send_part(response, output, kind, delta=piece.word)

    def _stop(self, response: Response, reason: str) -> None:
        if response.created_ms is None:
            self._announce(response)
        self._finish(response, "cancelled", reason)
        if self.damage:
            self.damage.stopped(response)

    def _finish(self, response: Response, status: str, reason: str | None = None) -> None:
        if response.timer:
            response.timer.cancel()
        del self._live[response.id]
        for output in response.outputs:
            self._close(response, output)
        response.status = status
        response.status_details = _details(status, reason)
        response.used = usage.of_response(response.read, response.known, response.made())
        self._send_whole("response.done", response)
        self._core.send(usage.rate_limits(response.used["total_tokens"]))
        if response.in_conversation:
            self._finished(sum(output.voiced.total_ms for output in response.outputs))

    def _close(self, response: Response, output: Output) -> None:
        output.close()
        said = output.voiced.text
        if output.audio:
            self._send_part(response, output, "output_audio.done")
            self._send_part(response, output, "output_audio_transcript.done", transcript=said)
        else:
            self._send_part(response, output, "output_text.done", text=said)
        self._send_part(response, output, "content_part.done", part=output.part())
        if response.in_conversation:
            # As recorded: the done of a spoken item names no predecessor, that of a written one does.
            previous = None if output.audio else self._conversation.previous(output.item)
            self._conversation.announce("done", output.item, previous)
        self._send_output(response, output, "output_item.done", item=output.item.wire())

    def _send_whole(self, kind: str, response: Response) -> None:
        self._core.send({"type": kind, "response": response.wire(self._conversation.id)})

    def _send_output(self, response: Response, output: Output, kind: str, **fields: Any) -> None:
        frame = {"type": f"response.{kind}", "response_id": response.id, "output_index": output.index}
        self._core.send({**frame, **fields})

    def _send_part(self, response: Response, output: Output, kind: str, **fields: Any) -> None:
        frame = {"type": f"response.{kind}", "response_id": response.id, "item_id": output.item.id}
        self._core.send({**frame, "output_index": output.index, "content_index": 0, **fields})


def _details(status: str, reason: str | None) -> dict[str, Any] | None:
    if reason is None:
        return None
    if status == "failed":
        return {"type": status, "error": {"type": reason, "code": reason}}
    return {"type": status, "reason": reason}
