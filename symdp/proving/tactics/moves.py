r"""Moves of calculus: monotone, convex and concave in one variable, and changes of variable.

Samples choose between the moves; the kernel asks for a proof of what they suggest.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.proving.kernel import Goal
from symdp.proving.side_conditions import opened
from symdp.proving.tactics.factoring import factored
from symdp.proving.tactics.forms import Proposal, is_positive_on, known_positive
from symdp.proving.tactics.samples import (
    drop_variable,
    seems_nonnegative,
    seems_nonpositive,
)
from symdp.proving.tactics.stationary import stationary_points
from symdp.proving.tactics.structure import fresh

LARGEST_SLOPE = 500


def moves_of(goal: Goal) -> Iterator[Proposal]:
    domain = goal.domain
    for v in sorted(goal.gap.free_symbols - domain.integers, key=str):
        if domain.intervals[v].lower == domain.intervals[v].upper:
            continue
        slope = sympy.diff(goal.gap, v)
        if slope.count_ops() > LARGEST_SLOPE or slope.has(sympy.Derivative, sympy.sign):
            continue
        yield from moves_along(goal, v, slope)


def moves_along(goal: Goal, v: Symbol, slope: Expr) -> Iterator[Proposal]:
    domain = goal.domain
    interval = domain.intervals[v]
    size = 1.0 + slope.count_ops()
    rising, falling = seems_nonnegative(slope, domain), seems_nonpositive(slope, domain)
    for seems, end, is_open in (
        (rising, "lower", interval.lower_open), (falling, "upper", interval.upper_open),
    ):
        if seems:
            parameters = {"variable": v, "end": end}
            if goal.strict and is_open:
                yield Proposal("monotone", {**parameters, "strict_slope": True}, size)
            yield Proposal("monotone", parameters, size + 1)
    if any(v in c.symbols for c in domain.conditions):
        return
    for weight, core in cores(slope, v, domain):
        bend = sympy.diff(core, v)
        if bend.count_ops() > LARGEST_SLOPE:
            continue
        cost = 2.0 + bend.count_ops()
        extra = {} if weight is None else {
            "weight": weight, "core": core,
            "positive": list(known_positive((slope, core, weight), domain)),
        }
        if seems_nonnegative(bend, opened(domain, v)):
            for at in stationary_points(core, v, domain):
                positive = set(extra.get("positive", ()))
                rest = drop_variable(domain, v)
                positive |= set(known_positive((core.subs(v, at), at), rest))
                positive = {e for e in positive if v not in e.free_symbols} if weight is None \
                    else positive
                yield Proposal(
                    "convex",
                    {"variable": v, "at": at, **extra, "positive": sorted(
                        positive, key=sympy.default_sort_key)},
                    cost + at.count_ops(),
                )
        if seems_nonpositive(bend, opened(domain, v)) and not (rising or falling):
            strict_bend = goal.strict and interval.lower_open and interval.upper_open
            yield Proposal(
                "concave", {"variable": v, **extra, "strict_bend": strict_bend}, cost
            )


def cores(slope: Expr, v: Symbol, domain: Domain) -> Iterator[tuple[Expr | None, Expr]]:
    """The slope as it is, without its positive factors, and over the variable where it vanishes."""
    yield None, slope
    domain = opened(domain, v)
    if domain.intervals[v].lower == 0 and slope.subs(v, 0) == 0:
        yield v, sympy.expand(slope / v)
    positive = known_positive((slope,), domain)
    result = factored(slope, positive) if slope.count_ops() <= 250 else None
    if result is None:
        return
    coefficient, factors = result
    weight: Expr = sympy.Integer(1)
    core: Expr = sympy.sign(coefficient)
    weight *= abs(coefficient)
    for f, e in factors:
        if f.free_symbols and not is_positive_on(f, domain):
            core *= f**e
        else:
            weight *= f**e
    if weight != 1 and core.has(v):
        yield weight, core
    if core.has(v) and domain.intervals[v].lower == 0:
        at_zero = core.subs(v, 0)
        if at_zero == 0:
            yield weight * v, sympy.expand(core / v)


def changes_of_variable(goal: Goal) -> Iterator[Proposal]:
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
