r"""Limits of SymPy's expressions: the kernel's, seen from SymPy.

SymPy's own `limit` is not asked: it is known to be wrong, `limit(x**2 + log(erfc(x)), x, oo)` being one
example.

>>> from sympy import exp, log
>>> from symdp.numbers.domain import Domain, Interval
>>> from symdp.formulas.notation import x, y
>>> half_line = Domain({x: Interval(0, oo, True), y: Interval(0, oo, True)})
>>> limit(y + exp(-x) / (1 + x), x, oo, "-", half_line)
y
>>> limit(y * x - 3, x, oo, "-", half_line), limit(x - log(x), x, oo, "-", half_line)
(oo, oo)
>>> limit(x * log(x), x, 0, "+", half_line)
0
"""

from __future__ import annotations

from sympy import Expr, Symbol, oo, sympify

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.proof import Rejected
from symdp.kernel.values import limits
from symdp.kernel.values.limits import MINUS_INFINITY, PLUS_INFINITY, Infinity
from symdp.kernel.values.ranges import Vacuous
from symdp.numbers.domain import Domain
from symdp.numbers.goals import setting_of


def limit(expr: Expr, v: Symbol, at: Expr, side: str, domain: Domain) -> Expr:
    """The limit as v tends to ``at`` within the domain: an expression in the other variables, or +-oo.

    Rejected where the structure does not tell; Undefined or Unsupported unless the expression is seen to be
    defined on the domain.
    """
    at = sympify(at)
    end = PLUS_INFINITY if at == oo else MINUS_INFINITY if at == -oo else term_of(at)
    try:
        found = limits.limit(term_of(expr), str(v.name), end, setting_of(domain), side == "+")
    except Vacuous as reason:
        raise Rejected(str(reason)) from None
    return found.value * oo if isinstance(found, Infinity) else expr_of(found)
