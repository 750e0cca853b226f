r"""Products of Gammas are compared by their logarithms, whose slopes are in the family of Gamma as well.

>>> from symdp.kernel.goals import REAL, Relation
>>> from symdp.kernel.terms import ZERO, apply, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(ZERO, "<", x),), Relation(apply("gamma", x + x), "<=", apply("exp", x * x)))
>>> print(next(reductions(goal)).premises[-1].claim)
loggamma(2*x) <= x^2
"""

from __future__ import annotations

from collections.abc import Iterator

from symdp.kernel.goals import Goal
from symdp.search.reductions.both_sides import by_logarithms, for_real_numbers
from symdp.search.reductions.detour import Detour, parts_of
from symdp.search.reductions.telescoping import FAMILY


def reductions(goal: Goal) -> Iterator[Detour]:
    """The logarithms of both sides, if those are products and a Gamma is among the factors."""
    if parts_of(goal, frozenset({"gamma"})):
        yield from by_logarithms(goal)


def relaxed(goal: Goal) -> Iterator[Detour]:
    """Factorials are Gammas: what is claimed of integers, for all real numbers between them."""
    for between in for_real_numbers(goal) if parts_of(goal, FAMILY) else ():
        (weaker,) = between.premises
        logarithms = next(reductions(weaker), None)
        yield between if logarithms is None else between.then(logarithms)
