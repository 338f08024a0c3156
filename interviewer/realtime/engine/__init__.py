"""A simulated OpenAI Realtime service (GA shape): the protocol alone, without sockets, clock, threads or audio."""

from interviewer.realtime.engine.brain import Asked, Brain, BrainRequest, Line, Spoken, Voiced
from interviewer.realtime.engine.engine import Engine

__all__ = ["Asked", "Brain", "BrainRequest", "Engine", "Line", "Spoken", "Voiced"]
