r"""What settles a goal at once: an enclosure, algebra, factors, a lemma, a comparison, a few boxes.

Nothing here is trusted. What comes out is a step, and the kernel decides what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import sympy
from sympy import Expr, Symbol

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.search.deadline import clock
from symdp.search.tactics.bisection import bisect, pave
from symdp.search.tactics.forms import (
    Proposal,
    factor_forms,
    known_positive,
)
from symdp.search.tactics.polynomials.positivity import SECONDS as CERTIFICATE_SECONDS
from symdp.search.tactics.polynomials.positivity import certify
from symdp.search.tactics.sample_points import has_counterexample, signs, vanishes
from symdp.search.view.algebra import Satisfiable, patience
from symdp.search.view.goals import RULES, Move, Target
from symdp.search.view.identity import AlgebraOfExpressions
from symdp.search.view.rules import lemma_instance

#: Boxes that are worth a try on any goal, and on the claim itself before anything is rewritten.
FEW_BOXES, FIRST_BOXES = 40, 900
#: What z3 may spend on one question during the search, in its own units; about a quarter second.
EFFORT = 1_500_000
_Z = symbol("z")
#: How the kernel's view of a rule says no to a proposal.
REFUSALS = (Rejected, ArithmeticError, ValueError, TypeError)


@dataclass
class Leaves:
    """The tables of a search, and the tactics that settle a goal at once."""

    deadline: float
    bits: int = 64
    #: samples may drop a goal that has a counterexample; switched off, only the kernel stands guard
    prune: bool = True
    #: leaves the algebraic leaf alone, so that z3 need not be trusted
    without_z3: bool = False
    boxes: int = 0
    proved: dict[Target, Move] = field(default_factory=dict)
    failed: dict[Target, int] = field(default_factory=dict)
    at_work: set[Target] = field(default_factory=set)
    #: forms of goals on which the quickest tactics were tried
    looked_at: set[Target] = field(default_factory=set)
    #: goals from which a tower of derivatives was tried
    towered: set[Target] = field(default_factory=set)

    def certified(
        self, goal: Target, facts: Iterable[tuple[str, tuple[tuple[Symbol, Expr], ...]]]
    ) -> Move | None:
        """A sum of products of known signs instead of z3's word, within the time that is left."""
        return certify(goal, facts, min(CERTIFICATE_SECONDS, self.deadline - clock()))

    def open_goals(self, goal: Target, proposal: Proposal) -> list[Target] | None:
        """The premises that the kernel asks for, or None if it rejects the proposal."""
        try:
            return RULES[proposal.rule](goal, proposal.parameters)
        except REFUSALS:
            return None

    def leaf(self, goal: Target) -> Move | None:
        """A step without premises that needs no more than an enclosure or an identity."""
        names = ["enclosure"]
        if goal.domain.conditions:
            names += ["assumption", "infeasible"]
        for name in names:
            self.boxes += 1
            if self.open_goals(goal, Proposal(name, {})) == []:
                return Move(name)
        if goal.op != "<" and vanishes(goal.gap, goal.domain):
            positive = list(known_positive((goal.left, goal.right), goal.domain))
            if self.open_goals(goal, Proposal("identity", {"positive": positive})) == []:
                return Move("identity", {"positive": positive})
        return None

    def cheap(self, goal: Target) -> Move | None:
        if goal.op == "==":
            return self.leaf(goal)
        return self.quick(goal) or self.by_comparison(goal) or self.by_few_boxes(goal)

    def quick(self, goal: Target) -> Move | None:
        return self.leaf(goal) or self.by_factors(goal) or self.by_algebra(goal)

    def by_factors(self, goal: Target) -> Move | None:
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
                return Move(proposal.rule, proposal.parameters, tuple(steps))
        return None

    def by_algebra(self, goal: Target, effort: int = EFFORT) -> Move | None:
        if self.without_z3 or goal.gap.count_ops() > 150 or goal.gap.has(sympy.floor):
            return None
        plain = Proposal("algebraic", {"effort": effort})
        facts = self.facts_about(goal)
        with_facts = Proposal("algebraic", {"facts": facts, "effort": effort})
        for proposal in (with_facts, plain) if facts else (plain,):
            # z3's own count of its work can be far from the clock.
            with patience(min(1.0, self.deadline - clock())):
                try:
                    if RULES[proposal.rule](goal, proposal.parameters) == []:
                        return Move(proposal.rule, proposal.parameters)
                except Satisfiable:  # without the facts as well
                    return None
                except REFUSALS:
                    continue
        return None

    def facts_about(self, goal: Target) -> list[tuple[str, tuple[tuple[Symbol, Expr], ...]]]:
        """Instances of lemmas about the exponentials and logarithms in the goal."""
        algebra = AlgebraOfExpressions()
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
        self, goal: Target, facts: Iterable[tuple[str, tuple[tuple[Symbol, Expr], ...]]]
    ) -> Move | None:
        """The goal is one of these instances of lemmas."""
        for name, at in facts:
            proposal = Proposal("lemma", {"name": name, "at": at})
            premises = self.open_goals(goal, proposal)
            steps = [self.leaf(p) for p in premises] if premises is not None else [None]
            if all(s is not None for s in steps):
                return Move("lemma", proposal.parameters, tuple(s for s in steps if s is not None))
        return None

    def by_comparison(self, goal: Target) -> Move | None:
        """Order the logarithms in the goal among themselves, then use algebra."""
        if goal.gap.count_ops() > 150:
            return None
        logs = sorted(
            (a for a in goal.gap.atoms(sympy.log) if a.free_symbols), key=sympy.default_sort_key
        )
        for small in logs:
            for large in logs:
                fact = Target(goal.domain, small, "<=", large)
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
                    first = Move(order.rule, order.parameters, (step,))
                    return Move(proposal.rule, proposal.parameters, (first, rest))
        return None

    def by_few_boxes(self, goal: Target, most: int = FEW_BOXES) -> Move | None:
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
