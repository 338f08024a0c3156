"""Who interviews: as it was said, as the file says, by name, or by who asks."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from interviewer.errors import TranscriptError
from interviewer.importing.turns import Turn
from interviewer.matching.text import questions
from interviewer.model.recorded import Guess
from interviewer.model.turn import Speaker
from interviewer.settings import ImportSettings

# Whole words only: Ghost43 is no host.
_ASKS = re.compile(
    r"(?<![^\W\d_])(?:interviewer|(?:co-?)?host|moderator|question(?:er)?|q|ai|assistant)(?![^\W\d_])|^i$",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"(?<![^\W\d_])(?:interviewee|guest|participant|respondent|answer|user|expert)(?![^\W\d_])|^a$", re.IGNORECASE
)
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Unicode's marks of direction (UAX #9)."""
# Of a long turn its beginning and its end tell enough.
_MOST_CHARS = 2_000
_FEW_WORDS = 50
# Question marks and full stops of other scripts; marks of direction, which files put behind them, are left out.
_MARKS = str.maketrans({"？": "? ", "؟": "?", "。": ". "} | dict.fromkeys(DIRECTIONS, ""))
_LONGEST_SHOWN = 60


def interviewers(
    turns: Sequence[Turn], guests: Sequence[str], speakers: Mapping[str, Speaker], settings: ImportSettings
) -> tuple[frozenset[str], Guess]:
    """The names of those who interview, and how that was told. The set is empty if only one person speaks.

    `guests`: names that the file's header calls so. `speakers`: roles given by hand, by name; whoever is not in it has
    the other role if one only was given. Raises TranscriptError if a name is nobody's or nobody is left to answer.
    """
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    if speakers:
        return _by_hand(names, speakers), Guess("hand", 1.0, "it was said")
    if len(names) < 2:
        return frozenset(), Guess("nothing", 0.0, "only one person speaks")
    by_role = frozenset(turn.speaker for turn in turns if _is_asking(turn.role))
    by_name = frozenset(filter(_is_asking, names))
    hosts = frozenset(name for name in names if not any(_same(name, guest) for guest in guests))
    for found, guess in (
        (by_role, Guess("role", 1.0, "the file says so")),
        (by_name, Guess("name", settings.sure_by_name, "the name says so")),
        (hosts, Guess("name", settings.sure_by_name, "the file's header names the guests")),
    ):
        if 0 < len(found) < len(names):
            return found, guess
    return _by_asking(turns, names, settings)


def _by_hand(names: Sequence[str], speakers: Mapping[str, Speaker]) -> frozenset[str]:
    known = {name.casefold(): name for name in names}
    roles: dict[str, Speaker] = {}
    for given, role in speakers.items():
        if given.strip().casefold() not in known:
            raise TranscriptError(f"nobody is called {_short(given)!r}; there are: {', '.join(map(_short, names[:8]))}")
        roles[known[given.strip().casefold()]] = role
    rest: Speaker = "guest" if "interviewer" in roles.values() else "interviewer"
    found = frozenset(name for name in names if roles.get(name, rest) == "interviewer")
    if len(found) == len(names):
        raise TranscriptError("nobody answers in it; say who asks")
    return found


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}..."


def _is_asking(name: str) -> bool:
    return bool(_ASKS.search(name)) and not _ANSWERS.search(name)


def _same(name: str, other: str) -> bool:
    """Whether one is the other's beginning: transcripts call Christian Decker Christian."""
    shorter, longer = sorted((name.casefold().split(), other.casefold().split()), key=len)
    return bool(shorter) and longer[: len(shorter)] == shorter


def _by_asking(turns: Sequence[Turn], names: Sequence[str], settings: ImportSettings) -> tuple[frozenset[str], Guess]:
    """Whoever asks most by words spoken; of several others who ask nearly as often, all but the one who talks most."""
    asked: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    for turn in turns:
        text = _ends(turn.text)
        asked[turn.speaker] += len(questions(text.translate(_MARKS)))
        spoken[turn.speaker] += len(text.split())
    rate = {name: asked[name] / (spoken[name] + _FEW_WORDS) for name in names}
    first = max(names, key=lambda name: rate[name])
    others = [name for name in names if name != first]
    main_guest = max(others, key=lambda name: spoken[name])
    found = {first} | {
        name for name in others if name != main_guest and rate[name] >= settings.also_asks * rate[first] > 0
    }
    rest = [name for name in names if name not in found]
    # Whoever said next to nothing tells nothing.
    heard = [name for name in rest if spoken[name] >= _FEW_WORDS] or rest
    sure = min(_more_often(asked[a], spoken[a], asked[b], spoken[b]) for a in found for b in heard)
    certainty = round(0.5 + (sure - 0.5) * (2 * settings.sure_by_asking - 1), 2)
    told = ", ".join(f"{_short(name)} {asked[name]} in {spoken[name]}" for name in [*sorted(found), *rest][:4])
    return frozenset(found), Guess("asking", max(0.5, certainty), f"questions by words: {told}")


def _ends(text: str) -> str:
    half = _MOST_CHARS // 2
    return text if len(text) <= _MOST_CHARS else f"{text[:half]} {text[-half:]}"


def _more_often(asked: int, spoken: int, other_asked: int, other_spoken: int) -> float:
    """Probability that the first one asks at a higher rate than the other.

    Counts taken for Poisson's, Jeffreys' prior, the ratio of the rates log-normal (Armitage, Berry and Matthews,
    Statistical Methods in Medical Research, on the comparison of two counts).
    """
    a, b = asked + 0.5, other_asked + 0.5
    z = (math.log(a / (spoken + 1)) - math.log(b / (other_spoken + 1))) / math.sqrt(1 / a + 1 / b)
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))
