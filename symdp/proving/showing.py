r"""Kernel steps for a goal of the kernel: a cheap rule, or what the prover finds for SymPy's view of it.

Nothing here is trusted: what is found is a proposal that the kernel checks.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ONE, ZERO, apply, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (KernelRelation(ZERO, "<", x),), KernelRelation(ONE + x, "<=", apply("exp", x)))
>>> show(goal, budget=5) is not None
True
"""

from __future__ import annotations

from symdp.bridge import expr_of
from symdp.domain import Domain, DomainError
from symdp.kernel.goals import INTEGER, Goal
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.proof import Proof, Rejected, Step, verify
from symdp.notation import symbol
from symdp.proving.settling import NotDefined, settle_relation
from symdp.relation import Relation

#: Rules that need no search, in the order of their cost.
CHEAP = (Step("assumption"), Step("enclosure"), Step("identity"))


def accepted(goal: Goal, step: Step) -> Proof | None:
    """The proof, if the kernel accepts the step."""
    try:
        return verify(goal, step)
    except Rejected:
        return None


def show(goal: Goal, budget: float) -> Step | None:
    """A step that proves the goal, checked; None if none was found."""
    for step in CHEAP:
        if accepted(goal, step) is not None:
            return step
    return _searched(goal, budget)


def show_all(goals: list[Goal], budget: float) -> tuple[Step, ...] | None:
    """Steps for all of them, or None."""
    steps: list[Step] = []
    for goal in goals:
        found = show(goal, budget / len(goals))
        if found is None:
            return None
        steps.append(found)
    return tuple(steps)


def _searched(goal: Goal, budget: float) -> Step | None:
    """What the prover finds for SymPy's view of the goal, about its own variables alone."""
    r = goal.claim
    if not isinstance(r, KernelRelation):
        return None
    try:
        verdict = settle_relation(relation_of(r), domain_of(goal, r.variables), formal=goal, budget=budget)
    except (DomainError, NotDefined, ArithmeticError, TypeError, ValueError):
        return None
    return verdict.formal.step if isinstance(verdict.formal, Proof) else None


# --- SymPy's view -------------------------------------------------------------------------------


def domain_of(goal: Goal, about: frozenset[str] | None = None) -> Domain:
    """SymPy's view of the points of a goal, or of what it says about some of its variables."""
    names = frozenset(goal.variables) if about is None else about
    relations = [relation_of(h) for h in goal.hypotheses
                 if isinstance(h, KernelRelation) and h.left is not h.right and h.variables
                 and h.variables <= names]
    integers = [symbol(n) for n, s in goal.sorts if s == INTEGER and n in names]
    return Domain.of(relations, integers, [symbol(n) for n in sorted(names)])


def relation_of(r: KernelRelation) -> Relation:
    return Relation(expr_of(r.left), r.op, expr_of(r.right))
