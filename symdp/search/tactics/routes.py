r"""Ways to attack a goal by calculus: towers of derivatives, changes of variable, chains of moves.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Symbol, oo

from symdp.formulas.derivative import derivative
from symdp.formulas.insertion import put
from symdp.numbers.domain import Domain, Interval
from symdp.search.deadline import is_past
from symdp.search.tactics.factoring import factored, multiplied_out
from symdp.search.tactics.forms import (
    Proposal,
    all_forms,
    between_exponentials,
    factor_forms,
    is_positive_on,
    known_positive,
    log_forms,
    unseen_positive,
)
from symdp.search.tactics.leaves import EFFORT, Leaves
from symdp.search.tactics.sample_points import (
    drop_variable,
    has_counterexample,
    seems_nonnegative,
    seems_nonpositive,
)
from symdp.search.tactics.stationary_points import stationary_points
from symdp.search.tactics.structure import fresh
from symdp.search.view.goals import Move, Target
from symdp.search.view.side_conditions import opened

TALLEST = 14
LARGEST_SLOPE = 500


class OutOfTime(Exception):
    """The budget is spent."""


class Routes(Leaves):
    """Moves of calculus, tried along chains of them."""

    def by_tower(self, goal: Target, height: int = TALLEST) -> Move | None:
        """Derivatives of derivatives from an end where all of them vanish, positive factors dropped
        in between, until one of them has an obvious sign."""
        free = goal.gap.free_symbols - goal.domain.integers
        if height == 0 or goal.op == "==" or goal.gap.count_ops() > LARGEST_SLOPE:
            return None
        if goal in self.proved:
            return self.proved[goal]
        if goal in self.towered or (self.prune and has_counterexample(goal)):
            return None
        self.towered.add(goal)
        if is_past(self.deadline):
            raise OutOfTime
        if height < TALLEST:
            step = self.leaf(goal) or self.by_factors(goal) or self.by_algebra(goal, EFFORT // 4)
            if step is not None:
                return step
        core = Route(goal, 0.0, ())
        for form in factor_forms(goal):
            longer = self.extend(core, form)
            if longer is not None:
                core = longer
                break
        for v in sorted(core.target.gap.free_symbols & free, key=str):
            interval = core.target.domain.intervals[v]
            for end, at in (("lower", interval.lower), ("upper", interval.upper)):
                if at in (oo, -oo) or not self.vanishes_at(core.target.gap, v, at):
                    continue
                strict = core.target.strict
                proposal = Proposal("monotone", {"variable": v, "end": end, "strict_slope": strict})
                premises = self.open_goals(core.target, proposal)
                if premises is None or len(premises) != 2:
                    continue
                below = self.leaf(premises[1])
                above = self.by_tower(premises[0], height - 1) if below is not None else None
                if above is not None and below is not None:
                    return core.wrap(Move(proposal.rule, proposal.parameters, (above, below)))
        return None

    @staticmethod
    def vanishes_at(gap: Expr, v: Symbol, at: Expr) -> bool:
        try:
            return bool(put(gap, {v: at}) == 0)
        except ValueError:  # too large; or an undefined entry of a minimum cannot be compared
            return False

    def routes(self, goal: Target) -> Iterator[Route]:
        """The goal itself, and its forms whose side premises are easy; forms of forms once."""
        start = self.with_positive_sides(Route(goal, 0.0, ()))
        seen = {start.target}
        # Between exponentials the logarithms are nearly always the form that works.
        for proposal in log_forms(start.target) if between_exponentials(goal) else ():
            route = self.extend(start, proposal)
            if route is not None and route.target not in seen:
                seen.add(route.target)
                yield route
        yield start
        queue = [start]
        while queue and len(seen) < 12:
            base = queue.pop(0)
            for proposal in all_forms(base.target):
                route = self.extend(base, proposal)
                if route is None or route.target in seen:
                    continue
                seen.add(route.target)
                yield route
                if len(route.layers) == len(start.layers) + 1:
                    queue.append(self.with_positive_sides(route))

    def with_positive_sides(self, route: Route) -> Route:
        """Know the sides to be positive where that takes more than an enclosure."""
        for fact in unseen_positive(route.target):
            longer = self.extend(route, Proposal("cut", {"fact": fact}), main=1)
            if longer is not None:
                route = longer
        return route

    def extend(self, base: Route, proposal: Proposal, main: int | None = None) -> Route | None:
        premises = self.open_goals(base.target, proposal)
        if not premises or base.target in premises:
            return None
        if self.prune and any(has_counterexample(p) for p in premises):
            return None
        steps: list[Move | None] = []
        hard: Target | None = None
        for i, p in enumerate(premises):
            step = None if i == main else self.proved.get(p) or self.leaf(p)
            if step is None and hard is None and main in (None, i):
                hard = p
            elif step is None:
                step = self.cheap(p)
                if step is None:
                    return None
            steps.append(step)
        if hard is None:
            return None
        return Route(hard, base.cost + proposal.cost, ((proposal, tuple(steps)), *base.layers))


@dataclass(frozen=True)
class Route:
    """A goal reached from another by forms, with the easy premises of each form already proved."""

    target: Target
    cost: float
    layers: tuple[tuple[Proposal, tuple[Move | None, ...]], ...]

    def wrap(self, step: Move) -> Move:
        for proposal, premises in self.layers:
            filled = tuple(step if p is None else p for p in premises)
            step = Move(proposal.rule, proposal.parameters, filled)
        return step


# --- moves: monotone, convex and concave in one variable, and changes of variable; samples choose -----


def moves_of(goal: Target) -> Iterator[Proposal]:
    domain = goal.domain
    for v in sorted(goal.gap.free_symbols - domain.integers, key=str):
        if domain.intervals[v].lower == domain.intervals[v].upper:
            continue
        slope = derivative(goal.gap, v)
        if slope.count_ops() > LARGEST_SLOPE or slope.has(sympy.Derivative, sympy.sign):
            continue
        yield from moves_along(goal, v, slope)


def moves_along(goal: Target, v: Symbol, slope: Expr) -> Iterator[Proposal]:
    """Moves in one variable: from an end where the slope keeps its sign, else by how it bends."""
    yield from _monotone_moves(goal, v, slope)
    if any(v in c.symbols for c in goal.domain.conditions):
        return
    for weight, core in cores(slope, v, goal.domain):
        bend = derivative(core, v)
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
