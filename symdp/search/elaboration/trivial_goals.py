"""Goals that say nothing: a term compared with itself."""

from __future__ import annotations

from symdp.kernel.goals import Each, Formula, Goal, Relation
from symdp.kernel.rules.orders import Order
from symdp.kernel.rules.readings import Continued


def is_reflexive(goal: Goal) -> bool:
    """Whether a goal says of a term that it is itself: then its proof says nothing of the words around it.

    >>> from symdp.kernel.goals import REAL
    >>> from symdp.kernel.terms import variable
    >>> x = variable("x")
    >>> is_reflexive(Goal((("x", REAL),), (), Relation(x, "<=", x)))
    True
    """
    claim: Formula = goal.claim
    while isinstance(claim, Each):
        claim = claim.body
    if isinstance(claim, Continued):
        claim = claim.relation
    return isinstance(claim, Relation | Order) and claim.left == claim.right
