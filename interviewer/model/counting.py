"""How many of a thing, in words."""


def counted(number: int, thing: str) -> str:
    """How many of them there are, in the singular or with an s: `1 call`, `2 calls`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
