r"""The exact trade of delta for epsilon, as a maximum of straight lines.

For a pair of distributions whose privacy losses $\ell_0 > \ell_1 > \dots$ are known, let $P_i$ and
$Q_i$ be the probabilities of the $i$ largest losses under both. Then
$$\delta(\varepsilon) = \max_i\; (P_i - e^{\varepsilon} Q_i),$$
a convex, piecewise linear function of $u = e^\varepsilon$: its lines are the tangents of the privacy
region. Line $i$ is the highest one on its *cell* $\ell_i \le \varepsilon \le \ell_{i-1}$. Where it meets
the level $\delta$ inside its cell, it gives the smallest epsilon exactly:
$\varepsilon = \log((P_i - \delta)/Q_i)$; beside its cell, it tells on which side to look further.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

from flint import arb

#: More evaluations than a bisection of 2^64 cells would need: something is wrong with the balls.
MOST_STEPS = 160


class Tangents(ABC):
    """Lines of a pair whose losses lie on a lattice: the i-th largest is ``top - i step``.

    An instance belongs to the working precision at which it was made.
    """

    #: the largest loss
    top: Any
    #: the distance of neighbouring losses
    step: Any
    #: how many losses are positive: the cell of epsilon = 0
    last: int

    @abstractmethod
    def line(self, i: int) -> tuple[Any, Any]:
        """The probabilities of the i largest losses, under the one and under the other."""

    def loss(self, i: int) -> Any:
        return self.top - self.step * i

    def cell_of(self, epsilon: Any) -> tuple[int, int] | None:
        """The first and the last index whose cell may hold epsilon; None if they are many."""
        place = (self.top - epsilon) / self.step
        if not place.is_finite():
            return None
        first, last = (self._clip(_integer(place.lower().ceil())),
                       self._clip(_integer(place.upper().ceil())))
        return (first, last) if last - first <= 1 else None

    def _clip(self, i: int) -> int:
        return min(max(i, 0), self.last)


def delta_at(tangents: Tangents, epsilon: Any) -> Any:
    """The smallest delta for an epsilon >= 0; no number if the precision is too small to tell."""
    cells = tangents.cell_of(epsilon)
    if cells is None:
        return arb.nan()
    # An epsilon that may lie on either side of a loss is in one of two cells; there, the higher of
    # the two lines is the answer.
    highest = arb(0)
    for i in range(cells[0], cells[1] + 1):
        if i > 0:
            on_p, on_q = tangents.line(i)
            highest = highest.max(on_p - epsilon.exp() * on_q)
    return highest


def epsilon_at(tangents: Tangents, delta: Any, start: int) -> tuple[Any, int]:
    """The smallest epsilon >= 0 for a delta in (0, 1), and the index of its cell.

    ``start`` is a guess. The first answer is no number if the precision is too small to tell.
    """
    low, high = 1, tangents.last  # the cell is certainly among these
    i = min(max(start, low), high)
    for turn in range(MOST_STEPS):
        on_p, on_q = tangents.line(i)
        floor, ceiling = tangents.loss(i), tangents.loss(i - 1)
        if i == tangents.last:
            floor = arb(0)
        above = on_p - delta
        meets = (above / on_q).log() if above > 0 else arb.nan()
        if above <= 0 or meets < floor:
            # At its floor the line, which is the highest there, is below delta: epsilon is smaller.
            if i == tangents.last:
                return arb(0), i
            low = i + 1
        elif meets > ceiling:
            # At its ceiling the line is above delta: epsilon is larger.
            high = i - 1
        elif meets >= floor and meets <= ceiling:
            return meets, i
        else:
            return _at_a_corner(tangents, delta, meets, i), i
        if low > high:  # neighbouring lines point at each other: equal up to the last bits
            return _at_a_corner(tangents, delta, meets, i), i
        i = _next(tangents, delta, on_p, on_q, i, low, high, turn)
    return arb.nan(), i


def _next(tangents: Tangents, delta: Any, on_p: Any, on_q: Any, i: int, low: int, high: int,
          turn: int) -> int:
    """Newton's step on log delta, which is concave in epsilon; every third time, bisection."""
    middle = (low + high) // 2
    if turn % 3 == 2:
        return middle
    here = ((tangents.loss(i) + tangents.loss(i - 1)) / 2).mid()
    slope = here.exp() * on_q
    height = on_p - slope
    if not height > 0:
        return middle
    there = (here + (height / delta).log() * height / slope).mid()
    place = ((tangents.top - there) / tangents.step).mid()
    if not place.is_finite():
        return middle
    return min(max(_integer(place.ceil()), low), high)


def _at_a_corner(tangents: Tangents, delta: Any, meets: Any, i: int) -> Any:
    """The line meets delta so near an end of its cell that the balls overlap.

    No line is above the curve, so that the largest crossing of the lines nearby is a lower bound;
    a slightly larger epsilon is an upper bound, once its own delta is seen to be small enough.
    """
    best = meets.max(arb(0)) if meets.is_finite() else arb(0)
    for j in (i - 1, i + 1):
        if 1 <= j <= tangents.last:
            on_p, on_q = tangents.line(j)
            if on_p - delta > 0:
                best = best.max(((on_p - delta) / on_q).log())
    upper = best.upper() + best.rad() * 4 + abs(best).upper() * arb(2) ** (-best.bits() - 8)
    if delta_at(tangents, upper) <= delta:
        return best.lower().union(upper)
    return arb.nan()


def _integer(whole: Any) -> int:
    return int(whole.unique_fmpz())


def normal_epsilon(mean: float, spread: float, delta: float) -> float:
    """A guess: the epsilon of a normally distributed loss. Never evidence."""
    if not (0 < delta < 1) or spread <= 0:
        return mean + spread
    # Mills' bound, twice iterated: enough to start Newton's method well.
    z = math.sqrt(2 * math.log(1 / min(delta, 0.49)))
    for _ in range(2):
        inner = delta * max(z, 0.1) * math.sqrt(2 * math.pi) * max(z + spread, 1e-3) / spread
        z = math.sqrt(max(2 * math.log(1 / inner), 0.01)) if inner < 1 else 0.1
    return mean + z * spread
