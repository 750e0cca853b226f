r"""A sum of losses on a lattice by multiplying polynomials, with what is thin at both ends cut off and counted.

For an upper end, what is cut off above counts as giving the database away, and what is cut off below is moved up
to the lowest point that is kept. For a lower end, what is cut off above is moved down to the highest point that is
kept, and what is cut off below counts as nothing. Since
$\delta(\varepsilon) = E\,(1 - e^{\varepsilon - L})^+$ grows with the loss, neither can be wrong. The sum is made by
squaring, and cut after each product, so that the cost grows with the deviation of the sum and not with its range.

>>> half = {1: arb("0.6"), -1: arb("0.4")}
>>> with ctx.workprec(128):
...     found = Truncated([(half, arb(0), 30)], 1, arb(2) ** -60)
...     lower = Truncated([(half, arb(0), 30)], -1, arb(2) ** -60)
...     print(found.delta(arb("0.1"), arb("0.05"), arb(0)).str(10, radius=False))
...     print(lower.delta(arb("0.1"), arb("0.05"), arb(0)).str(10, radius=False))
0.3909613526
0.3909613526
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_poly, ctx

from symdp.privacy.lattice.moments import TooSlow

#: Sums of more points than this are not made.
MOST_POINTS = 1 << 16
#: Halvings of an interval until its ends are as near as doubles can tell.
HALVINGS = 52


@dataclass(frozen=True)
class Points:
    """Masses at consecutive multiples of the step, and what was cut off above."""

    lowest: int
    masses: list[Any]
    lost: Any


#: The sum of no losses.
NOTHING = Points(0, [arb(1)], arb(0))


class Truncated:
    """The sum of losses: their masses, what is cut off of each already, and how many there are of it.

    ``small`` is about what may be cut off of the sum.
    """

    def __init__(self, laws: Sequence[tuple[Mapping[int, Any], Any, int]], side: int, small: Any) -> None:
        self.side = side
        products = sum(2 * n.bit_length() for _, _, n in laws) + len(laws)
        self._each = (small / (4 * products * sum(n for _, _, n in laws))).lower()
        total = NOTHING
        for masses, cut, n in laws:
            total = self._product(total, self._power(_listed(masses, cut if side > 0 else arb(0)), n))
        self.lowest, self.masses, self.lost = total.lowest, total.masses, total.lost
        self._tails: tuple[Any, list[Any], list[Any]] | None = None

    def delta(self, step: Any, epsilon: Any, shift: Any) -> Any:
        """An end of delta, with the losses at multiples of the step moved down by the shift."""
        on_p, on_q = self._above(step)
        # The first point that is not certainly at or below epsilon; those at it add nothing, or next to it.
        place = (epsilon + shift) / step
        if not place.rad() < 0.25:
            raise TooSlow("the precision does not suffice")
        n = min(max(int(place.lower().floor().unique_fmpz()) + 1 - self.lowest, 0), len(self.masses))
        height = on_p[n] - (epsilon + shift).exp() * on_q[n]
        if n < len(self.masses) and not step * (n + self.lowest) - shift >= epsilon:
            # a point that its ball does not tell from epsilon: what it adds is about zero, of either sign
            gain = 1 - (epsilon + shift - step * (n + self.lowest)).exp()
            height = height.union(height - self.masses[n] * gain)
        return (height + self.lost).min(arb(1)) if self.side > 0 else height.max(arb(0))

    def epsilon(self, step: Any, level: Any, shift: Any) -> Any:
        """An end of the smallest epsilon >= 0 for that delta: of the upper side one that is enough."""
        top = step * (self.lowest + len(self.masses)) - shift
        low, high = arb(0), top.max(arb(0)).upper()
        if self.side > 0 and not self.delta(step, high, shift) <= level:
            raise TooSlow("what was cut off is too much for this delta")
        if self.side > 0 and self.delta(step, low, shift) <= level:
            return low
        if self.side < 0 and not self.delta(step, low, shift) > level:
            return low
        for _ in range(HALVINGS):
            middle = ((low + high) / 2).mid()
            there = self.delta(step, middle, shift)
            # The end that is kept is the one of which it is certain.
            if there <= level if self.side > 0 else not there > level:
                high = middle
            else:
                low = middle
        return high if self.side > 0 else low

    def _above(self, step: Any) -> tuple[list[Any], list[Any]]:
        """The masses from each point on, under both laws; without the shift, which is a factor under the other."""
        key = str(step), ctx.prec
        if self._tails is None or self._tails[0] != key:
            on_p, on_q = [arb(0)], [arb(0)]
            fall = (-step).exp()
            weight = (-step * (self.lowest + len(self.masses) - 1)).exp()
            for mass in reversed(self.masses):
                on_p.append(on_p[-1] + mass)
                on_q.append(on_q[-1] + mass * weight)
                weight /= fall
            self._tails = key, on_p[::-1], on_q[::-1]
        return self._tails[1], self._tails[2]

    def _power(self, one: Points, n: int) -> Points:
        found = NOTHING
        while n:
            if n & 1:
                found = self._product(found, one)
            n >>= 1
            if n:
                one = self._product(one, one)
        return found

    def _product(self, one: Points, other: Points) -> Points:
        if len(one.masses) + len(other.masses) > 2 * MOST_POINTS:
            raise TooSlow("the sum has too many points")
        whole = [*(arb_poly(one.masses) * arb_poly(other.masses))]
        whole += [arb(0)] * (len(one.masses) + len(other.masses) - 1 - len(whole))
        return self._cut(Points(one.lowest + other.lowest, whole, one.lost + other.lost))

    def _cut(self, whole: Points) -> Points:
        masses = whole.masses
        first, below = 0, arb(0)
        while first < len(masses) - 1 and below + masses[first] < self._each:
            below, first = below + masses[first], first + 1
        last, above = len(masses), arb(0)
        while last > first + 1 and above + masses[last - 1] < self._each:
            above, last = above + masses[last - 1], last - 1
        kept = masses[first:last]
        if self.side > 0:
            kept[0] += below
            return Points(whole.lowest + first, kept, (whole.lost + above).upper())
        kept[-1] += above
        return Points(whole.lowest + first, kept, whole.lost)


def _listed(masses: Mapping[int, Any], lost: Any) -> Points:
    first, last = min(masses), max(masses)
    return Points(first, [masses.get(j, arb(0)) for j in range(first, last + 1)], lost)
