"""How well noise, echo and invented words are told from what a guest says, on recorded sound."""
