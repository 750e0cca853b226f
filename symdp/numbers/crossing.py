"""Where a monotone curve crosses a level: a guess in floats, then certain by the signs on both sides of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, ctx

from symdp.numbers.decimals import Enclosure, NotReached

MOST_BITS = 1 << 16
GUESSES = 80


def crossing(curve: Callable[[Any], tuple[Any, Any]], level: Callable[[], Any],
             end: Callable[[], Any], bits: int, digits: int, theorem: str) -> Enclosure:
    """The x in [0, end] at which the curve falls below the level.

    ``curve(x)`` gives the height and the negative of the slope in balls at the working precision; its
    height decreases, and its logarithm is about concave, which only the guess relies on.

    >>> found = crossing(lambda x: ((-x).exp(), (-x).exp()), lambda: arb(1) / 3, lambda: arb(9), 64, 12, "")
    >>> print(found)
    1.0986122886681
    """
    wanted = int(3.33 * (digits + 1)) + 8
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            target = level()
            x = _guess(curve, target, end(), wanted)
            reach = abs(x) * arb(2) ** -wanted
            low, high = (x - reach).mid(), (x + reach).mid()
            if curve(low)[0] >= target and curve(high)[0] <= target:
                return Enclosure.between(low, high, digits, theorem)
        bits *= 2
    raise NotReached(f"{digits} digits were not reached with {MOST_BITS} bits")


def _guess(curve: Callable[[Any], tuple[Any, Any]], target: Any, end: Any, wanted: int) -> Any:
    low, high = arb(0), end.mid()
    x = (high / 2).mid()
    for _ in range(GUESSES):
        height, slope = curve(x)
        if not height.rel_accuracy_bits() > 20:
            return x  # too few bits to go on
        if height.mid() > target.mid():
            low = x
        else:
            high = x
        step = arb.nan()
        if height.mid() > 0 and slope.mid() > 0:
            step = (height.mid() * (height.mid() / target.mid()).log() / slope.mid()).mid()
        there = (x + step).mid()
        if abs(step) <= abs(x) * arb(2) ** (-wanted - 6):
            return there
        x = there if there > low and there < high else ((low + high) / 2).mid()
    return x


def crossing_from_below(curve: Callable[[Any], Any], level: Callable[[], Any],
                        start: Callable[[], Any], digits: int, theorem: str) -> Enclosure:
    """The largest x > 0 at which an increasing curve is at most the level.

    The lower end of the answer is certified to be enough, the upper end not to be. ``start`` is where
    the search begins.

    >>> print(crossing_from_below(lambda x: x * x, lambda: arb(2), lambda: arb("0.1"), 12, ""))
    1.4142135623731
    """
    wanted = int(3.33 * (digits + 1)) + 6
    bits = wanted + 64
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            target = level()
            x = _false_position(curve, target, start().mid(), wanted)
            if x is not None:
                reach = x * arb(2) ** -wanted
                low, high = (x - reach).mid(), (x + reach).mid()
                if curve(low) <= target and curve(high) > target:
                    return Enclosure.between(low, high, digits, theorem,
                                             "the lower end is certainly enough")
        bits *= 2
    raise NotReached(f"{digits} digits were not reached with {MOST_BITS} bits")


def _false_position(curve: Callable[[Any], Any], target: Any, low: Any, wanted: int) -> Any:
    """On logarithms of both axes, with Illinois' remedy against an end that stays."""

    def over(x: Any) -> Any:
        value = curve(x).mid()
        return (value / target.mid()).log().mid() if value > 0 else arb(-GUESSES)

    below = over(low)
    for _ in range(GUESSES):
        if not below > 0:
            break
        low = (low / 2).mid()
        below = over(low)
    high = low
    while True:
        high = (high * 2).mid()
        above = over(high)
        if not above.is_finite():
            return None
        if above > 0:
            break
        low, below = high, above
    before, side = low, 0
    for _ in range(GUESSES):
        x = (low * (high / low) ** (below / (below - above))).mid()
        height = over(x)
        if not height.is_finite() or not (x > low and x < high):
            return x if x.is_finite() else None
        if abs(x - before) <= abs(x) * arb(2) ** (-wanted - 4):
            return x
        before = x
        if height > 0:
            below = (below / 2).mid() if side > 0 else below
            high, above, side = x, height, 1
        else:
            above = (above / 2).mid() if side < 0 else above
            low, below, side = x, height, -1
    return before
