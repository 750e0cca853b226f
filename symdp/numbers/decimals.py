"""A number with error bars: two decimals between which the truth lies, rounded outward.

>>> from flint import arb
>>> third = enclose(lambda: arb(1) / 3, digits=20, theorem="one over three")
>>> print(third)
0.3333333333333333333333
>>> third.lower < Fraction(1, 3) < third.upper, third.digits >= 20
(True, True)
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx

#: Digits kept behind the certain ones, so that rounding to decimals loses nothing that counts.
GUARD = 3
INFINITY = Decimal("Infinity")
#: Powers of two up to this are turned to decimals by integer arithmetic.
FAR = 50_000


class NotReached(ArithmeticError):
    """The digits asked for were not reached with the bits allowed."""


@dataclass(frozen=True)
class Enclosure:
    """``lower <= truth <= upper``; prints the digits that are certain.

    Every number between the ends rounds to the digits that are printed.
    """

    lower: Decimal
    upper: Decimal
    #: the theorem or formula the number comes from
    theorem: str = ""
    #: what a reader should know about it: why it is infinite, which side is reached
    note: str = ""
    #: what was rounded before the last digits of the ends were; nothing, where empty
    rounded: str = ""

    def __post_init__(self) -> None:
        if self.lower.is_nan() or self.upper.is_nan() or self.lower > self.upper:
            raise ValueError(f"[{self.lower}, {self.upper}] is no enclosure")

    @classmethod
    def of_ball(cls, value: arb, digits: int = 17, theorem: str = "", note: str = "",
                rounded: str = "") -> Enclosure:
        """From a ball, its ends rounded outward to a few digits more than asked."""
        places = digits + GUARD
        return cls(decimal_below(value, places), decimal_above(value, places), theorem, note, rounded)

    @classmethod
    def between(cls, lower: arb, upper: arb, digits: int = 17, theorem: str = "",
                note: str = "", rounded: str = "") -> Enclosure:
        """From a lower and an upper bound, each given as a ball."""
        places = digits + GUARD
        return cls(decimal_below(lower, places), decimal_above(upper, places), theorem, note, rounded)

    @classmethod
    def exactly(cls, value: Decimal | int, theorem: str = "", note: str = "") -> Enclosure:
        """A number that is known as it is, such as 0 or infinity."""
        return cls(Decimal(value), Decimal(value), theorem, note)

    @property
    def digits(self) -> int:
        """How many significant digits are certain; a large number if the ends agree."""
        if self.lower == self.upper:
            return 10_000
        if not (self.lower.is_finite() and self.upper.is_finite()):
            return 0
        with _context(30):
            ratio = (self.upper - self.lower) / max(abs(self.lower), abs(self.upper))
        return max(0, -ratio.adjusted() - 1)

    @property
    def middle(self) -> Decimal:
        with _context(self.digits + 2 * GUARD if self.lower != self.upper else decimal.MAX_PREC):
            return self.lower if self.lower == self.upper else (self.lower + self.upper) / 2

    def __contains__(self, value: object) -> bool:
        if isinstance(value, int | float | Fraction | Decimal):
            return bool(self.lower <= value <= self.upper)
        return bool(self.lower <= Fraction(str(sympy.Rational(value))) <= self.upper)

    def __float__(self) -> float:
        return float(self.middle)

    def __str__(self) -> str:
        if self.lower == self.upper:
            return _plain(self.lower)
        if not (self.lower.is_finite() and self.upper.is_finite()):
            return f"[{_plain(self.lower)}, {_plain(self.upper)}]"
        for places in range(self.digits + 1, 0, -1):
            low, high = _rounded(self.lower, places), _rounded(self.upper, places)
            if low == high:
                return _plain(low)
        return f"[{_plain(_rounded(self.lower, 4, ROUND_FLOOR))}, " \
               f"{_plain(_rounded(self.upper, 4, ROUND_CEILING))}]"

    def _repr_latex_(self) -> str:
        text = str(self).replace("Infinity", r"\infty")
        mantissa, mark, power = text.partition("E")
        return f"${mantissa} \\times 10^{{{int(power)}}}$" if mark else f"${text}$"

    def as_json(self) -> dict[str, str]:
        """The ends as decimal texts."""
        return {"lower": str(self.lower), "upper": str(self.upper)}


def enclose(
    compute: Callable[[], arb], digits: int = 17, theorem: str = "", note: str = "",
    most_bits: int = 1 << 17,
) -> Enclosure:
    """Compute with more and more bits until that many digits are certain."""
    return Enclosure.of_ball(to_digits(compute, digits, most_bits), digits, theorem, note)


def to_digits(compute: Callable[[], arb], digits: int, most_bits: int = 1 << 17) -> Any:
    """The ball that ``compute`` gives once its precision suffices for that many digits.

    A result that is exactly zero is taken as it is. ``compute`` is called with the working
    precision set, and must give a valid ball at each precision.
    """
    wanted = int((digits + 1) * 3.33) + 4
    bits = max(64, wanted + 32)
    while True:
        with ctx.workprec(bits):
            value: Any = compute()
            if value.is_finite() and (value == 0 or value.rel_accuracy_bits() >= wanted):
                return value
            if value.is_exact() and not value.is_nan():  # an infinity
                return value
        if bits >= most_bits:
            raise NotReached(f"{digits} digits were not reached with {bits} bits")
        bits = min(2 * bits, most_bits)


# --- decimals, rounded one way ----------------------------------------------------------------


def decimal_below(value: arb, places: int) -> Decimal:
    """A decimal of about that many places that is not above any number of the ball."""
    return _decimal(value, places, ROUND_FLOOR)


def decimal_above(value: arb, places: int) -> Decimal:
    """A decimal of about that many places that is not below any number of the ball.

    >>> print(decimal_above(arb(1) / 3, 5), decimal_below(arb(0.5), 5), decimal_above(arb(-1) / 3, 5))
    0.33334 0.5 -0.33333
    """
    return _decimal(value, places, ROUND_CEILING)


def _decimal(value: arb, places: int, rounding: str) -> Decimal:
    with ctx.workprec(4 * places + 64):  # the end of a ball is rounded to the working precision
        value = value.upper() if rounding == ROUND_CEILING else value.lower()
    if not value.is_finite():
        if value.is_nan():
            return INFINITY if rounding == ROUND_CEILING else -INFINITY
        return INFINITY if value > 0 else -INFINITY
    mantissa, exponent = (int(part) for part in value.man_exp())
    if abs(exponent) > FAR:
        return _far(value, places, rounding, exponent)
    with _context(places, rounding) as context:
        if exponent >= 0:
            return Decimal(context.create_decimal(mantissa << exponent)).normalize()
        whole = Decimal(mantissa)  # exact: making a Decimal from an int never rounds
        return (whole / Decimal(1 << -exponent)).normalize()


def _far(value: arb, places: int, rounding: str, exponent: int) -> Decimal:
    """A number so large or small that its power of two is not to be written out, such as e^-10^12.

    It is scaled by a power of ten to a moderate size first, in balls.
    """
    with ctx.workprec(4 * places + 64 + 2 * exponent.bit_length()):
        power = exponent * 30103 // 100000  # about: log10(2) = 0.30103
        size: Any = abs(value)
        scaled: Any = (size.log() - power * arb(10).log()).exp()
        if value < 0:
            scaled = -scaled
    moderate = _decimal(scaled, places, rounding)
    with _context(places, rounding):
        return moderate.scaleb(power)


def _context(places: int, rounding: str = ROUND_HALF_EVEN) -> Any:
    context = decimal.Context(prec=min(max(places, 1), decimal.MAX_PREC), rounding=rounding,
                              Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
    return decimal.localcontext(context)


def _rounded(value: Decimal, places: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    with _context(places, rounding):
        return +value


def _plain(value: Decimal) -> str:
    """Without an exponent where that is easy to read."""
    if not value.is_finite() or value == 0:
        return str(value) if not value.is_finite() else "0"
    if -6 <= value.adjusted() <= 20:
        return f"{value:f}"
    return str(value)
