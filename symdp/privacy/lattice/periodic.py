r"""Delta of a sum of losses on one lattice, for any number of mechanisms, by a sum of few terms with a proved error.

**The sum.** The losses of the composition are $x_n = a + n\Delta$. For $\varepsilon \ge 0$ let
$x_m$ be the first of them at or above it, $r = x_m - \varepsilon$. With $M(s) = E\,e^{sL}$ and any
$c > 0$, geometric series give
$$\delta(\varepsilon) = \sum_{j \ge m} P(x_j)\,(1 - e^{\varepsilon - x_j})
  = \frac{\Delta}{2\pi} \int_{-\pi/\Delta}^{\pi/\Delta} M(s)\,e^{-s x_m} K(s)\,dt, \qquad
  K(s) = \frac1{1 - e^{-s\Delta}} - \frac{e^{-r}}{1 - e^{-(s+1)\Delta}}, \quad s = c + it,$$
and the integrand has the period of its interval. The sum of N terms at $t = 2\pi n/(N\Delta)$ in
place of the integral is exactly $\sum_m e^{cmR}\,\delta(\varepsilon + mR)$ with $R = N\Delta$: what
is too much in it is bounded as in :mod:`symdp.privacy.lattice.inversion`. A loss that is not told
from epsilon by its ball changes nothing but $P(x_m)\,(1 - e^{-r})$ for a tiny negative $r$, all of
them together no more than $(e^{|r|} - 1)\,M(c)\,e^{-c x_m}$.

**The terms that are left out.** Where $|M(s)| \le B\,M(c)$, each is at most
$B\,M(c)\,e^{-c x_m}\,2/(1 - e^{-c\Delta})$, and they are divided by N. With $\theta = t\Delta$ and
the law of the indices tilted by $e^{cx}$, of which $J, J'$ are two independent draws, three bounds
say where that is so:

- $|\varphi(\theta)|^2 = E\cos\theta(J - J') \le 1 - \mu_2\theta^2 + (2\mu_4 +
  6\mu_2^2)\,\theta^4/24$, which falls up to $\theta^2 = 12\mu_2/(2\mu_4 + 6\mu_2^2)$;
- around a point, $|\varphi|$ changes by no more than $\sqrt{\mu_2}$ times the distance: boxes;
- far out, by summation in parts, $|\varphi| \le A + V/(2\sin(\theta/2))$, with $A$ the mass of the
  few heavy points and $V$ the variation of the others; this falls up to $\pi$.

Terms that no bound excludes are computed. Any choice of c, N and boxes gives true ends.

>>> from symdp.privacy.lattice.saddlepoint import responses
>>> with ctx.workprec(160):  # a hundred responses of epsilon 1/10: losses 1/5 apart
...     p = 1 / (1 + (-arb(1) / 10).exp())
...     law = PlacedLaw(lambda: {1: p, 0: 1 - p})
...     sum_of = Periodic([(law, 100)], lambda: arb(1) / 5, lambda: arb(-10), responses([(0.1, 100)]), 4.7, 60)
...     lower, upper = sum_of.ends(arb("4.7745675881079861"))
...     print(lower.str(12, radius=False), upper.str(12, radius=False))
1.00000000000e-6 1.00000000000e-6
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flint import acb, acb_mat, arb, ctx

from symdp.privacy.lattice.inversion import contour
from symdp.privacy.lattice.moments import TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants

#: Laws of up to so many points are summed point by point, others as products of matrices.
FEW_POINTS = 96
#: A point with more of the tilted mass than this counts as heavy, in a law of many points.
HEAVY = 1 / 256
#: More terms, or boxes, than this are not worth their time; for laws of many points each costs more.
MOST_TERMS, MOST_BOXES, MOST_DEAR_TERMS, MOST_DEAR_BOXES = 30_000, 100_000, 1500, 250
#: So few terms are all computed.
ALL_TERMS = 64
#: So many terms are computed at once where a small box is not excluded.
STRIDE = 32
#: Boxes are looked at with so many bits.
BOX_BITS = 64
#: Above pi, so that the last box reaches it.
PAST_PI = 3.1416


class Weighed(ABC):
    r"""The law of an index, tilted by $e^{\rho j}$: its characteristic function, and what bounds that."""

    #: M at the order of the tilt
    total: Any
    #: the variance, and 2 mu_4 + 6 mu_2^2; None where the bound around zero is not wanted
    around: tuple[Any, Any] | None = None
    #: whether a value costs much
    dear: bool = False

    @abstractmethod
    def at(self, angles: Sequence[Any]) -> list[Any]:
        """The characteristic function at some angles."""

    @abstractmethod
    def beyond(self, angle: Any) -> Any:
        """At least its modulus at every angle from this one up to pi."""


class LatticeLaw(ABC):
    """The law of one loss on a lattice, by its index."""

    @abstractmethod
    def weighed(self, rate: Any) -> Weighed:
        """Tilted by that rate, at the working precision."""

    def total(self, rate: Any) -> Any:
        return self.weighed(rate).total


class PlacedLaw(LatticeLaw):
    """Finitely many points with their masses, which are computed at the working precision."""

    def __init__(self, masses: Callable[[], Mapping[int, Any]]) -> None:
        self._compute, self._bits = masses, 0
        self._made: list[tuple[int, Any]] = []

    def weighed(self, rate: Any) -> PlacedWeights:
        return PlacedWeights(self._tilted(rate))

    def total(self, rate: Any) -> Any:
        return sum((mass for _, mass in self._tilted(rate)), arb(0))

    def _tilted(self, rate: Any) -> list[tuple[int, Any]]:
        if self._bits != ctx.prec:
            self._bits, self._made = ctx.prec, sorted(self._compute().items())
        return [(j, mass * (rate * j).exp()) for j, mass in self._made]


class PlacedWeights(Weighed):
    """Points and their weights, not normed."""

    def __init__(self, points: Sequence[tuple[int, Any]]) -> None:
        self.total = sum((weight for _, weight in points), arb(0))
        self.points = [(j, weight / self.total) for j, weight in points]
        self.dear = len(points) > FEW_POINTS
        mean = sum((weight * j for j, weight in self.points), arb(0)).mid()  # about any point it is a bound
        second = sum((weight * (j - mean) ** 2 for j, weight in self.points), arb(0))
        fourth = sum((weight * (j - mean) ** 4 for j, weight in self.points), arb(0))
        offset = sum((weight * (j - mean) for j, weight in self.points), arb(0))
        self.around = (second - offset * offset, 2 * fourth + 6 * second * second + 8 * abs(offset) * (
            second * fourth).sqrt())
        if self.dear:
            self._heavy, self._variation = self._split()
            self._blocks()

    def at(self, angles: Sequence[Any]) -> list[Any]:
        if self.dear:
            return self._at_by_blocks(angles)
        return [sum((acb(0, angle * j).exp() * weight for j, weight in self.points), acb(0)) for angle in angles]

    def beyond(self, angle: Any) -> Any:
        if not self.dear:
            return arb(1)
        return self._heavy + self._variation / (2 * (angle / 2).sin())

    def _split(self) -> tuple[Any, Any]:
        heavy, variation, before, last = arb(0), arb(0), arb(0), None
        for j, weight in self.points:
            if last is not None and j > last + 1:  # a gap: down to nothing
                variation, before = variation + abs(before), arb(0)
            last = j
            light = weight
            if weight > HEAVY:
                heavy, light = heavy + weight, arb(0)
            variation, before = variation + abs(light - before), light
        return heavy, variation + abs(before)

    def _blocks(self) -> None:
        """The weights as a matrix, so that a value is two short products, whose balls do not grow by turning."""
        self._first = self.points[0][0]
        width = self.points[-1][0] - self._first + 1
        self._side = math.isqrt(width) + 1
        rows = [[arb(0)] * self._side for _ in range(-(-width // self._side))]
        for j, weight in self.points:
            row, column = divmod(j - self._first, self._side)
            rows[row][column] = weight
        self._matrix = acb_mat([[acb(one) for one in row] for row in rows])

    def _at_by_blocks(self, angles: Sequence[Any]) -> list[Any]:
        inner = acb_mat([[acb(0, angle * b).exp() for angle in angles] for b in range(self._side)])
        sums = self._matrix * inner
        found = []
        for n, angle in enumerate(angles):
            outer = acb_mat([[acb(0, angle * (self._first + self._side * a)).exp() for a in range(sums.nrows())]])
            column = acb_mat([[sums[a, n]] for a in range(sums.nrows())])
            found.append((outer * column)[0, 0])
        return found


class Periodic:
    """Delta of a composition for all epsilon around ``near``, with errors of about 2^-bits of it.

    ``start`` is the loss of the sum whose indices add up to zero. An instance belongs to the working precision.
    """

    def __init__(self, parts: Sequence[tuple[LatticeLaw, int]], step: Callable[[], Any], start: Callable[[], Any],
                 hint: Cumulants, near: float, bits: int) -> None:
        self.step, self.start = step(), start()
        line = contour(hint, near, bits)
        self.c, self.farther = arb(line.tilt), line.farther
        self.many = max(math.ceil(line.period / float(self.step.mid())), 1)
        self.period = self.step * self.many
        weighed = [(law.weighed(self.c * self.step), k) for law, k in parts]
        self._log_moment = self._log_total(weighed)
        self._log_farther = sum((law.total(self.farther * self.step).log() * k for law, k in parts), arb(0))
        self._loose = 2 / -(-self.c * self.step).expm1()
        above = float((self._log_moment + self.c * (self.start - near)).mid()) + float(self._loose.log().mid())
        goal = min(line.height - line.wanted - above, -1.0)
        included = _terms(weighed, self.many, goal)
        self._left_out = arb(goal).exp() if len(included) <= self.many // 2 else arb(0)
        self.terms = len(included)
        turn = 2 * arb.pi() / self.many
        values: list[Any] = [acb(1)] * len(included)
        for one, k in weighed:
            # In pieces, so that the memory stays bounded.
            found = [v for n in range(0, len(included), 256)
                     for v in one.at([turn * m for m in included[n : n + 256]])]
            values = [value * v**k for value, v in zip(values, found, strict=True)]
        self._terms = []
        for n, value in zip(included, values, strict=True):
            once = 1 if n == 0 or 2 * n == self.many else 2  # else those at n and at N - n are conjugate
            fall = acb(-self.c * self.step, -turn * n).exp()
            first, later = 1 / (1 - fall), 1 / (1 - fall * (-self.step).exp())
            self._terms.append((n, value * first * once, value * later * once))

    def _log_total(self, weighed: Sequence[tuple[Weighed, int]]) -> Any:
        return sum((one.total.log() * k for one, k in weighed), arb(0))

    def ends(self, epsilon: Any) -> tuple[Any, Any]:
        """A lower and an upper bound of delta, each a ball."""
        first, later, scale, rest = self._sums(epsilon)
        total = (first - rest.neg_exp * later) * scale
        whole = scale * self.many  # M(c) e^(-c x_m)
        left_out = self._left_out * self._loose * whole
        unsure = rest.unsure.expm1() * whole
        c, d = self.c, self.farther
        below = 1 / (c * self.period).expm1()
        log_most = d * d.log() - (1 + d) * (1 + d).log()
        above = (log_most + self._log_farther + d * (self.start - epsilon)).exp() / ((d - c) * self.period).expm1()
        return total - left_out - unsure - below - above, total + left_out + unsure

    def slope(self, epsilon: Any) -> Any:
        """About how fast delta falls with epsilon: a hint."""
        _, later, scale, rest = self._sums(epsilon)
        return (rest.neg_exp * later * scale).mid()

    def _sums(self, epsilon: Any) -> tuple[Any, Any, Any, _Rest]:
        place = (epsilon - self.start) / self.step
        if not place.is_finite():
            raise TooSlow("the precision does not suffice")
        m = int(place.lower().ceil().unique_fmpz())
        rest = _Rest(self.step * m + self.start - epsilon)
        scale = (self._log_moment - self.c * self.step * m).exp() / self.many
        turn = -2 * arb.pi() / self.many
        first = later = arb(0)
        for n, one, other in self._terms:
            turned = acb(0, turn * (n * m % self.many)).exp()
            first += (turned * one).real
            later += (turned * other).real
        return first, later, scale, rest


class _Rest:
    """How far the first loss is above epsilon; a ball around zero may be a little below it."""

    def __init__(self, r: Any) -> None:
        self.neg_exp = (-r).exp()
        self.unsure = (-r.lower()).max(arb(0))


def _terms(weighed: Sequence[tuple[Weighed, int]], many: int, goal: float) -> list[int]:
    """The terms from 0 to N/2 that no bound excludes: the product of all moduli is at most e^goal at the others."""
    last = many // 2
    if last <= ALL_TERMS:
        return list(range(last + 1))
    most = MOST_DEAR_TERMS if any(one.dear for one, _ in weighed) else MOST_TERMS
    with ctx.workprec(BOX_BITS):
        spacing = 2 * math.pi / many
        far = _first(lambda x: _log_beyond(weighed, x) <= goal, math.pi)
        laws = [(one, k) for one, k in weighed if one.around is not None]
        turns = [float((12 * one.around[0] / one.around[1]).lower()) for one, _ in laws if one.around is not None
                 and one.around[0] > 0]
        star = min(0.999 * math.sqrt(min(turns)) if turns and len(laws) == len(weighed) else 0.0, 3.14)
        near = _first(lambda x: _log_around(laws, x) <= goal, star) if star > 0 else None
        if far is not None and (near is None or far <= near):
            return _up_to(far, spacing, last, most)
        included = _up_to(star if near is None else near, spacing, last, most)
        return _boxed(weighed, star, spacing, last, goal, included)


def _boxed(weighed: Sequence[tuple[Weighed, int]], start: float, spacing: float, last: int, goal: float,
           included: list[int]) -> list[int]:
    """Add what cannot be excluded between the bound around zero and the one far out."""
    deviations = []
    for one, _ in weighed:
        if one.around is None:
            raise TooSlow("nothing is known of how a law changes")
        deviations.append(one.around[0].max(arb(0)).sqrt().upper())
    widest = max(float(d) for d in deviations)
    at, half, boxes = start, 0.3 / max(widest, 0.1), 0
    dear = any(one.dear for one, _ in weighed)
    most, terms = (MOST_DEAR_BOXES, MOST_DEAR_TERMS) if dear else (MOST_BOXES, MOST_TERMS)
    while at < PAST_PI:
        if boxes % 16 == 0 and _log_beyond(weighed, at) <= goal:
            break
        boxes += 1
        if boxes > most or len(included) > terms:
            raise TooSlow("too many terms would be needed")
        total = arb(0)
        for (one, k), deviation in zip(weighed, deviations, strict=True):
            size = abs(one.at([arb(at) + arb(half)])[0]) + deviation * half * (1 + arb(2) ** -40)
            if size < 1:
                total += size.log() * k
        if total <= goal:
            at += 2 * half
            half *= 1.5
        elif half > STRIDE * spacing / 8:
            half /= 2
        else:
            first, reached = max(math.floor(at / spacing), included[-1] + 1), at + STRIDE * spacing
            included += range(first, min(math.ceil(reached / spacing), last) + 1)
            at, half = reached, 2 * half
    return included


def _up_to(angle: float, spacing: float, last: int, most: int) -> list[int]:
    many = min(math.ceil(angle / spacing) + 1, last)
    if many > most:
        raise TooSlow("too many terms would be needed")
    return list(range(many + 1))


def _first(holds: Callable[[float], bool], end: float) -> float | None:
    """About the first angle from which on something holds, that holds up to the end once it does; None if never."""
    if not holds(end):
        return None
    low, high = 0.0, end
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if middle > 0 and holds(middle) else (middle, high)
        if high - low < high * 0.02:
            break
    return high


def _log_beyond(weighed: Sequence[tuple[Weighed, int]], angle: float) -> Any:
    return sum((one.beyond(arb(angle)).min(arb(1)).log() * k for one, k in weighed), arb(0)).upper()


def _log_around(laws: Sequence[tuple[Weighed, int]], angle: float) -> Any:
    total, square = arb(0), arb(angle) ** 2
    for one, k in laws:
        if one.around is not None:
            second, fourth = one.around
            total += (1 - second * square + fourth * square * square / 24).min(arb(1)).log() * k / 2
    return total.upper()
