"""Text of guests, files and models as HTML that shows it and never runs it."""

import unicodedata
from html import escape


def safe(text: object) -> str:
    """`text` as HTML that shows it: escaped, without control characters and marks that turn writing around."""
    return escape(
        "".join(
            c if c in "\n\t" or unicodedata.category(c)[0] != "C" else "\N{REPLACEMENT CHARACTER}" for c in str(text)
        )
    )


def essay_html(markdown: str) -> str:
    """An essay: its headings, quotations, slanted lines and paragraphs; all other markup is shown as written."""
    blocks = (block.strip() for block in markdown.replace("\r\n", "\n").split("\n\n"))
    return "".join(map(_block, filter(None, blocks)))


def _block(block: str) -> str:
    marks, _, words = block.partition(" ")
    if marks and set(marks) == {"#"} and len(marks) <= 6 and "\n" not in words:
        return f"<h{len(marks)}>{safe(words)}</h{len(marks)}>"
    lines = block.split("\n")
    if all(line.startswith(">") for line in lines):
        return f"<blockquote>{safe(' '.join(line[1:].strip() for line in lines))}</blockquote>"
    words = " ".join(lines)
    if len(words) > 2 and words[0] == words[-1] == "*" and words.count("*") == 2:
        return f"<p><i>{safe(words[1:-1])}</i></p>"
    return f"<p>{safe(words)}</p>"
