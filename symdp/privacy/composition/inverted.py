"""Epsilon and delta of a composition from the moments of its losses, between two certain ends.

The guesses are floating point; the ends are certified by the signs that :class:`Inversion` and
:class:`Periodic` prove.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from flint import arb, ctx

from symdp.privacy.lattice.inversion import Inversion, LeftOfZero, together
from symdp.privacy.lattice.moments import Moments, TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants, guess_epsilon

THEOREM = "the moments of the privacy losses, multiplied and inverted along a line"
#: Turns of Newton's method, and of the guess that it starts from.
MOST_TURNS, MOST_GUESSES = 60, 4
#: Bits that the sums and products may lose, besides those of the number of mechanisms.
GUARD = 56
#: What is tried where the digits asked for take too many terms.
FEW_DIGITS = 7

Parts = Sequence[tuple[Moments, int]]


class Inverse(Protocol):
    """Delta around a place, between two ends."""

    def ends(self, epsilon: Any) -> tuple[Any, Any]: ...

    def slope(self, epsilon: Any) -> Any: ...


@dataclass(frozen=True)
class Transform:
    """How delta is found around a place to so many bits, a hint of the cumulants, and how many there are."""

    around: Callable[[float, int], Inverse]
    hint: Callable[[], Cumulants]
    many: int

    @property
    def guard(self) -> int:
        return GUARD + self.many.bit_length()


def of_moments(parts: Parts) -> Transform:
    """By an integral over the product of their moments."""
    return Transform(lambda near, bits: _line(parts, near, bits),
                     lambda: together([moments.cumulants(many) for moments, many in parts]),
                     sum(many for _, many in parts))


def _line(parts: Parts, near: float, bits: int) -> Inverse:
    """Through the saddlepoint, or left of zero where moments beyond it grow too fast."""
    try:
        return Inversion(parts, near, bits)
    except TooSlow:
        return LeftOfZero(parts, near, bits)


def delta_ends(parts: Parts | Transform, epsilon: Callable[[], Any], digits: int) -> tuple[Any, Any]:
    """A lower and an upper bound of the smallest delta for an epsilon; TooSlow where that takes too many terms."""
    return _or_fewer(_delta_ends, parts, epsilon, digits)


def epsilon_ends(parts: Parts | Transform, delta: Callable[[], Any], digits: int) -> tuple[Any, Any]:
    """A lower and an upper bound of the smallest epsilon >= 0 for a delta strictly between 0 and 1."""
    return _or_fewer(_epsilon_ends, parts, delta, digits)


def _or_fewer(ends: Callable[[Transform, Callable[[], Any], int], tuple[Any, Any]], parts: Parts | Transform,
              given: Callable[[], Any], digits: int) -> tuple[Any, Any]:
    """With fewer digits where so many take too long: few terms are enough for those."""
    transform = parts if isinstance(parts, Transform) else of_moments(parts)
    try:
        return ends(transform, given, digits)
    except TooSlow:
        if digits <= FEW_DIGITS:
            raise
        return ends(transform, given, FEW_DIGITS)


def _delta_ends(transform: Transform, epsilon: Callable[[], Any], digits: int) -> tuple[Any, Any]:
    wanted = _bits(digits)
    with ctx.workprec(wanted + transform.guard):
        at = epsilon()
        lower, upper = transform.around(float(at.mid()), wanted).ends(at)
        if not (lower.is_finite() and upper.is_finite()):
            raise TooSlow("the precision does not suffice")
        return lower.max(arb(0)), upper.min(arb(1))


def _epsilon_ends(transform: Transform, delta: Callable[[], Any], digits: int) -> tuple[Any, Any]:
    wanted = _bits(digits)
    with ctx.workprec(wanted + transform.guard):
        level = delta()
        near = max(guess_epsilon(transform.hint(), float(level.log().mid()))[0], 0.0)
        for _ in range(MOST_GUESSES):
            sum_of = transform.around(near, wanted)
            at = _newton(sum_of, level, near, wanted)
            if at is None or not at > 0:
                if near == 0.0:
                    break
                near /= 16 if near > 1e-3 else math.inf
                continue
            ends = _certified(sum_of, level, at, wanted)
            if ends is not None:
                return ends
            near = float(at.mid())  # the sum is sharpest around its saddlepoint
        at_zero = transform.around(0.0, wanted).ends(arb(0))
        if at_zero[1] <= level:
            return arb(0), arb(0)
    raise TooSlow("the level is not met where it was looked for")


def _bits(digits: int) -> int:
    return int((digits + 1) * 3.33) + 6


def _newton(sum_of: Inverse, level: Any, near: float, wanted: int) -> Any:
    """Where delta is about that level, by Newton's method on its logarithm, which is about concave."""
    at = arb(near)
    for _ in range(MOST_TURNS):
        height, slope = sum_of.ends(at)[1].mid(), sum_of.slope(at)
        if not (height > 0 and slope > 0):
            return None
        step = (height * (height / level).log() / slope).mid()
        if not step.is_finite():
            return None
        at = (at + step).mid()
        if abs(step) <= abs(at) * arb(2) ** (-wanted - 4):
            return at
        if at < -1:
            return None
    return at


def _certified(sum_of: Inverse, level: Any, at: Any, wanted: int) -> tuple[Any, Any] | None:
    """The nearest ends on both sides of a guess at which the bounds of delta are on their side of the level."""
    reach = at * arb(2) ** -wanted
    for _ in range(12):
        low, high = (at - reach).mid(), (at + reach).mid()
        if sum_of.ends(low)[0] >= level and sum_of.ends(high)[1] <= level:
            return low.max(arb(0)), high
        reach *= 4
    return None
