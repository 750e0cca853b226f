r"""Tails of the binomial distribution, as tight balls, for any number of trials.

The lower tail is the last term times a *Mills ratio*,
$P[X \le j] = P[X = j]\, T_j$ for $X \sim \mathrm{Bin}(k, x)$, and $T_j$ comes from the cheapest of
three routes: the sum with a geometric bound on the rest, a continued fraction whose length does
not grow with $k$, or Arb's regularised incomplete beta function.

>>> from fractions import Fraction
>>> with ctx.workprec(80):
...     print(Binomial(10, log_ratio=arb(3).log()).lower(2).str(15, radius=False))
0.525592803955078
>>> sum(math.comb(10, l) * 3 ** (10 - l) for l in range(3)) / 4**10
0.5255928039550781
"""

from __future__ import annotations

import math
from typing import Any

from flint import arb, ctx

#: The incomplete beta function costs as much as this many steps of a sum or a fraction, at 64 bits;
#: from there its cost was seen to grow a little faster than with the square of the bits.
STEPS_OF_BETA = 10_000
#: So few terms are summed without further thought.
FEW = 12


class Binomial:
    r"""$k$ trials that succeed with probability $q = 1/(1 + e^\varepsilon)$, at the working precision.

    ``log_ratio`` is $\varepsilon > 0$. The mirrored distribution, with success probability
    $p = 1 - q$, comes along: its mass at $j$ is $e^{-(k-2j)\varepsilon}$ times that of this one.
    """

    def __init__(self, k: int, log_ratio: Any) -> None:
        self.k = k
        self.bits = ctx.prec
        # log C(k, j) is of the size k: so many bits cancel against the powers of p and q.
        self.guarded = self.bits + k.bit_length() + 24
        with ctx.workprec(self.guarded):
            small = (-log_ratio).exp()
            self.log_p = -small.log1p()
            self.log_q = self.log_p - log_ratio
            self.p = 1 / (1 + small)
            self.q = small / (1 + small)
            self.log_ratio = log_ratio
            self.log_factorial = arb(k + 1).lgamma()

    def log_mass(self, j: int) -> Any:
        """log P[X = j]."""
        k = self.k
        with ctx.workprec(self.guarded):
            choose = self.log_factorial - arb(j + 1).lgamma() - arb(k - j + 1).lgamma()
            return choose + (k - j) * self.log_p + j * self.log_q

    def lower(self, j: int) -> Any:
        """P[X <= j]."""
        return self.lower_pair(j)[0]

    def lower_pair(self, j: int) -> tuple[Any, Any]:
        """P[X <= j], and the same for the mirrored distribution; for j below its mean, k p."""
        k = self.k
        if j < 0:
            return arb(0), arb(0)
        if j >= k:
            return arb(1), arb(1)
        mass = self.log_mass(j)
        with ctx.workprec(self.guarded):
            mirrored = (mass - (k - 2 * j) * self.log_ratio).exp()
            mirrored *= mills_ratio(k, j, self.p, self.q, self.bits)
            if j < FEW or j < self.q * k:
                return mass.exp() * mills_ratio(k, j, self.q, self.p, self.bits), mirrored
            # Above the mean, the other tail is the short one: X > j is k - X <= k - j - 1.
            step = self.log_q - self.log_p + (arb(k - j) / (j + 1)).log()
            upper = (mass + step).exp()
            return 1 - upper * mills_ratio(k, k - j - 1, self.p, self.q, self.bits), mirrored


def mills_ratio(k: int, j: int, x: Any, y: Any, bits: int) -> Any:
    """P[X <= j] / P[X = j] for k trials that succeed with probability x = 1 - y."""
    ahead = float((x * k - j).mid())  # how far j is below the mean; steers the route, no more
    spread = math.sqrt(max(float((x * y).mid()) * k, 1e-300))
    wanted = bits * math.log(2)
    summands = min(j + 1.0, _summands(k, j, float((y / x).mid()), wanted))
    beta = STEPS_OF_BETA * (bits / 64) ** 2.3
    if ahead > 0 and j >= FEW:
        fraction = 8 + 1.3 * (wanted * spread / ahead) ** 2 / 8
        # Beyond a small part of the way to the mean, the fraction hardly converges any further.
        if fraction < min(summands, beta, ahead / 6):
            ratio = _by_fraction(k, j, x, int(fraction), bits)
            if ratio is not None:
                return ratio
    if summands <= beta:
        return _by_sum(k, j, y / x, bits)
    return _by_beta(k, j, x, y)


def _summands(k: int, j: int, odds: float, wanted: float) -> float:
    """About how many terms the sum needs: they fall like exp(-slope t - curve t^2 / 2)."""
    if j == 0 or odds <= 0:
        return 1.0
    slope = -math.log(odds) - math.log(j / (k - j + 1))
    curve = 1 / j + 1 / (k - j + 1)
    return max(4.0, (math.sqrt(slope * slope + 2 * curve * wanted) - slope) / curve + 4)


def _by_sum(k: int, j: int, odds: Any, bits: int) -> Any:
    """1 + r_1 + r_1 r_2 + ..., where r_t = (j-t+1) y / ((k-j+t) x) falls with t.

    Once a factor r < 1 is reached, the rest is at most the last term times r / (1 - r).
    """
    total, term = arb(1), arb(1)
    enough = arb(2) ** (-bits - 8)
    fewer, more = j, k - j + 1
    for t in range(1, j + 1):
        term = term * odds * fewer / more
        total += term
        fewer, more = fewer - 1, more + 1
        if t % 8 == 0 and term < enough * total:
            factor = odds * fewer / more
            if factor < 1:
                rest = term * factor / (1 - factor)
                return total + arb(0).union(rest)
    return total


def _by_fraction(k: int, j: int, x: Any, steps: int, bits: int) -> Any:
    r"""The continued fraction of the iterated tails.

    Let $S_{-1}(j) = P[X = j]$ and $S_m(j) = \sum_{l \le j} S_{m-1}(l)$, so that the answer is
    $u_0$ for $u_m = S_m(j) / S_{m-1}(j)$. The generating function $(y + xz)^k (1-z)^{-m-1}$ of
    $S_m$ satisfies a differential equation whose coefficients read
    $x(k-m-j)\,S_{m-1} = (x(k-m) - j - m - 1)\,S_m + (m+1)\,S_{m+1}$, hence
    $u_m = x(k-m-j) / (x(k-m) - j - m - 1 + (m+1) u_{m+1})$.

    All $S_m$ are sums of what is not negative, so $u_m \ge 1$; putting $u_{m+1} \ge 1$ into the
    fraction gives $u_m \le x(k-m-j) / (x(k-m) - j)$ while the denominator is positive. The two
    bounds enclose $u_n$, and the fraction carries the enclosure down to $u_0$. None if the steps
    reach the mean before the enclosure is tight.
    """
    for _ in range(3):
        if not x * (k - steps) - j > 0:
            return None
        over = x * (k - steps - j)
        below = x * (k - steps) - j - steps - 1
        ratio = arb(1).union(over / (below + steps + 1))
        faster = x + 1
        for m in range(steps - 1, -1, -1):
            over += x
            below += faster
            ratio = over / (below + ratio * (m + 1))
        if ratio.rel_accuracy_bits() >= bits - 4:
            return ratio
        steps *= 2
    return None


def _by_beta(k: int, j: int, x: Any, y: Any) -> Any:
    """P[X <= j] is the regularised incomplete beta function at y with parameters k-j and j+1."""
    tail = y.beta_lower(k - j, j + 1, regularized=True)
    choose = arb(k + 1).lgamma() - arb(j + 1).lgamma() - arb(k - j + 1).lgamma()
    return tail / (choose + j * x.log() + (k - j) * y.log()).exp()
