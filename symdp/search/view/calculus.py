r"""The rules of calculus: monotone, convex and concave along one variable. Not trusted.

A tower of derivatives is the first of them, applied again to its own premise.

Limits at an end of an interval are the kernel's. SymPy's own `limit` is not asked, because it is sometimes wrong, for
example about `limit(x**2 + log(erfc(x)), x, oo)`.

>>> from sympy import exp, log
>>> from symdp.numbers.domain import Domain, Interval
>>> from symdp.formulas.notation import x, y
>>> half_line = Domain({x: Interval(0, oo, True), y: Interval(0, oo, True)})
>>> limit(y + exp(-x) / (1 + x), x, oo, "-", half_line)
y
>>> limit(y * x - 3, x, oo, "-", half_line), limit(x - log(x), x, oo, "-", half_line)
(oo, oo)
>>> limit(x * log(x), x, 0, "+", half_line)
0
"""

from __future__ import annotations

from sympy import Expr, Symbol, oo, sympify

from symdp.formulas.insertion import inserted
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.proof import Rejected
from symdp.kernel.values import limits
from symdp.kernel.values.limits import MINUS_INFINITY, PLUS_INFINITY, Infinity
from symdp.kernel.values.ranges import Vacuous
from symdp.numbers.domain import Domain, Interval, setting_of
from symdp.search.view.goals import Parameters, Target, rule
from symdp.search.view.side_conditions import (
    DERIVATIVE,
    ZERO,
    derivative,
    need_defined,
    need_inside,
    need_same,
    need_smooth,
    need_variable,
    need_way_to_end,
    opened,
    section,
    sign_goal,
    without,
)


def limit(expr: Expr, v: Symbol, at: Expr, side: str, domain: Domain) -> Expr:
    """The limit as v tends to ``at`` within the domain: an expression in the other variables, or +-oo.

    Rejected where the structure does not tell; Undefined or Unsupported unless the expression is seen to be
    defined on the domain.
    """
    at = sympify(at)
    end = PLUS_INFINITY if at == oo else MINUS_INFINITY if at == -oo else term_of(at)
    try:
        found = limits.limit(term_of(expr), str(v.name), end, setting_of(domain), side == "+")
    except Vacuous as reason:
        raise Rejected(str(reason)) from None
    return found.value * oo if isinstance(found, Infinity) else expr_of(found)


def value_at_end(goal: Target, v: Symbol, end: str, strict: bool) -> list[Target]:
    """That the gap, or its limit, is not negative where v reaches that end of its interval."""
    interval = goal.domain.intervals[v]
    at = interval.lower if end == "lower" else interval.upper
    rest = section(goal.domain, v, at)
    if at not in (oo, -oo):
        is_open = interval.lower_open if end == "lower" else interval.upper_open
        there = {**rest.intervals, v: Interval(at, at)}
        closed = Domain(there, rest.integers, rest.conditions, rest.facts)
        try:
            # Defined up to the end means continuous up to the end.
            need_defined([goal.gap], closed)
            return [sign_goal(inserted(goal.gap, {v: at}), rest, ">" if strict else ">=")]
        except ArithmeticError:
            if not is_open:
                raise
    value = limit(goal.gap, v, at, "+" if end == "lower" else "-", goal.domain)
    if value == oo:
        return []
    if value == -oo:
        raise Rejected(f"the gap tends to -oo at the {end} end of {v}")
    return [sign_goal(value, rest, ">" if strict else ">=")]


@rule(DERIVATIVE)
def monotone(goal: Target, parameters: Parameters) -> list[Target]:
    """The gap grows away from one end of a variable's interval, and is not negative there."""
    v, end = parameters["variable"], parameters["end"]
    if end not in ("lower", "upper") or goal.op == "==":
        raise Rejected(f"{end!r} is no end of an interval")
    interval = need_way_to_end(goal, v, end)
    inner = opened(goal.domain, v)
    need_defined((goal.left, goal.right), goal.domain)
    need_smooth(goal.gap, v, inner)
    slope = derivative(goal.gap, v)
    # A strict claim is strict at the end, or the end is left out and the slope is strict.
    by_slope = goal.strict and bool(parameters.get("strict_slope", False))
    end_open = interval.lower_open if end == "lower" else interval.upper_open
    if by_slope and not end_open:
        raise Rejected("the end belongs to the domain, so the claim must be strict there")
    op = "<" if by_slope else "<="
    growth = Target(inner, ZERO, op, slope) if end == "lower" else Target(inner, slope, op, ZERO)
    return [growth, *value_at_end(goal, v, end, goal.strict and not by_slope)]


def weighted_slope(goal: Target, v: Symbol, parameters: Parameters) -> tuple[Expr, list[Target]]:
    """The slope of the gap is weight times core, the weight positive: the core, and what that needs.

    A gap whose core grows falls first and rises then; one whose core shrinks does the opposite.
    """
    inner = opened(goal.domain, v)
    need_defined((goal.left, goal.right), goal.domain)
    need_smooth(goal.gap, v, inner)
    slope = derivative(goal.gap, v)
    weight = parameters.get("weight")
    if weight is None:
        return slope, []
    core = parameters["core"]
    need_same(slope, weight * core, inner, parameters.get("positive", ()))
    need_smooth(core, v, inner)
    return core, [sign_goal(weight, inner, ">")]


@rule(DERIVATIVE, "exact algebra")
def convex(goal: Target, parameters: Parameters) -> list[Target]:
    """The slope grows, up to a positive weight, and vanishes at a point; the gap is least there."""
    v, at = parameters["variable"], parameters["at"]
    interval = need_variable(goal, v)
    rest = without(goal.domain, v)
    if goal.op == "==" or not at.free_symbols <= set(rest.variables):
        raise Rejected("the stationary point may depend on the other variables only")
    core, premises = weighted_slope(goal, v, parameters)
    if at in (interval.lower, interval.upper):
        # A closed end will do if everything is smooth up to it.
        closed = Domain({**rest.intervals, v: Interval(at, at)}, rest.integers, (), rest.facts)
        need_smooth(core, v, closed)
        need_smooth(goal.gap, v, closed)
    else:
        need_inside(at, Interval(interval.lower, interval.upper, True, True), rest)
    there = inserted(core, {v: at})
    need_defined([there], rest)
    need_same(there, ZERO, rest, parameters.get("positive", ()))
    return [
        Target(opened(goal.domain, v), ZERO, "<=", derivative(core, v)),
        *premises,
        sign_goal(inserted(goal.gap, {v: at}), rest, ">" if goal.strict else ">="),
    ]


@rule(DERIVATIVE, "exact algebra")
def concave(goal: Target, parameters: Parameters) -> list[Target]:
    """The slope shrinks, up to a positive weight: the gap is least at an end, and not negative there."""
    v = parameters["variable"]
    interval = need_variable(goal, v)
    if goal.op == "==" or interval.lower == interval.upper:
        raise Rejected("an equality is shown by identity")
    core, premises = weighted_slope(goal, v, parameters)
    by_bend = goal.strict and bool(parameters.get("strict_bend", False))
    if by_bend and not (interval.lower_open and interval.upper_open):
        raise Rejected("an end belongs to the domain, so the claim must be strict there")
    strict_ends = goal.strict and not by_bend
    return [
        Target(opened(goal.domain, v), derivative(core, v), "<" if by_bend else "<=", ZERO),
        *premises,
        *value_at_end(goal, v, "lower", strict_ends),
        *value_at_end(goal, v, "upper", strict_ends),
    ]
