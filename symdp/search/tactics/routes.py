r"""Ways to attack a goal by calculus: towers of derivatives, changes of variable, chains of moves.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, Symbol, oo

from symdp.formulas.insertion import put
from symdp.search.deadline import is_past
from symdp.search.tactics.forms import (
    Proposal,
    all_forms,
    between_exponentials,
    factor_forms,
    log_forms,
    unseen_positive,
)
from symdp.search.tactics.leaves import EFFORT, Leaves
from symdp.search.tactics.moves import LARGEST_SLOPE
from symdp.search.tactics.sample_points import has_counterexample
from symdp.search.view.goals import Move, Target

TALLEST = 14


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
