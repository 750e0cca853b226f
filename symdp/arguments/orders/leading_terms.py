r"""The leading behaviour of an expression at a point: what it is asymptotic to, and its limit.

>>> from symdp.formulas.notation import x
>>> print(leading(sympy.exp(x) - 1 - x, x, Integer(0), "+").written(x, Integer(0), "+"))
x**2/2
>>> limit_at(sympy.log(x) * x, x, Integer(0)), limit_at(x**2 + sympy.log(sympy.erfc(x)), x, oo)
(0, -oo)
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.arguments.series.evaluation import Evaluation
from symdp.arguments.series.neighbourhood import (
    BITS,
    Deeper,
    Narrower,
    NoExpansion,
    NotReal,
    Setting,
    key,
)
from symdp.arguments.series.power_model import UNIT
from symdp.arguments.series.transseries import grows, joined, scaled
from symdp.arguments.series.truncation import SeriesTerm
from symdp.kernel.values.ranges import Undefined, Unsupported, precision
from symdp.numbers.domain import Domain

RADII = tuple(Rational(1, 2**n) for n in (6, 12, 24, 60, 160, 600))
MOST_DEPTH = 40


def leading(
    f: Expr, v: Symbol, at: Expr, side: str = "+", parameters: Domain | None = None,
    along: Mapping[Symbol, Expr] | None = None,
) -> SeriesTerm:
    """c exp(E) s^a L^b with f ~ that, and c certainly not 0; NoExpansion where it is not found."""
    places, depth, reason = list(RADII), 3, "no neighbourhood was found on which bounds close"
    if f.free_symbols.isdisjoint({v, *(along or {})}):
        setting = Setting(Rational(1, 64), parameters)
        if setting.sign(f) in (None, 0):
            raise NoExpansion(f"{f} is zero, or may be")
        return SeriesTerm(frozenset(), UNIT, f)
    with precision(BITS):
        while depth <= MOST_DEPTH and places:
            setting = Setting(places[0], parameters, depth=depth, exponentials=2)
            try:
                made = Evaluation(setting, v, at, side, along)(f)
                exponent, power, c, _, _, _ = made.relative()
                return SeriesTerm(exponent, power, c)
            except Narrower as narrower:
                places.pop(0)
                reason = str(narrower)
            except Deeper as deeper:
                depth += max(3, depth // 2)
                reason = str(deeper)
            except Undefined as undefined:
                raise NotReal(str(undefined)) from None
            except Unsupported as unsupported:
                raise NoExpansion(str(unsupported)) from None
    raise NoExpansion(f"the leading term of {f} was not found: {reason}")


def limit_of(term: SeriesTerm, parameters: Domain | None = None) -> Expr:
    """The limit of a leading term: 0, +-oo, or its coefficient."""
    setting = Setting(Rational(1, 64), parameters)
    growth = grows(setting, term.exponent) if term.exponent else 0
    if growth == 0 and term.power == UNIT:
        return term.coefficient
    infinite = growth > 0 or (growth == 0 and key(term.power) < key(UNIT))
    if not infinite:
        return Integer(0)
    return oo if setting.sign(term.coefficient) == 1 else -oo


def limit_at(
    f: Expr, v: Symbol, at: Expr, side: str = "+", parameters: Domain | None = None,
    along: Mapping[Symbol, Expr] | None = None,
) -> Expr:
    """The limit, certain: 0, +-oo or a constant."""
    if f == 0:
        return Integer(0)
    return limit_of(leading(f, v, at, side, parameters, along), parameters)


def quotient(f: SeriesTerm, g: SeriesTerm) -> SeriesTerm:
    """What the quotient of two functions is asymptotic to."""
    return SeriesTerm(
        joined(f.exponent, scaled(g.exponent, Integer(-1))),
        (f.power[0] - g.power[0], f.power[1] - g.power[1]),
        sympy.sympify(f.coefficient / g.coefficient),
    )
