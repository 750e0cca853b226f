r"""Tangents as quotients of sines and cosines, and the claim without its denominators.

Up to the pole of a tangent its cosine falls to 0: calculus sees what the claim tends to there when it is multiplied
by that.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import apply, constant, number
>>> x = variable("x")
>>> inside = (Relation(ZERO, "<", x), Relation(x, "<", constant("pi") / number(2)))
>>> for premise in next(reductions(Goal((("x", REAL),), inside, Relation(x, "<=", apply("tan", x))))).premises:
...     print(premise.claim)
0 < cos(x)
0 <= sin(x) - x*cos(x)
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Rational, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, variable
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Detour
from symdp.search.reductions.pieces import positive_up_to_ends
from symdp.search.tactics.sample_points import signs

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError,
            sympy.PolynomialError)
#: Claims that are longer are left alone.
LONGEST = 120


def reductions(goal: Goal) -> Iterator[Detour]:
    """With a cosine below every tangent, all of one variable; denominators have a sign by samples, and are shown."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or len(claim.variables) != 1:
        return
    try:
        gap = expr_of(goal.relation.gap)
        tangents = {p: sympy.sin(p.args[0]) / sympy.cos(p.args[0]) for p in gap.atoms(sympy.Function)
                    if p.func.__name__ == "tan"}  # a function of ours, that SymPy does not evaluate
        if not tangents or gap.count_ops() > LONGEST:
            return
        _, domain = view_of(goal)
        chain = positive_up_to_ends(goal, gap, Symbol(*claim.variables))
        above, below = sympy.fraction(sympy.together(gap.xreplace(tangents)))
        coefficient, found = sympy.factor_list(below)
        core, factors = above / coefficient, []
        for base, exponent in found:
            known = set(signs(base, domain)) - {None, 0}
            if known not in ({1}, {-1}):
                return
            core *= Rational(*known) ** exponent
            factors.append([term_of(Rational(*known) * base), -exponent, ">"])
        strict = goal.relation.op == "<"
        terms = [[ONE, [*factors, [term_of(sympy.expand(core)), 1, ">" if strict else ">="]]]]
        # what was needed for the denominators to be defined is not needed any more
        fewer = {"hypotheses": list(goal.hypotheses)}
        premises = [p for g in RULES["combine"](chain.goal, {"terms": terms}) for p in RULES["weaken"](g, fewer)]
    except FAILURES:
        return
    yield Detour(tuple(premises), lambda steps: chain.around(Step("combine", {"terms": terms}, tuple(
        Step("weaken", fewer, (s,)) for s in steps))), Reason.of("tangents as sines over cosines"), sure=True)


__all__ = ["ZERO", "reductions", "variable"]
