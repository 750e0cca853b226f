r"""A sum is bounded term by term: each term on the left by one term on the right, and that by the whole.

What the prover cannot do for a whole sum in three variables, it often does at once for its terms.
"""

from __future__ import annotations

from symdp.bridge import expr_of
from symdp.domain import DomainError
from symdp.expansions.bounding import bound, largest_ratio
from symdp.kernel.orders import Order
from symdp.kernel.proof import Step
from symdp.kernel.terms import Term
from symdp.proving.showing import domain_of


def bound_termwise(order: Order, walk: dict[str, object], budget: float) -> Step | None:
    """A step, or None: O of sums, and Theta in both directions."""
    if order.kind == "Theta":
        both = [order.between(order.left, "O", order.right), order.between(order.right, "O", order.left)]
        parts = []
        for one in both:
            step = bound_termwise(one, walk, budget / 2)
            if step is None:
                return None
            parts.append(step)
        return Step("order-both", {}, tuple(parts))
    if order.kind != "O" or (order.left.head != "+" and order.right.head != "+"):
        return bound(order, walk, budget) if order.kind == "O" else None
    terms = order.left.args if order.left.head == "+" else (order.left,)
    steps = []
    for term in terms:
        step = _below_one(order.between(term, "O", order.right), walk, budget / len(terms))
        if step is None:
            return None
        steps.append(step)
    return steps[0] if order.left.head != "+" else Step("order-sum", {}, tuple(steps))


def _below_one(order: Order, walk: dict[str, object], budget: float) -> Step | None:
    """A term on the left by way of one on the right."""
    if order.right.head != "+":
        return bound(order, walk, budget)
    for other in _likely(order)[:2]:
        first = bound(order.between(order.left, "O", other), walk, budget / 4)
        if first is None:
            continue
        second = bound(order.between(other, "O", order.right), walk, budget / 4)
        if second is not None:
            return Step("order-chain", {"middle": other, "kinds": ["O", "O"]}, (first, second))
    return None


def _likely(order: Order) -> list[Term]:
    """Terms on the right, those first by which the left side seems least large."""
    try:
        domain = domain_of(order.points)
    except DomainError:
        return []
    left = expr_of(order.left)
    sizes = {t: largest_ratio(left, expr_of(t), domain) for t in order.right.args}
    return sorted(sizes, key=lambda t: sizes[t])
