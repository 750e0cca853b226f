r"""The search for a proof: cheap tactics first, then forms and moves, deeper and deeper.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import sympy
from flint import arb
from sympy import Expr, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.notation import symbol
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.identity import Algebra, TooLarge
from symdp.proving.kernel import RULES, Goal, Rejected, Step, range_of, range_on
from symdp.proving.lemmas import library
from symdp.proving.rules import lemma_instance, opened
from symdp.proving.tactics.bisection import bisect
from symdp.proving.tactics.factoring import factored
from symdp.proving.tactics.forms import (
    Proposal,
    all_forms,
    factor_form,
    is_positive_on,
    known_positive,
    unseen_positive,
)
from symdp.proving.tactics.samples import (
    drop_variable,
    points_of,
    seems_nonnegative,
    seems_nonpositive,
    signs,
    vanishes,
)
from symdp.proving.tactics.stationary import stationary_points
from symdp.relation import Relation

FEW_BOXES = 40
TALLEST = 14
DEEPEST = 4
LARGEST_SLOPE = 500
_Z = symbol("z")


class OutOfTime(Exception):
    """The budget is spent."""


@dataclass
class Search:
    """One search, with its tables of what was proved and what failed at which depth."""

    deadline: float
    bits: int = 64
    #: samples may drop a goal that has a counterexample; switched off, only the kernel stands guard
    prune: bool = True
    boxes: int = 0
    proved: dict[Goal, Step] = field(default_factory=dict)
    failed: dict[Goal, int] = field(default_factory=dict)
    at_work: set[Goal] = field(default_factory=set)
    #: goals from which a tower of derivatives was tried
    towered: set[Goal] = field(default_factory=set)

    def run(self, goal: Goal) -> Step | None:
        """Iterative deepening until a proof is found or the time is up."""
        library()
        try:
            for depth in range(DEEPEST + 1):
                step = self.prove(goal, depth)
                if step is not None:
                    return step
        except OutOfTime:
            pass
        return None

    # --- one goal

    def prove(self, goal: Goal, depth: int) -> Step | None:
        if goal in self.proved:
            return self.proved[goal]
        if self.failed.get(goal, -1) >= depth or goal in self.at_work:
            return None
        if time.monotonic() > self.deadline:
            raise OutOfTime
        if self.prune and self.hopeless(goal):
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

    def hopeless(self, goal: Goal) -> bool:
        found = signs(goal.gap, goal.domain)
        if goal.op == "==":
            return 1 in found or -1 in found
        return -1 in found or (goal.strict and 0 in found)

    def open_goals(self, goal: Goal, proposal: Proposal) -> list[Goal] | None:
        """The premises that the kernel asks for, or None if it rejects the proposal."""
        try:
            return RULES[proposal.rule](goal, proposal.parameters)
        except (Rejected, Undefined, Unsupported, TooLarge, ValueError, TypeError):
            return None

    def attempt(self, goal: Goal, proposal: Proposal, depth: int) -> Step | None:
        """Prove all premises of a proposal, the small ones first."""
        premises = self.open_goals(goal, proposal)
        if premises is None:
            return None
        return self.discharge(proposal, premises, depth)

    def discharge(self, proposal: Proposal, premises: Sequence[Goal], depth: int) -> Step | None:
        if self.prune and any(self.hopeless(p) for p in premises):
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
        return (
            self.leaf(goal) or self.by_factors(goal) or self.by_algebra(goal)
            or self.by_comparison(goal) or self.by_few_boxes(goal)
        )

    def by_factors(self, goal: Goal) -> Step | None:
        """A product of factors whose signs need no more than leaves and algebra."""
        proposal = factor_form(goal)
        if proposal is None:
            return None
        premises = self.open_goals(goal, proposal)
        if premises is None or goal in premises:
            return None
        steps = []
        for p in premises:
            step = self.leaf(p)
            if step is None:
                return None
            steps.append(step)
        return Step(proposal.rule, proposal.parameters, tuple(steps))

    def by_algebra(self, goal: Goal, milliseconds: int = 250) -> Step | None:
        if goal.gap.count_ops() > 150 or goal.gap.has(sympy.floor):
            return None
        plain = Proposal("algebraic", {"milliseconds": milliseconds})
        facts = self.facts_about(goal)
        with_facts = Proposal("algebraic", {"facts": facts, "milliseconds": milliseconds})
        for proposal in (with_facts, plain) if facts else (plain,):
            if self.open_goals(goal, proposal) == []:
                return Step(proposal.rule, proposal.parameters)
        return None

    def facts_about(self, goal: Goal) -> list[tuple[str, tuple[tuple[Symbol, Expr], ...]]]:
        """Instances of lemmas about the exponentials and logarithms in the goal."""
        algebra = Algebra()
        try:
            algebra.normal(goal.gap)
        except (TooLarge, ZeroDivisionError):
            return []
        facts: list[tuple[str, tuple[tuple[Symbol, Expr], ...]]] = []

        def add(name: str, at: Expr) -> None:
            proposal = (name, ((_Z, at),))
            try:
                lemma_instance(goal.domain, *proposal)
            except (Rejected, Undefined, Unsupported):
                return
            facts.append(proposal)

        for meaning in algebra.meaning.values():
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
        return facts[:12]

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
                if small == large or self.hopeless(fact):
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
        outcome = bisect(goal, min(self.deadline, time.monotonic() + 1.0), self.bits, most)
        self.boxes += outcome.boxes
        return outcome.step

    # --- structure: minima, conditions, integers

    def structural(self, goal: Goal, depth: int) -> tuple[Step | None, bool]:
        """Take the structure apart; and whether that was the only sensible thing to do here."""
        for proposal in self.simplifications(goal, depth):
            premises = self.open_goals(goal, proposal)
            if premises is None:
                continue
            step = self.discharge(proposal, premises, depth)
            if step is not None:
                return step, True
            if proposal.commits and not any(self.hopeless(p) for p in premises):
                return None, True
        return None, False

    def simplifications(self, goal: Goal, depth: int) -> Iterator[Proposal]:
        domain = goal.domain
        used = goal.left.free_symbols | goal.right.free_symbols
        needed = used | set().union(*(c.symbols for c in domain.conditions))
        if set(domain.variables) - needed:
            smaller = Domain(
                {v: i for v, i in domain.intervals.items() if v in needed},
                domain.integers & needed,
                domain.conditions,
            )
            yield Proposal("weaken", {"domain": smaller}, commits=True)
        for v, interval in domain.intervals.items():
            if interval.lower == interval.upper:
                yield Proposal("point", {"variable": v}, commits=True)
        yield from self.narrowings(goal)
        yield from self.obligations(goal)
        yield from self.touching_points(goal, depth)
        if isinstance(goal.right, sympy.Min) or isinstance(goal.left, sympy.Max):
            yield Proposal("every", {}, commits=True)
        for side, kind in ((goal.left, sympy.Min), (goal.right, sympy.Max)):
            if isinstance(side, kind):
                for entry in side.args:
                    yield Proposal("some", {"entry": entry})
        nodes = goal.left.atoms(sympy.Abs, sympy.Min, sympy.Max) | goal.right.atoms(
            sympy.Abs, sympy.Min, sympy.Max
        )
        for node in sorted(nodes, key=lambda n: n.count_ops()):
            yield Proposal("cases", {"node": node}, commits=True)
        yield from self.shifts(goal)
        if depth >= 1 and not domain.conditions:
            yield from self.sign_cases(goal)
        if domain.integers:
            relaxed = Domain(domain.intervals, frozenset(), domain.conditions)
            yield Proposal("weaken", {"domain": relaxed})
            if depth >= 2 or self.hopeless(goal.on(relaxed)):
                yield from self.integer_cases(goal)

    def obligations(self, goal: Goal) -> Iterator[Proposal]:
        """Where an enclosure cannot tell that a side is defined, prove first what it takes."""
        for side in (goal.left, goal.right):
            try:
                range_on(side, goal.domain)
            except Undefined as reason:
                inside = reason.part.args[0]
                found = signs(inside, goal.domain)
                if found and all(s == 1 for s in found):
                    fact = Relation(inside, ">", sympy.Integer(0))
                elif found and all(s == -1 for s in found):
                    fact = Relation(-inside, ">", sympy.Integer(0))
                elif found and -1 not in found and isinstance(reason.part, sympy.Pow):
                    fact = Relation(inside, ">=", sympy.Integer(0))
                else:
                    return
                yield Proposal("cut", {"fact": fact}, commits=True)
                return
            except Unsupported:
                return

    def touching_points(self, goal: Goal, depth: int) -> Iterator[Proposal]:
        """Cut an interval at a simple point inside at which the sides touch."""
        free = goal.gap.free_symbols
        if depth < 1 or goal.domain.conditions or goal.domain.integers or len(free) != 1:
            return
        (v,) = free
        interval = goal.domain.intervals[v]
        for (at,), sign in zip(
            points_of(Domain({v: interval})), signs(goal.gap, Domain({v: interval})), strict=False
        ):
            if sign == 0 and at not in (interval.lower, interval.upper):
                yield Proposal("split", {"variable": v, "at": at})
                return

    def sign_cases(self, goal: Goal) -> Iterator[Proposal]:
        """A simple factor of two variables that has both signs: look at each of them."""
        result = factored(goal.gap) if goal.gap.count_ops() <= 120 else None
        for f, e in result[1] if result else ():
            if (
                e % 2
                and len(f.free_symbols) > 1
                and f.count_ops() <= 4
                and not seems_nonnegative(f, goal.domain)
                and not seems_nonpositive(f, goal.domain)
            ):
                yield Proposal("cases", {"node": sympy.Abs(f, evaluate=False)})
                return

    def narrowings(self, goal: Goal) -> Iterator[Proposal]:
        """A condition may bound a variable by a number: x > y and y > 0 give x > 0."""
        box = Domain(goal.domain.intervals, goal.domain.integers)
        for c in goal.domain.conditions:
            for v in sorted(c.symbols, key=str):
                slope = c.gap.diff(v)
                if c.op == "==" or slope not in (1, -1):
                    continue
                bound = sympy.expand(v - slope * c.gap)
                try:
                    r = range_on(bound, box)
                except (Undefined, Unsupported):
                    continue
                interval = box.intervals[v]
                if slope == 1 and r.lo > range_of(interval).lo:
                    strict = c.strict or r.lo_open
                    fact = Relation(v, ">" if strict else ">=", exact_end(r.lo))
                    yield Proposal("cut", {"fact": fact}, commits=True)
                if slope == -1 and r.hi < range_of(interval).hi:
                    strict = c.strict or r.hi_open
                    fact = Relation(v, "<" if strict else "<=", exact_end(r.hi))
                    yield Proposal("cut", {"fact": fact}, commits=True)

    def shifts(self, goal: Goal) -> Iterator[Proposal]:
        """A condition x > y is a new variable x/y > 1 or x - y > 0."""
        domain = goal.domain
        t = fresh(domain)
        for c in domain.conditions:
            yield from self.scalings(goal, c, t)
        for c in domain.conditions:
            if c.op == "==":
                continue
            slopes = {v: c.gap.diff(v) for v in sorted(c.symbols - domain.integers, key=str)}
            chosen = [v for v, s in slopes.items() if s == 1] or [
                v for v, s in slopes.items() if s == -1
            ]
            for v in chosen[:1]:
                slope = slopes[v]
                rest = sympy.expand(c.gap - slope * v)
                forward = slope * (t - rest)
                interval = Interval(sympy.Integer(0), oo, lower_open=c.strict)
                yield Proposal(
                    "substitute",
                    {"variable": v, "new": t, "forward": sympy.expand(forward), "inverse": c.gap,
                     "interval": interval},
                )
        if domain.conditions and not any(c.symbols & goal.gap.free_symbols for c in domain.conditions):
            yield Proposal("weaken", {"domain": Domain(domain.intervals, domain.integers)})

    def scalings(self, goal: Goal, c: Relation, t: Symbol) -> Iterator[Proposal]:
        """A condition x > y between positive variables is a new variable x/y > 1."""
        if c.op == "==" or not (c.left.is_Symbol and c.right.is_Symbol):
            return
        large, small = (c.left, c.right) if c.op in (">", ">=") else (c.right, c.left)
        if large in goal.domain.integers or not is_positive_on(small, goal.domain):
            return
        ratio = large / small
        fact = Relation(ratio, ">" if c.strict else ">=", sympy.Integer(1))
        if fact not in goal.domain.facts:
            yield Proposal("cut", {"fact": fact})
        else:
            yield Proposal(
                "substitute",
                {"variable": large, "new": t, "forward": small * t, "inverse": ratio,
                 "interval": Interval(sympy.Integer(1), oo, lower_open=c.strict)},
            )

    def integer_cases(self, goal: Goal) -> Iterator[Proposal]:
        """Split off the smallest value."""
        for v in sorted(goal.domain.integers, key=str):
            interval = goal.domain.intervals[v]
            if interval.lower != -oo and interval.lower != interval.upper and interval.lower < 12:
                yield Proposal("split", {"variable": v, "at": interval.lower})

    # --- calculus

    def calculus(self, goal: Goal, depth: int) -> Step | None:
        """The best pairs of a form and a move, tried by the size of what they leave."""
        step = self.by_tower(goal)
        if step is not None:
            return step
        candidates: list[tuple[float, int, Route, Proposal]] = []
        for route in self.routes(goal):
            if route.layers and route.target not in self.failed:
                step = self.cheap(route.target)
                if step is not None:
                    return route.wrap(step)
                self.failed[route.target] = 0
            moves = sorted(self.moves(route.target), key=lambda m: m.cost)
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
            for proposal in self.changes_of_variable(goal):
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
        if goal in self.towered or (self.prune and self.hopeless(goal)):
            return None
        self.towered.add(goal)
        if time.monotonic() > self.deadline:
            raise OutOfTime
        if height < TALLEST:
            step = self.leaf(goal) or self.by_factors(goal) or self.by_algebra(goal, 60)
            if step is not None:
                return step
        core = Route(goal, 0.0, ())
        form = factor_form(goal)
        if form is not None:
            core = self.extend(core, form) or core
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
        return bool(gap.subs(v, at) == 0)

    def routes(self, goal: Goal) -> Iterator[Route]:
        """The goal itself, and its forms whose side premises are easy; forms of forms once."""
        start = self.with_positive_sides(Route(goal, 0.0, ()))
        yield start
        seen = {start.target}
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
        if self.prune and any(self.hopeless(p) for p in premises):
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

    def moves(self, goal: Goal) -> Iterator[Proposal]:
        domain = goal.domain
        for v in sorted(goal.gap.free_symbols - domain.integers, key=str):
            if domain.intervals[v].lower == domain.intervals[v].upper:
                continue
            slope = sympy.diff(goal.gap, v)
            if slope.count_ops() > LARGEST_SLOPE or slope.has(sympy.Derivative, sympy.sign):
                continue
            yield from self.moves_along(goal, v, slope)

    def moves_along(self, goal: Goal, v: Symbol, slope: Expr) -> Iterator[Proposal]:
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
        for weight, core in self.cores(slope, v, domain):
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

    def cores(self, slope: Expr, v: Symbol, domain: Domain) -> Iterator[tuple[Expr | None, Expr]]:
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

    def changes_of_variable(self, goal: Goal) -> Iterator[Proposal]:
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


def exact_end(end: arb) -> sympy.Rational:
    """An exact Arb number as a rational."""
    mantissa, exponent = end.mid().man_exp()
    return sympy.Rational(int(mantissa)) * sympy.Integer(2) ** int(exponent)


def fresh(domain: Domain) -> Symbol:
    """A variable that the domain does not have."""
    i = 1
    while symbol(f"t{i}") in domain.intervals:
        i += 1
    return symbol(f"t{i}")


