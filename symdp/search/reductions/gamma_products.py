r"""Products of Gammas are compared by their logarithms, whose slopes are in the family of Gamma as well.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ZERO, apply, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(ZERO, "<", x),), Relation(apply("gamma", x + x), "<=", apply("exp", x * x)))
>>> print(next(reductions(goal)).premises[-1].claim)
loggamma(2*x) <= x^2
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import INTEGER, Goal, Relation
from symdp.kernel.proof import Step
from symdp.numbers.domain import Domain
from symdp.search.elaboration import increasing_functions
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Detour, parts_of
from symdp.search.reductions.slopes import FAILURES
from symdp.search.reductions.telescoping import FAMILY
from symdp.search.tactics.sample_points import seems_nonnegative


def reductions(goal: Goal) -> Iterator[Detour]:
    """The logarithms of both sides, if those are products and a Gamma is among the factors."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or not parts_of(goal, frozenset({"gamma"})):
        return
    lower, upper = claim.normal.left, claim.normal.right
    try:
        images, factors = [], list[Expr]()
        for side in (lower, upper):
            images.append(term_of(sympy.Add(*(e * _logarithm(b) for b, e in _factors(expr_of(side))))))
            factors += [b for b, _ in _factors(expr_of(side)) if b.free_symbols]
        parameters = {"function": "log", "lower": lower, "upper": upper, "images": images,
                      "positive": [term_of(b) for b in dict.fromkeys(factors)]}
        *signs, last = increasing_functions.premises(goal, parameters)
    except FAILURES:
        return
    yield Detour((*signs, last), lambda steps: increasing_functions.step(claim, parameters, list(steps)),
                 Reason.of("logarithms of both sides"), sure=True)


def relaxed(goal: Goal) -> Iterator[Detour]:
    """Factorials are Gammas: what is claimed of integers, for all real numbers between them."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or not parts_of(goal, FAMILY):
        return
    integers = [n for n, s in goal.sorts if s == INTEGER]
    try:
        relation, domain = view_of(goal)
        gap = relation.gap if relation.op in ("<=", "<") else relation.mirrored().gap
        if not integers or not seems_nonnegative(gap, Domain(domain.intervals, frozenset(), domain.conditions)):
            return
        parameters = {"hypotheses": list(goal.hypotheses), "real": integers}
        (weaker,) = RULES["weaken"](goal, parameters)
    except FAILURES:
        return
    logarithms = next(reductions(weaker), None)
    premises, finish = (logarithms.premises, logarithms.finish) if logarithms else ((weaker,), lambda steps: steps[0])
    yield Detour(premises, lambda steps: Step("weaken", parameters, (finish(steps),)),
                 Reason.of("for all real numbers"), sure=True)


def _factors(side: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Factors and their exponents; a sum is one factor."""
    for part in sympy.Mul.make_args(side):
        base, exponent = part.as_base_exp() if not isinstance(part, sympy.exp) else (part, sympy.Integer(1))
        if base.is_Mul:
            yield from ((b, e * exponent) for b, e in _factors(base))
        else:
            yield base, exponent


def _logarithm(factor: Expr) -> Expr:
    if isinstance(factor, sympy.gamma):
        return sympy.loggamma(factor.args[0])
    return factor.args[0] if isinstance(factor, sympy.exp) else sympy.log(factor)
