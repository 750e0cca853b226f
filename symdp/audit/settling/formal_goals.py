"""The formal goal that a claim of the literature is: what a verdict on it has to be about."""

from __future__ import annotations

from symdp.arguments.formal.line_formulas import formula_of as each_member
from symdp.arguments.guarantees import kernel_goals as guarantees
from symdp.arguments.guarantees.kernel_goals import NotFormal
from symdp.arguments.orders import kernel_goals as orders
from symdp.formulas.relation import Relation as End
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.rules.readings import Continued
from symdp.kernel.witness import Witness
from symdp.numbers.domain import goal_of
from symdp.search.verdict import Status
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Claim,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
)


def formal_goal(claim: Claim) -> Goal | None:
    """The goal; None for a claim in words, and for one that asks for a value which its formula does not name.

    >>> from symdp.sources.registry import claim
    >>> print(formal_goal(claim("kov/thm-3.1")).claim)
    the k-fold composition of (eps, delta)-DP mechanisms is (eps*k, delta*k)-DP
    """
    if claim.task not in ("decide", "derive") or claim.over is not None:
        return None
    try:
        if isinstance(claim, Inequality | Comparison | Identity):
            goal = _with_families(goal_of(claim.relation, claim.domain, claim.members), claim)
            return goal if claim.limit_at is None else read_as_limit(goal, claim.limit_at)
        if isinstance(claim, Guarantee) and claim.task == "decide":  # to be derived is how far one holds
            return guarantees.formal(claim)
        if isinstance(claim, Asymptotic) and isinstance(claim.regime, Regime):
            order = orders.formal(claim.left, claim.order, claim.right, claim.regime, claim.domain)
            return orders.goal_that(order)
    except (NotATerm, NotFormal, IllFormed):
        return None
    return None


def _with_families(goal: Goal, claim: Claim) -> Goal:
    """The goal with what the claim knows of every member of its families."""
    if not claim.each:
        return goal
    fixed = frozenset(claim.domain.variables)
    known = tuple(each_member(r, fixed) for r in claim.each)
    families = {name for name, _ in goal.families}.union(*(h.families for h in known))
    return Goal(goal.sorts, (*goal.hypotheses, *known), goal.claim, tuple((name, REAL) for name in sorted(families)))


def lacking(claim: Claim) -> str:
    """What a formal statement of the claim would need; empty if it is one."""
    return claim.beyond if claim.task == "decide" and formal_goal(claim) is None else ""


def read_as_limit(goal: Goal, end: End) -> Goal:
    """The goal with an end of one variable, such as lam == 0, read as a limit; the statement says so."""
    if not isinstance(goal.claim, Relation):
        raise IllFormed("only a relation is read as a limit")
    hypotheses = tuple(h for h in goal.hypotheses if isinstance(h, Relation))
    if hypotheses != goal.hypotheses:  # without them it would be another claim
        raise IllFormed("a claim with a hypothesis about every integer is not read as a limit")
    return Goal((), (), Continued(goal.claim, str(end.left), term_of(end.right), goal.sorts, hypotheses))


def status_by(claim: Claim, found: Proof | Witness) -> Status | None:
    """What the kernel's proof or counterexample makes of a claim; None if it is about anything else."""
    goal = formal_goal(claim)
    if goal is None:
        return None
    if found.goal == goal:
        return Status.PROVED if isinstance(found, Proof) else Status.REFUTED
    denied = isinstance(goal.claim, Order) and found.goal == Goal((), (), Fails(goal.claim))
    return Status.REFUTED if denied and isinstance(found, Proof) else None
