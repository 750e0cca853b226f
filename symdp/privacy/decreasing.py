"""Where a decreasing curve crosses a level: a guess by Newton's method, certified by two signs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, ctx

from symdp.privacy.enclosure import Enclosure, NotReached

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
