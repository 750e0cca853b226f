r"""Paths in the domain of an order relation: on which it is approached, and along which it fails.

A path gives every variable as a term in an integer t that grows; the fixed ones stay. Floating point chooses
which paths are tried; the kernel's rules say whether one stays in the domain, and what the ratio of the two
sides does along it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any

import sympy
from sympy import Expr, Integer, Symbol, oo

from symdp.arguments.orders.kernel_goals import goal_that, left_open, untied
from symdp.arguments.orders.ratio_limits import ratios
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.terms import fresh
from symdp.numbers import floating
from symdp.numbers.domain import Domain, Interval, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.elaboration.derived_rules import verify
from symdp.search.elaboration.goal_views import domain_of
from symdp.search.elaboration.steps_for_goals import seems_true, show_all

#: Parameters of the rules that walk along a path.
Walk = dict[str, Any]
Floats = Callable[[Sequence[float]], float]
#: From which t on a path is tried.
STARTS = (1, 2, 3, 10, 100)
TIMES = (6, 12, 24, 48)
#: No path begins later than at the first of these.
LATE = (float(STARTS[-1]), 1000.0)
#: How much the rate at which a ratio grows may vary among these times.
EVEN = 0.15


def approach(order: Order, most: int = 400) -> Walk | None:
    """A path on which the order is approached within its hypotheses: the first that needs no proof, or else the
    first that needs one."""
    needy: Walk | None = None
    for ways in islice(_paths(order), most):
        for start in STARTS:
            walk = _walk(order, ways, start)
            try:
                # any rule will do to ask what is left to show of a path
                needed = left_open(Fails(order), "departure-bounded", **walk, growth=term_of(_far(order)))
            except (Rejected, ArithmeticError):
                continue
            if len(needed) == 1:
                return walk
            if needy is None and all(seems_true(goal) for goal in needed[:-1]):
                needy = walk
    return needy


def _far(order: Order) -> Expr:
    t = symbol(_parameter(order))
    return t if order.kind in ("O", "Theta") else Integer(1)


def _parameter(order: Order) -> str:
    return fresh("t", {n for n, _ in order.sorts})


def _walk(order: Order, ways: dict[Symbol, Expr], start: int) -> Walk:
    return {"path": {str(v): term_of(e) for v, e in ways.items()}, "parameter": _parameter(order), "start": start}


def find_departure(
    whole: Order, budget: float, most: int = 4000, tries: int = 8
) -> Proof | None:
    """The proof that the order fails, along the simplest path that was found.

    First come paths along which the ratio behaves like a power; what it does on others may be a passing matter.
    """
    order, followed = untied(whole)
    domain, t = domain_of(order.points), symbol(_parameter(order))
    ratio = floating.function(expr_of(order.left) / expr_of(order.right), domain.variables)

    conditions = _conditions(domain)

    def departing(ways: dict[Symbol, Expr]) -> Proof | None:
        following = {symbol(n): expr_of(e).subs(ways) for n, e in followed.items()}
        return _departing(whole, ways | following, budget / tries)

    uneven: list[dict[Symbol, Expr]] = []
    tried = 0
    for ways in islice(_paths(order), most):
        if not any(e.free_symbols for e in ways.values()):
            continue
        functions = [floating.function(ways[v], [t]) for v in domain.variables]
        sizes = [abs(ratio([f([float(time)]) for f in functions])) for time in TIMES]
        if not _looks_bad(order.kind, sizes) or _leaves(conditions, functions):
            continue
        if order.kind in ("O", "Theta") and not _is_even(sizes):
            uneven.append(ways)
            continue
        found = departing(ways)
        if found is not None:
            return found
        tried += 1
        if tried >= tries:
            break
    found_later = map(departing, uneven[:tries])
    return next((found for found in found_later if found is not None), None)


def _conditions(domain: Domain) -> list[tuple[Floats, Floats]]:
    """The smaller and the larger side of each condition on the points of a domain, where floats can tell."""
    found = []
    for relation in domain.relations():
        low, high = (relation.left, relation.right) if relation.op in ("<", "<=") else (relation.right, relation.left)
        with suppress(TypeError):
            if relation.op != "==":
                found.append((floating.function(low, domain.variables), floating.function(high, domain.variables)))
    return found


def _leaves(conditions: list[tuple[Floats, Floats]], ways: list[Floats]) -> bool:
    """Whether a path is outside of the domain at a late time, wherever it begins; in machine floats."""
    for time in LATE:
        point = [way([time]) for way in ways]
        for low, high in conditions:
            below, above = low(point), high(point)
            if below - above > 1e-6 * max(1.0, abs(below), abs(above)):  # not so where there is no value
                return True
    return False


def _is_even(sizes: list[float]) -> bool:
    """Whether the ratio grows or falls by about the same factor each time."""
    rates = [math.log(b / a) if a > 0 and math.isfinite(b) and b > 0 else math.inf for a, b in pairwise(sizes)]
    return max(rates) - min(rates) <= EVEN * max(map(abs, rates))


def _departing(order: Order, ways: dict[Symbol, Expr], budget: float) -> Proof | None:
    claim = Fails(order)
    left, right = (expr_of(side).subs(ways) for side in (order.left, order.right))
    for start in STARTS:
        walk = _walk(order, ways, start)
        for ratio in ratios(left, right):
            step = _closed(claim, Step("departure-limit", {**walk, "ratio": term_of(ratio)}), budget)
            if step is not None:
                return verify(goal_that(claim), step)
    for growth, reverse in _growths(order.kind, left / right, symbol(_parameter(order))):
        for start in STARTS[1:4]:
            parameters = {**_walk(order, ways, start), "growth": term_of(growth), "reverse": reverse}
            step = _closed(claim, Step("departure-bounded", parameters), budget)
            if step is not None:
                return verify(goal_that(claim), step)
    return None


def _growths(kind: str, ratio: Expr, t: Symbol) -> Iterator[tuple[Expr, bool]]:
    """Simple functions that the ratio of the sides, or its inverse, seems to outgrow."""
    f = floating.function(ratio, [t])
    sizes = [abs(f([time])) for time in (24.0, 96.0, 384.0, 1536.0)]
    if not all(math.isfinite(s) and s > 0 for s in sizes):
        return
    reverse = kind == "Theta" and sizes[-1] < sizes[0]
    sizes = [1 / s for s in sizes] if reverse else sizes
    if kind == "~":
        sizes = [abs(f([time]) - 1) for time in (24.0, 96.0, 384.0, 1536.0)]
    powers = (Integer(0),) if kind in ("o", "~") else (Integer(1), sympy.Rational(1, 2), sympy.Rational(1, 4))
    for power in powers:
        growth = [time ** float(power) for time in (24, 96, 384, 1536)]
        least = min(s / g for s, g in zip(sizes, growth, strict=True))
        rising = all(b / g2 >= 0.99 * a / g1 for (a, g1), (b, g2) in pairwise(zip(sizes, growth, strict=True)))
        if rising and least > 0:
            constant = next((c for c in (Integer(1), sympy.Rational(1, 2), sympy.Rational(1, 10),
                                         sympy.Rational(1, 100)) if c < 0.9 * least), None)
            if constant is not None:
                yield constant * t**power, reverse


def _closed(claim: Fails, step: Step, budget: float) -> Step | None:
    try:
        needed = left_open(claim, step.rule, **step.parameters)
    except (Rejected, ArithmeticError):
        return None
    premises = show_all(needed, budget)
    return None if premises is None else Step(step.rule, step.parameters, premises)


# --- ways for the variables ---------------------------------------------------------------------


def _paths(order: Order) -> Iterator[dict[Symbol, Expr]]:
    """Paths, the simplest first."""
    domain, t = domain_of(order.points), symbol(_parameter(order))
    choices = [list(_ways(order, domain, v, t)) for v in domain.variables]
    for ways in diagonal(choices):
        yield dict(zip(domain.variables, ways, strict=True))


def _ways(order: Order, domain: Domain, v: Symbol, t: Symbol) -> Iterator[Expr]:
    """How a variable may behave along a path, simple ways first."""
    interval, whole, moving = domain.intervals[v], v in domain.integers, dict(order.moving)
    if str(v) in moving:
        at = moving[str(v)]
        yield from _towards(oo if at is None else expr_of(at), interval, whole, t)
        return
    yield from simple_points(interval, whole)[:3]
    if str(v) in order.fixed:
        return
    yield from _towards(interval.upper, interval, whole, t)
    if not whole:
        yield from _towards(interval.lower, interval, whole, t)


def _towards(limit: Expr, interval: Interval, whole: bool, t: Symbol) -> Iterator[Expr]:
    if limit == -oo:
        yield -t
    elif limit == oo:
        yield from (t, t**2, t**4)
        if not whole:
            yield sympy.exp(t)
    elif not whole:
        steps = (1 / t, 1 / t**2, 1 / t**4, sympy.exp(-t), 1 / sympy.sqrt(t))
        sign = -1 if limit == interval.upper else 1
        yield from (limit + sign * step for step in steps)


def _looks_bad(kind: str, sizes: list[float]) -> bool:
    """Sizes of the ratio on the way, in machine floats: only to choose which path is tried."""
    if any(math.isnan(s) for s in sizes):
        return False
    grows = all(b > 1.08 * a for a, b in pairwise(sizes))
    falls = all(b < 0.92 * a for a, b in pairwise(sizes))
    if kind == "O":
        return grows
    if kind == "Theta":
        return grows or falls
    if kind == "o":
        return not falls and sizes[-1] > 0
    return not abs(sizes[-1] - 1) < 0.8 * abs(sizes[0] - 1)
