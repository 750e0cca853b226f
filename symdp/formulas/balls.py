"""Constants in Arb's balls, to see how large a number is before SymPy computes it.

>>> import sympy
>>> print(evaluate(sympy.exp, constant(sympy.Integer(1))).str(5, radius=False))
2.7183
>>> evaluate(sympy.log, constant(sympy.Integer(-1)))
Traceback (most recent call last):
...
symdp.formulas.balls.Refused: not a real number
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flint import arb, ctx, fmpq
from sympy import Add, Expr, Mul, Pow, Rational, S

from symdp.formulas.functions import NAMES, ball_function

PRECISION = 512
#: Constants lie between 2^-MAX_BITS and 2^MAX_BITS.
MAX_BITS = 20_000

TOO_LARGE = "the number is too large to be written out"
NOT_REAL = "not a real number"


class Refused(Exception):
    """A step that would not end in a real number, or not soon."""


def constant(expr: Expr) -> Any:
    """A ball around a rational number, e or pi."""
    with ctx.workprec(PRECISION):
        if isinstance(expr, Rational):
            return arb(int(expr.p)) if expr.q == 1 else arb(int(expr.p)) / int(expr.q)
        return arb.pi() if expr is S.Pi else arb(1).exp()


def ball(expr: Expr) -> Any:
    """A ball around a constant expression, at the working precision of the caller.

    >>> import sympy
    >>> with ctx.workprec(100):
    ...     print(ball(sympy.log(2) / 3).str(20, radius=False))
    0.23104906018664843647
    """
    if isinstance(expr, Rational):
        return arb(fmpq(int(expr.p), int(expr.q)))
    if expr is S.Pi or expr is S.Exp1:
        return arb.pi() if expr is S.Pi else arb(1).exp()
    if expr.func not in BALLS:
        raise Refused(NOT_REAL if expr.has(S.ImaginaryUnit) else f"there is no number {expr}")
    value = BALLS[expr.func](*(ball(part) for part in expr.args))
    if not value.is_finite():
        raise Refused(NOT_REAL)
    return value


def evaluate(function: Any, *balls: Any) -> Any:
    """The value of one of SymPy's functions; refused if it is no real number of a writable size."""
    with ctx.workprec(PRECISION):
        value = BALLS[function](*balls)
        if not value.is_finite():
            raise Refused(NOT_REAL)
        size = value.abs_upper()
        if size > arb(2) ** MAX_BITS:
            raise Refused(TOO_LARGE)
        if 0 < size < arb(2) ** -MAX_BITS:
            raise Refused("the number is too small to be told from zero")
    return value


def _power(base: Any, exponent: Any) -> Any:
    if exponent == arb(1) / 2:
        return base.sqrt()
    whole = exponent.unique_fmpz() if exponent.is_exact() else None
    if whole is None and not base > 0:  # (-8)^(1/3) is not real; of 0 SymPy takes care
        return base if base == 0 and exponent > 0 else arb.nan()
    return base**exponent


BALLS: dict[Any, Callable[..., Any]] = {
    Add: lambda *terms: sum(terms[1:], terms[0]),
    Mul: lambda *factors: math.prod(factors[1:], start=factors[0]),
    Pow: _power,
    **{kind: ball_function(name) for kind, name in NAMES.items()},
}
