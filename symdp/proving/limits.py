r"""Limits by structure: what an expression tends to where a variable runs to an end. **Trusted.**

The limit of a sum, product, quotient, power or elementary function follows from the limits of its
parts whenever the result is not one of the indeterminate forms; those are refused, and it is for a
tactic to rewrite the expression so that they do not occur. SymPy's `limit` is not asked: it is known
to be wrong, `limit(x**2 + log(erfc(x)), x, oo)` being one example.

>>> from sympy import exp, oo, tanh
>>> from symdp.domain import Domain, Interval
>>> from symdp.notation import x, y
>>> half_line = Domain({x: Interval(0, oo, True), y: Interval(0, oo, True)})
>>> limit(y + exp(-x) / (1 + x), x, oo, "-", half_line)
y
>>> limit(y * x - 3, x, oo, "-", half_line)
oo
"""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol, oo

from symdp.domain import Domain
from symdp.notation import Phi
from symdp.proving.kernel import Rejected, range_on

#: The limits of functions at -oo and oo.
_AT_INFINITY: dict[type, tuple[Expr, Expr]] = {
    sympy.exp: (sympy.Integer(0), oo),
    sympy.sinh: (-oo, oo),
    sympy.cosh: (oo, oo),
    sympy.tanh: (sympy.Integer(-1), sympy.Integer(1)),
    sympy.erf: (sympy.Integer(-1), sympy.Integer(1)),
    sympy.erfc: (sympy.Integer(2), sympy.Integer(0)),
    Phi: (sympy.Integer(0), sympy.Integer(1)),
}
_GROWING = {sympy.log: oo, sympy.gamma: oo, sympy.loggamma: oo}


def limit(expr: Expr, v: Symbol, at: Expr, side: str, domain: Domain) -> Expr:
    """The limit as v tends to ``at`` within the domain: an expression in the other variables, or
    +-oo; Rejected where the structure does not tell."""
    return _Limit(v, at, side, domain).of(expr)


class _Limit:
    def __init__(self, v: Symbol, at: Expr, side: str, domain: Domain) -> None:
        self.v, self.at, self.side, self.domain = v, at, side, domain
        self.rest = Domain(
            {u: i for u, i in domain.intervals.items() if u != v}, domain.integers - {v},
            tuple(c for c in domain.conditions if v not in c.symbols),
            tuple(f for f in domain.facts if v not in f.symbols),
        )

    def of(self, expr: Expr) -> Expr:
        if self.v not in expr.free_symbols:
            return expr
        if expr == self.v:
            return self.at
        if expr.is_Add:
            return self._sum(expr)
        if expr.is_Mul:
            return self._product(expr)
        if expr.is_Pow:
            return self._power(expr)
        return self._function(expr)

    def _sum(self, expr: Expr) -> Expr:
        parts = [self.of(a) for a in expr.args]
        if oo in parts and -oo in parts:
            raise Rejected("oo - oo has no limit by structure")
        return oo if oo in parts else -oo if -oo in parts else sympy.Add(*parts)

    def _product(self, expr: Expr) -> Expr:
        parts = [(a, self.of(a)) for a in expr.args]
        if not any(p in (oo, -oo) for _, p in parts):
            return sympy.Mul(*(p for _, p in parts))
        sign = 1
        for _, p in parts:
            sign *= self._sign(p)
        return oo if sign > 0 else -oo

    def _sign(self, value: Expr) -> int:
        """The sign of a limit that is not zero anywhere on the domain."""
        if value in (oo, -oo):
            return 1 if value == oo else -1
        r = range_on(value, self.rest)
        if r.is_positive():
            return 1
        if r.is_negative():
            return -1
        raise Rejected("0 times oo has no limit by structure")

    def _power(self, expr: Expr) -> Expr:
        base, exponent = expr.base, expr.exp
        if exponent.has(self.v):
            if not range_on(base, self.domain).is_positive():
                raise Rejected("a power whose base may be 0 has no limit by structure")
            return self._function(sympy.exp(exponent * sympy.log(base), evaluate=False))
        b = self.of(base)
        if b in (oo, -oo):
            if not exponent.is_Rational:
                sign = self._sign(exponent)
                if b == -oo:
                    raise Rejected("a general power of -oo has no limit")
                return oo if sign > 0 else sympy.Integer(0)
            if exponent < 0:
                return sympy.Integer(0)
            if b == oo:
                return oo
            if not exponent.is_Integer:
                raise Rejected("a root of -oo has no limit")
            return oo if exponent % 2 == 0 else -oo
        if not exponent.is_Rational or exponent < 0 or not exponent.is_Integer:
            if b == 0:
                return self._power_at_zero(base, exponent)
            # Continuous there only where the base stays away from 0.
            self._sign(b)
        return b**exponent

    def _power_at_zero(self, base: Expr, exponent: Expr) -> Expr:
        if exponent.is_Rational and exponent > 0:
            return sympy.Integer(0)
        if not exponent.is_Rational:
            raise Rejected("0 to a general power has no limit by structure")
        if exponent % 2 == 0:
            return oo
        r = range_on(base, self.domain)  # the base has one sign on its way to 0
        if r.is_nonnegative():
            return oo
        if r.is_nonpositive() and exponent.is_Integer:
            return -oo
        raise Rejected("1/0 has no limit by structure")

    def _function(self, expr: Expr) -> Expr:
        argument = self.of(expr.args[0]) if len(expr.args) == 1 else None
        if argument is None:
            raise Rejected(f"{type(expr).__name__} has no limit by structure")
        kind = type(expr)
        if argument in (oo, -oo):
            if kind in _AT_INFINITY:
                return _AT_INFINITY[kind][argument == oo]
            if kind in _GROWING and argument == oo:
                return _GROWING[kind]
            raise Rejected(f"{kind.__name__} has no limit at {argument}")
        if kind is sympy.log and argument == 0:
            return -oo  # the argument of a logarithm is positive on its way to 0
        if kind in (sympy.log, sympy.gamma, sympy.loggamma):
            if self._sign(argument) < 0:
                raise Rejected(f"{kind.__name__} of a negative limit")
            return kind(argument)
        if kind in _AT_INFINITY or kind in (sympy.sin, sympy.cos, sympy.Abs):
            return kind(argument)
        raise Rejected(f"{kind.__name__} has no limit by structure")
