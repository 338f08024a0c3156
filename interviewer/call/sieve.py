"""What the service takes for the guest's speech and is not: the voice's own words, words made of silence, noise."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import Match, SequenceMatcher
from typing import Any

from interviewer.call.conversation import GuestItem
from interviewer.call.hub import Hub
from interviewer.call.replies import Replies, Reply
from interviewer.call.requests import only_backchannel
from interviewer.call.sound_clock import SoundClock, Stretch
from interviewer.matching.text import words

CUT = "echo before the guest's words"
"""What the record says of words of the voice's own that were cut off."""

ECHO = "echo of the voice"
"""What the record says of words that are the voice's own."""

UNSURE = "words from silence"
"""What the record says of words that no sound can have held, or that the transcriber is not sure of."""

_CLEAR_WORDS = 4
_UNLIKELY = 1e6  # no logarithm of a probability is beyond it
_SAME = 0.8
_RUN = 3
_ALIKE = 0.5
_BACK = 6  # words: speech is noticed up to two seconds after it began, where nobody says when it did
_SLACK = 1  # word, and a tenth of all: how far a place in the text can be off that is reckoned by played sound
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class _Origin:
    """Where an item comes from: its place in the session's sound, and what was played as it began.

    `active`: the reply under way as we were told; `last`: the newest until then; `behind`: the one that was played as
    it began, and `played_ms`, how much of that had been.
    """

    active: Reply | None = None
    last: Reply | None = None
    stretch: Stretch = field(default_factory=Stretch)
    behind: Reply | None = None
    played_ms: int = 0


class Sieve:
    """Judges guest items by their length, their words and how sure the transcriber was."""

    def __init__(self, hub: Hub, replies: Replies) -> None:
        self._hub = hub
        self._replies = replies
        self._sound = SoundClock(hub)
        self._origins: dict[str, _Origin] = {}
        self._by_service: set[tuple[int, str]] = set()

    def microphone(self, on: bool) -> None:
        """The guest may be heard from now on, or may not."""
        self._sound.microphone(on)

    def started(self, item_id: str, frame: Mapping[str, Any]) -> None:
        """An item began: what is being played, or was then if the event comes late, may be in it."""
        if item_id in self._origins:
            return
        origin = self._origins[item_id] = _Origin(self._replies.active, self._replies.last)
        self._sound.started(origin.stretch, frame)
        self._place(origin, self._hub.now)

    def _place(self, origin: _Origin, told_ms: int) -> None:
        """What was played as the item began, by what is known now of when that was; no later than we were told."""
        began, start_ms = told_ms, origin.stretch.start_ms
        if start_ms is not None:
            began = min(began, self._sound.at(start_ms) + self._hub.settings.voice.prefix_ms)
        behind = self._replies.playing(began) or origin.active
        origin.behind = behind if behind is not None and behind.first_audio_ms is not None else None
        origin.played_ms = origin.behind.played_at(began) if origin.behind is not None else 0

    def renamed(self, item_id: str, name: str) -> None:
        """The service gave an item's id to another; that one is called `name` from now on."""
        if item_id in self._origins:
            self._origins[name] = self._origins.pop(item_id)

    def idle(self, item_id: str) -> None:
        """The service itself opened this item, because nobody spoke."""
        self._by_service.add((self._hub.epoch, item_id))

    def is_idle(self, item_id: str) -> bool:
        """Whether nobody spoke in this item."""
        return (self._hub.epoch, item_id) in self._by_service

    def told_late(self, item_id: str) -> tuple[int, int] | None:
        """When an item was spoken, in ms since the call was begun, if the service told of it late."""
        return self._sound.told_late(self._origin(item_id).stretch)

    def stopped(self, item: GuestItem, frame: Mapping[str, Any]) -> None:
        """An item ended: its sound is as long as the service's events say, less what they add to it."""
        stretch, voice = self._origin(item.id).stretch, self._hub.settings.voice
        self._sound.stopped(stretch, frame)
        if stretch.start_ms is not None and not stretch.late:
            self._place(self._origin(item.id), stretch.start_told_ms)  # sound may have been lost before it
        # What begins with the session has no silence before it that could have been added.
        if stretch.end_ms is not None and stretch.start_ms and voice.vad == "server_vad":
            item.length_ms = max(0, stretch.end_ms - stretch.start_ms - voice.prefix_ms - voice.silence_ms)

    def _origin(self, item_id: str) -> _Origin:
        return self._origins.setdefault(item_id, _Origin())

    def brief(self, item: GuestItem) -> bool:
        """Whether it is too short to be taken for speech before its words are known."""
        shortest = self._hub.settings.call.shortest_speech_ms
        return item.length_ms is not None and item.length_ms < shortest

    def why_not(self, item: GuestItem, text: str, frame: Mapping[str, Any]) -> str:
        """Why these words are not the guest's; empty if they are."""
        if self._echo(item, text):
            return ECHO
        if self._invented(item, text) or self._unsure(item, frame.get("logprobs")):
            return UNSURE
        return ""

    def own_words(self, item: GuestItem, text: str) -> str:
        """`text` from where the guest's own words begin: what was being played as the item began may stand before them.

        A guest may take up what the voice said; an echo is of what it says from then on, word for word.
        """
        origin = self._origin(item.id)
        behind = origin.behind
        if behind is None or not behind.total_ms:
            return text
        count = _echoed(words(text), words(behind.text), _since(origin, behind))
        return _without(text, count) or text

    def _invented(self, item: GuestItem, text: str) -> bool:
        """A moment of sound that cannot hold so many words, however fast they were said."""
        pace = self._hub.settings.match.fastest_ms_per_char
        if item.unheard is False:
            return False
        return self.brief(item) and len(_SPACE.sub(" ", text)) * pace > (item.length_ms or 0)

    def _unsure(self, item: GuestItem, logprobs: Any) -> bool:
        """Words the transcriber is not sure of: on average, or each of them if our microphone heard somebody."""
        if not isinstance(logprobs, list) or not logprobs:
            return False
        given = [p.get("logprob") for p in logprobs if isinstance(p, Mapping)]
        sure = [float(p) for p in given if isinstance(p, int | float) and -_UNLIKELY < p < _UNLIKELY]
        if not sure:
            return False
        best = max(sure) if item.unheard is False else sum(sure) / len(sure)
        return best < self._hub.settings.call.least_logprob

    def _short_echo(self, item: GuestItem, text: str, spoken: Sequence[str]) -> bool:
        """A few words are an echo if our microphone heard nobody, or too little for them.

        If it tells nothing, they are one if they are no listening noise.
        """
        if item.unheard:
            return True
        pace = self._hub.settings.match.fastest_ms_per_char
        too_long = item.spoken_ms is not None and len(text) * pace > item.spoken_ms
        doubtful = too_long if item.unheard is False else item.backchannel and not only_backchannel(text)
        return doubtful and f" {' '.join(words(text))} " in f" {' '.join(spoken)} "

    def _echo(self, item: GuestItem, text: str) -> bool:
        """A reply's words, said while it was played; all of them, and not few, if our microphone heard somebody."""
        origin = self._origin(item.id)
        behind = origin.behind
        if behind is None and item.unheard:  # nobody spoke here, whenever the service tells of it
            behind = origin.last
        if behind is None:
            return False
        said, spoken = words(text), words(behind.text)
        if not item.unheard:  # somebody may have taken up words of before
            spoken = spoken[_since(origin, behind) :]
        if not said or (len(said) < _CLEAR_WORDS and not self._short_echo(item, text, spoken)):
            return False
        if item.unheard is False:
            return len(said) < _CLEAR_WORDS or _echoed(said, spoken, 0) == len(said)
        blocks = SequenceMatcher(None, said, spoken, autojunk=False).get_matching_blocks()
        if sum(block.size for block in blocks) < _SAME * len(said):
            return False
        return item.unheard is True or not _goes_on(said, spoken, blocks)


def _since(origin: _Origin, behind: Reply) -> int:
    """The first word of a reply that can be heard in an item, by what had been played as it began."""
    share = min(1.0, origin.played_ms / behind.total_ms) if behind.total_ms else 0.0
    played = len(words(behind.text[: int(share * len(behind.text))]))
    slack = _SLACK + len(words(behind.text)) // 10 if origin.stretch.start_ms is not None else _BACK
    return max(0, played - slack)


def _goes_on(said: Sequence[str], spoken: Sequence[str], blocks: Sequence[Match]) -> bool:
    """Whether other words follow where the voice's own end: the guest went on where it was heard.

    Words that sound like those the voice said next are the voice's, cut off or misheard.
    """
    ends = [(block.a + block.size, block.b + block.size) for block in blocks if block.size >= _RUN]
    if not ends:
        return False
    rest = " ".join(said[ends[-1][0] :])
    voice = " ".join(spoken[ends[-1][1] :])
    return not voice.startswith(rest) and SequenceMatcher(None, rest, voice[: len(rest)]).ratio() < _ALIKE


def _echoed(said: Sequence[str], spoken: Sequence[str], since: int) -> int:
    """How many words `said` begins with that stand together in `spoken`, from its word `since` on; 0 if they are few.

    The first may be cut off, and now and then one misheard. Another first word is somebody else's.
    """
    end = other = 0
    for block in SequenceMatcher(None, said, spoken, autojunk=False).get_matching_blocks():
        first = end == 0 and block.size >= _CLEAR_WORDS and block.b >= since and _begins(said, spoken, block)
        goes_on = end > 0 and block.size > 1 and block.a == end + 1 and block.b == other + 1
        if not (first or goes_on):
            break
        end, other = block.a + block.size, block.b + block.size
    return end


def _begins(said: Sequence[str], spoken: Sequence[str], block: Match) -> bool:
    """Whether `said` begins with a run that stands in `spoken`, but for a first word that was cut off or misheard."""
    if block.a != 1 or block.b == 0:
        return block.a <= 1
    return SequenceMatcher(None, said[0], spoken[block.b - 1]).ratio() >= _ALIKE


def _without(text: str, count: int) -> str:
    """`text` from behind its first `count` words on."""
    pieces = text.split() if count else []
    while pieces and (size := len(words(pieces[0]))) <= count:
        count -= size
        pieces.pop(0)
    return " ".join(pieces)
