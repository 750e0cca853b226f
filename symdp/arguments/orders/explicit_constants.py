r"""Order relations by inequalities: explicit constants, or a factor that vanishes, on a neighbourhood.

Samples propose the constants; the prover looks for proofs of the inequalities that the kernel asks for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice, product

import sympy
from sympy import Expr, Rational

from symdp.arguments.orders.kernel_goals import left_open
from symdp.arguments.orders.ratio_limits import closenesses
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules.orders import Order
from symdp.kernel.terms import ONE, ZERO, Term
from symdp.numbers import floating
from symdp.numbers.domain import Domain, DomainError, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.deadline import clock, is_past
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import domain_of
from symdp.search.elaboration.steps_for_goals import show, show_all

#: Constants that are tried, beginning with the first that no sample contradicts.
CONSTANTS = tuple(Rational(c) for c in (
    "1/1000 1/100 1/50 1/20 1/10 1/8 1/5 1/4 1/3 1/2 2/3 1 3/2 2 3 4 5 6 8 10 16 20 32 50 100 200 500 1000"
).split())
#: How many inequalities are handed to the prover for one factor.
TRIES = 3
#: Work for a look at one of them.
LOOK = 0.6


def bound(order: Order, walk: dict[str, object], budget: float) -> Step | None:
    """A step with constants, or None; constants that hold uniformly are tried before others."""
    at_once = _itself(order, walk)
    if at_once is not None:
        return at_once
    factors = vanishing_factors(order) if order.kind in ("o", "~") else fixed_factors(order)
    end = clock() + budget
    for factor in factors:
        for closeness in islice(closenesses(order), 5):
            if is_past(end):
                return None
            found = _with_factor(order, {**walk, "closeness": closeness}, factor, budget / 2)
            if found is not None:
                return found
    return None


def _itself(order: Order, walk: dict[str, object]) -> Step | None:
    """Sides that are the same, or whose ratio is a constant in the fixed variables."""
    near = next(iter(closenesses(order)))
    if order.left is order.right:
        factors = [ZERO] if order.kind == "~" else [ONE, ONE] if order.kind == "Theta" else [ONE]
        if order.kind == "o":
            return None
    elif order.kind in ("O", "Theta") and (order.left.variables | order.right.variables) <= set(order.fixed):
        ratio = order.left / order.right if order.right is not ONE else order.left
        factors = [ratio, ONE / ratio] if order.kind == "Theta" else [ratio]
    else:
        return None
    parameters = {**walk, "closeness": near, "factors": factors}
    try:
        needed = left_open(order, "order-bounded", **parameters)
    except (Rejected, ArithmeticError):
        return None
    steps = show_all(needed, 2.0)
    return None if steps is None else Step("order-bounded", parameters, steps)


def vanishing_factors(order: Order) -> list[Expr]:
    """What tends to 0 as a moving variable tends to its limit."""
    found: list[Expr] = []
    for name, at in order.moving:
        v = symbol(name)
        step = 1 / v if at is None else v - expr_of(at)
        found += [step, sympy.sqrt(step)]
    return [f * c for c in fixed_factors(order) for f in found]


def fixed_factors(order: Order) -> list[Expr]:
    """By what a constant may grow with a variable that is fixed."""
    found: list[Expr] = [sympy.S.One]
    for name in order.fixed:
        v = symbol(name)
        found += [sympy.log(sympy.E + 1 / v), 1 / v, v, 1 + v]
    return found


def _with_factor(order: Order, parameters: dict[str, object], factor: Expr, budget: float) -> Step | None:
    count = 2 if order.kind == "Theta" else 1
    ones = [term_of(factor)] * count
    try:
        needed = left_open(order, "order-bounded", **parameters, factors=ones)
        sizes = [_largest(goal, factor) for goal in needed]
    except (Rejected, ArithmeticError, DomainError):
        return None
    sides = (len(needed) - _others(needed, term_of(factor))) // count
    proposed: list[list[Rational]] = []
    for i in range(count):
        of_this = sizes[len(needed) - sides * count + i::count]
        largest = max((s for s in of_this if s is not None), default=0.0)
        above = [c for c in CONSTANTS if c >= largest * (1 - 1e-12)][:TRIES]
        if not above:
            return None
        proposed.append(above)
    patience = budget / (len(needed) * TRIES)
    # the least constant is the hardest to show: all of them are looked at before one is sought for long
    looks = dict.fromkeys((min(LOOK, patience), patience))
    for seconds, constants in product(looks, list(_diagonally(proposed))):
        factors = [term_of(c * factor) for c in constants]
        try:
            needed = left_open(order, "order-bounded", **parameters, factors=factors)
        except (Rejected, ArithmeticError):
            return None
        steps = []
        for goal in needed:
            step = show_size(goal, seconds)
            if step is None:
                break
            steps.append(step)
        else:
            return Step("order-bounded", {**parameters, "factors": factors}, tuple(steps))
    return None


def show_size(goal: Goal, budget: float) -> Step | None:
    """A step for an inequality; |u| <= v by u <= v and -u <= v."""
    r = goal.claim
    if not isinstance(r, Relation) or r.left.head != "abs" or r.op != "<=":
        return show(goal, budget)
    given = {"node": r.left}
    parts = []
    for branch in RULES["branches"](goal, given):
        plain = goal.claiming(branch.claim)
        step = show(plain, budget / 2)
        if step is None:
            return None
        parts.append(Step("weaken", {"hypotheses": list(goal.hypotheses)}, (step,)))
    return Step("branches", given, tuple(parts))


def _diagonally(choices: list[list[Rational]]) -> Iterator[list[Rational]]:
    for place in range(max(map(len, choices))):
        yield [c[min(place, len(c) - 1)] for c in choices]


def _others(needed: list[Goal], factor: Term) -> int:
    """How many of the goals are not the inequalities themselves."""
    def is_bound(goal: Goal) -> bool:
        r = goal.claim
        return isinstance(r, Relation) and r.op == "<=" and r.right.head == "*" and r.right.args[0] is factor

    return sum(not is_bound(goal) for goal in needed)


def _largest(goal: Goal, factor: Expr) -> float | None:
    r = goal.claim
    if not isinstance(r, Relation) or r.op != "<=":
        return None
    return largest_ratio(expr_of(r.left), expr_of(r.right), domain_of(goal))


def largest_ratio(left: Expr, right: Expr, domain: Domain, many: int = 1500) -> float:
    """The largest ratio among simple points, in machine floats: a guess."""
    variables = domain.variables
    choices = [simple_points(domain.intervals[v], v in domain.integers)[:14] for v in variables]
    ratio = floating.function(left / right, variables)
    largest = 0.0
    for place in islice(diagonal(choices), many):
        value = ratio([float(u) for u in place])
        if math.isnan(value) or value <= largest:
            continue
        if not domain.conditions or domain.contains(dict(zip(variables, place, strict=True))):
            largest = value
    return largest
