r"""Old names of what now stands in :mod:`symdp.numbers.ranges`, :mod:`symdp.formulas.insertion` and the kernel."""

from __future__ import annotations

import sympy
from sympy import Expr

from symdp.formulas.insertion import DECIDED_BY_ROUNDING, inserted
from symdp.formulas.translation import term_of
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import (
    NEG_INF,
    ONE,
    POS_INF,
    ZERO,
    Range,
    Undefined,
    Unsupported,
    add,
    magnitude,
    mul,
    precision,
    short,
)
from symdp.numbers.ranges import Tape, enclose_constant, sign_at, sign_of_constant, whole_between
from symdp.numbers.ranges import ball as number

__all__ = [
    "DECIDED_BY_ROUNDING", "NEG_INF", "ONE", "POS_INF", "ZERO", "Range", "Tape", "Undefined", "Unsupported",
    "add", "enclosable", "enclose_constant", "inserted", "inverse", "magnitude", "mul", "number",
    "precision", "short", "sign_at", "sign_of_constant", "whole_between",
]


def inverse(a: Range, part: Expr) -> Range:
    """One over the values of a part."""
    return ranges.inverse(a, term_of(part))


def enclosable(expr: Expr) -> Expr:
    """The expression as it is expanded: binomials through Gamma, log(e + u) as 1 + log(1 + u/e)."""
    if expr.has(sympy.log) and expr.has(sympy.E):
        expr = expr.replace(
            lambda part: isinstance(part, sympy.log) and sympy.E in sympy.Add.make_args(part.args[0]),
            lambda part: 1 + sympy.log(1 + (part.args[0] - sympy.E) / sympy.E),
        )
    if not expr.has(sympy.binomial):
        return expr

    def rewrite(n: Expr, m: Expr) -> Expr:
        if m.is_Integer and 0 <= m <= 20:
            return sympy.prod([n - i for i in range(int(m))]) / sympy.factorial(m)
        return sympy.exp(
            sympy.loggamma(n + 1) - sympy.loggamma(m + 1) - sympy.loggamma(n - m + 1)
        )

    return expr.replace(sympy.binomial, rewrite)
