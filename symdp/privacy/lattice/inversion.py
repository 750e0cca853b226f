r"""Delta of a sum of privacy losses from their moments, by a sum of few terms with a proved error.

**The integral.** For a loss $L$ with moments $M(s) = E\,e^{sL}$ and any $c > 0$ with $M(c) < \infty$,
$$\delta(\varepsilon) = E\,(1 - e^{\varepsilon - L})^+
  = \frac1{2\pi} \int_{-\infty}^{\infty} G(t)\,e^{-(c+it)\varepsilon}\,dt, \qquad
  G(t) = \frac{M(c+it)}{(c+it)(c+1+it)},$$
because $(1 - e^{-x})^+$ is the inverse Laplace transform of $1/(s(s+1))$, and all is absolutely integrable.

**The sum.** With a step $h$ and $R = 2\pi/h$, Poisson's formula for $u(y) = e^{cy}\delta(y)$, which is continuous, of
bounded variation and integrable, says
$$T = e^{-c\varepsilon}\,\frac h{2\pi} \sum_{n=-\infty}^{\infty} G(nh)\,e^{-inh\varepsilon}
  = \sum_{m=-\infty}^{\infty} e^{cmR}\,\delta(\varepsilon + mR).$$
No term on the right is negative, so that $T \ge \delta(\varepsilon)$, and the difference is at most

- for $m < 0$, where $\delta \le 1$: $\sum_{m \ge 1} e^{-cmR} = 1/(e^{cR} - 1)$;
- for $m > 0$, by Chernoff's bound $\delta(y) \le A(c')\,M(c')\,e^{-c'y}$ at any $c' > c$, where
  $A(c') = c'^{c'}/(1+c')^{1+c'}$ is the maximum of $(1 - e^{-x})\,e^{-c'x}$:
  $A(c')\,M(c')\,e^{-c'\varepsilon} / (e^{(c'-c)R} - 1)$.

**The terms that are left out.** If $|M(c+it)| \le B$ for all $|t| \ge (N+1)h$, those with $|n| > N$ add up to at most
$e^{-c\varepsilon} \frac h{2\pi} \cdot 2 B \sum_{n>N} (nh)^{-2} \le e^{-c\varepsilon} B/(\pi h N)$.

Any $c$, $c'$, $h$ and $N$ give true bounds; that they are chosen well (at the saddlepoint, by floating point) makes
the bounds close. The cost does not grow with the number of mechanisms, nor with $1/\delta$: some twenty terms.

**Left of zero.** Where moments grow so fast beyond the saddlepoint that R would be huge, a line with $-1 < c < 0$
needs none of them. There $-1/(s(s+1))$ is the transform of $\min(1, e^{-x})$, so that $-T$ is the same sum for
$v(\varepsilon) = E \min(1, e^{\varepsilon - L}) = 1 - \delta(\varepsilon)$. Since $v \le 1$ and
$v(y) \le e^y\,E\,e^{-L} \le e^y$, what is too much in it is at most
$1/(e^{-cR} - 1) + e^\varepsilon/(e^{(1+c)R} - 1)$. The error is small beside one, not beside delta: this is for a
delta that is not tiny.

>>> from flint import ctx
>>> from symdp.privacy.lattice.moments import Normal
>>> with ctx.workprec(100):
...     sum_of = Inversion([(Normal(lambda: arb(1) / 100), 100)], 4.5, 60)
...     lower, upper = sum_of.ends(arb(4))
...     print(lower.str(15, radius=False), upper.str(15, radius=False))
4.71224120079312e-5 4.71224120079312e-5
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import acb, acb_poly, arb

from symdp.privacy.lattice.moments import Moments, TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants

#: More terms than this are not worth their time: the moments fall too slowly.
MOST_TERMS = 2500
#: A rectangle that is turned so often in a row grows by half as many bits; then one begins anew.
BLOCK = 16
#: A delta is told from nothing left of zero as long as its logarithm is not below this one, about.
MOST_SMALL = 24.0
#: Between these orders a line left of zero is chosen: nearer to the poles the period grows.
LEFTMOST, RIGHTMOST = -0.75, -0.2
#: Orders c' that are tried for Chernoff's bound, in parts of the distance that is best for a normal law.
FARTHER = (0.25, 0.5, 1.0, 2.0, 4.0)


class Inversion:
    """Delta of a composition for all epsilon around ``near``, with errors of about 2^-bits of it.

    An instance belongs to the working precision at which it was made.
    """

    def __init__(self, parts: Sequence[tuple[Moments, int]], near: float, bits: int) -> None:
        self.parts = parts
        line = self._line(together([moments.cumulants(many) for moments, many in parts]), near, bits)
        self.c, self.farther = arb(line.tilt), line.farther
        self.h = arb(2 * math.pi / line.period)  # any number serves as a step, and as an order
        self._moment = self._product([moments.real(self.c) for moments, _ in parts])
        many, self._rest = self._terms(6 / line.curve, line.height - line.wanted + line.tilt * near)
        self._prepare()
        rows = [moments.along(self.c, self.h, many + 1) for moments, _ in parts]
        orders = [acb(self.c, self.h * n) for n in range(many + 1)]
        values = [self._product([row[n] for row in rows]) / (s * (s + 1)) for n, s in enumerate(orders)]
        values[0] /= 2  # the terms at n and -n are conjugate; the one at 0 is counted once
        self.terms = many + 1
        self._sum = _blocks(values)
        self._slopes = _blocks([value * s for value, s in zip(values, orders, strict=True)])

    def _line(self, hint: Cumulants, near: float, bits: int) -> Contour:
        return contour(hint, near, bits)

    def _prepare(self) -> None:
        """What is needed besides the terms, once it is known that they are not too many."""
        self._farther_moment = self._product([moments.real(self.farther) for moments, _ in self.parts])

    def ends(self, epsilon: Any) -> tuple[Any, Any]:
        """A lower and an upper bound of delta, each a ball."""
        fall = (-self.c * epsilon).exp()
        total = self._at(self._sum, epsilon, fall)
        rest = self._rest * fall
        c, d = self.c, self.farther
        period = 2 * arb.pi() / self.h
        below = 1 / (c * period).expm1()
        log_most = d * d.log() - (1 + d) * (1 + d).log()
        above = (log_most - d * epsilon).exp() * self._farther_moment / ((d - c) * period).expm1()
        return total - rest - below - above, total + rest

    def slope(self, epsilon: Any) -> Any:
        """About how fast delta falls with epsilon: a hint."""
        return self._at(self._slopes, epsilon, (-self.c * epsilon).exp()).mid()

    def _at(self, blocks: Sequence[Any], epsilon: Any, fall: Any) -> Any:
        turn = acb(0, -self.h * epsilon)
        once, total = turn.exp(), arb(0)
        for n, block in enumerate(blocks):
            total += (block(once) * (turn * (BLOCK * n)).exp()).real
        return total * fall * self.h / arb.pi()

    def _product(self, values: Sequence[Any]) -> Any:
        found = values[0] ** self.parts[0][1]
        for value, (_, many) in zip(values[1:], self.parts[1:], strict=True):
            found *= value**many
        return found

    def _terms(self, reach: float, log_small: float) -> tuple[int, Any]:
        """How many terms there are besides the first, and a bound of the others without the factor e^(-c epsilon)."""
        step = float(self.h.mid())
        while True:
            many = max(math.ceil(reach / step), 8)
            if many > MOST_TERMS:
                raise TooSlow(f"more than {MOST_TERMS} terms would be needed")
            falls = [moments.beyond(self.c, self.h * (many + 1)) for moments, _ in self.parts]
            # No moment is above the one on the real line.
            rest = self._product(falls).min(self._moment) / (arb.pi() * self.h * many)
            over = float((rest.log() - log_small).mid()) if rest > 0 else -math.inf
            if over <= 0:
                return many, rest.upper()
            # For a normal law the logarithm falls with the square.
            fallen = max(float((self._moment / rest).log().mid()), 1.0) if rest > 0 else 1.0
            reach = many * step * min(max(math.sqrt(1 + over / fallen), 1.1), 1.6)


class LeftOfZero(Inversion):
    """The same along a line between -1 and 0, with errors of about 2^-bits of a delta that is not tiny.

    >>> from flint import ctx
    >>> from symdp.privacy.lattice.moments import Normal
    >>> with ctx.workprec(100):  # of one Gaussian at the distance 1: 2 Phi(1/2) - 1
    ...     lower, upper = LeftOfZero([(Normal(lambda: arb(1)), 1)], 0.0, 60).ends(arb(0))
    ...     print(lower.str(15, radius=False), upper.str(15, radius=False))
    0.382924922548026 0.382924922548026
    """

    def _line(self, hint: Cumulants, near: float, bits: int) -> Contour:
        return left_of_zero(hint, near, bits)

    def _prepare(self) -> None:
        """No moment elsewhere is needed."""

    def ends(self, epsilon: Any) -> tuple[Any, Any]:
        fall = (-self.c * epsilon).exp()
        near_one = -self._at(self._sum, epsilon, fall)
        rest = self._rest * fall
        period = 2 * arb.pi() / self.h
        below = 1 / (-self.c * period).expm1()
        above = epsilon.exp() / ((1 + self.c) * period).expm1()
        return 1 - near_one - rest, 1 - near_one + rest + below + above


def _blocks(values: Sequence[Any]) -> list[Any]:
    return [acb_poly(list(values[n : n + BLOCK])) for n in range(0, len(values), BLOCK)]


def together(each: Sequence[Cumulants]) -> Cumulants:
    """Of independent losses: cumulants add up."""

    def cumulants(tilt: float) -> tuple[float, float, float]:
        value = first = second = 0.0
        for one in each:
            more = one(tilt)
            value, first, second = value + more[0], first + more[1], second + more[2]
        return value, first, second

    return cumulants


def saddle(hint: Cumulants, near: float) -> float:
    r"""The order c > 0 at which $K(c) - c\varepsilon - \log c - \log(1+c)$ is least, roughly.

    >>> round(saddle(lambda tilt: (tilt * tilt / 2, tilt, 1.0), 4.0), 1)
    4.4
    """

    def slope(tilt: float) -> float:
        return hint(tilt)[1] - near - 1 / tilt - 1 / (1 + tilt)

    low, high = -24.0, 32.0  # of the logarithm of the order
    while high - low > 0.02:
        middle = (low + high) / 2
        try:
            beyond = not slope(math.exp(middle)) <= 0
        except (OverflowError, ValueError):
            beyond = True  # no float holds a moment so far out
        low, high = (low, middle) if beyond else (middle, high)
    return math.exp((low + high) / 2)


@dataclass(frozen=True)
class Contour:
    """The vertical line along which a law is inverted, and what it takes. Floats: any line gives true bounds."""

    tilt: float
    #: the width of the integrand, about normal around the saddlepoint, and the logarithm of delta, roughly
    curve: float
    height: float
    #: how far below delta an error is to be, as a logarithm
    wanted: float
    #: an order beyond the tilt for Chernoff's bound, and the period for which what lies beyond it is small enough
    farther: Any
    period: float


def contour(hint: Cumulants, near: float, bits: int) -> Contour:
    """The line through the saddlepoint near an epsilon."""
    tilt = saddle(hint, near)
    value, _, second = hint(tilt)
    # G e^(-s epsilon) is about normal around the saddlepoint, its curvature is that of its logarithm.
    curve = math.sqrt(max(second, 0.0) + tilt**-2 + (1 + tilt) ** -2)
    height = value - tilt * near - math.log(tilt) - math.log1p(tilt) - math.log(curve) - 1
    wanted = bits * math.log(2) + 3
    farther, period = _chernoff(hint, tilt, near, wanted, height, curve)
    return Contour(tilt, curve, height, wanted, farther, max(period, (wanted - height) / tilt))


def left_of_zero(hint: Cumulants, near: float, bits: int) -> Contour:
    r"""A line between -1 and 0 near an epsilon: where $K(c) - c\varepsilon - \log(-c(1+c))$ is about least.

    >>> round(left_of_zero(lambda tilt: (tilt * (tilt + 1) / 2, tilt + 0.5, 1.0), 0.0, 60).tilt, 2)
    -0.51
    """

    def slope(tilt: float) -> float:
        return hint(tilt)[1] - near - 1 / tilt - 1 / (1 + tilt)

    low, high = LEFTMOST, RIGHTMOST
    for _ in range(8):
        middle = (low + high) / 2
        low, high = (low, middle) if slope(middle) > 0 else (middle, high)
    tilt = (low + high) / 2 - 1 / 128  # not where a closed form has a removable pole, at -1/2
    _value, _, second = hint(tilt)
    curve = math.sqrt(max(second, 0.0) + tilt**-2 + (1 + tilt) ** -2)
    right = saddle(hint, near)
    about = hint(right)[0] - right * near - math.log(right) - math.log1p(right)  # of the logarithm of delta
    wanted = bits * math.log(2) + 3 + min(max(-about, 0.0), MOST_SMALL)
    period = max(wanted / -tilt, (wanted + max(near, 0.0)) / (1 + tilt))
    return Contour(tilt, curve, 0.0, wanted, arb(0), period)


def _chernoff(hint: Cumulants, tilt: float, near: float, wanted: float, height: float,
              curve: float) -> tuple[Any, float]:
    """An order beyond the tilt, and how large a period Chernoff's bound at it asks for."""
    best = 2 * tilt, math.inf
    for part in FARTHER:
        other = tilt + part * math.sqrt(2 * wanted) / curve
        try:
            above = hint(other)[0] - other * near - height
        except (OverflowError, ValueError):
            continue
        period = (wanted + max(above, 0.0)) / (other - tilt)
        if period < best[1]:
            best = other, period
    if not math.isfinite(best[1]):
        raise TooSlow("no moment beyond the saddlepoint is finite")
    return arb(best[0]), best[1]
