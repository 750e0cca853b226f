r"""Where to look: a guess of epsilon for a delta, by the saddlepoint of the privacy loss.

With the cumulants $K(\lambda) = \log E\,e^{\lambda L}$ of the loss, the tail around
$\varepsilon = K'(\lambda)$ gives
$\delta(\varepsilon) \approx e^{K - \lambda\varepsilon} / (\lambda(1+\lambda)\sqrt{2\pi K''})$.
Floating point, no evidence: the search that starts here is certified by balls.

>>> round(guess_epsilon([(0.1, 100)], math.log(1e-6))[0], 1)
4.8
"""

from __future__ import annotations

import math
from collections.abc import Sequence

#: (epsilon, how many mechanisms have it)
Groups = Sequence[tuple[float, int]]

TURNS = 26


def cumulants(groups: Groups, tilt: float) -> tuple[float, float, float]:
    """K, K' and K'' of a sum of losses of randomised responses."""
    value = first = second = 0.0
    for epsilon, many in groups:
        half = epsilon * (1 + 2 * tilt) / 2
        fall = math.exp(-2 * half)
        slope = (1 - fall) / (1 + fall)
        value += many * (tilt * epsilon + math.log1p(fall) - math.log1p(math.exp(-epsilon)))
        first += many * epsilon * slope
        second += many * epsilon * epsilon * (1 - slope * slope)
    return value, first, second


def guess_epsilon(groups: Groups, log_delta: float) -> tuple[float, float]:
    """An epsilon, and the tilt that makes it the mean of the loss."""
    _, mean, variance = cumulants(groups, 0.0)
    scale = 1 / math.sqrt(max(variance, 1e-300))
    low, high = math.log(scale * 1e-2), math.log(scale * 1e3 + 1)
    for _ in range(TURNS):
        middle = (low + high) / 2
        tilt = math.exp(middle)
        value, first, second = cumulants(groups, tilt)
        height = value - tilt * first - math.log(tilt) - math.log1p(tilt)
        height -= math.log(2 * math.pi * max(second, 1e-300)) / 2
        if height > log_delta:
            low = middle
        else:
            high = middle
    tilt = math.exp((low + high) / 2)
    return max(cumulants(groups, tilt)[1], mean), tilt


def tilt_for(groups: Groups, epsilon: float) -> float:
    """The tilt, at least 0, that makes epsilon the mean of the loss; large where none does."""
    if cumulants(groups, 0.0)[1] >= epsilon:
        return 0.0
    low, high = 0.0, 1.0
    while cumulants(groups, high)[1] < epsilon and high < 1e6:
        high *= 4
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if cumulants(groups, middle)[1] < epsilon else (low, middle)
    return high
