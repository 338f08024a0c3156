"""Microphone and loudspeaker of the page that shows a notebook.

    audio = BrowserAudio()
    audio                                            # in a cell: press "Start sound"
    LiveCall(..., microphone=audio.microphone, speaker=audio.speaker)

It works with remote kernels, and the browser cancels the echo of the voice. Nothing here waits for the page: what
comes from it is handled in whichever thread the kernel handles widgets, also while a cell runs.
"""

import threading
from collections.abc import Sequence
from typing import Final

import anywidget
from traitlets import Bool, Dict, Int, Unicode

from interviewer.audio.pcm import ms_to_bytes, silence
from interviewer.audio.ports import OnFrame, OnPlayed, OnProblem
from interviewer.errors import AudioError
from interviewer.widgets import parts
from interviewer.widgets.comms import Downlink, obey_the_page
from interviewer.widgets.outbox import Outbox
from interviewer.widgets.page import GONE_S, MISSED_S, SILENT_S, Page
from interviewer.widgets.problems import PROBLEMS
from interviewer.widgets.watch import Watch

FRAME_MS: Final = 40

_PARTS: Final = "worklets place uplink devices sound view".split()
_FRAME_BYTES = ms_to_bytes(FRAME_MS)
_HUSH_MS: Final = 2_000  # more than the usual 1.2 s of silence after which a turn is over
_LONGEST_NAME = 200  # characters of a device's name that are kept
_HOPELESS = {"permission_denied", "no_device", "insecure", "vscode", "colab", "frame", "unsupported"}


class BrowserAudio(anywidget.AnyWidget):
    """The sound of one page: `microphone` and `speaker` are a call's ends, the widget is what a person sees.

    The guest starts the sound with a click, as browsers demand; frames flow from then on, while a call wants them.
    All traits are for reading and observing; they change in the kernel's widget thread or a thread of this object.
    """

    _esm = parts.module("shared/dom", *(f"audio/{part}" for part in _PARTS))
    _css = parts.style("audio/audio")
    _down = Unicode().tag(sync=True)
    _sentences = Dict().tag(sync=True)
    _processing = Dict().tag(sync=True)

    is_open = Bool(help="whether a page has its sound on")
    muted = Bool(help="whether the guest has muted the microphone: silence comes in its place")
    device = Unicode(help="the microphone's name, as the browser gives it: untrusted text")
    problem = Unicode(help="what is wrong, in a sentence; empty if nothing is")
    problem_code = Unicode(help="the same for programs; see `problems.PROBLEMS`")
    frames = Int(help="microphone frames received since the sound was started")
    dropped_frames = Int(help="microphone frames that the page gave up because the kernel or the line was too slow")

    def __init__(
        self, *, echo_cancellation: bool = True, noise_suppression: bool = True, automatic_gain: bool = True
    ) -> None:
        """What the browser does to the microphone's sound; headphones need no echo cancellation."""
        self._downlink = Downlink()
        self._page = Page(self._downlink.send)
        self._lock = threading.RLock()
        self._codes = {"page": "", "kernel": ""}
        self._on_problem: OnProblem = lambda _: None
        self.microphone = _Microphone(self)
        self.speaker = _Speaker(self)
        self._watch = Watch(self._glance)
        super().__init__(
            _down=self._downlink.model_id,
            _sentences=PROBLEMS,
            _processing={
                "echoCancellation": echo_cancellation,
                "noiseSuppression": noise_suppression,
                "autoGainControl": automatic_gain,
            },
        )
        self.on_msg(self._arrived)
        obey_the_page(self.comm)

    def __repr__(self) -> str:
        return "The sound of this page; it works while the kernel runs."

    def mute(self, on: bool = True) -> None:
        """Mute or unmute the microphone, as the button does; `muted` follows once the page has done it."""
        self._page.tell("mute", on=on)

    def close(self) -> None:
        """Turn the sound off and take the widget away."""
        self._page.tell("over")
        self._downlink.close()
        super().close()

    # -- from the page -----------------------------------------------------------------------------------------

    def _arrived(self, _: object, content: object, buffers: Sequence[memoryview]) -> None:
        match content:
            case {"page": str(page), "events": list(events), **rest}:
                self._page.seen = True
                for event in events:
                    self._happened(page, event)
                if self._heard_from(page):
                    self._counted(rest.get("dropped"))
                    self.microphone._take(b"".join(buffers))
                elif not events:
                    self._page.tell("taken" if self._page.owner else "again", page)

    def _heard_from(self, page: str) -> bool:
        with self._lock:
            ours = self._page.heard_from(page)
        if ours:
            self._trouble("kernel", "")
        return ours

    def _counted(self, dropped: object) -> None:
        if isinstance(dropped, int):
            self.dropped_frames = max(self.dropped_frames, dropped)

    def _happened(self, page: str, event: object) -> None:
        match event:
            case {"kind": "claim", "force": bool(force)}:
                self._claimed(page, force)
            case {"kind": "problem", "code": str(code)} if self._page.owner in ("", page):
                self._trouble("page", code)
            case {"kind": "bye"} if page == self._page.owner:
                self._left()
            case {"kind": "state", "muted": bool(muted), "device": str(device)} if page == self._page.owner:
                self.muted, self.device = muted, device[:_LONGEST_NAME]
            case {"kind": "played", "response": str(response_id), "samples": int(samples), "ended": bool(ended)}:
                if page == self._page.owner:
                    self.speaker._reported(response_id, samples, ended)

    def _claimed(self, page: str, force: bool) -> None:
        if not self._page.may_have(page, force=force):
            self._page.tell("refused", page)
            return
        if self._page.owner != page:
            self.speaker._page_went()
        with self._lock:
            self._page.give(page)
        self._page.tell("yours", listen=self.microphone.started)
        self.frames = self.dropped_frames = 0
        self._trouble("page", "")
        self._trouble("kernel", "")
        self.is_open = True
        self.speaker._page_came()

    def _left(self) -> None:
        with self._lock:
            self._page.leave()
        self.is_open = False
        self.speaker._page_went()
        # Whoever was speaking has stopped: without it the turn would stay open.
        self.microphone._take(silence(_HUSH_MS))
        self._trouble("page", "")
        self._trouble("kernel", "page_gone" if self._in_use else "")

    # -- for the two ends --------------------------------------------------------------------------------------

    @property
    def _in_use(self) -> bool:
        return self.microphone.started or self.speaker.started

    def _begun(self) -> None:
        """One of the ends was started. Raises AudioError if the page has said that it has no sound to give."""
        if self.problem_code in _HOPELESS and not self.is_open:
            raise AudioError(self.problem)
        if not (self.is_open or self._in_use):
            self._page.want()
        self._watch.start()

    def _ended(self) -> None:
        if not self._in_use:
            self._watch.stop()
            self._page.want(False)
            self._page.tell("over")

    def _glance(self) -> None:
        """See whether the page is still there."""
        with self._lock:
            silent_s, missed_s = self._page.silent_s, self._page.missed_s
        if silent_s >= GONE_S:
            self._left()
        elif silent_s >= SILENT_S:
            self._trouble("kernel", "page_silent")
        elif missed_s >= MISSED_S:
            self._trouble("kernel", "not_started" if self._page.seen else "not_shown")

    def _trouble(self, side: str, code: str) -> None:
        with self._lock:
            if code and code not in PROBLEMS:
                return
            self._codes[side] = code
            code = self._codes["kernel"] or self._codes["page"]
            if code == self.problem_code:
                return
            self.problem_code, self.problem = code, PROBLEMS.get(code, "")
        self._on_problem(self.problem)


class _Microphone:
    """The page's `MicrophoneSource`: frames come once the guest has started the sound."""

    def __init__(self, audio: BrowserAudio) -> None:
        self._audio = audio
        # Held while a frame is handed over, so that none follows the stop.
        self._lock = threading.Lock()
        self._on_frame: OnFrame | None = None

    @property
    def started(self) -> bool:
        """Whether somebody wants the frames."""
        return self._on_frame is not None

    def start(self, on_frame: OnFrame) -> None:
        """See `MicrophoneSource.start`; does not wait for the guest's click."""
        self._audio._begun()
        with self._lock:
            self._on_frame = on_frame
        self._audio._page.tell("listen", on=True)

    def stop(self) -> None:
        """See `MicrophoneSource.stop`."""
        with self._lock:
            if self._on_frame is None:
                return
            self._on_frame = None
        self._audio._page.tell("listen", on=False)
        self._audio._ended()

    def report_to(self, on_problem: OnProblem) -> None:
        """See `Reporter.report_to`; of the whole page, its loudspeaker too."""
        self._audio._on_problem = on_problem

    def _take(self, pcm: bytes) -> None:
        for at in range(0, len(pcm) - _FRAME_BYTES + 1, _FRAME_BYTES):
            with self._lock:
                if self._on_frame is None:
                    return
                self._audio.frames += 1
                self._on_frame(pcm[at : at + _FRAME_BYTES])


class _Speaker:
    """The page's `SpeakerSink`."""

    def __init__(self, audio: BrowserAudio) -> None:
        self._audio = audio
        self._outbox: Outbox | None = None

    @property
    def started(self) -> bool:
        """Whether it is open."""
        return self._outbox is not None

    @property
    def dropped_ms(self) -> int:
        """Milliseconds of the voice that were given up because no page came to play them."""
        return self._outbox.dropped_ms if self._outbox else 0

    def start(self, on_played: OnPlayed) -> None:
        """See `SpeakerSink.start`; does not wait for the guest's click."""
        self._audio._begun()
        self._outbox = Outbox(self._tell, on_played)
        if self._audio.is_open:
            self._outbox.page_came()

    def play(self, response_id: str, pcm: bytes) -> None:
        """See `SpeakerSink.play`."""
        if self._outbox:
            self._outbox.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """See `SpeakerSink.end`."""
        if self._outbox:
            self._outbox.end(response_id)

    def stop(self, response_id: str) -> None:
        """See `SpeakerSink.stop`; the report comes when the page has fallen silent."""
        if self._outbox:
            self._outbox.stop(response_id)

    def close(self) -> None:
        """See `SpeakerSink.close`."""
        if self._outbox:
            self._outbox = None
            self._audio._ended()

    def _tell(self, kind: str, response_id: str, pcm: bytes | None) -> None:
        self._audio._page.tell(kind, pcm=pcm, response=response_id)

    def _reported(self, response_id: str, samples: int, ended: bool) -> None:
        if self._outbox:
            self._outbox.reported(response_id, samples, ended)

    def _page_came(self) -> None:
        if self._outbox:
            self._outbox.page_came()

    def _page_went(self) -> None:
        if self._outbox:
            self._outbox.page_went()
