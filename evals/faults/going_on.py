"""That a call goes on: what is late is ignored, what is cancelled stays silent, and nobody waits without an end."""

from collections.abc import Iterator

from evals.faults.evidence import Log
from interviewer.settings import Settings
from interviewer.simulate.player import REPORT_EVERY_MS as _BETWEEN_REPORTS_MS

_STIRS = ("input_audio_buffer.speech_started", "input_audio_buffer.committed")  # noise counts until its words are known

_NO_ANSWER = ("resume", "closing")  # a guest who was silent before is so still


def strayed(log: Log, settings: Settings) -> Iterator[str]:
    """Frames of old connections that had an effect, voices after their end, silences nobody broke."""
    yield from _old_frames(log)
    yield from _after_its_end(log)
    yield from _silences(log, settings)


def _old_frames(log: Log) -> Iterator[str]:
    """Each is written down as ignored, and nothing is logged or sent on account of it before the next input."""
    for line in log.stale:
        told = []
        for kind, _, data in log.lines[line.at + 1 :]:
            if kind == "in":
                break
            told.append((kind, data))
        if not any(k == "rec" and d["data"].get("what") == "frame of an old connection" for k, d in told):
            yield f"line {line.at}: a frame of an old connection is not recorded as such"


def _after_its_end(log: Log) -> Iterator[str]:
    ends = {line.data["response_id"]: line.at for line in log.of("out", "response.cancel")}
    ends |= {line.data["response_id"]: line.at for line in log.recorded("reply")}
    for response_id, at in ends.items():
        reports = log.playback(response_id)
        before_ms = max((r.data["played_ms"] for r in reports if r.at < at), default=0)
        # The report of the stop itself tells how far it had come.
        if any(r.data["played_ms"] > before_ms + _BETWEEN_REPORTS_MS for r in reports if r.at > at):
            yield f"{response_id} is played on after it was cancelled or given up"


def _silences(log: Log, settings: Settings) -> Iterator[str]:
    """Nobody speaks, the connection stands, and no reply is asked for.

    Not for longer than until the next nudge is due, and the last reply before it may have taken all its time to fail;
    after the second nudge, until the call closes itself.
    """
    call, wait = settings.call, settings.wait
    failing_ms = wait.created_ms + wait.first_audio_ms
    longest_ms = (call.nudge_after_ms + failing_ms, call.offer_pause_after_ms + failing_ms, call.silence_ends_ms)
    speaking, live, nudges = False, False, 0
    playing: set[str] = set()
    since_ms: int | None = None
    for what, t_ms, data in log.lines:
        if since_ms is not None and t_ms - since_ms > longest_ms[min(nudges, 2)]:
            yield f"silence from {since_ms} to {t_ms} ms"
            return
        stirred = False
        if what == "in" and data["type"] == "mic":
            speaking = data["on"]
        elif what == "in" and data["type"] == "playback":
            (playing.discard if data["ended"] else playing.add)(data["response_id"])
        elif what == "in" and data["type"] == "frame":
            stirred = data["frame"].get("type") in _STIRS
        elif what == "rec" and data["kind"] == "status":
            live = data["data"]["status"] == "live"
        elif what == "out" and data["type"] == "response.create":
            stirred, kind = True, data["response"]["metadata"]["kind"]
            nudges = nudges + 1 if kind == "nudge" else nudges if kind in _NO_ANSWER else 0
        if speaking or playing or not live:
            since_ms = None
        elif stirred or since_ms is None:
            since_ms = t_ms
