r"""Roots and logarithms of products, split where the factors are known to be positive.

An expression in which a parameter is a factor under a root can then be expanded with the parameter
split off.

>>> from sympy import log, sqrt
>>> from symdp.formulas.notation import k, slack
>>> from symdp.formulas.parsing import parse_conditions
>>> where = [r for w in ("k >= 1", "0 < slack < 1") for r in parse_conditions(w)]
>>> split(sqrt(k * log(1 / slack)), Domain.of(where))
sqrt(k)*sqrt(log(1/slack))
"""

from __future__ import annotations

import sympy
from sympy import Expr

from symdp.formulas.insertion import DECIDED_BY_ROUNDING
from symdp.kernel.values.ranges import Undefined, Unsupported
from symdp.numbers.domain import Domain
from symdp.search.view.goals import range_on


def split(expr: Expr, domain: Domain) -> Expr:
    """The same function on the domain, with roots of products as products of roots."""
    if expr.is_Atom:
        return expr
    parts = [split(a, domain) for a in expr.args]
    if expr.is_Pow and not parts[1].is_Integer and parts[0].is_Mul and all(
        _is_positive(f, domain) for f in parts[0].args
    ):
        return sympy.Mul(*(_power(f, parts[1], domain) for f in parts[0].args))
    if expr.is_Pow:
        return _power(parts[0], parts[1], domain)
    # A minimum or a floor, put together anew, could be evaluated by rounding.
    return expr if isinstance(expr, DECIDED_BY_ROUNDING) else expr.func(*parts)


def _power(base: Expr, exponent: Expr, domain: Domain) -> Expr:
    """(b^p)^q = b^(pq) where b is positive."""
    if base.is_Pow and _is_positive(base.base, domain):
        return base.base ** (base.exp * exponent)
    return base**exponent


def _is_positive(e: Expr, domain: Domain) -> bool:
    try:
        return range_on(e, domain).is_positive()
    except (Undefined, Unsupported):
        return False
