"""Languages as their codes name them."""


def same_language(one: str, other: str) -> bool:
    """Whether two codes are of one language, wherever it is spoken."""
    return _base(one) == _base(other)


def is_english(code: str) -> bool:
    """Whether a code such as "en", "EN" or "en-GB" is of English."""
    return _base(code) in ("en", "eng", "english")


def _base(code: str) -> str:
    return code.strip().lower().replace("_", "-").partition("-")[0]
