r"""Limits by structure: what an expression tends to where a variable runs to an end. **Trusted.**

The limit of a sum, product, quotient, power or elementary function follows from the limits of its
parts whenever the result is not an indeterminate form. For products and sums that are, the growth
of their parts decides: $e^{P(v)} v^d (\log v)^j$ with leading coefficients of known sign. What even
that does not settle is refused. SymPy's `limit` is not asked: it is known to be wrong,
`limit(x**2 + log(erfc(x)), x, oo)` being one example.

>>> from sympy import exp, log, oo, tanh
>>> from symdp.domain import Domain, Interval
>>> from symdp.notation import x, y
>>> half_line = Domain({x: Interval(0, oo, True), y: Interval(0, oo, True)})
>>> limit(y + exp(-x) / (1 + x), x, oo, "-", half_line)
y
>>> limit(y * x - 3, x, oo, "-", half_line), limit(x - log(x), x, oo, "-", half_line)
(oo, oo)
>>> limit(x * log(x), x, 0, "+", half_line)
0
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.notation import Phi, symbol
from symdp.proving.enclosure import inserted
from symdp.proving.kernel import Rejected, range_on

ZERO = sympy.Integer(0)

#: The limits of functions at -oo and oo.
_AT_INFINITY: dict[type, tuple[Expr, Expr]] = {
    sympy.exp: (ZERO, oo),
    sympy.sinh: (-oo, oo),
    sympy.cosh: (oo, oo),
    sympy.tanh: (sympy.Integer(-1), sympy.Integer(1)),
    sympy.erf: (sympy.Integer(-1), sympy.Integer(1)),
    sympy.erfc: (sympy.Integer(2), ZERO),
    Phi: (ZERO, sympy.Integer(1)),
}
_GROWING = {sympy.log: oo, sympy.gamma: oo, sympy.loggamma: oo}


def limit(expr: Expr, v: Symbol, at: Expr, side: str, domain: Domain) -> Expr:
    """The limit as v tends to ``at`` within the domain: an expression in the other variables, or
    +-oo; Rejected where the structure does not tell."""
    at = sympy.sympify(at)
    try:
        return _Limit(v, at, domain).of(expr)
    except Rejected:
        if at == oo:
            raise
    # Growth is measured towards infinity: v = at +- 1/w, or v = -w.
    w = symbol("w_")
    if w in domain.intervals:
        raise Rejected("the name w_ is taken")
    forward = -w if at == -oo else at + 1 / w if side == "+" else at - 1 / w
    moved = Domain(
        {**{u: i for u, i in domain.intervals.items() if u != v}, w: Interval(1, oo)},
        domain.integers - {v},
        tuple(c for c in domain.conditions if v not in c.symbols),
        tuple(f for f in domain.facts if v not in f.symbols),
    )
    return _Limit(w, oo, moved).of(inserted(expr, {v: forward}))


LARGEST_DEGREE = 200


def multiplied_out(expr: Expr) -> Expr:
    """The expression expanded, where that ends soon: (1 + v)^(10^9) would fill the memory."""
    if _degree(expr) > LARGEST_DEGREE:
        raise Rejected("a power is too large to be multiplied out")
    return sympy.expand(expr)


def _degree(expr: Expr) -> int:
    """How many factors a term may have once everything is multiplied out."""
    parts = [_degree(a) for a in expr.args]
    if not parts:
        return 1
    if expr.is_Mul:
        return sum(parts)
    if expr.is_Pow and expr.exp.is_Integer:
        return parts[0] * abs(int(expr.exp))
    return max(parts)


@dataclass(frozen=True)
class _Growth:
    """sign * c * exp(P(v)) * v^degree * log(v)^logs, up to a factor that tends to a positive constant.

    ``exact`` is False if the true size may be smaller; then only a limit of 0 may be concluded.
    """

    rate: sympy.Poly
    degree: sympy.Rational
    logs: int
    sign: int
    exact: bool = True

    def times(self, other: _Growth) -> _Growth:
        return _Growth(
            self.rate + other.rate, self.degree + other.degree, self.logs + other.logs,
            self.sign * other.sign, self.exact and other.exact,
        )


class _Limit:
    def __init__(self, v: Symbol, at: Expr, domain: Domain) -> None:
        self.v, self.at, self.domain = v, at, domain
        self.rest = Domain(
            {u: i for u, i in domain.intervals.items() if u != v},
            domain.integers - {v},
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
            return self._dominant(expr)
        return oo if oo in parts else -oo if -oo in parts else sympy.Add(*parts)

    def _product(self, expr: Expr) -> Expr:
        parts = [self.of(a) for a in expr.args]
        if not any(p in (oo, -oo) for p in parts):
            return sympy.Mul(*parts)
        if ZERO in parts:
            return self._outcome(self._growth(expr))
        sign = 1
        for p in parts:
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
            return self._power_of_infinity(b, exponent)
        if not exponent.is_Rational or exponent < 0 or not exponent.is_Integer:
            if b == 0:
                return self._power_of_zero(base, exponent)
            # Continuous there only where the base stays away from 0.
            self._sign(b)
        return b**exponent

    def _power_of_infinity(self, b: Expr, exponent: Expr) -> Expr:
        if not exponent.is_Rational:
            if b == -oo:
                raise Rejected("a general power of -oo has no limit")
            return oo if self._sign(exponent) > 0 else ZERO
        if exponent < 0:
            return ZERO
        if b == oo:
            return oo
        if not exponent.is_Integer:
            raise Rejected("a root of -oo has no limit")
        return oo if exponent % 2 == 0 else -oo

    def _power_of_zero(self, base: Expr, exponent: Expr) -> Expr:
        if not exponent.is_Rational:
            raise Rejected("0 to a general power has no limit by structure")
        if exponent > 0:
            return ZERO
        if exponent % 2 == 0:
            return oo
        r = range_on(base, self.domain)  # the base has one sign on its way to 0
        if r.is_nonnegative():
            return oo
        if r.is_nonpositive() and exponent.is_Integer:
            return -oo
        raise Rejected("1/0 has no limit by structure")

    def _function(self, expr: Expr) -> Expr:
        if len(expr.args) != 1:
            raise Rejected(f"{type(expr).__name__} has no limit by structure")
        argument, kind = self.of(expr.args[0]), type(expr)
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

    # growth towards infinity

    def _dominant(self, expr: Expr) -> Expr:
        """A sum follows its fastest growing term, if there is exactly one and it is unbounded."""
        growths = [self._growth(a) for a in expr.args]
        if not all(g.exact for g in growths):
            raise Rejected("oo - oo has no limit by structure")
        for i, g in enumerate(growths):
            others = (h for j, h in enumerate(growths) if j != i)
            if all(self._compare(g, h) > 0 for h in others):
                return self._outcome(g)
        raise Rejected("oo - oo has no limit by structure")

    def _outcome(self, g: _Growth) -> Expr:
        size = self._compare(g, _Growth(self._constant(), sympy.Integer(0), 0, 1))
        if size < 0:
            return ZERO
        if size > 0 and g.exact:
            return oo if g.sign > 0 else -oo
        raise Rejected("the growth of the parts does not tell the limit")

    def _compare(self, a: _Growth, b: _Growth) -> int:
        """1 if a outgrows b, -1 if b outgrows a, 0 if they are of one size."""
        for coefficient, (power,) in sorted(
            ((c, m) for m, c in (a.rate - b.rate).terms()), key=lambda t: -t[1][0]
        ):
            if power > 0 and coefficient != 0:
                return self._sign(coefficient)
        if a.degree != b.degree:
            return 1 if a.degree > b.degree else -1
        return (a.logs > b.logs) - (a.logs < b.logs)

    def _constant(self) -> sympy.Poly:
        return sympy.Poly(0, self.v)

    def _growth(self, expr: Expr) -> _Growth:
        if self.at != oo:
            raise Rejected("growth is measured at infinity only")
        if self.v not in expr.free_symbols:
            return _Growth(self._constant(), sympy.Integer(0), 0, self._sign(expr))
        if expr.is_Mul:
            g = _Growth(self._constant(), sympy.Integer(0), 0, 1)
            for a in expr.args:
                g = g.times(self._growth(a))
            return g
        if isinstance(expr, sympy.exp):
            rate = multiplied_out(expr.args[0])
            if not rate.is_polynomial(self.v):
                raise Rejected("the growth of an exponential is not known")
            return _Growth(sympy.Poly(rate, self.v), sympy.Integer(0), 0, 1)
        if isinstance(expr, (sympy.erfc, Phi)):
            return self._gaussian_tail(expr)
        if isinstance(expr, sympy.log) and self.of(expr.args[0]) in (oo, ZERO):
            inner = self._growth(expr.args[0])
            if inner.rate.is_zero and inner.degree != 0 and inner.exact:
                return _Growth(
                    self._constant(), sympy.Integer(0), 1, 1 if inner.degree > 0 else -1
                )
            raise Rejected("the growth of a logarithm is not known")
        if expr.is_Pow and expr.exp.is_Rational:
            return self._growth_of_power(expr)
        if expr.is_polynomial(self.v):
            poly = sympy.Poly(multiplied_out(expr), self.v)
            return _Growth(
                self._constant(), sympy.Integer(poly.degree()), 0, self._sign(poly.LC())
            )
        value = self.of(expr)
        if value in (oo, -oo) or value == 0:
            raise Rejected("the growth of a part is not known")
        return _Growth(self._constant(), sympy.Integer(0), 0, self._sign(value))

    def _growth_of_power(self, expr: Expr) -> _Growth:
        inner, e = self._growth(expr.base), expr.exp
        if not inner.exact and e < 0:
            raise Rejected("the growth of a quotient is not known")
        if inner.sign < 0 and not e.is_Integer:
            raise Rejected("a root of something negative")
        if (inner.logs * e).q != 1:
            raise Rejected("a root of a logarithm")
        sign = 1 if e % 2 == 0 or inner.sign > 0 else -1
        return _Growth(inner.rate * e, inner.degree * e, int(inner.logs * e), sign, inner.exact)

    def _gaussian_tail(self, expr: Expr) -> _Growth:
        """0 < erfc(u) <= exp(-u^2) for u >= 0, and Phi(-u) = erfc(u/sqrt(2))/2."""
        u = expr.args[0] if isinstance(expr, sympy.erfc) else -expr.args[0] / sympy.sqrt(2)
        square = multiplied_out(u**2)
        if self.of(u) != oo or not square.is_polynomial(self.v):
            raise Rejected("the growth of a Gaussian tail is not known")
        return _Growth(sympy.Poly(-square, self.v), sympy.Integer(0), 0, 1, exact=False)


