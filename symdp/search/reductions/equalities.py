r"""An equality as two inequalities: where the slope of the difference is 0, each of them starts from an end.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ONE, apply, variable
>>> x = variable("x")
>>> angles = Relation(apply("atan", x) + apply("atan", ONE / x), "==", apply("atan", ONE) + apply("atan", ONE))
>>> goal = Goal((("x", REAL),), (Relation(ONE, "<=", x),), angles)
>>> print(next(reductions(goal)).premises[1].claim)
atan(1) + atan(1) <= atan(x) + atan(1/x)
"""

from __future__ import annotations

from collections.abc import Iterator

from symdp.formulas.translation import NotATerm
from symdp.kernel.goals import Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Detour
from symdp.search.tactics.sample_points import vanishes


def reductions(goal: Goal) -> Iterator[Detour]:
    """Both inequalities, if the sides seem to be equal."""
    if not isinstance(goal.claim, Relation) or goal.claim.op != "==":
        return
    try:
        relation, domain = view_of(goal)
        if not domain.variables or not vanishes(relation.gap, domain):
            return
        premises = RULES["both"](goal, {})
    except (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError):
        return
    yield Detour(tuple(premises), lambda steps: Step("both", {}, tuple(steps)), Reason.of("both inequalities"))
