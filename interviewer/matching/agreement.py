"""How far two people agree beyond chance."""

import math
from collections import Counter
from collections.abc import Sequence


def kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Cohen's kappa (1960) of two lists of labels of the same things; NaN without any, or if chance explains all.

    Raises ValueError if the lists differ in length.
    """
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return math.nan
    alike = sum(a == b for a, b in pairs) / len(pairs)
    shares = Counter(first), Counter(second)
    chance = sum(shares[0][label] * shares[1][label] for label in shares[0]) / len(pairs) ** 2
    return math.nan if chance == 1 else (alike - chance) / (1 - chance)
