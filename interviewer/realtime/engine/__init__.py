"""A simulated OpenAI Realtime service (GA shape): the protocol alone, without sockets, clock, threads or audio."""
