r"""Cases by the order of variables, as for Schur's inequality.

Where nothing says which of some variables is the larger, a sum of products of known signs may exist in each order,
and in no form for all of them. If the claim and its hypotheses stay the same under every exchange of the variables,
one order is enough: the steps for the others are the same with other names.

>>> from symdp.kernel.goals import REAL
>>> x, y = variable("x"), variable("y")
>>> from symdp.kernel.terms import number
>>> claim = Relation(x * y * number(2), "<=", x * x + y * y)
>>> (one,) = next(reductions(Goal((("x", REAL), ("y", REAL)), (), claim))).premises
>>> print(one)
0 <= x^2 + y^2 - 2*x*y for every real x, y with x <= y
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ZERO, variable
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import is_plain
from symdp.search.numbered_names import renamed
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError)
#: Claims that are longer are left alone.
LONGEST = 120
MOST_VARIABLES = 3


def reductions(goal: Goal) -> Iterator[Detour]:
    """All orders of the variables of an algebraic claim, of which no hypothesis compares two."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    names = sorted(goal.claim.variables)
    compared = any(isinstance(h, Relation) and h.left.head == h.right.head == "variable" for h in goal.hypotheses)
    if not 2 <= len(names) <= MOST_VARIABLES or compared or any(s != REAL for _, s in goal.sorts) \
            or not all(map(is_plain, goal.hypotheses)):
        return
    try:
        gap = expr_of(goal.relation.normal.gap)
        if gap.is_rational_function(*map(Symbol, names)):
            orders = _Orders(goal, names, gap)
            yield Detour(orders.premises, orders.finish, _words(names))
    except FAILURES:
        return


def _words(names: Sequence[str]) -> Reason:
    rest = (part for n in names[1:] for part in (", ", Symbol(n)))
    return Reason.of("cases by the order of ", Symbol(names[0]), *rest)


@dataclass(frozen=True)
class _Leaf:
    """One order of the variables, the largest first, and the way to its goal."""

    order: tuple[str, ...]
    chain: Descent


#: Steps for the leaves, in their order -> the step for the whole.
_Finish = Callable[[Iterator[Step]], Step]


class _Orders:
    """A tree of cases whose leaves are the orders."""

    def __init__(self, goal: Goal, names: Sequence[str], gap: Expr) -> None:
        self.goal, self.names, self.gap = goal, names, gap
        self.leaves: list[_Leaf] = []
        self._tree = self._sorted(goal, (names[0],), names[1:])
        self._same = all(self._looks_the_same(pair) for pair in pairwise(names))
        for leaf in self.leaves:
            self._canonical(leaf)
        self.premises = tuple(leaf.chain.goal for leaf in (self.leaves[:1] if self._same else self.leaves))

    def finish(self, steps: Sequence[Step]) -> Step:
        if self._same:
            (one,) = steps
            first = self.leaves[0].order
            steps = [renamed(one, dict(zip(first, leaf.order, strict=True))) for leaf in self.leaves]
        return self._tree(leaf.chain.around(step) for leaf, step in zip(self.leaves, steps, strict=True))

    def _sorted(self, goal: Goal, order: tuple[str, ...], rest: Sequence[str]) -> _Finish:
        """The next variable to its place among those that are in order, from the largest on."""
        if not rest:
            self.leaves.append(_Leaf(order, Descent(goal)))
            return lambda steps: next(steps)
        return self._placed(goal, order, rest, 0)

    def _placed(self, goal: Goal, order: tuple[str, ...], rest: Sequence[str], place: int) -> _Finish:
        if place == len(order):
            return self._sorted(goal, (*order, rest[0]), rest[1:])
        relation = Relation(variable(order[place]), "<=", variable(rest[0]))
        above, below = RULES["cases"](goal, {"relation": relation})
        first = self._sorted(above, (*order[:place], rest[0], *order[place:]), rest[1:])
        then = self._placed(below, order, rest, place + 1)
        return lambda steps: Step("cases", {"relation": relation}, (first(steps), then(steps)))

    def _canonical(self, leaf: _Leaf) -> None:
        """The same goal for every order, but for the names: the gap in one form, neighbours compared, and no more."""
        names = dict(zip(self.leaves[0].order, leaf.order, strict=True)) if self._same else {}
        neighbours = [Relation(variable(low), "<=", variable(high)) for high, low in pairwise(leaf.order)]
        for r in neighbours:
            leaf.chain.know(r, Step("assumption"))  # or the strict one is
        hypotheses = [renamed(h, names) for h in self.goal.hypotheses]
        leaf.chain.weaken([*hypotheses, *neighbours])
        leaf.chain.rewrite(ZERO, term_of(renamed(sympy.expand(self.gap), names)))

    def _looks_the_same(self, pair: tuple[str, str]) -> bool:
        """Whether the gap and the hypotheses stay what they are if the two are exchanged."""
        exchanged = dict([pair, pair[::-1]])
        return {renamed(h, exchanged) for h in self.goal.hypotheses} == set(self.goal.hypotheses) \
            and sympy.expand(renamed(self.gap, exchanged) - self.gap) == 0


__all__ = ["reductions"]
