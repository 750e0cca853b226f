r"""The same claim in another form: with logarithms of both sides, or for the real numbers between integers.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ZERO, apply, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(ZERO, "<", x),), Relation(x ** x, "<=", apply("exp", x * x)))
>>> print(next(by_logarithms(goal)).premises[-1].claim)
x*log(x) <= x^2
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import INTEGER, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.numbers.domain import Domain, DomainError
from symdp.search.elaboration import increasing_functions
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Detour
from symdp.search.tactics.sample_points import seems_nonnegative

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError,
            NotImplementedError)


def by_logarithms(goal: Goal) -> Iterator[Detour]:
    """The logarithms of the sides, each as a sum over its factors: first that the sides are positive, and last how
    their logarithms compare."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==":
        return
    lower, upper = claim.normal.left, claim.normal.right
    try:
        images, factors = [], list[Expr]()
        for side in (lower, upper):
            images.append(term_of(sympy.Add(*(e * _logarithm(b) for b, e in _factors(expr_of(side))))))
            factors += [b for b, _ in _factors(expr_of(side)) if b.free_symbols]
        parameters = {"function": "log", "lower": lower, "upper": upper, "images": images,
                      "positive": [term_of(b) for b in dict.fromkeys(factors)]}
        premises = tuple(increasing_functions.premises(goal, parameters))
    except FAILURES:
        return
    yield Detour(premises, lambda steps: increasing_functions.step(claim, parameters, list(steps)),
                 Reason.of("logarithms of both sides"), sure=True)


def for_real_numbers(goal: Goal) -> Iterator[Detour]:
    """What is claimed of integers, for all real numbers between them, if samples do not deny it."""
    claim, integers = goal.claim, [n for n, s in goal.sorts if s == INTEGER]
    if not isinstance(claim, Relation) or claim.op == "==" or not integers:
        return
    try:
        relation, domain = view_of(goal)
        gap = relation.gap if relation.op in ("<=", "<") else relation.mirrored().gap
        if not seems_nonnegative(gap, Domain(domain.intervals, frozenset(), domain.conditions)):
            return
        parameters = {"hypotheses": list(goal.hypotheses), "real": integers}
        premises = tuple(RULES["weaken"](goal, parameters))
    except FAILURES:
        return
    yield Detour(premises, lambda steps: Step("weaken", parameters, tuple(steps)), Reason.of("for all real numbers"),
                 sure=True)


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
