r"""Moves of calculus: monotone, convex and concave in one variable, and changes of variable.

Samples choose between the moves; the kernel asks for a proof of what they suggest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Expr, Symbol, oo

from symdp.numbers.domain import Domain, Interval
from symdp.search.tactics.factoring import factored, multiplied_out
from symdp.search.tactics.forms import Proposal, is_positive_on, known_positive
from symdp.search.tactics.sample_points import drop_variable, seems_nonnegative, seems_nonpositive
from symdp.search.tactics.stationary_points import stationary_points
from symdp.search.tactics.structure import fresh
from symdp.search.view.goals import Target
from symdp.search.view.side_conditions import opened

LARGEST_SLOPE = 500


def moves_of(goal: Target) -> Iterator[Proposal]:
    domain = goal.domain
    for v in sorted(goal.gap.free_symbols - domain.integers, key=str):
        if domain.intervals[v].lower == domain.intervals[v].upper:
            continue
        slope = sympy.diff(goal.gap, v)
        if slope.count_ops() > LARGEST_SLOPE or slope.has(sympy.Derivative, sympy.sign):
            continue
        yield from moves_along(goal, v, slope)


def moves_along(goal: Target, v: Symbol, slope: Expr) -> Iterator[Proposal]:
    """Moves in one variable: from an end where the slope keeps its sign, else by how it bends."""
    yield from _monotone_moves(goal, v, slope)
    if any(v in c.symbols for c in goal.domain.conditions):
        return
    for weight, core in cores(slope, v, goal.domain):
        bend = sympy.diff(core, v)
        if bend.count_ops() <= LARGEST_SLOPE and not bend.has(sympy.Derivative):
            yield from _bending_moves(goal, v, slope, weight, core, bend)


def _monotone_moves(goal: Target, v: Symbol, slope: Expr) -> Iterator[Proposal]:
    interval = goal.domain.intervals[v]
    cost = 1.0 + slope.count_ops()
    for seems, end, is_open in (
        (seems_nonnegative(slope, goal.domain), "lower", interval.lower_open),
        (seems_nonpositive(slope, goal.domain), "upper", interval.upper_open),
    ):
        if not seems:
            continue
        parameters = {"variable": v, "end": end}
        if goal.strict and is_open:
            yield Proposal("monotone", {**parameters, "strict_slope": True}, cost)
        yield Proposal("monotone", parameters, cost + 1)


def _bending_moves(
    goal: Target, v: Symbol, slope: Expr, weight: Expr | None, core: Expr, bend: Expr
) -> Iterator[Proposal]:
    domain, interval = goal.domain, goal.domain.intervals[v]
    inner, rest = opened(domain, v), drop_variable(domain, v)
    cost = 2.0 + bend.count_ops()
    parameters: dict[str, Any] = {"variable": v}
    positive: set[Expr] = set()
    if weight is not None:
        parameters |= {"weight": weight, "core": core}
        positive = set(known_positive((slope, core, weight), domain))
    if seems_nonnegative(bend, inner):
        for at in stationary_points(core, v, domain):
            known = positive | set(known_positive((core.subs(v, at), at), rest))
            listed = sorted(known, key=sympy.default_sort_key)
            yield Proposal(
                "convex", {**parameters, "at": at, "positive": listed}, cost + at.count_ops()
            )
    one_way = seems_nonnegative(slope, domain) or seems_nonpositive(slope, domain)
    if seems_nonpositive(bend, inner) and not one_way:
        strict_bend = goal.strict and interval.lower_open and interval.upper_open
        listed = sorted(positive, key=sympy.default_sort_key)
        yield Proposal(
            "concave", {**parameters, "positive": listed, "strict_bend": strict_bend}, cost
        )


def cores(slope: Expr, v: Symbol, domain: Domain) -> Iterator[tuple[Expr | None, Expr]]:
    """Ways to write the slope as a positive weight times a core: as it is, without its positive
    factors, and over the variable where it vanishes with it."""
    yield None, slope
    domain = opened(domain, v)
    from_zero = domain.intervals[v].lower == 0
    if from_zero and slope.subs(v, 0) == 0:
        yield v, multiplied_out(slope / v)
    positive = known_positive((slope,), domain)
    result = factored(slope, positive) if slope.count_ops() <= LARGEST_SLOPE // 2 else None
    if result is None:
        return
    coefficient, factors = result
    weight, core = abs(coefficient), sympy.sign(coefficient)
    for f, e in factors:
        if f.free_symbols and not is_positive_on(f, domain):
            core *= f**e
        else:
            weight *= f**e
    if not core.has(v):
        return
    if weight != 1:
        yield weight, core
    if from_zero and core.subs(v, 0) == 0:
        yield weight * v, multiplied_out(core / v)


def changes_of_variable(goal: Target) -> Iterator[Proposal]:
    """Scale one positive variable by another."""
    domain = goal.domain
    tied = set().union(*(c.symbols for c in domain.conditions), domain.integers)
    half_line = Interval(sympy.Integer(0), oo, lower_open=True)
    free = sorted(goal.gap.free_symbols - tied, key=str)
    t = fresh(domain)
    for v in free:
        if domain.intervals[v] != half_line:
            continue
        for u in free:
            if u != v and is_positive_on(u, domain):
                yield Proposal(
                    "substitute",
                    {"variable": v, "new": t, "forward": u * t, "inverse": v / u,
                     "interval": half_line},
                )
