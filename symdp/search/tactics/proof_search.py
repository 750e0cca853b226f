r"""The search for a proof: cheap tactics first, then forms and moves, deeper and deeper.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy import oo

from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.search.deadline import clock, is_past
from symdp.search.tactics.bisection import Bisection, bisect
from symdp.search.tactics.forms import (
    Proposal,
    without_a_term,
)
from symdp.search.tactics.leaves import FIRST_BOXES
from symdp.search.tactics.routes import OutOfTime, Route, Routes, changes_of_variable, moves_of
from symdp.search.tactics.sample_points import has_counterexample
from symdp.search.tactics.structure import simplifications
from symdp.search.view.goals import Move, Target, range_on

#: How often a box must have been cut for calculus to be tried on it.
LOCAL_DEPTHS = frozenset({2, 3, 4, 5, 6, 8, 10, 13, 16, 20})
DEEPEST = 4
#: A box at a difficult end gets a search of its own, up to this many cuts and this long.
DEEPEST_END, END_SECONDS = 10, 1.0


def rests_on_z3(step: Move) -> bool:
    """Whether a leaf of the proof is z3's word alone."""
    return step.rule == "algebraic" or any(map(rests_on_z3, step.premises))


class ProofSearch(Routes):
    """One search, with its tables of what was proved and what failed at which depth."""

    def at_once(self, goal: Target) -> Move | None:
        """What needs no idea: one enclosure, or many boxes where the sides keep apart."""
        if goal.op == "==" or (self.prune and has_counterexample(goal)):
            return None
        several = len(goal.gap.free_symbols) > 1
        return self.leaf(goal) or self.by_few_boxes(goal, FIRST_BOXES if several else FIRST_BOXES // 4)

    def run(self, goal: Target, deepest: int = DEEPEST) -> Move | None:
        """Iterative deepening until a proof is found or the time is up."""
        try:
            for depth in range(deepest + 1):
                step = self.prove(goal, depth)
                if step is not None:
                    return step
        except OutOfTime:
            pass
        return None

    def run_without_z3(self, goal: Target) -> Move | None:
        """Once more, with what was proved so far, where z3's word could not be replaced."""
        known = {g: s for g, s in self.proved.items() if not rests_on_z3(s)}
        return ProofSearch(self.deadline, self.bits, self.prune, without_z3=True, proved=known).run(goal)

    def relieved(self, goal: Target, step: Move) -> Move:
        """The same proof with z3 replaced wherever the kernel can do without it at little cost."""
        if step.rule == "algebraic":
            alone = ProofSearch(self.deadline, self.bits, self.prune, without_z3=True)
            try:
                other = (
                    alone.leaf(goal)
                    or alone.by_lemma(goal, step.parameters.get("facts", ()))
                    or alone.by_factors(goal)
                    or self.certified(goal, step.parameters.get("facts", ()))
                    or alone.by_tower(goal)
                )
            except OutOfTime:
                other = None
            return other or step
        if not step.premises:
            return step
        goals = self.open_goals(goal, Proposal(step.rule, dict(step.parameters))) or []
        premises = tuple(
            self.relieved(g, s) for g, s in zip(goals, step.premises, strict=True)
        )
        return Move(step.rule, step.parameters, premises)

    def prove(self, goal: Target, depth: int) -> Move | None:
        if goal in self.proved:
            return self.proved[goal]
        if self.failed.get(goal, -1) >= depth or goal in self.at_work:
            return None
        if is_past(self.deadline):
            raise OutOfTime
        if self.prune and has_counterexample(goal):
            self.failed[goal] = DEEPEST + 1
            return None
        self.at_work.add(goal)
        try:
            step = None
            if goal not in self.failed:
                step = self.cheap(goal)
            committed = False
            if step is None:
                step, committed = self.structural(goal, depth)
            if step is None and depth > 0 and not committed:
                step = self.calculus(goal, depth)
        finally:
            self.at_work.discard(goal)
        if step is None:
            self.failed[goal] = max(depth, self.failed.get(goal, -1))
        else:
            self.proved[goal] = step
        return step

    def attempt(self, goal: Target, proposal: Proposal, depth: int) -> Move | None:
        """Prove all premises of a proposal, the small ones first."""
        premises = self.open_goals(goal, proposal)
        if premises is None:
            return None
        return self.discharge(proposal, premises, depth)

    def discharge(self, proposal: Proposal, premises: Sequence[Target], depth: int) -> Move | None:
        if self.prune and any(has_counterexample(p) for p in premises):
            return None
        steps: dict[int, Move] = {}
        for i in sorted(range(len(premises)), key=lambda i: premises[i].gap.count_ops()):
            step = self.prove(premises[i], depth)
            if step is None:
                return None
            steps[i] = step
        return Move(proposal.rule, proposal.parameters, tuple(steps[i] for i in range(len(premises))))

    def by_boxes(self, goal: Target, deadline: float) -> Bisection:
        """Branch and bound with calculus on the boxes, until the deadline."""
        self.deadline = deadline
        for proposal in simplifications(goal, 0):
            if not proposal.commits:
                continue
            premises = self.open_goals(goal, proposal)
            if premises is None or goal in premises or any(has_counterexample(p) for p in premises):
                continue
            if proposal.rule == "cut":  # boxes are for what uses the fact, not for the fact itself
                fact = self.within(deadline, premises[0], 1)
                if fact is None:
                    continue
                outcomes = [Bisection(fact, 1), self.by_boxes(premises[1], deadline)]
            else:
                outcomes = [self.by_boxes(p, deadline) for p in premises]
            steps = [o.step for o in outcomes if o.step is not None]
            if len(steps) < len(premises):
                return next(o for o in outcomes if o.step is None)
            step = Move(proposal.rule, proposal.parameters, tuple(steps))
            return Bisection(step, sum(o.boxes for o in outcomes))
        if (found := self.proved.get(goal) or self.leaf(goal)) is not None:
            return Bisection(found, 1)
        outcome = bisect(goal, deadline, self.bits, locally=self.locally)
        self.boxes += outcome.boxes
        return outcome

    def within(self, deadline: float, goal: Target, depth: int) -> Move | None:
        """A proof of a goal of its own, if it is found until then."""
        before, self.deadline = self.deadline, min(self.deadline, deadline)
        try:
            return self.prove(goal, depth)
        except OutOfTime:
            return None
        finally:
            self.deadline = before

    def locally(self, goal: Target, depth: int) -> Move | None:
        """Calculus in one variable on a box: where the sides touch, no enclosure is enough."""
        if goal.op == "==" or len(goal.gap.free_symbols) != 1 or depth not in LOCAL_DEPTHS:
            return None
        difficult = self.resists_cutting(goal)
        if depth > DEEPEST and not difficult:
            return None
        try:
            step = self.by_tower(goal, 8)
            if step is not None:
                return step
            for move in sorted(moves_of(goal), key=lambda m: m.cost)[:4]:
                premises = self.open_goals(goal, move)
                steps = [self.leaf(p) for p in premises] if premises is not None else [None]
                if all(s is not None for s in steps):
                    return Move(move.rule, move.parameters, tuple(s for s in steps if s is not None))
        except OutOfTime:
            return None
        # Towards infinity, and where the sides touch at an end, no number of boxes is enough.
        if depth <= DEEPEST_END and difficult:
            return self.within(clock() + END_SECONDS, goal, 2)
        return None

    def resists_cutting(self, goal: Target) -> bool:
        """Whether the one variable of the goal has an end at which the gap has no positive value, and
        calculus can help there: the derivatives of Gamma have no enclosure."""
        if goal.gap.has(sympy.gamma, sympy.loggamma, sympy.binomial, sympy.floor):
            return False
        (v,) = goal.gap.free_symbols
        interval = goal.domain.intervals[v]
        for at in (interval.lower, interval.upper):
            if at in (oo, -oo):
                return True
            try:
                if not range_on(goal.gap, Domain({v: Interval(at, at)})).is_positive():
                    return True
            except (Undefined, Unsupported):
                return True
        return False

    def structural(self, goal: Target, depth: int) -> tuple[Move | None, bool]:
        """Take the structure apart; and whether that was the only sensible thing to do here."""
        renamed = []
        for proposal in simplifications(goal, depth):
            premises = self.open_goals(goal, proposal)
            if premises is None:
                continue
            if proposal.rule == "substitute" and renames(goal, premises):
                renamed.append((proposal, premises))
                continue
            step = self.discharge(proposal, premises, depth)
            if step is not None:
                return step, True
            if proposal.commits and not any(has_counterexample(p) for p in premises):
                return None, True
        for proposal, premises in renamed:  # little is gained, but now and then it is enough
            step = self.discharge(proposal, premises, depth)
            if step is not None:
                return step, True
        return None, False

    def calculus(self, goal: Target, depth: int) -> Move | None:
        """The best pairs of a form and a move, tried by the size of what they leave."""
        step = self.by_tower(goal)
        if step is not None:
            return step
        candidates: list[tuple[float, int, Route, Proposal]] = []
        for route in self.routes(goal):
            if is_past(self.deadline):
                raise OutOfTime
            if route.layers and route.target not in self.looked_at:
                self.looked_at.add(route.target)
                step = self.quick(route.target)
                if step is not None:
                    return route.wrap(step)
            moves = sorted(moves_of(route.target), key=lambda m: m.cost)
            if depth == 1:
                # What is left must be cheap, so there is no need to compare the routes first.
                for move in moves[:6]:
                    step = self.attempt(route.target, move, 0)
                    if step is not None:
                        return route.wrap(step)
            candidates += [(m.cost + route.cost, len(candidates), route, m) for m in moves]
        if depth == 1:
            return None
        candidates.sort(key=lambda c: c[:2])
        for _, _, route, move in candidates[:24]:
            step = self.attempt(route.target, move, depth - 1)
            if step is not None:
                return route.wrap(step)
        if depth >= 2:
            for proposal in (*without_a_term(goal), *changes_of_variable(goal)):
                step = self.attempt(goal, proposal, depth - 1)
                if step is not None:
                    return step
        return None


def renames(goal: Target, premises: Sequence[Target]) -> bool:
    """A substitution that leaves as many conditions between variables as there were."""
    if any(c.op == "==" for c in goal.domain.conditions):
        return False
    return any(len(p.domain.conditions) >= len(goal.domain.conditions) > 0 for p in premises)
