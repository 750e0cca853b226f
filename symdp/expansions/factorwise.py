r"""A product is bounded factor by factor: each factor on the left by one on the right, or by 1.

Both sides are written as products with as many factors, in pairs of those that are most alike; that they are
the sides is left to the kernel, like the order of each pair.
"""

from __future__ import annotations

from sympy import Expr, Mul, Pow, S

from symdp.bridge import expr_of, term_of
from symdp.expansions.bounding import bound
from symdp.proving.showing import show
from symdp.kernel.goals import Relation
from symdp.kernel.orders import Order
from symdp.kernel.proof import Step
from symdp.kernel.terms import mul


def bound_factorwise(order: Order, walk: dict[str, object], budget: float) -> Step | None:
    """A step, or None; for O, Theta and ~."""
    if order.kind == "o":
        return None
    pairs = paired(expr_of(order.left), expr_of(order.right))
    if len(pairs) < 2:
        return None
    left, right = (mul(*(term_of(pair[i]) for pair in pairs)) for i in (0, 1))
    written = []
    for side, product in ((order.left, left), (order.right, right)):
        if side is not product:
            step = show(order.inside(Relation(side, "==", product)), budget / 8)
            if step is None:
                return None
            written.append(step)
    parts = []
    for a, b in pairs:
        step = bound(order.between(term_of(a), order.kind, term_of(b)), walk, budget / len(pairs))
        if step is None:
            return None
        parts.append(step)
    return Step("order-equal", {"left": left, "right": right},
                (*written, Step("order-product", {}, tuple(parts))))


def paired(left: Expr, right: Expr) -> list[tuple[Expr, Expr]]:
    """Factors in pairs, the most alike first; those left over are paired with 1."""
    ups, downs = _factors(left), _factors(right)
    ranked = sorted(((-_likeness(a, b), i, j) for i, a in enumerate(ups) for j, b in enumerate(downs)
                     if a.free_symbols & b.free_symbols))
    pairs: list[tuple[int, int]] = []
    for _, i, j in ranked:
        if all(i != p and j != q for p, q in pairs):
            pairs.append((i, j))
    found = [(ups[i], downs[j]) for i, j in pairs]
    found += [(a, S.One) for i, a in enumerate(ups) if all(i != p for p, _ in pairs)]
    found += [(S.One, b) for j, b in enumerate(downs) if all(j != q for _, q in pairs)]
    return found


def _factors(e: Expr) -> list[Expr]:
    """The factors of a product; constants are collected in one, 1/v stays a factor of its own."""
    constant, rest = e.as_independent(*e.free_symbols, as_Add=False) if e.free_symbols else (e, S.One)
    factors = [f for f in Mul.make_args(rest) if f != 1]
    return ([constant] if constant != 1 else []) + factors


def _likeness(a: Expr, b: Expr) -> float:
    common, both = a.free_symbols & b.free_symbols, a.free_symbols | b.free_symbols
    same = a.func == b.func and (not isinstance(a, Pow) or a.exp == b.exp)
    return len(common) / len(both) + (0.2 if same else 0.0)
