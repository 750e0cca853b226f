"""The formal goal that a claim of the literature is: what a verdict on it has to be about."""

from __future__ import annotations

from symdp.bridge import NotATerm, goal_of, term_of
from symdp.expansions.formal import formal, goal_that
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.readings import Continued
from symdp.regime import Regime
from symdp.relation import Relation as End
from symdp.statement import Asymptotic, Claim, Comparison, Identity, Inequality


def formal_goal(claim: Claim) -> Goal | None:
    """The goal; None for a claim that is words, or asks for a value."""
    if claim.task != "decide":
        return None
    try:
        if isinstance(claim, (Inequality, Comparison, Identity)):
            goal = goal_of(claim.relation, claim.domain)
            return goal if claim.limit_at is None else read_as_limit(goal, claim.limit_at)
        if isinstance(claim, Asymptotic) and isinstance(claim.regime, Regime):
            return goal_that(formal(claim.left, claim.order, claim.right, claim.regime, claim.domain))
    except NotATerm:
        return None
    return None


def read_as_limit(goal: Goal, end: End) -> Goal:
    """The goal with an end of one variable, such as lam == 0, read as a limit; the statement says so."""
    assert isinstance(goal.claim, Relation)
    hypotheses = tuple(h for h in goal.hypotheses if isinstance(h, Relation))
    return Goal((), (), Continued(goal.claim, str(end.left), term_of(end.right), goal.sorts, hypotheses))
