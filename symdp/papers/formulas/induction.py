r"""Induction without a word: the first case and the step of a relation that holds for all integers from one on.

A sum grows by its next term, $n!$ by a factor, so that a relation of sums or factorials for $n$ comes to one without
them: the difference of both sides from $n$ to $n + 1$, or their ratio. The kernel is asked for the first case and for
that step; that they are enough is said here, and what needs it is never more than argued.

>>> from sympy import log
>>> from symdp.formulas.notation import symbol
>>> n, k = symbol("n"), symbol("k")
>>> where = (Relation(n, ">=", Integer(1)),)
>>> found = induction(Relation(Sum(1 / k, (k, 1, n)), "<=", 1 + log(n)), where, frozenset([n]))
>>> print(found.first, "|", found.step)
1 <= 1 | 1/(n + 1) <= log(n + 1) - log(n)
>>> found = induction(Relation(gamma(n + 1), "<=", n**n), where, frozenset([n]))
>>> print(found.first, "|", found.step)
1 <= 1 | log(n + 1) <= (n + 1)*log(n + 1) - n*log(n)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import (
    Dummy,
    Expr,
    Integer,
    Product,
    Sum,
    Symbol,
    binomial,
    expand_log,
    gamma,
    gammasimp,
    log,
)

from symdp.formulas.relation import MIRROR, Op, Relation
from symdp.search.deadline import TimeIsUp, hard_deadline

#: Seconds for SymPy's part; the most terms of a sum in the first case; the points at which a rewriting is tried.
PATIENCE, MOST_TERMS, TRIED = 2.0, 30, 6
_TROUBLE = (ArithmeticError, ValueError, TypeError, AttributeError, RecursionError, NotImplementedError)
_WEAK: dict[str, Op] = {"<": "<=", ">": ">=", "<=": "<=", ">=": ">=", "==": "=="}


@dataclass(frozen=True)
class FirstCaseAndStep:
    """What is enough for a relation: its first case, the step, and what must be positive for the step."""

    n: Symbol
    from_: Relation
    first: Relation
    step: Relation
    positive: tuple[Expr, ...] = ()


def induction(
    relation: Relation, where: tuple[Relation, ...], integers: frozenset[Symbol]
) -> FirstCaseAndStep | None:
    """The first case and the step over one of its integers; None where there is no simple one."""
    for n, first in _integers(relation, where, integers):
        try:
            with hard_deadline(PATIENCE):
                found = (_of_sum(relation, n, first) or _of_product(relation, n, first)
                         or _of_factorials(relation, n, first))
        except (TimeIsUp, *_TROUBLE):
            continue
        if found is not None:
            return found
    return None


def _integers(
    relation: Relation, where: tuple[Relation, ...], integers: frozenset[Symbol]
) -> Iterator[tuple[Symbol, Integer]]:
    """Integers of the relation that begin at a number."""
    for r in where:
        for one, op, other in ((r.left, r.op, r.right), (r.right, MIRROR[r.op], r.left)):
            counted = isinstance(one, Symbol) and one in integers and one in relation.symbols
            if counted and other.is_Integer and op in (">", ">="):
                yield one, other + 1 if op == ">" else other


def _of_sum(relation: Relation, n: Symbol, first: Integer) -> FirstCaseAndStep | None:
    sums = {s for side in (relation.left, relation.right) for s in side.atoms(Sum) if n in s.free_symbols}
    if len(sums) != 1 or relation.needs:
        return None
    (grown,) = sums
    if len(grown.limits) != 1 or grown.function.has(Sum):
        return None
    index, low, high = grown.limits[0]
    if high != n or not low.is_Integer or low > first + 1 or n in grown.function.free_symbols:
        return None
    if first - low >= MOST_TERMS:
        return None
    total = Dummy("total", real=True)
    sides = [side.xreplace({grown: total}) for side in (relation.left, relation.right)]
    if any(side.has(Sum) for side in sides):
        return None
    after = {total: total + grown.function.subs(index, n + 1), n: n + 1}
    rises = [side.subs(after, simultaneous=True) - side for side in sides]
    rises = [sympy.expand(rise) if rise.has(total) else rise for rise in rises]
    if any(rise.has(total) for rise in rises):
        return None
    terms = [grown.function.subs(index, low + i) for i in range(int(first - low) + 1)]
    begun = [side.subs({total: sympy.Add(*terms), n: first}, simultaneous=True) for side in sides]
    return FirstCaseAndStep(n, Relation(n, ">=", first), Relation(begun[0], relation.op, begun[1]),
                            Relation(rises[0], _WEAK[relation.op], rises[1]))


def _of_product(relation: Relation, n: Symbol, first: Integer) -> FirstCaseAndStep | None:
    """A product that is one side of its own grows by its next factor; the other side has to grow by as much."""
    turned = Relation(relation.right, MIRROR[relation.op], relation.left)
    for r in (relation, turned):
        product, other = r.left, r.right
        if not isinstance(product, Product) or other.has(Sum, Product) or relation.needs:
            continue
        (index, low, high), *more = product.limits
        if more or high != n or not low.is_Integer or low > first + 1 or first - low >= MOST_TERMS:
            continue
        if n in product.function.free_symbols or product.function.has(Sum, Product):
            continue
        factor, after = product.function.subs(index, n + 1), other.subs(n, n + 1)
        terms = [product.function.subs(index, low + i) for i in range(int(first - low) + 1)]
        begun = (sympy.Mul(*terms), other.subs(n, first))
        if any(side.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I) for side in begun):
            continue
        return FirstCaseAndStep(n, Relation(n, ">=", first), Relation(begun[0], r.op, begun[1]),
                                Relation(factor * other, _WEAK[r.op], after), (factor, other))
    return None


def stronger(relation: Relation, n: Symbol) -> tuple[Relation, Relation] | None:
    """A bound of a sum with n + 1 in the place of n, which may have a step where the bound has none; that it is more.

    >>> from symdp.formulas.notation import symbol
    >>> n, k = symbol("n"), symbol("k")
    >>> [str(r) for r in stronger(Relation(Sum(1 / k, (k, 1, n)), ">", log(n)), n)]
    ['Sum(1/k, (k, 1, n)) >= log(n + 1)', 'log(n + 1) > log(n)']
    """
    turned = Relation(relation.right, MIRROR[relation.op], relation.left)
    for r in (relation, turned):
        if isinstance(r.left, Sum) and not r.right.has(Sum, Product) and r.op in (">", ">=") and not relation.needs:
            shifted = r.right.subs(n, n + 1)
            return Relation(r.left, ">=", shifted), Relation(shifted, r.op, r.right)
    return None


def with_one_logarithm(relation: Relation) -> tuple[Relation, tuple[Expr, ...]] | None:
    """Differences of logarithms as the logarithm of a ratio, and what must be positive for that.

    >>> from symdp.formulas.notation import symbol
    >>> n = symbol("n")
    >>> one, positive = with_one_logarithm(Relation(log(n + 1), ">", log(n)))
    >>> print(one, sorted(map(str, positive)))
    log((n + 1)/n) > 0 ['n', 'n + 1']
    """
    logs = (relation.left - relation.right).atoms(log)
    if len(logs) < 2 or relation.needs:
        return None
    parts = sympy.Add.make_args(relation.left - relation.right)
    inside = [p for p in parts if p.has(log)]
    one = sympy.logcombine(sympy.Add(*inside), force=True)
    if one.atoms(log) == logs or len(one.atoms(log)) != 1:
        return None
    rest = sympy.Add(*(p for p in parts if p not in inside))
    return Relation(one, relation.op, -rest), tuple(p.args[0] for p in logs)


def _of_factorials(relation: Relation, n: Symbol, first: Integer) -> FirstCaseAndStep | None:
    sides = (relation.left, relation.right)
    if relation.needs or any(side.has(Sum, sympy.Product) for side in sides) or relation.symbols != {n}:
        return None
    if not any(n in f.free_symbols for side in sides for f in side.atoms(gamma, binomial)):
        return None
    whole = Dummy("n", integer=True, positive=True)
    ratios: list[Expr] = []
    for side in sides:
        s = side.xreplace({n: whole}).rewrite(gamma)
        ratio = gammasimp(s.subs(whole, whole + 1) / s)
        grown = expand_log(log(ratio), force=True).xreplace({whole: n})
        if grown.has(gamma, binomial, sympy.I, sympy.zoo, sympy.nan):
            return None
        if not all(_agree(grown, side, n, first + i) for i in range(TRIED)):
            return None
        ratios.append(grown)
    begun = [side.subs(n, first) for side in sides]
    return FirstCaseAndStep(n, Relation(n, ">=", first), Relation(begun[0], relation.op, begun[1]),
                            Relation(ratios[0], _WEAK[relation.op], ratios[1]), sides)


def _agree(grown: Expr, side: Expr, n: Symbol, value: Expr) -> bool:
    """Whether the logarithm of a ratio is that of the side itself, at one integer."""
    ratio = side.subs(n, value + 1) / side.subs(n, value)
    return bool(abs(sympy.N(grown.subs(n, value) - log(ratio), 30)) < 1e-20)
