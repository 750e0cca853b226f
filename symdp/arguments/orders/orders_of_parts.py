r"""Orders from orders: sums by their terms, products by their factors, minima and maxima by their entries.

A proposal is a tree of the kernel's rules whose leaves are inequalities with explicit constants. What the prover
cannot do for a whole sum in three variables, it often does at once for its terms, after whose common factors
are gone there is one variable left.
"""

from __future__ import annotations

import sympy

from symdp.arguments.orders.explicit_constants import bound, largest_ratio
from symdp.arguments.orders.kernel_goals import left_open
from symdp.arguments.orders.products import paired
from symdp.arguments.orders.ratio_limits import closenesses
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules.orders import Order
from symdp.kernel.terms import ONE, ZERO, Term, add, mul, number, subterms, variable
from symdp.kernel.values.conditions import shown
from symdp.numbers.domain import DomainError
from symdp.search.deadline import clock
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import domain_of
from symdp.search.elaboration.minima import each_entry, one_entry
from symdp.search.elaboration.steps_for_goals import FAILURES, accepted, seems_true, show

Walk = dict[str, object]
DEEPEST = 5


def compose(order: Order, walk: Walk, budget: float, depth: int = 0) -> Step | None:
    """A step for an order, or None."""
    end = clock() + budget
    if order.left is order.right or order.left.is_closed or depth >= DEEPEST:
        return bound(order, walk, budget)
    for tactic in (_by_branches, _by_entries, _in_both_directions, _by_terms, _by_factors):
        if clock() < end:
            found = tactic(order, walk, end - clock(), depth + 1)
            if found is not None:
                return found
    return bound(order, walk, end - clock()) if clock() < end else None


def _all(orders: list[Order], walk: Walk, budget: float, depth: int) -> tuple[Step, ...] | None:
    steps = []
    for one in orders:
        step = compose(one, walk, budget / len(orders), depth)
        if step is None:
            return None
        steps.append(step)
    return tuple(steps)


def _through(order: Order, middle: Term, walk: Walk, budget: float, depth: int) -> Step | None:
    """A minimum to one of its entries or a maximum to their sum, and from there by whatever works."""
    parameters = {**walk, "closeness": next(iter(closenesses(order))), "factors": [ONE]}
    outer = order.between(order.left, "O", middle)
    try:
        needed = left_open(outer, "order-bounded", **parameters)
    except (Rejected, ArithmeticError):
        return None
    steps = [_entry_step(goal, middle) for goal in needed]
    if any(step is None for step in steps):
        return None
    first = Step("order-bounded", parameters, tuple(step for step in steps if step is not None))
    second = compose(order.between(middle, "O", order.right), walk, 3 * budget / 4, depth)
    return None if second is None else Step("order-chain", {"middle": middle, "kinds": ["O", "O"]}, (first, second))


def _entry_step(goal: Goal, middle: Term) -> Step | None:
    """min(a, b) <= a, or max(a, b) <= a + b for what is not negative; by the kernel's own rules."""
    r = goal.claim
    if isinstance(r, Relation) and r.left.head == "min":
        step = one_entry(r, middle, Step("enclosure", {"gap": ZERO}))
        return step if accepted(goal, step) else None
    if isinstance(r, Relation) and r.left.head == "max":
        entries = r.left.args
        rests = [[e for e in entries if e is not a] for a in entries]
        step = each_entry(r, [Step("enclosure", {"gap": add(*rest) if rest else ZERO}) for rest in rests])
        return step if accepted(goal, step) else None
    return show(goal, 2.0)


def _by_entries(order: Order, walk: Walk, budget: float, depth: int) -> Step | None:
    """A minimum is at most each entry, a maximum at most the sum of its entries."""
    if order.kind != "O":
        return None
    if order.left.head == "min":
        for entry in sorted(order.left.args, key=lambda a: -len(a.variables & order.right.variables)):
            found = _through(order, entry, walk, budget / len(order.left.args), depth)
            if found is not None:
                return found
    if order.left.head == "max":
        return _through(order, add(*order.left.args), walk, budget, depth)
    return None


def _by_branches(order: Order, walk: Walk, budget: float, depth: int) -> Step | None:
    """A minimum against a sum, perhaps with a minimum in it: whichever entry that is, one on the left is below."""
    nodes = [t for t in subterms(order.right) if t.head == "min" and t is not order.right]
    if order.kind != "O" or order.left.head != "min" or order.right.head != "+" or len(nodes) > 1:
        return None
    parameters = {**walk, "closeness": next(iter(closenesses(order))), "factors": [number(2)]}
    try:
        needed = left_open(order, "order-bounded", **parameters)
        steps = [_entry_for_each(goal, nodes[0] if nodes else None, budget / 2) for goal in needed]
    except FAILURES:
        return None
    if any(step is None for step in steps):
        return None
    return Step("order-bounded", parameters, tuple(step for step in steps if step is not None))


def _entry_for_each(goal: Goal, node: Term | None, budget: float) -> Step | None:
    if goal.relation.left.head != "min":
        return show(goal, budget)
    if node is None:
        return _some_entry(goal, budget)
    found = []
    for branch in RULES["branches"](goal, {"node": node}):
        # it is the entries that matter, not which is smaller
        step = _some_entry(branch.under(goal.hypotheses), budget)
        if step is None:
            return None
        found.append(Step("weaken", {"hypotheses": list(goal.hypotheses)}, (step,)))
    return Step("branches", {"node": node}, tuple(found))


def _some_entry(goal: Goal, budget: float) -> Step | None:
    for entry in goal.relation.left.args:
        below = goal.claiming(Relation(entry, "<=", goal.relation.right))
        step = _with_roots_apart(below, budget / 4) if seems_true(below) else None
        if step is not None:
            return one_entry(goal.relation, entry, step)
    return None


def _with_roots_apart(goal: Goal, budget: float) -> Step | None:
    """With the roots of products of what is positive written as products."""
    positive = [v for n in goal.variables if shown(Relation(ZERO, "<", v := variable(n)), goal)]
    known = {symbol(str(v)): sympy.Dummy(str(v), positive=True) for v in positive}
    back = {d: v for v, d in known.items()}
    left, right = (term_of(expr_of(t).subs(known).xreplace(back)) for t in goal.relation.terms())
    parameters = {"left": left, "right": right, "positive": positive}
    step = show(RULES["rewrite"](goal, parameters)[0], budget)
    return None if step is None else Step("rewrite", parameters, (step,))


def _in_both_directions(order: Order, walk: Walk, budget: float, depth: int) -> Step | None:
    if order.kind != "Theta" or not any(side.head == "+" for side in (order.left, order.right)):
        return None
    both = [order.between(order.left, "O", order.right), order.between(order.right, "O", order.left)]
    parts = _all(both, walk, budget, depth)
    return None if parts is None else Step("order-both", {}, parts)


def _by_terms(order: Order, walk: Walk, budget: float, depth: int) -> Step | None:
    """Each term on the left by way of one on the right."""
    if order.kind != "O":
        return None
    if order.left.head == "+":
        parts = _all([order.between(a, "O", order.right) for a in order.left.args], walk, budget, depth)
        return None if parts is None else Step("order-sum", {}, parts)
    if order.right.head != "+":
        return None
    for other in _likely(order)[:2]:
        second = bound(order.between(other, "O", order.right), walk, budget / 4)
        first = None if second is None else compose(order.between(order.left, "O", other), walk, budget / 4, depth)
        if first is not None and second is not None:
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


def equal(goal: Goal, budget: float) -> Step | None:
    """An equality by exact algebra, with everything that is positive and stands under a root said to be so."""
    candidates: dict[Term, None] = {}
    for side in goal.claim.terms():
        for t in subterms(side):
            if t.head == "sqrt" or (t.head == "^" and t.args[1].head == "number"):
                base = t.args[0]
                candidates |= dict.fromkeys(base.args if base.head in ("*", "/") else (base,))
            elif t.head == "log":
                candidates[t] = None
    roots = [t for t in candidates if not t.loose and shown(Relation(ZERO, "<", t), goal)]
    names = [v for n in goal.variables if shown(Relation(ZERO, "<", v := variable(n)), goal)]
    # With positive variables logarithms of products are split, which may hide a product under a root.
    for positive in (roots, [*roots, *names], [t for t in roots if t.head != "log"] + names):
        step = Step("identity", {"positive": list(dict.fromkeys(positive))})
        if accepted(goal, step):
            return step
    return show(goal, budget)


def _by_factors(order: Order, walk: Walk, budget: float, depth: int) -> Step | None:
    if order.kind == "o" or order.left.head == "+" or order.right.head == "+":
        return None
    pairs = paired(expr_of(order.left), expr_of(order.right))
    if len(pairs) < 2:
        return None
    left, right = (mul(*(term_of(pair[i]) for pair in pairs)) for i in (0, 1))
    written = []
    for side, product in ((order.left, left), (order.right, right)):
        if side is not product:
            step = equal(order.inside(Relation(side, "==", product)), budget / 8)
            if step is None:
                return None
            written.append(step)
    # the hardest pair first: where that fails nothing else need be tried
    alike = [a == b for a, b in pairs]
    steps: dict[int, Step] = {}
    for i in sorted(range(len(pairs)), key=lambda i: alike[i]):
        a, b = (term_of(e) for e in pairs[i])
        step = compose(order.between(a, order.kind, b), walk, budget / max(1, alike.count(False)), depth + 1)
        if step is None:
            return None
        steps[i] = step
    inner = Step("order-product", {}, tuple(steps[i] for i in range(len(pairs))))
    return Step("order-equal", {"left": left, "right": right}, (*written, inner))
