"""How large every agent's prompt is, minute by minute, over an hour of talk."""
