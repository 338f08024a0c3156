"""Text that can be written anywhere."""


def whole(text: str) -> str:
    """`text` with U+FFFD for each half of a surrogate pair that stands alone; two halves in a row become one."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
