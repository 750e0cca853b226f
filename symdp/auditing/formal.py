"""The formal goal that a claim of the literature is: what a verdict on it has to be about."""

from __future__ import annotations

from symdp.bridge import NotATerm, goal_of
from symdp.kernel.goals import Goal
from symdp.statement import Claim, Comparison, Identity, Inequality


def formal_goal(claim: Claim) -> Goal | None:
    """The goal; None for a claim that is words, or asks for a value."""
    if claim.task != "decide":
        return None
    try:
        if isinstance(claim, (Inequality, Comparison, Identity)) and claim.limit_at is None:
            return goal_of(claim.relation, claim.domain)
    except NotATerm:
        return None
    return None
