"""The exchange as every program holds it; needs nothing but the standard library.

PLAN is the JSON file that `evals.clients.exchange` writes; what happened is printed as one JSON object.
"""

import asyncio
import json
import resource
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

FRAME_MS = 40
FRAME_BYTES = FRAME_MS * 48
PATIENCE_S = 30


class Talk(ABC):
    """Speaks what the plan says, and notes what came. `items` and `audio` go by the ids that the client knows."""

    plays = False
    """Whether the client has a loudspeaker of its own, or leaves playing to who uses it."""

    def __init__(self, plan: dict[str, Any], folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.to_say = bytearray()
        self.items: dict[str, dict[str, str]] = {}
        self.audio: dict[str, bytearray] = {}
        self.ended = 0
        self.interrupted = 0
        self.errors: list[str] = []
        self.cpu_s = 0.0
        self.played_bytes = 0
        self._happened = asyncio.Condition()

    # -- what a client's program fills in --------------------------------------------------------------------------

    @abstractmethod
    async def listen(self) -> None:
        """Note what comes until the session ends; call `happened` after each."""

    @abstractmethod
    async def send_audio(self, pcm: bytes) -> None:
        """Send a frame of the microphone."""

    @abstractmethod
    async def send_text(self, text: str) -> None:
        """Type, and ask for an answer."""

    async def begin(self) -> None:
        """What this client needs done before anybody speaks."""
        return

    # -- the exchange ----------------------------------------------------------------------------------------------

    async def hold(self) -> str:
        """Two turns, a third reply that is broken in on, a typed message; gives what went wrong."""
        if "recording" in self.plan:
            return await self.minute()
        tasks = [asyncio.create_task(self.listen()), asyncio.create_task(self._microphone())]
        try:
            await self.begin()
            await self._speak()
        except TimeoutError:
            return "timed out"
        finally:
            for task in tasks:
                task.cancel()
        return ""

    async def minute(self) -> str:
        """What `plan["recording"]` holds, in real time, with nothing typed; gives what went wrong."""
        self.to_say += (self.folder / self.plan["recording"]).read_bytes()
        tasks = [asyncio.create_task(self.listen())]
        try:
            await self.begin()
            loop = asyncio.get_running_loop()
            before, due = _cpu_s(), loop.time()
            tasks.append(asyncio.create_task(self._in_time(due)))
            if not self.plays:
                tasks.append(asyncio.create_task(self._play(due)))
            await asyncio.sleep(self.plan["seconds"])
            self.cpu_s = _cpu_s() - before
        except TimeoutError:
            return "timed out"
        finally:
            for task in tasks:
                task.cancel()
        return ""

    async def _in_time(self, due: float) -> None:
        """Frames at their own times, without drift."""
        loop = asyncio.get_running_loop()
        while True:
            await self.send_audio(self.frame())
            due += FRAME_MS / 1_000
            await asyncio.sleep(max(0.0, due - loop.time()))

    async def _play(self, due: float) -> None:
        """A loudspeaker that nobody hears: frames at their own times."""
        loop = asyncio.get_running_loop()
        played = bytearray()
        while True:
            for item_id in [*self.audio]:
                played += self.audio.pop(item_id)
            del played[:FRAME_BYTES]
            self.played_bytes += FRAME_BYTES if played else 0
            due += FRAME_MS / 1_000
            await asyncio.sleep(max(0.0, due - loop.time()))

    async def _speak(self) -> None:
        for number in (0, 1):
            self.say(number)
            await self.until(partial(self._answered, number))
        spoken, ended = self.heard_bytes, self.ended
        self.say(2)
        await self.until(lambda: self.heard_bytes > spoken)
        self.say(3)  # breaks in while the reply is still being made
        await self.until(lambda: self.interrupted > 0 and self.ended >= ended + 2)
        ended = self.ended
        await self.send_text(self.plan["typed"])
        await self.until(lambda: self.ended > ended and not self.missing)

    def _answered(self, turns: int) -> bool:
        return self.ended > turns

    async def _microphone(self) -> None:
        """Frames all the time, silence when nothing is to be said."""
        while True:
            await self.send_audio(self.frame())
            await asyncio.sleep(FRAME_MS / 1_000 / self.plan["speed"])

    def frame(self, length: int = FRAME_BYTES) -> bytes:
        """The next frame of the microphone."""
        frame = bytes(self.to_say[:length])
        del self.to_say[:length]
        return frame + bytes(length - len(frame))

    def say(self, number: int) -> None:
        """Put an utterance before the microphone."""
        self.to_say += (self.folder / self.plan["said"][number]["pcm"]).read_bytes()

    def note(self, item_id: str, role: str, text: str) -> None:
        """Keep the text of an item as it is now."""
        self.items[item_id] = {"id": item_id, "role": role, "text": text.strip()}

    def hear(self, item_id: str, pcm: bytes) -> None:
        """Keep sound of an item."""
        self.audio.setdefault(item_id, bytearray()).extend(pcm)

    @property
    def heard_bytes(self) -> int:
        """How much sound came in all."""
        return sum(len(pcm) for pcm in self.audio.values())

    @property
    def missing(self) -> bool:
        """Whether a transcript of ours is still to come."""
        ours = [item for item in self.items.values() if item["role"] == "user" and item["text"]]
        return len(ours) < len(self.plan["said"]) + 1

    async def happened(self) -> None:
        """Something came."""
        async with self._happened:
            self._happened.notify_all()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something to be so. Raises TimeoutError."""
        async with self._happened, asyncio.timeout(PATIENCE_S):
            await self._happened.wait_for(true)

    def tell(self, problem: str) -> None:
        """Print what happened; the sound goes to files."""
        for item_id, pcm in self.audio.items():
            (self.folder / f"{item_id}.pcm").write_bytes(pcm)
        told = {
            "items": list(self.items.values()),
            "audio": {item_id: f"{item_id}.pcm" for item_id in self.audio},
            "interrupted": self.interrupted,
            "errors": self.errors,
            "problem": problem,
            "cpu_s": self.cpu_s,
            "heard_ms": max(self.heard_bytes, self.played_bytes) // 48,
        }
        print(json.dumps(told))


def _cpu_s() -> float:
    """CPU time of this process so far, all its threads together."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def run(main: Callable[[dict[str, Any], Path], Awaitable[None]]) -> None:
    """Run a program with the plan that it was given as its only argument."""
    path = Path(sys.argv[1])

    async def held() -> None:
        await main(json.loads(path.read_text(encoding="utf-8")), path.parent)

    asyncio.run(held())
