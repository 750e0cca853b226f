"""Equations between binomial coefficients and factorials, where SymPy's rules turn one side into the other.

That is no proof of the kernel's, which knows neither: a verdict that needs it is never more than argued. The rules
speak of generic arguments, so that the equation is also tried at the integers near the ends of its range.

>>> from sympy import binomial
>>> from symdp.formulas.notation import symbol
>>> n, k = symbol("n"), symbol("k")
>>> where = (Relation(k, ">=", Integer(1)), Relation(n, ">=", k))
>>> rearranged(Relation(k * binomial(n, k), "==", n * binomial(n - 1, k - 1)), where, frozenset([n, k]))
True
>>> rearranged(Relation(k * binomial(n, k), "==", n * binomial(n - 1, k)), where, frozenset([n, k]))
False
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sympy import Dummy, Integer, Symbol, binomial, factorial, gamma, gammasimp

from symdp.formulas.relation import MIRROR, Relation
from symdp.search.deadline import TimeIsUp, hard_deadline

#: Seconds for the rules; the largest integer that is tried.
PATIENCE, LARGEST, MOST_NAMES = 2.0, 6, 4
_HOLDS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
          "==": lambda a, b: a == b}


def rearranged(relation: Relation, where: tuple[Relation, ...], integers: frozenset[Symbol]) -> bool:
    """Whether both sides are the same by the rules of factorials, for integers that satisfy the conditions."""
    names = relation.left.free_symbols | relation.right.free_symbols
    counted = relation.left.has(binomial, factorial, gamma) or relation.right.has(binomial, factorial, gamma)
    positive = {bound[0] for r in where for bound in [_positive(r)] if bound}
    real = not (relation.left.has(binomial, factorial) or relation.right.has(binomial, factorial))
    if relation.op != "==" or not counted or not names or len(names) > 3:
        return False
    if not names <= (integers | positive if real else integers):
        return False
    hidden = {v: Dummy(str(v), integer=True, positive=True) for v in names}
    try:
        with hard_deadline(PATIENCE):
            left, right = (side.xreplace(hidden).rewrite(gamma) for side in (relation.left, relation.right))
            if gammasimp(left / right) != 1:
                return False
            points = list(_points(names, where))
            return bool(points) and all(relation.left.subs(p) == relation.right.subs(p) for p in points)
    except (TimeIsUp, ArithmeticError, ValueError, TypeError, AttributeError, RecursionError, NotImplementedError):
        return False


def _positive(r: Relation) -> tuple[Symbol, ...]:
    """The name that a condition says is positive."""
    for one, op, other in ((r.left, r.op, r.right), (r.right, MIRROR[r.op], r.left)):
        above = other.is_Rational and op in (">", ">=") and (other > 0 or (op == ">" and other == 0))
        if isinstance(one, Symbol) and above:
            return (one,)
    return ()


def _points(names: set[Symbol], where: tuple[Relation, ...]) -> Iterator[dict[Symbol, Integer]]:
    """Small integers that satisfy the conditions on these names, and on those that are tied to them."""
    while more := {v for r in where if r.symbols & names for v in r.symbols} - names:
        names = names | more
    near = [r for r in where if r.symbols & names]
    if len(names) > MOST_NAMES:
        return
    for values in product(range(LARGEST + 1), repeat=len(names)):
        point = dict(zip(sorted(names, key=str), map(Integer, values), strict=True))
        if all(_HOLDS[r.op](r.left.subs(point), r.right.subs(point)) for r in near):
            yield point
