"""Reading the numbers a person gives: exact, real, and inside their range.

Text, ``int``, ``Fraction``, ``Decimal`` and SymPy constants are taken as they are. A ``float`` is
read as the shortest decimal that prints it, because whoever writes 0.1 means one tenth; who wants
the binary number itself says so with ``Fraction(0.1)``.

>>> from fractions import Fraction
>>> quantity(0.1, "epsilon"), quantity("log(3)", "epsilon"), quantity(Fraction(0.5), "epsilon")
(1/10, log(3), 1/2)
>>> quantity(Fraction(0.1), "epsilon")
3602879701896397/36028797018963968
>>> epsilon(-1)
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: epsilon must be at least 0, not -1
"""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import sympy
from flint import ctx
from sympy import Expr, Integer, Rational

from symdp.formulas.balls import Refused, ball
from symdp.formulas.parsing import ParseError, parse_expression
from symdp.formulas.printing import to_text

#: What may be given for a number.
Quantity: TypeAlias = str | int | float | Fraction | Decimal | Expr

#: Comparisons of constants that Arb cannot tell apart with so many bits are refused.
MOST_BITS = 4096
#: Longer texts of numbers are rounded in messages.
LONG = 40


class BadQuantity(ValueError):
    """A number that makes no sense where it was given; the message is one line."""


class MissingQuantity(BadQuantity):
    """A number that is not given, or not of the kind that is asked for: nothing can be said without it."""


def quantity(value: Quantity, name: str) -> Expr:
    """The exact real number that ``value`` means."""
    expr = _exact(value, name)
    if isinstance(expr, Rational) and expr.is_finite:
        return expr
    if expr.free_symbols:
        unknown = ", ".join(sorted(map(str, expr.free_symbols)))
        raise BadQuantity(f"{name} must be a number; {unknown} has no value")
    try:
        with ctx.workprec(64):
            ball(expr)
    except Refused as reason:
        raise BadQuantity(f"{name} must be a real number: {reason}") from reason
    return expr


def _exact(value: Quantity, name: str) -> Expr:
    if type(value) is int:
        return Integer(value)
    if isinstance(value, bool) or value is None:
        raise BadQuantity(f"{name} must be a number, not {value!r}")
    if isinstance(value, str):
        try:
            return parse_expression(value)
        except ParseError as reason:
            raise BadQuantity(f"{name}: {reason}") from reason
    if isinstance(value, sympy.Float):
        value = float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadQuantity(f"{name} must be a finite number, not {value}")
        return Rational(repr(float(value)))  # a numpy float prints its type otherwise
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise BadQuantity(f"{name} must be a finite number, not {value}")
        return Rational(*value.as_integer_ratio())
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, numbers.Integral):
        return Integer(int(value))
    if isinstance(value, numbers.Real):  # NumPy's other floats: the shortest decimal of their own precision
        if not math.isfinite(value):
            raise BadQuantity(f"{name} must be a finite number, not {value}")
        return Rational(str(value))
    if isinstance(value, Expr):
        if value.atoms(sympy.Float):
            raise BadQuantity(f"{name} has a floating-point number in it; write Rational('0.1')")
        if value.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
            raise BadQuantity(f"{name} must be a finite number, not {value}")
        return value
    raise BadQuantity(f"{name} must be a number, not {type(value).__name__}")


def shown(expr: Expr) -> str:
    """A number as a message shows it: exactly where that is short.

    >>> shown(Rational(1, 100)), shown(Rational(1, 10**300))
    ('1/100', '1.00000e-300')
    """
    text = to_text(expr)
    return text if len(text) <= LONG else str(sympy.N(expr, 6))


def sign(expr: Expr, name: str = "the number") -> int:
    """-1, 0 or 1; exact for rationals, by balls of growing precision otherwise.

    >>> sign(sympy.exp(1) - 3), sign(sympy.sqrt(2) ** 2 - 2)
    (-1, 0)
    """
    if isinstance(expr, Rational):
        return int(expr.p > 0) - int(expr.p < 0)
    bits = 64
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            value: Any = ball(expr)
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        # An exact zero is seen by algebra alone; that is slow, and asked last.
        if bits >= 1024 and expr.count_ops() <= 200 and sympy.simplify(expr) == 0:
            return 0
        bits *= 4
    raise BadQuantity(f"{name} cannot be told from its limit with {MOST_BITS} bits")


def within(
    value: Quantity, name: str, lower: int | None, upper: int | None, *, open_below: bool = False
) -> Expr:
    """A number between two integers; None is no limit.

    >>> within("1/3", "delta", 0, 1)
    1/3
    >>> within(0, "epsilon", 0, None, open_below=True)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: epsilon must be greater than 0, not 0
    """
    expr = quantity(value, name)
    if lower is not None:
        below = sign(expr - lower if lower else expr, name)
        if below < 0 or (open_below and below == 0):
            words = "greater than" if open_below else "at least"
            raise BadQuantity(f"{name} must be {words} {lower}, not {shown(expr)}")
    if upper is not None and sign(expr - upper, name) > 0:
        raise BadQuantity(f"{name} must be at most {upper}, not {shown(expr)}")
    return expr


def epsilon(value: Quantity, name: str = "epsilon") -> Expr:
    """A privacy parameter epsilon: a real number >= 0."""
    return within(value, name, 0, None)


def probability(value: Quantity, name: str = "delta") -> Expr:
    """A number between 0 and 1.

    >>> probability("3/2")
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: delta must be at most 1, not 3/2
    """
    return within(value, name, 0, 1)


#: What is said where there is no mechanism at all.
NOTHING_CHANGES = "a query that no record changes reveals nothing, and epsilon and delta are 0"
NOTHING_COMPOSED = "without mechanisms nothing is revealed, and epsilon and delta are 0"


def count(value: Quantity, name: str = "k", least: int = 1) -> int:
    """How many times: an integer.

    >>> count("10^12")
    1000000000000
    >>> count(2.5)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: k must be an integer, not 5/2
    """
    expr = quantity(value, name)
    if not isinstance(expr, Integer):
        raise BadQuantity(f"{name} must be an integer, not {to_text(expr)}")
    if int(expr) < least:
        raise BadQuantity(f"{name} must be at least {least}, not {int(expr)}")
    return int(expr)


def sensitivity(value: Quantity, name: str = "sensitivity") -> Expr:
    """How far an answer moves where a record changes; greater than zero.

    >>> sensitivity(0)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: sensitivity must be greater than 0, not 0: a query that no record changes
    reveals nothing, and epsilon and delta are 0
    """
    expr = quantity(value, name)
    if sign(expr, name) == 0:
        raise BadQuantity(f"{name} must be greater than 0, not 0: {NOTHING_CHANGES}")
    return within(expr, name, 0, None, open_below=True)


def whole_sensitivity(value: Quantity, name: str = "sensitivity") -> int:
    """The same for noise that is an integer."""
    return count(sensitivity(value, name), name)


def times(value: Quantity, name: str = "k") -> int:
    """How many times something is composed; at least once.

    >>> times(0)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: k must be at least 1, not 0: without mechanisms nothing is revealed, and
    epsilon and delta are 0
    """
    if quantity(value, name) == 0:
        raise BadQuantity(f"{name} must be at least 1, not 0: {NOTHING_COMPOSED}")
    return count(value, name)


def digits_wanted(value: Quantity, most: int = 10_000) -> int:
    """How many digits to compute.

    >>> digits_wanted(0)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: digits must be at least 1, not 0
    """
    wanted = count(value, "digits")
    if wanted > most:
        raise BadQuantity(f"digits must be at most {most}, not {wanted}")
    return wanted
