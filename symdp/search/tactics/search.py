r"""The search for a proof: cheap tactics first, then forms and moves, deeper and deeper.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import sympy
from sympy import Expr, Symbol, oo

from symdp.formulas.insertion import put
from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.search.deadline import clock, is_past
from symdp.search.tactics.bisection import Outcome, bisect, pave
from symdp.search.tactics.forms import (
    Proposal,
    all_forms,
    between_exponentials,
    factor_forms,
    known_positive,
    log_forms,
    unseen_positive,
    without_a_term,
)
from symdp.search.tactics.moves import LARGEST_SLOPE, changes_of_variable, moves_of
from symdp.search.tactics.positivity import SECONDS as CERTIFICATE_SECONDS
from symdp.search.tactics.positivity import certify
from symdp.search.tactics.samples import has_counterexample, signs, vanishes
from symdp.search.tactics.structure import simplifications
from symdp.search.view.algebra import patience
from symdp.search.view.goals import RULES, Goal, Rejected, Step, range_on
from symdp.search.view.identity import Algebra
from symdp.search.view.rules import lemma_instance

#: Boxes that are worth a try on any goal, and on the claim itself before anything is rewritten.
FEW_BOXES, FIRST_BOXES = 40, 900
TALLEST = 14
#: What z3 may spend on one question during the search, in its own units; about a quarter second.
EFFORT = 1_500_000
#: How often a box must have been cut for calculus to be tried on it.
LOCAL_DEPTHS = frozenset({2, 3, 4, 5, 6, 8, 10, 13, 16, 20})
DEEPEST = 4
#: A box at a difficult end gets a search of its own, up to this many cuts and this long.
DEEPEST_END, END_SECONDS = 10, 1.0
_Z = symbol("z")


class OutOfTime(Exception):
    """The budget is spent."""


def rests_on_z3(step: Step) -> bool:
    """Whether a leaf of the proof is z3's word alone."""
    return step.rule == "algebraic" or any(map(rests_on_z3, step.premises))


@dataclass
class Search:
    """One search, with its tables of what was proved and what failed at which depth."""

    deadline: float
    bits: int = 64
    #: samples may drop a goal that has a counterexample; switched off, only the kernel stands guard
    prune: bool = True
    #: leaves the algebraic leaf alone, so that z3 need not be trusted
    without_z3: bool = False
    boxes: int = 0
    proved: dict[Goal, Step] = field(default_factory=dict)
    failed: dict[Goal, int] = field(default_factory=dict)
    at_work: set[Goal] = field(default_factory=set)
    #: forms of goals on which the quickest tactics were tried
    looked_at: set[Goal] = field(default_factory=set)
    #: goals from which a tower of derivatives was tried
    towered: set[Goal] = field(default_factory=set)

    def at_once(self, goal: Goal) -> Step | None:
        """What needs no idea: one enclosure, or many boxes where the sides keep apart."""
        if goal.op == "==" or (self.prune and has_counterexample(goal)):
            return None
        several = len(goal.gap.free_symbols) > 1
        return self.leaf(goal) or self.by_few_boxes(goal, FIRST_BOXES if several else FIRST_BOXES // 4)

    def run(self, goal: Goal, deepest: int = DEEPEST) -> Step | None:
        """Iterative deepening until a proof is found or the time is up."""
        try:
            for depth in range(deepest + 1):
                step = self.prove(goal, depth)
                if step is not None:
                    return step
        except OutOfTime:
            pass
        return None

    def run_without_z3(self, goal: Goal) -> Step | None:
        """Once more, with what was proved so far, where z3's word could not be replaced."""
        known = {g: s for g, s in self.proved.items() if not rests_on_z3(s)}
        return Search(self.deadline, self.bits, self.prune, without_z3=True, proved=known).run(goal)

    def relieved(self, goal: Goal, step: Step) -> Step:
        """The same proof with z3 replaced wherever the kernel can do without it at little cost."""
        if step.rule == "algebraic":
            alone = Search(self.deadline, self.bits, self.prune, without_z3=True)
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
        return Step(step.rule, step.parameters, premises)

    def certified(
        self, goal: Goal, facts: Iterable[tuple[str, tuple[tuple[Symbol, Expr], ...]]]
    ) -> Step | None:
        """A sum of products of known signs instead of z3's word, within the time that is left."""
        return certify(goal, facts, min(CERTIFICATE_SECONDS, self.deadline - clock()))

    # --- one goal

    def prove(self, goal: Goal, depth: int) -> Step | None:
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

    def open_goals(self, goal: Goal, proposal: Proposal) -> list[Goal] | None:
        """The premises that the kernel asks for, or None if it rejects the proposal."""
        try:
            return RULES[proposal.rule](goal, proposal.parameters)
        except (Rejected, ArithmeticError, ValueError, TypeError):
            return None

    def attempt(self, goal: Goal, proposal: Proposal, depth: int) -> Step | None:
        """Prove all premises of a proposal, the small ones first."""
        premises = self.open_goals(goal, proposal)
        if premises is None:
            return None
        return self.discharge(proposal, premises, depth)

    def discharge(self, proposal: Proposal, premises: Sequence[Goal], depth: int) -> Step | None:
        if self.prune and any(has_counterexample(p) for p in premises):
            return None
        steps: dict[int, Step] = {}
        for i in sorted(range(len(premises)), key=lambda i: premises[i].gap.count_ops()):
            step = self.prove(premises[i], depth)
            if step is None:
                return None
            steps[i] = step
        return Step(proposal.rule, proposal.parameters, tuple(steps[i] for i in range(len(premises))))

    # --- cheap tactics

    def leaf(self, goal: Goal) -> Step | None:
        """A step without premises that needs no more than an enclosure or an identity."""
        names = ["enclosure"]
        if goal.domain.conditions:
            names += ["assumption", "infeasible"]
        for name in names:
            self.boxes += 1
            if self.open_goals(goal, Proposal(name, {})) == []:
                return Step(name)
        if goal.op != "<" and vanishes(goal.gap, goal.domain):
            positive = list(known_positive((goal.left, goal.right), goal.domain))
            if self.open_goals(goal, Proposal("identity", {"positive": positive})) == []:
                return Step("identity", {"positive": positive})
        return None

    def cheap(self, goal: Goal) -> Step | None:
        if goal.op == "==":
            return self.leaf(goal)
        return self.quick(goal) or self.by_comparison(goal) or self.by_few_boxes(goal)

    def quick(self, goal: Goal) -> Step | None:
        return self.leaf(goal) or self.by_factors(goal) or self.by_algebra(goal)

    def by_factors(self, goal: Goal) -> Step | None:
        """A product of factors whose signs need no more than leaves and algebra."""
        for proposal in factor_forms(goal):
            premises = self.open_goals(goal, proposal)
            if premises is None or goal in premises:
                continue
            steps = []
            for p in premises:
                step = self.leaf(p)
                if step is None:
                    break
                steps.append(step)
            else:
                return Step(proposal.rule, proposal.parameters, tuple(steps))
        return None

    def by_algebra(self, goal: Goal, effort: int = EFFORT) -> Step | None:
        if self.without_z3 or goal.gap.count_ops() > 150 or goal.gap.has(sympy.floor):
            return None
        plain = Proposal("algebraic", {"effort": effort})
        facts = self.facts_about(goal)
        with_facts = Proposal("algebraic", {"facts": facts, "effort": effort})
        for proposal in (with_facts, plain) if facts else (plain,):
            # z3's own count of its work can be far from the clock.
            with patience(min(1.0, self.deadline - clock())):
                if self.open_goals(goal, proposal) == []:
                    return Step(proposal.rule, proposal.parameters)
        return None

    def facts_about(self, goal: Goal) -> list[tuple[str, tuple[tuple[Symbol, Expr], ...]]]:
        """Instances of lemmas about the exponentials and logarithms in the goal."""
        algebra = Algebra()
        try:
            algebra.normal(goal.gap)
        except (ArithmeticError, TypeError):
            return []
        facts: list[tuple[str, tuple[tuple[Symbol, Expr], ...]]] = []

        def add(name: str, at: Expr) -> None:
            proposal = (name, ((_Z, at),))
            try:
                lemma_instance(goal.domain, *proposal)
            except (Rejected, Undefined, Unsupported):
                return
            facts.append(proposal)

        for meaning in algebra.meaning:
            if isinstance(meaning, sympy.exp) and meaning.free_symbols:
                u = meaning.args[0]
                for at in (u, -u):
                    add("exp-tangent", at)
                    add("exp-quadratic", at)
            elif isinstance(meaning, sympy.log) and meaning.free_symbols:
                w = meaning.args[0]
                for at in (w, 1 / w):
                    add("log-tangent", at)
                    add("log-chord", at)
            elif isinstance(meaning, sympy.erfc) and meaning.free_symbols:
                for name in ("mills-upper", "mills-lower", "erfc-chernoff"):
                    add(name, meaning.args[0])
        return facts[:12]

    def by_lemma(
        self, goal: Goal, facts: Iterable[tuple[str, tuple[tuple[Symbol, Expr], ...]]]
    ) -> Step | None:
        """The goal is one of these instances of lemmas."""
        for name, at in facts:
            proposal = Proposal("lemma", {"name": name, "at": at})
            premises = self.open_goals(goal, proposal)
            steps = [self.leaf(p) for p in premises] if premises is not None else [None]
            if all(s is not None for s in steps):
                return Step("lemma", proposal.parameters, tuple(s for s in steps if s is not None))
        return None

    def by_comparison(self, goal: Goal) -> Step | None:
        """Order the logarithms in the goal among themselves, then use algebra."""
        if goal.gap.count_ops() > 150:
            return None
        logs = sorted(
            (a for a in goal.gap.atoms(sympy.log) if a.free_symbols), key=sympy.default_sort_key
        )
        for small in logs:
            for large in logs:
                fact = Goal(goal.domain, small, "<=", large)
                if small == large or has_counterexample(fact):
                    continue
                order = Proposal("increasing", {
                    "function": "exp", "lower": small, "upper": large,
                    "images": (small.args[0], large.args[0]),
                })
                below = self.open_goals(fact, order)
                if below is None:
                    continue
                step = self.leaf(below[-1]) or self.by_factors(below[-1])
                if step is None:
                    continue
                proposal = Proposal("cut", {"fact": Relation(small, "<=", large)})
                premises = self.open_goals(goal, proposal)
                if premises is None:
                    continue
                rest = self.by_algebra(premises[1])
                if rest is not None:
                    first = Step(order.rule, order.parameters, (step,))
                    return Step(proposal.rule, proposal.parameters, (first, rest))
        return None

    def by_few_boxes(self, goal: Goal, most: int = FEW_BOXES) -> Step | None:
        """Branch and bound, unless the samples show that the sides touch."""
        if 0 in signs(goal.gap, goal.domain) or goal.gap.count_ops() > 200:
            return None
        if goal.op != "==" and goal.domain.is_finite() and not goal.domain.conditions:
            step, boxes = pave(goal, min(self.deadline, clock() + 1.0), self.bits, most)
            self.boxes += boxes
            return step
        if len(goal.gap.free_symbols) > 1 or most > FEW_BOXES:
            return None
        outcome = bisect(goal, min(self.deadline, clock() + 1.0), self.bits, most)
        self.boxes += outcome.boxes
        return outcome.step

    def by_boxes(self, goal: Goal, deadline: float) -> Outcome:
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
                outcomes = [Outcome(fact, 1), self.by_boxes(premises[1], deadline)]
            else:
                outcomes = [self.by_boxes(p, deadline) for p in premises]
            steps = [o.step for o in outcomes if o.step is not None]
            if len(steps) < len(premises):
                return next(o for o in outcomes if o.step is None)
            step = Step(proposal.rule, proposal.parameters, tuple(steps))
            return Outcome(step, sum(o.boxes for o in outcomes))
        if (found := self.proved.get(goal) or self.leaf(goal)) is not None:
            return Outcome(found, 1)
        outcome = bisect(goal, deadline, self.bits, locally=self.locally)
        self.boxes += outcome.boxes
        return outcome

    def within(self, deadline: float, goal: Goal, depth: int) -> Step | None:
        """A proof of a goal of its own, if it is found until then."""
        before, self.deadline = self.deadline, min(self.deadline, deadline)
        try:
            return self.prove(goal, depth)
        except OutOfTime:
            return None
        finally:
            self.deadline = before

    def locally(self, goal: Goal, depth: int) -> Step | None:
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
                    return Step(move.rule, move.parameters, tuple(s for s in steps if s is not None))
        except OutOfTime:
            return None
        # Towards infinity, and where the sides touch at an end, no number of boxes is enough.
        if depth <= DEEPEST_END and difficult:
            return self.within(clock() + END_SECONDS, goal, 2)
        return None

    def resists_cutting(self, goal: Goal) -> bool:
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

    # --- structure: minima, conditions, integers

    def structural(self, goal: Goal, depth: int) -> tuple[Step | None, bool]:
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

    # --- calculus

    def calculus(self, goal: Goal, depth: int) -> Step | None:
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

    def by_tower(self, goal: Goal, height: int = TALLEST) -> Step | None:
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
                    return core.wrap(Step(proposal.rule, proposal.parameters, (above, below)))
        return None

    @staticmethod
    def vanishes_at(gap: Expr, v: Symbol, at: Expr) -> bool:
        try:
            return bool(put(gap, {v: at}) == 0)
        except ValueError:  # too large; or an undefined entry of a minimum cannot be compared
            return False

    def routes(self, goal: Goal) -> Iterator[Route]:
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
        steps: list[Step | None] = []
        hard: Goal | None = None
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


def renames(goal: Goal, premises: Sequence[Goal]) -> bool:
    """A substitution that leaves as many conditions between variables as there were."""
    if any(c.op == "==" for c in goal.domain.conditions):
        return False
    return any(len(p.domain.conditions) >= len(goal.domain.conditions) > 0 for p in premises)


@dataclass(frozen=True)
class Route:
    """A goal reached from another by forms, with the easy premises of each form already proved."""

    target: Goal
    cost: float
    layers: tuple[tuple[Proposal, tuple[Step | None, ...]], ...]

    def wrap(self, step: Step) -> Step:
        for proposal, premises in self.layers:
            filled = tuple(step if p is None else p for p in premises)
            step = Step(proposal.rule, proposal.parameters, filled)
        return step
