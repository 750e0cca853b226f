r"""Any number of mechanisms whose losses span at most $\eta$: the worst place of the range is searched.

The mechanism is the most revealing of its place t with the two losses t and $t - \eta$
(:mod:`symdp.privacy.mechanisms.finite_laws.exponential`). The delta of k of them is a difference of two binomial
tails,
$$\delta_t(\varepsilon) = \max_m P[X \le m] - e^\varepsilon\,Q[X \le m],$$
with X the number of low losses, and costs the same for every k. Each t gives a lower end for the maximum over all.

**The upper end.** For all t in $[a, b]$ the losses are in $[a - \eta, b]$. Of all laws of $e^L$ under Q with mean one
in such an interval, that on its two ends is the largest in the convex order, which products of independent ones keep.
So the pair with the losses b and $a - \eta$ bounds all places in $[a, b]$, and intervals are halved until none is
above what is wanted. This uses that the worst place is the same for all of them, as the list of places for few does.

>>> with ctx.workprec(120):
...     lower, upper = ManyOfOneRange(1000, lambda: arb("0.01")).epsilon_ends(lambda: arb("1e-6"))
...     print(lower.str(5, radius=False), upper.str(5, radius=False))
0.64795 0.64796
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from symdp.numbers.decimals import NotReached
from symdp.privacy.lattice.binomial import mills_ratio

#: How near the ends of delta and of epsilon are to be, as a part of them; and the intervals that are looked at.
NEAR_DELTA, NEAR_EPSILON = 1e-3, 1e-5
MOST_INTERVALS = 8000
BITS = 56
#: Halvings of epsilon, and how often a worse place may be found.
HALVINGS, MOST_PLACES = 64, 200


class ManyOfOneRange:
    """k of them; ``span`` is computed at the working precision."""

    def __init__(self, k: int, span: Callable[[], Any]) -> None:
        self.k, self.span = k, span

    def delta_ends(self, epsilon: Callable[[], Any]) -> tuple[Any, Any]:
        """A lower and an upper bound of the largest delta."""
        with ctx.workprec(self._bits):
            found = self._search(epsilon(), None)
            return found.lower, found.upper.min(arb(1))

    def epsilon_ends(self, delta: Callable[[], Any]) -> tuple[Any, Any]:
        """A lower and an upper bound of the smallest epsilon >= 0 for a delta strictly between 0 and 1."""
        with ctx.workprec(self._bits):
            level, near = delta(), NEAR_EPSILON
            low = self._epsilon_of(0.5, level)
            if low == 0 and self._search(arb(0), level).upper <= level:
                return arb(0), arb(0)
            least = self.span() * NEAR_EPSILON  # where no place was found at which epsilon is above zero
            for _ in range(MOST_PLACES):
                high = (low * (1 + near)).upper() if low > 0 else least.upper()
                found = self._search(high, level)
                if found.upper <= level:
                    return low, high
                if found.lower > level:
                    low = self._epsilon_of(found.place, level)
                elif near < 1:
                    near, least = 4 * near, 4 * least
                else:
                    break
        raise NotReached("no upper end was found")

    @property
    def _bits(self) -> int:
        """Losses near zero cancel, and so do the logarithms of binomial coefficients."""
        with ctx.workprec(64):
            small = max(-math.floor(float(self.span().log().mid()) / math.log(2)), 0)
        return BITS + self.k.bit_length() + small

    def _epsilon_of(self, place: float, level: Any) -> Any:
        """An epsilon at which delta is surely above the level at a place, a part of the range; 0 if there is none."""
        span = self.span()
        high_loss, low_loss = span * place, span * place - span

        def above(epsilon: Any) -> bool:
            return bool(two_losses_many(self.k, high_loss, low_loss, epsilon) > level)

        if not above(arb(0)):
            return arb(0)
        low, high = arb(0), (span * self.k).upper()
        for _ in range(HALVINGS):
            middle = ((low + high) / 2).mid()
            low, high = (middle, high) if above(middle) else (low, middle)
        return low

    def _search(self, epsilon: Any, level: Any) -> _Largest:
        """The largest delta over all places: until its ends are near, or on one side of a level if there is one.

        The interval with the largest bound is halved first, so that the worst places are soon found.
        """
        span, worst, best = self.span(), 0.5, arb(0)

        def bound(low: float, high: float) -> Any:
            return two_losses_many(self.k, span * high, span * low - span, epsilon).upper()

        whole = bound(0.0, 1.0)
        heap = [(-_rank(whole), 0.0, 1.0, whole)]
        upper = whole
        for _ in range(MOST_INTERVALS):
            _, low, high, upper = heapq.heappop(heap)
            if upper <= (best * (1 + NEAR_DELTA) if level is None else level):
                break
            middle = (low + high) / 2
            if not low < middle < high:
                break
            here = bound_below(self.k, span, middle, epsilon)
            if here > best:
                worst, best = middle, here
            if level is not None and best > level:
                break
            for one, other in ((low, middle), (middle, high)):
                value = bound(one, other).min(upper)
                heapq.heappush(heap, (-_rank(value), one, other, value))
        return _Largest(best, upper.max(best), worst)


@dataclass(frozen=True)
class _Largest:
    """Between which numbers the largest delta is, and a place at which it is at least the lower one."""

    lower: Any
    upper: Any
    place: float


def bound_below(k: int, span: Any, place: float, epsilon: Any) -> Any:
    """A lower bound of delta at one place of the range."""
    return two_losses_many(k, span * place, span * place - span, epsilon).lower().max(arb(0))


def _rank(value: Any) -> float:
    """An order in which intervals are halved; a float, no evidence."""
    if not value.is_finite():
        return math.inf
    return float(value.log().mid()) if value > 0 else -math.inf


def two_losses_many(k: int, high: Any, low: Any, epsilon: Any) -> Any:
    """Delta of k pairs with the losses high >= 0 and low <= 0, as a ball."""
    width = high - low
    # Q of the high loss is (1 - e^low)/(e^high - e^low), of the low one what is left.
    rare = -low.expm1() / (width.expm1() * low.exp())
    common = high.expm1() / (width.expm1() * low.exp())
    place = (high * k - epsilon) / width  # losses with fewer low ones than this are above epsilon
    first = int(place.lower().ceil().unique_fmpz()) - 1
    last = int(place.upper().ceil().unique_fmpz()) - 1
    best = arb(0)
    for m in range(first, last + 1):  # more than one where a loss is not told from epsilon
        if m >= 0:
            on_q = _at_most_low(k, min(m, k), common, rare)
            on_p = _at_most_low(k, min(m, k), common * low.exp(), rare * high.exp())
            best = best.max(on_p - epsilon.exp() * on_q)
    return best


def _at_most_low(k: int, m: int, x: Any, y: Any) -> Any:
    """P[X <= m] for k trials that succeed with probability x = 1 - y."""
    if m >= k:
        return arb(1)
    if not (x > 0 and y > 0):
        return arb(0).union(arb(1))
    bits = max(ctx.prec - k.bit_length() - 16, 32)  # x and y are known to the working precision, and no better
    log_mass = (arb(k + 1).lgamma() - arb(m + 1).lgamma() - arb(k - m + 1).lgamma()
                + x.log() * m + y.log() * (k - m))
    if m < x * k:
        return log_mass.exp() * mills_ratio(k, m, x, y, bits)
    step = (x / y).log() + (arb(k - m) / (m + 1)).log()
    return 1 - (log_mass + step).exp() * mills_ratio(k, k - m - 1, y, x, bits)
