"""Files that hold a call's journal, or a piece of it, whatever they are called."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from interviewer.store.lines import HEAD, Line, call_seal, decode, fits, seal_of

_CHECK: Final = b',"c":"'
_CHECK_LENGTH: Final = len(b',"c":"00000000"}')
_BEGINS: Final = b'{"n":'
_MARK: Final = b"\xef\xbb\xbf"  # that some editors put before a text
_LARGEST: Final = 1_000_000_000  # bytes

Share = Literal["all", "some"]


def shares_of(root: Path, call_id: str) -> Iterator[tuple[Path, Share]]:
    """Every file under `root` with lines of this call's journal: all that it holds, or beside other things."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and (share := _share(path, call_id)):
            yield path, share


def _share(path: Path, call_id: str) -> Share | None:
    """Byte order marks, blank lines, other line ends, torn ends and a few damaged lines make no difference."""
    try:
        raw = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError:
        return None
    if _CHECK not in raw:
        return None
    lines = [line for each in raw.removeprefix(_MARK).split(b"\n") if (line := each.strip())]
    heads = [head.data for line in lines if line.startswith(HEAD) and isinstance(head := decode(line, 1), Line)]
    named = [head for head in heads if head.get("call_id") == call_id]
    seal = seal_of(named[0]) if named else call_seal(call_id)
    own = len(named) + sum(fits(line, seal) for line in lines if not line.startswith(HEAD))
    if not own:
        return None
    of_journals = all(line.startswith(_BEGINS) or line[-_CHECK_LENGTH:].startswith(_CHECK) for line in lines)
    # A line that does not fit is damaged, or another call's: where they are more, the file is not this call's.
    return "all" if of_journals and len(named) == len(heads) and own > len(lines) - own else "some"
