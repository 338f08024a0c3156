"""What a person at the screen may do to a call."""

from collections.abc import Callable

from interviewer.call.actions import Microphone, Send
from interviewer.call.attempts import Attempts
from interviewer.call.clock import Clock
from interviewer.call.closing import Closing
from interviewer.call.conversation import Conversation
from interviewer.call.cycle import Cycles
from interviewer.call.floor import Floor
from interviewer.call.hub import Hub
from interviewer.call.inputs import Command
from interviewer.call.listening import Listening
from interviewer.model.corrections import pair


class Commands:
    """Carries out clicks, and knows whether the microphone is muted. After the goodbye only a name can be put right."""

    def __init__(
        self,
        hub: Hub,
        clock: Clock,
        attempts: Attempts,
        closing: Closing,
        floor: Floor,
        cycles: Cycles,
        listening: Listening,
        conversation: Conversation,
    ) -> None:
        self._hub, self._clock, self._attempts, self._closing = hub, clock, attempts, closing
        self._floor, self._cycles, self._listening = floor, cycles, listening
        self._conversation = conversation
        self._muted = False

    def run(self, command: Command) -> None:
        """Carry out a command; what makes no sense, or comes too late, is recorded and ignored."""
        if self._closing.over and command.name != "correct":
            self._hub.record("ignored", what="command after the goodbye", name=command.name)
        else:
            _COMMANDS[command.name](self, command.value)

    def _wrap_up(self, _: str) -> None:
        self._clock.wrap_up()

    def _extend(self, value: str) -> None:
        try:
            self._clock.extend(int(value))
        except ValueError:
            self._hub.record("ignored", what="extend without milliseconds", value=value[:40])
            return
        self._closing.extended()

    def _skip(self, _: str) -> None:
        if self._attempts.next and self._attempts.replaceable:
            self._attempts.release(self._attempts.next, "declined", detail="skipped at the screen")
            self._attempts.send()

    def _ask(self, text: str) -> None:
        if self._says_something("ask", text):
            self._cycles.ask(text.strip())

    def _says_something(self, name: str, text: str) -> bool:
        if not text.strip():
            self._hub.record("ignored", what=f"{name} without words")
        return bool(text.strip())

    def _correct(self, value: str) -> None:
        """From here on all see the right name: agents, the voice, the notes, the essay and whoever looks on."""
        found = pair(value)
        if found is None:
            self._hub.record("ignored", what="correct without WRONG -> RIGHT", value=value[:80])
            return
        before = self._hub.names
        self._hub.names = before.adding(*found)
        self._hub.record("correction", wrong=found[0], right=found[1])
        self._conversation.mend(before)
        self._cycles.mend()
        if self._attempts.replaceable and not self._closing.over:
            self._attempts.send()

    def _end(self, _: str) -> None:
        self._closing.close("ended at the screen")

    def _pause(self, _: str) -> None:
        self._clock.pause()
        self.microphone()

    def _resume(self, _: str) -> None:
        self._clock.resume()
        self._floor.resumed()
        self.microphone()

    def _mute(self, _: str) -> None:
        self._muted = True
        self.microphone()

    def _unmute(self, _: str) -> None:
        self._muted = False
        self.microphone()

    def start_over(self) -> None:
        """A pause or a shut microphone does not outlive the program in which it was asked for."""
        self._muted = False
        if self._clock.paused:
            self._resume("")

    def microphone(self) -> None:
        """Let the guest through, unless muted or paused."""
        on = not (self._muted or self._clock.paused)
        self._listening.microphone(on)
        self._hub.act(Microphone(on=on))

    def _type(self, text: str) -> None:
        if not self._says_something("type", text):
            return
        item_id = f"typed_{self._hub.count('typed')}"
        content = [{"type": "input_text", "text": text}]
        item = {"id": item_id, "type": "message", "role": "user", "content": content}
        if self._hub.online:
            self._hub.act(Send({"type": "conversation.item.create", "item": item}))
        self._listening.typed(item_id, text)


_COMMANDS: dict[str, Callable[[Commands, str], None]] = {
    "wrap_up": Commands._wrap_up,
    "extend": Commands._extend,
    "skip": Commands._skip,
    "ask": Commands._ask,
    "correct": Commands._correct,
    "end": Commands._end,
    "pause": Commands._pause,
    "resume": Commands._resume,
    "mute": Commands._mute,
    "unmute": Commands._unmute,
    "type": Commands._type,
}
