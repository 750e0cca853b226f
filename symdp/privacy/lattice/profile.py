r"""The smallest delta for every epsilon (the privacy profile), exactly, as a maximum of straight lines.

For a pair of distributions whose privacy losses $\ell_0 > \ell_1 > \dots$ are known, let $P_i$ and
$Q_i$ be the probabilities of the $i$ largest losses under both. Then
$$\delta(\varepsilon) = \max_i\; (P_i - e^{\varepsilon} Q_i),$$
a convex, piecewise linear function of $u = e^\varepsilon$: its lines are the tangents of the privacy
region. Line $i$ is the highest one on its *cell* $\ell_i \le \varepsilon \le \ell_{i-1}$. Where it meets
the level $\delta$ inside its cell, it gives the smallest epsilon exactly:
$\varepsilon = \log((P_i - \delta)/Q_i)$; beside its cell, it tells on which side to look further.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from flint import arb

#: More evaluations than a bisection of 2^64 cells would need: something is wrong with the balls.
MOST_STEPS = 160


class Profile(ABC):
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
        place = place.max(arb(0)).min(arb(self.last))  # a wild guess may be too far for an integer
        first, last = _integer(place.lower().ceil()), _integer(place.upper().ceil())
        first, last = max(first, 0), min(last, self.last)
        return (first, last) if last - first <= 1 else None

    def height(self, epsilon: Any) -> Any:
        """The smallest delta for an epsilon >= 0; no number if the precision is too small to tell."""
        cells = self.cell_of(epsilon)
        if cells is None:
            return arb.nan()
        # An epsilon that may lie on either side of a loss is in one of two cells; there, the higher
        # of the two lines is the answer.
        highest = arb(0)
        for i in range(cells[0], cells[1] + 1):
            if i > 0:
                on_p, on_q = self.line(i)
                highest = highest.max(on_p - epsilon.exp() * on_q)
        return highest


def epsilon_at(profile: Profile, delta: Any, start: int) -> tuple[Any, int]:
    """The smallest epsilon >= 0 for a delta in (0, 1), and the index of its cell.

    ``start`` is a guess. The first answer is no number if the precision is too small to tell.
    """
    low, high = 1, profile.last  # the cell is certainly among these
    i = min(max(start, low), high)
    for turn in range(MOST_STEPS):
        on_p, on_q = profile.line(i)
        floor, ceiling = profile.loss(i), profile.loss(i - 1)
        if i == profile.last:
            floor = arb(0)
        above = on_p - delta
        meets = (above / on_q).log() if above > 0 else arb.nan()
        if above <= 0 or meets < floor:
            # At its floor the line, which is the highest there, is below delta: epsilon is smaller.
            if i == profile.last:
                return arb(0), i
            low = i + 1
        elif meets > ceiling:
            # At its ceiling the line is above delta: epsilon is larger.
            high = i - 1
        elif meets >= floor and meets <= ceiling:
            return meets, i
        else:
            return _at_a_corner(profile, delta, meets, i), i
        if low > high:  # neighbouring lines point at each other: equal up to the last bits
            return _at_a_corner(profile, delta, meets, i), i
        i = _next(profile, delta, on_p, on_q, i, low, high, turn)
    return arb.nan(), i


def _next(profile: Profile, delta: Any, on_p: Any, on_q: Any, i: int, low: int, high: int,
          turn: int) -> int:
    """Newton's step on log delta, which is concave in epsilon; every third time, bisection."""
    middle = (low + high) // 2
    if turn % 3 == 2:
        return middle
    here = ((profile.loss(i) + profile.loss(i - 1)) / 2).mid()
    slope = here.exp() * on_q
    height = on_p - slope
    if not height > 0:
        return middle
    there = (here + (height / delta).log() * height / slope).mid()
    cells = profile.cell_of(there)
    return middle if cells is None else min(max(cells[0], low), high)


def _at_a_corner(profile: Profile, delta: Any, meets: Any, i: int) -> Any:
    """The line meets delta so near an end of its cell that the balls overlap.

    No line is above the curve, so that the largest crossing of the lines nearby is a lower bound;
    a slightly larger epsilon is an upper bound, once its own delta is seen to be small enough.
    """
    best = meets.max(arb(0)) if meets.is_finite() else arb(0)
    for j in (i - 1, i + 1):
        if 1 <= j <= profile.last:
            on_p, on_q = profile.line(j)
            if on_p - delta > 0:
                best = best.max(((on_p - delta) / on_q).log())
    upper = best.upper() + best.rad() * 4 + abs(best).upper() * arb(2) ** (-best.bits() - 8)
    if profile.height(upper) <= delta:
        return best.lower().union(upper)
    return arb.nan()


def _integer(whole: Any) -> int:
    return int(whole.unique_fmpz())
