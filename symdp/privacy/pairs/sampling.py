r"""Draws that have exactly the law that is asked for: a uniform number, known bit by bit, until the
answer is certain.

No floating point: of a uniform number only as many bits are drawn as are needed to tell, in balls, what follows from
it. What comes out of :func:`by_quantile` is the noise rounded down to a multiple of a power of two,
exactly as likely as that; a query whose values are such multiples may have it added, and nothing else is revealed.

>>> import random
>>> coins = random.Random(1)  # in earnest leave it out: the machine's own source is taken
>>> [bernoulli(lambda: arb(1) / 3, coins) for _ in range(6)].count(True)
2
>>> by_quantile(lambda u: -(1 - u).log(), 10, coins)  # exponential noise, to 10 bits
Fraction(301, 1024)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

#: The machine's source of randomness.
SYSTEM = random.SystemRandom()
#: Bits that are drawn at a time.
AT_ONCE = 32
#: A draw that is not settled by so many bits has probability 0, or its law is no law.
MOST = 1 << 14


class _Uniform:
    """A uniform number between 0 and 1, of which some bits are known."""

    def __init__(self, coins: random.Random) -> None:
        self.coins, self.known, self.bits = coins, 0, 0

    def more(self) -> None:
        self.known = self.known << AT_ONCE | self.coins.getrandbits(AT_ONCE)
        self.bits += AT_ONCE
        if self.bits > MOST:
            raise ArithmeticError("a draw was not settled: is this a law?")

    def ends(self) -> tuple[Any, Any]:
        return arb(self.known) / arb(2) ** self.bits, arb(self.known + 1) / arb(2) ** self.bits


def bernoulli(probability: Callable[[], Any], coins: random.Random | None = None) -> bool:
    """True with that probability, which is given as a ball at the working precision."""
    return choice(lambda: [probability()], coins) == 0


def choice(masses: Callable[[], Sequence[Any]], coins: random.Random | None = None) -> int:
    """An index with those probabilities; what they lack to 1 belongs to the one after the last."""
    uniform = _Uniform(coins or SYSTEM)
    while True:
        uniform.more()
        with ctx.workprec(uniform.bits + 64):
            low, high = uniform.ends()
            total, settled = arb(0), True
            found = masses()
            for n, mass in enumerate(found):
                total += mass
                if high <= total:
                    if settled:
                        return n
                    break
                settled = settled and bool(low >= total)
            else:
                if settled:
                    return len(found)


def by_quantile(quantile: Callable[[Any], Any], bits: int, coins: random.Random | None = None) -> Fraction:
    """A draw of the law with that increasing quantile function, rounded down to a multiple of 2^-bits."""
    uniform = _Uniform(coins or SYSTEM)
    while True:
        uniform.more()
        with ctx.workprec(uniform.bits + 64 + max(bits, 0)):
            low, high = (quantile(end) * arb(2) ** bits for end in uniform.ends())
            if low.is_finite() and high.is_finite():
                first, last = (end.floor().unique_fmpz() for end in (low.lower(), high.upper()))
                if first is not None and first == last:
                    return Fraction(int(first), 1) / Fraction(2) ** bits


def two_sided_geometric(rate: Callable[[], Any], coins: random.Random | None = None) -> int:
    """An integer z with probability proportional to exp(-rate |z|)."""
    source = coins or SYSTEM
    while True:
        # The whole part of exponential noise is geometric.
        size = int(by_quantile(lambda u: -(1 - u).log() / rate(), 0, source))
        negative = bool(source.getrandbits(1))
        if size or not negative:  # zero has one sign only
            return -size if negative else size


def discrete_gaussian(variance: Callable[[], Any], coins: random.Random | None = None) -> int:
    """An integer z with probability proportional to exp(-z^2/(2 variance)), by rejection from
    two-sided geometric noise.

    Canonne, Kamath and Steinke: geometric noise of scale t is accepted with probability
    exp(-(|z| - variance/t)^2/(2 variance)).
    """
    with ctx.workprec(64):
        scale = int(variance().sqrt().upper().floor().unique_fmpz()) + 1  # any positive number gives the same law
    while True:
        z = two_sided_geometric(lambda: arb(1) / scale, coins)

        def accepted(size: int = abs(z)) -> Any:
            v = variance()
            return (-((size - v / scale) ** 2) / (2 * v)).exp()

        if bernoulli(accepted, coins):
            return z
