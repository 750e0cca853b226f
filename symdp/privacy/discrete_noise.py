r"""Samplers for the noise of the sources, exact: integers and rationals alone, no floating point anywhere.

A Laplacian variable that is made in double precision has holes between its values, and these give the data away. Here
noise is discrete from the beginning: two-sided geometric, discrete Laplacian and Gaussian, staircase on a grid, and
randomised response with the four letters of (17). Every decision is a comparison of integers, so that the laws are
those of the formulas, whatever the parameters are; the answer to a query is rounded to the same grid first.

The building block is a coin that falls with probability $e^{-x}$ for a rational $x$ (Canonne, Kamath and Steinke,
*The discrete Gaussian for differential privacy*, 2020): for $x\le1$, toss coins of probabilities $x/1,x/2,x/3,\dots$
until one fails; the number of tosses is odd with probability $1-x+x^2/2-\dots=e^{-x}$.

>>> source = Random(7)  # for a release, leave it out: then the system's own source is taken
>>> [two_sided_geometric("1/2", source) for _ in range(8)]
[0, 0, 0, 2, -1, 1, 2, 0]
>>> noisy("3.14159", discrete_gaussian(4, source), grid="1/100")
Fraction(63, 20)
>>> discrete_gaussian(0.1, source)
Traceback (most recent call last):
    ...
TypeError: 0.1 is a float, which is not the number that was written; write Fraction('0.1') or '0.1'
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random
from secrets import SystemRandom
from typing import TypeAlias

Number: TypeAlias = int | str | Fraction

_SYSTEM = SystemRandom()


def _exactly(number: Number) -> Fraction:
    if isinstance(number, float):
        raise TypeError(f"{number} is a float, which is not the number that was written; "
                        f"write Fraction('{number}') or '{number}'")
    return Fraction(number)


def _positive(number: Number, what: str) -> Fraction:
    found = _exactly(number)
    if found <= 0:
        raise ValueError(f"{what} is {found}; it has to be positive")
    return found


def coin(probability: Number, source: Random = _SYSTEM) -> bool:
    """Whether a coin of that rational probability falls.

    >>> coin(1), coin(0)
    (True, False)
    """
    p = _exactly(probability)
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is no probability")
    return source.randrange(p.denominator) < p.numerator


def exponential_coin(x: Number, source: Random = _SYSTEM) -> bool:
    """Whether a coin of probability exp(-x) falls, for a rational x that is not negative.

    >>> exponential_coin(0)
    True
    """
    rest = _exactly(x)
    if rest < 0:
        raise ValueError(f"exp(-x) is no probability for x = {rest}")
    while rest > 1:  # exp(-x) is exp(-1) times exp(-(x - 1))
        if not exponential_coin(1, source):
            return False
        rest -= 1
    tosses = 1
    while coin(rest / tosses, source):
        tosses += 1
    return tosses % 2 == 1


def geometric(x: Number, source: Random = _SYSTEM) -> int:
    """How often a coin of probability exp(-x) falls before it fails: k with probability (1 - e^-x) e^(-kx)."""
    x = _positive(x, "the rate")
    # With x = p/q, first an integer n with probability proportional to e^(-n/q): what is below q, uniform and tilted,
    # and a multiple of q. Of these, those from kp to kp + p - 1 have a weight proportional to e^(-kx) together.
    p, q = x.numerator, x.denominator
    while True:
        low = source.randrange(q)
        if exponential_coin(Fraction(low, q), source):
            break
    high = 0
    while exponential_coin(1, source):
        high += 1
    return (low + q * high) // p


def two_sided_geometric(epsilon: Number, source: Random = _SYSTEM) -> int:
    """The noise of Section 4.2: k with probability (e^eps - 1)/(e^eps + 1) times e^(-eps |k|)."""
    epsilon = _positive(epsilon, "epsilon")
    while True:
        size = geometric(epsilon, source)
        negative = coin(Fraction(1, 2), source)
        if size or not negative:  # 0 has one sign only
            return -size if negative else size


def discrete_laplace(scale: Number, source: Random = _SYSTEM) -> int:
    """The same by its scale, which is 1/epsilon in units of the grid."""
    return two_sided_geometric(1 / _positive(scale, "the scale"), source)


def discrete_gaussian(variance: Number, source: Random = _SYSTEM) -> int:
    """An integer k with probability proportional to exp(-k^2/(2 variance))."""
    variance = _positive(variance, "the variance")
    scale = isqrt(variance.numerator // variance.denominator) + 1
    while True:
        found = discrete_laplace(scale, source)
        if exponential_coin((abs(found) - variance / scale) ** 2 / (2 * variance), source):
            return found


def staircase(epsilon: Number, sensitivity: int, wide: int, source: Random = _SYSTEM) -> int:
    """Staircase noise for an integer sensitivity: steps of that length, each falling by e^-eps after ``wide`` places.

    The probability of i >= 0 is proportional to exp(-eps*k) with k the whole part of i/sensitivity, and once more
    exp(-eps) for the places of a step from ``wide`` on; it is symmetric. This is the discrete staircase of Geng and
    Viswanath.
    """
    epsilon = _positive(epsilon, "epsilon")
    if not 1 <= wide <= sensitivity:
        raise ValueError(f"a step of {sensitivity} places cannot be high for {wide} of them")
    while True:
        place = source.randrange(sensitivity)
        if place >= wide and not exponential_coin(epsilon, source):
            continue
        size = geometric(epsilon, source) * sensitivity + place
        negative = coin(Fraction(1, 2), source)
        if size or not negative:
            return -size if negative else size


def randomised_response(bit: int, epsilon: Number, delta: Number = 0, source: Random = _SYSTEM) -> int:
    """A letter of (17) for the bit 0, or of (18) for the bit 1: 0 or 3 gives it away, 1 and 2 lean to one of them."""
    epsilon, delta = _exactly(epsilon), _exactly(delta)
    if bit not in (0, 1) or epsilon < 0:
        raise ValueError(f"a bit is 0 or 1 and epsilon is not negative, which {bit} and {epsilon} are not")
    if coin(delta, source):
        return 3 * bit
    while True:  # truth and lie have the weights 1 and e^-eps
        if coin(Fraction(1, 2), source):
            return 1 + bit
        if exponential_coin(epsilon, source):
            return 2 - bit


def noisy(value: Number, noise: int, grid: Number = 1) -> Fraction:
    """The value, rounded to the grid, plus so many steps of the grid: what may be released.

    The sensitivity of a rounded value is that of the value, rounded up to the grid, and one step more; the noise has
    to be for that.

    >>> noisy("0.7", 2)
    Fraction(3, 1)
    """
    step = _positive(grid, "the grid")
    return (round(_exactly(value) / step) + noise) * step
