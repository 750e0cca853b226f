r"""Order relations by the limit of the ratio of the two sides, where all but one variable are fixed.

The kernel takes limits by structure and does not rewrite; here forms of the ratio are proposed in which the
structure tells the limit, and the kernel checks that they are the ratio.

>>> from sympy import exp
>>> from symdp.formulas.notation import k, x
>>> next(iter(ratios(k * x + x * (exp(x) - 1), k * x)))
1 + (exp(x) - 1)/k
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Mul, Rational

from symdp.arguments.orders.kernel_goals import left_open
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules.orders import Order
from symdp.kernel.terms import Term
from symdp.search.elaboration.steps_for_goals import show_all

#: How close a moving variable is asked to be, before terms in the fixed ones are tried.
CLOSENESS = tuple(Rational(c) for c in ("1 1/4 1/16 1/1000").split())


def ratios(left: Expr, right: Expr) -> Iterator[Expr]:
    """Forms of left/right: each term of the left side divided, each sum divided by one of its terms."""
    seen: set[Expr] = set()
    for form in _forms(left, right):
        if form not in seen and not form.has(sympy.nan, sympy.zoo, sympy.oo):
            seen.add(form)
            yield form


def _forms(left: Expr, right: Expr) -> Iterator[Expr]:
    common = right if not right.is_Add else None
    if common is not None:
        yield Add(*(_divided(a, right) for a in Add.make_args(left)))
    yield left / right
    below = _sums_in(right) or [right]
    above = _sums_in(left) or [left]
    for b in below:
        for term in Add.make_args(b):
            # left/right = (left/(right/b * term)) / (b/term)
            lower = Add(*(_divided(u, term) for u in Add.make_args(b)))
            rest = Mul(*(f for f in Mul.make_args(right) if f != b)) if b != right else sympy.S.One
            upper = Add(*(_divided(u, term * rest) for u in Add.make_args(_spread(left))))
            yield upper / lower
    for a in above:
        for term in Add.make_args(a):
            upper = Add(*(_divided(u, term) for u in Add.make_args(a)))
            rest = Mul(*(f for f in Mul.make_args(left) if f != a)) if a != left else sympy.S.One
            yield upper * _divided(term * rest, right)


def _sums_in(e: Expr) -> list[Expr]:
    return [f for f in Mul.make_args(e) if f.is_Add]


def _spread(e: Expr) -> Expr:
    return sympy.expand_mul(e)


def _divided(a: Expr, b: Expr) -> Expr:
    """a/b with roots of products split, so that common factors cancel."""
    return sympy.powsimp(sympy.expand_power_base(a, force=True) / sympy.expand_power_base(b, force=True))


def closenesses(order: Order) -> Iterator[dict[str, Term]]:
    """Neighbourhoods that are tried: numbers first, then what a condition on the fixed variables suggests."""
    names = [v for v, _ in order.moving]
    if not names:
        yield {}
        return
    for c in CLOSENESS:
        yield {v: term_of(c if at is not None else 1 / c) for v, at in order.moving}
    if len(names) == 1:
        (name,) = names
        for term in _suggested(order, name):
            yield {name: term}


def _suggested(order: Order, name: str) -> Iterator[Term]:
    """A condition such as a*k*v <= 1 or log(1/(a*v)) > 0 says how close v has to be: half of that."""
    v = sympy.Symbol(name)
    found: list[Expr] = []
    for side in (order.left, order.right):
        e = expr_of(side)
        for part in sympy.preorder_traversal(e):
            if isinstance(part, sympy.log):
                for threshold in (1, sympy.E):
                    try:
                        found += sympy.solve(part.args[0] - threshold, v)
                    except (NotImplementedError, TypeError):
                        continue
    for place in dict.fromkeys(found):
        if place.free_symbols <= {sympy.Symbol(f) for f in order.fixed} and place.is_real is not False:
            yield term_of(place / 2)
            yield term_of(sympy.Min(1, place / 2, evaluate=False))


def by_limit(order: Order, walk: dict[str, object], budget: float) -> Step | None:
    """A step by the limit of the ratio; None where that does not apply or no form tells."""
    if len(order.moving) != 1:
        return None
    ((name, _),) = order.moving
    if not (order.left.variables | order.right.variables) <= {name, *order.fixed}:
        return None
    tried = 0
    for ratio in ratios(expr_of(order.left), expr_of(order.right)):
        for closeness in closenesses(order):
            parameters = {**walk, "closeness": closeness, "ratio": term_of(ratio)}
            try:
                needed = left_open(order, "order-limit", **parameters)
            except (Rejected, ArithmeticError):
                continue
            premises = show_all(needed, budget / 8)
            if premises is not None:
                return Step("order-limit", parameters, premises)
            tried += 1
            if tried >= 12:
                return None
    return None

