"""A simulated OpenAI Realtime service (GA shape): the protocol alone, without sockets, clock, threads or audio."""

from interviewer.realtime.engine.ailing import Ended
from interviewer.realtime.engine.brain import Asked, Brain, BrainRequest, Line, Spoken, Voiced
from interviewer.realtime.engine.engine import Engine
from interviewer.realtime.engine.faults import Faults
from interviewer.realtime.engine.trouble import Fired, Trouble
from interviewer.realtime.engine.turns import Taken

__all__ = [
    "Asked",
    "Brain",
    "BrainRequest",
    "Ended",
    "Engine",
    "Faults",
    "Fired",
    "Line",
    "Spoken",
    "Taken",
    "Trouble",
    "Voiced",
]
