r"""Factor an expression over its generators: the variables, exponentials, logarithms and roots.

>>> from sympy import exp
>>> from symdp.formulas.notation import x
>>> factored((exp(x) - 1) ** 2 / (exp(x) + 1) * x)
(1, [(x, 1), (exp(x) - 1, 2), (exp(x) + 1, -1)])

The other way round, an expression is multiplied out, unless that would not end: $(1+x)^{10^9}$ has a billion terms.

>>> multiplied_out((1 + x) ** 2), multiplied_out((1 + x) ** 10**9)
(x**2 + 2*x + 1, (x + 1)**1000000000)
"""

from __future__ import annotations

import math
from functools import lru_cache

import sympy
from flint import Ordering, fmpq, fmpq_mpoly_ctx
from sympy import Expr, Rational

from symdp.search.view.identity import AlgebraOfExpressions, Exponent, Poly, rational

#: The highest power of a sum that is written out.
HIGHEST = 200


def has_high_powers(expr: Expr) -> bool:
    return any(p.base.is_Add and p.exp.is_Integer and abs(p.exp) > HIGHEST for p in expr.atoms(sympy.Pow))


def multiplied_out(expr: Expr) -> Expr:
    """The expression expanded, or as it is where that would take too long."""
    return expr if has_high_powers(expr) else sympy.expand(expr)


MOST_TERMS = 150
LARGEST_EXPONENT = 60

Factors = list[tuple[Expr, int]]


@lru_cache(maxsize=2000)
def factored(expr: Expr, positive: tuple[Expr, ...] = ()) -> tuple[Rational, Factors] | None:
    """A coefficient and factors with exponents; None where the expression is too large or zero."""
    try:
        algebra = AlgebraOfExpressions(positive)
        n, d = algebra.normal(expr)
        if algebra.is_zero(n) or len(n) > MOST_TERMS or len(d) > MOST_TERMS:
            return None
        above, below = factor(algebra, n), factor(algebra, d)
    except (ArithmeticError, TypeError):
        return None
    if above is None or below is None:
        return None
    merged: dict[Expr, int] = {}
    for f, e in (*above[1], *((f, -e) for f, e in below[1])):
        merged[f] = merged.get(f, 0) + e
    return above[0] / below[0], [(f, e) for f, e in merged.items() if e]


def root_of(expr: Expr, q: int) -> Expr:
    """What an unknown stands for whose q-th power is the expression."""
    if isinstance(expr, sympy.exp):
        return sympy.exp(expr.args[0] / q)
    return expr ** Rational(1, q)


def factor(algebra: AlgebraOfExpressions, p: Poly) -> tuple[Rational, Factors] | None:
    """A sum of monomials over the generators of an algebra, as a product."""
    fineness: dict[int, int] = {}
    lowest: dict[int, Exponent] = {}
    for m in p:
        for g, e in m:
            fineness[g] = math.lcm(fineness.get(g, 1), e.denominator)
    generators = sorted(fineness)
    for g in generators:
        lowest[g] = min(dict(m).get(g, 0) for m in p)
    if not generators:
        (c,) = p.values()
        return rational(c), []
    context = fmpq_mpoly_ctx.get(tuple(f"g{g}" for g in generators), Ordering.lex)
    terms = {}
    for m, c in p.items():
        exponents = dict(m)
        place = tuple(int((exponents.get(g, 0) - lowest[g]) * fineness[g]) for g in generators)
        terms[place] = c
    whole = context.from_dict(terms)
    if max(max(place) for place in terms) > LARGEST_EXPONENT:
        coefficient, parts = fmpq(1), [(whole, 1)]  # too high for factoring; powers still come out
    else:
        coefficient, parts = whole.factor()
    symbols = [root_of(algebra.meaning[g], fineness[g]) for g in generators]
    factors: Factors = []
    for g, low in lowest.items():
        if low != 0:
            factors.append((root_of(algebra.meaning[g], fineness[g]), int(low * fineness[g])))
    for part, multiplicity in parts:
        expr = sympy.Add(
            *(
                rational(c) * sympy.Mul(*(s**e for s, e in zip(symbols, m, strict=True)))
                for m, c in part.to_dict().items()
            )
        )
        factors.append((expr, int(multiplicity)))
    return rational(coefficient), factors
