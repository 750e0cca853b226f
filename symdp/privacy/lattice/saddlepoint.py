r"""Where to look: a guess of epsilon for a delta, by the saddlepoint of the privacy loss.

With the cumulants $K(\lambda) = \log E\,e^{\lambda L}$ of the loss, the tail around
$\varepsilon = K'(\lambda)$ gives
$\delta(\varepsilon) \approx e^{K - \lambda\varepsilon} / (\lambda(1+\lambda)\sqrt{2\pi K''})$.
Floating point, no evidence: the search that starts here is certified by balls.

>>> round(guess_epsilon(responses([(0.1, 100)]), math.log(1e-6))[0], 1)
4.8
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

#: K, K' and K'' at a tilt.
Cumulants = Callable[[float], tuple[float, float, float]]

#: Halvings of the range of tilts: a guess need not be nearer, the search from there is quick.
TURNS = 14
#: Numbers below this would not survive a division.
TINY = 1e-300
#: Above this log delta the saddlepoint comes near the pole at 0, and the loss is about normal.
LARGE = math.log(0.02)


def responses(groups: Sequence[tuple[float, int]]) -> Cumulants:
    """Of randomised responses: pairs of an epsilon and how many have it."""

    def cumulants(tilt: float) -> tuple[float, float, float]:
        value = first = second = 0.0
        for epsilon, many in groups:
            fall = math.exp(-epsilon * (1 + 2 * tilt))
            slope = (1 - fall) / (1 + fall)
            value += many * (tilt * epsilon + math.log1p(fall) - math.log1p(math.exp(-epsilon)))
            first += many * epsilon * slope
            second += many * epsilon * epsilon * (1 - slope * slope)
        return value, first, second

    return cumulants


def outcomes(losses: Sequence[float], masses: Sequence[float], many: int) -> Cumulants:
    """Of many mechanisms with the same few losses."""

    def cumulants(tilt: float) -> tuple[float, float, float]:
        top = max(losses) if tilt >= 0 else min(losses)  # the weights are at most one
        weights = [mass * math.exp(tilt * (loss - top)) for loss, mass in zip(losses, masses, strict=True)]
        norm = max(sum(weights), TINY)
        first = sum(w * loss for w, loss in zip(weights, losses, strict=True)) / norm
        second = sum(w * (loss - first) ** 2 for w, loss in zip(weights, losses, strict=True)) / norm
        return many * (tilt * top + math.log(norm)), many * first, many * second

    return cumulants


def guess_epsilon(cumulants: Cumulants, log_delta: float) -> tuple[float, float]:
    """An epsilon, and the tilt that makes it the mean of the loss."""
    _, mean, variance = cumulants(0.0)
    if log_delta > LARGE and variance > TINY:
        return _normal_epsilon(mean, math.sqrt(variance), math.exp(min(log_delta, 0.0))), 0.0
    scale = 1 / math.sqrt(max(variance, TINY))
    low, high = math.log(scale * 1e-2), math.log(scale * 1e3 + 1)
    for _ in range(TURNS):
        middle = (low + high) / 2
        tilt = math.exp(middle)
        value, first, second = cumulants(tilt)
        height = value - tilt * first - math.log(tilt) - math.log1p(tilt)
        height -= math.log(2 * math.pi * max(second, TINY)) / 2
        if height > log_delta:
            low = middle
        else:
            high = middle
    tilt = math.exp((low + high) / 2)
    return max(cumulants(tilt)[1], mean), tilt


def _normal_epsilon(mean: float, deviation: float, delta: float) -> float:
    """The epsilon >= 0 of a normally distributed loss, by bisection."""

    def height(epsilon: float) -> float:
        below = (mean - epsilon) / deviation
        power = min(epsilon - mean + deviation**2 / 2, 700.0)
        return _normal(below) - math.exp(power) * _normal(below - deviation)

    low, high = 0.0, max(mean, 0.0) + 10 * deviation
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) > delta else (low, middle)
    return high


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def tilt_for(cumulants: Cumulants, epsilon: float) -> float:
    """The tilt, at least -1/2, that makes epsilon the mean of the loss; large where none does."""
    low, high = -0.5, 1.0
    while cumulants(high)[1] < epsilon and high < 1e6:
        high *= 4
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if cumulants(middle)[1] < epsilon else (low, middle)
    return high
