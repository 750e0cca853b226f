r"""Exact identities and normal forms of SymPy's expressions: the kernel's, seen from SymPy.

>>> from sympy import exp, log, sqrt, tanh
>>> from symdp.formulas.notation import x, y
>>> identical(tanh(x / 2), (exp(x) - 1) / (exp(x) + 1))
True
>>> identical(log(exp(x) / (1 + y)), x - log(1 + y), positive=[1 + y])
True
>>> identical(sqrt(x**2), x)
False
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from flint import fmpq
from sympy import Add, Expr, Mul, Pow, Rational

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.algebra import identity
from symdp.kernel.algebra.normal_form import NowhereDefined
from symdp.kernel.algebra.polynomial import (
    ONE,
    Exponent,
    Monomial,
    Poly,
    Quotient,
    TooLarge,
    atoms_of,
    exponents_of,
    join,
    plus,
    raised,
)
from symdp.kernel.terms import Term

__all__ = ["ONE", "AlgebraOfExpressions", "Exponent", "Monomial", "NowhereDefined", "Poly", "Quotient", "TooLarge",
           "identical", "rational"]

#: Atoms of these forms stand under roots, and are sums themselves.
_COMPOSITE = ("+", "*", "/", "number")


def identical(left: Expr, right: Expr, positive: Iterable[Expr] = ()) -> bool:
    """Whether both sides agree wherever both are defined and all of ``positive`` is positive.

    False means only: not seen.
    """
    try:
        return identity.identical(term_of(left), term_of(right), [term_of(p) for p in positive])
    except NotATerm:
        return False


def rational(value: fmpq | Exponent) -> Rational:
    """A number of a normal form as one of SymPy."""
    if isinstance(value, fmpq):
        return Rational(int(value.p), int(value.q))
    return Rational(value.numerator, value.denominator)


class AlgebraOfExpressions:
    """Normal forms of expressions, and what their atoms are to SymPy."""

    def __init__(self, positive: Iterable[Expr] = ()) -> None:
        self._algebra = identity.Algebra([term_of(p) for p in positive])
        self._meaning: list[Expr] = []

    def normal(self, expr: Expr) -> Quotient:
        """Two sums of monomials over atoms; an ArithmeticError or a TypeError if there are none."""
        return self._quotient(term_of(expr))

    def _quotient(self, term: Term) -> Quotient:
        """As a quotient; what has negative powers above is brought below, a sum always, and the rest if
        there is a denominator anyway."""
        n, d = self._algebra.quotient(self._algebra.normal(term))
        for g in sorted(atoms_of(n), reverse=True):
            lowest = math.floor(min(exponents_of(g, n), default=0))
            inside = self.root_of(g) if lowest < 0 else None
            if inside is not None and inside[1] == ONE:
                n, d = (self._lifted(p, g, -lowest, inside[0]) for p in (n, d))
        if d != ONE and self._algebra.splits(n, d):
            below = tuple((g, -low) for g in sorted(atoms_of(n)) if (low := min(exponents_of(g, n))) < 0)
            n, d = ({join(m, below): c for m, c in p.items()} for p in (n, d))
        return n, d

    def _lifted(self, p: Poly, g: int, by: int, inside: Poly) -> Poly:
        """A sum times a power of an atom that is a sum itself."""
        result: Poly = {}
        for m, c in p.items():
            whole = math.floor(dict(m).get(g, 0)) + by
            part: Poly = {join(m, raised(((g, 1),), by - whole)): c}
            for _ in range(whole):
                part = self._algebra.product(part, inside)
            result = plus(result, part)
        return result

    @property
    def meaning(self) -> list[Expr]:
        """The expression that each atom stands for."""
        self._meaning += [expr_of(t) for t in self._algebra.atoms[len(self._meaning):]]
        return self._meaning

    def root_of(self, g: int) -> Quotient | None:
        """What an atom is, if that is a sum again, as it is under a root."""
        term = self._algebra.atoms[g]
        return self._quotient(term) if term.head in _COMPOSITE else None

    def is_zero(self, p: Poly) -> bool:
        return not self._algebra.quotient(p)[0]

    def expression(self, p: Poly) -> Expr:
        """The sum as an expression again."""
        return Add(*(rational(c) * Mul(*(Pow(self.meaning[g], rational(e)) for g, e in m))
                     for m, c in p.items()))
