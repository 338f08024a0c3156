"""Student's t for the few degrees of freedom that a handful of calls has."""

import math
from functools import lru_cache


def t_probability(t: float, df: int) -> float:
    """P(|T| <= t) for t >= 0 and `df` >= 1 whole degrees of freedom: the finite sums of Abramowitz and Stegun, 26.7."""
    angle = math.atan(t / math.sqrt(df))
    sine, cosine = math.sin(angle), math.cos(angle)
    if df % 2:
        term, whole = cosine, cosine if df > 1 else 0.0
        for k in range(3, df - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            whole += term
        return 2 / math.pi * (angle + sine * whole)
    term = whole = 1.0
    for k in range(2, df - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        whole += term
    return sine * whole


@lru_cache(maxsize=256)
def t_quantile(level: float, df: int) -> float:
    """The t with P(|T| <= t) = `level`, for 0 < level < 1; by halving, to the last digits of a float."""
    low, high = 0.0, 1.0
    while t_probability(high, df) < level:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        if t_probability(middle, df) < level:
            low = middle
        else:
            high = middle
    return high
