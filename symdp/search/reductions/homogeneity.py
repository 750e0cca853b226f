r"""Homogeneous claims: one of the positive variables is the unit, and then there is one variable less.

Where the gap at $(\lambda a,\lambda b)$ is $\lambda^d$ times that at (a, b), and b = at, it is $a^d$ times that at (1, t).

>>> from symdp.kernel.goals import REAL
>>> a, b = variable("a"), variable("b")
>>> positive = (Relation(ZERO, "<", a), Relation(ZERO, "<", b))
>>> means = Relation(number(2) * a * b, "<=", a ** number(2) + b ** number(2))
>>> print(next(reductions(Goal((("a", REAL), ("b", REAL)), positive, means))).premises[0])
0 <= t^2 - 2*t + 1 for every real t with 0 < t
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import sympy
from sympy import Expr, Rational, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, fresh, number, variable
from symdp.kernel.values.conditions import bounds_of, tied
from symdp.numbers import floating
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour
from symdp.search.tactics.sample_points import points_of

#: Claims that are longer are left alone; of sets of variables, the largest are tried first, and at most so many.
LONGEST, MOST_SETS = 160, 12
#: How many points have to agree on the degree, and how exactly.
LOOKS, EXACTLY = 4, 1e-7
_SEEN = Step("enclosure")


def reductions(goal: Goal) -> Iterator[Detour]:
    """With one of a set of positive variables as the unit of the others."""
    if not isinstance(goal.claim, Relation) or goal.relation.gap.size > LONGEST:
        return
    try:
        usable = [n for n, s in goal.sorts if s == REAL and n in goal.claim.variables and _is_positive(goal, n)]
        sets = [c for size in range(len(usable), 1, -1) for c in combinations(usable, size)]
        for names in sets[:MOST_SETS]:
            degree = _degree(goal, names)
            if degree is not None:
                yield from _by_a_unit(goal, names, degree)
                return
    except (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError):
        return


def _is_positive(goal: Goal, name: str) -> bool:
    """Whether a variable may be any positive number, whatever the others are."""
    low, high = bounds_of(goal, name)
    return low is not None and low.right is ZERO and low.strict and high is None and not tied(goal, name)


def _degree(goal: Goal, names: Sequence[str]) -> Rational | None:
    """The degree in those variables, if floats see one that is a simple fraction."""
    relation, domain = view_of(goal)
    value = floating.function(relation.right - relation.left, domain.variables)
    scaled = [v.name in names for v in domain.variables]
    degrees: list[float] = []
    for point in islice(points_of(domain), 60):
        floats = [float(u) for u in point]
        at = value(floats)
        twice = value([2 * u if s else u for u, s in zip(floats, scaled, strict=True)])
        if not (at == at and twice == twice) or abs(at) < 1e-4 or at * twice <= 0:
            continue
        degrees.append(float(sympy.log(twice / at, 2)))
        if abs(degrees[-1] - degrees[0]) > EXACTLY:
            return None
        if len(degrees) == LOOKS:
            found = sympy.nsimplify(degrees[0], rational=True, tolerance=1e-6)
            return found if found.q <= 6 and abs(found) <= 12 else None
    return None


def _by_a_unit(goal: Goal, names: Sequence[str], degree: Rational) -> Iterator[Detour]:
    unit, *others = names
    v, chain = variable(unit), Descent(goal)
    for name in others:
        t = fresh("t", chain.goal.taken)
        u = variable(name)
        positive = Step("combine", {"terms": [[ONE, [[u, 1, ">"], [v, -1, ">"]]]]}, (_SEEN, _SEEN))
        chain.change(name, t, v * variable(t), u / v, [Relation(ZERO, "<", variable(t))], [positive], [v])
        chain.weaken([h for h in chain.goal.hypotheses if not {unit, t} <= h.variables])
    parts = [variable(n) for n in chain.goal.variables if n not in goal.variables] + [v]
    gap = expr_of(chain.goal.relation.gap)
    core = term_of(_tidy(gap.subs(Symbol(unit), 1)))
    strict = chain.goal.relation.op == "<"
    if chain.goal.relation.op == "==":
        return
    power = v if degree == 1 else v ** number(int(degree.p), int(degree.q))
    factors: list[list[object]] = [[power, 1, ">"]] if degree != 0 else []
    parameters = {"terms": [[ONE, [*factors, [core, 1, ">" if strict else ">="]]]], "positive": parts}
    inside = chain.goal.claiming(Relation(ZERO, chain.goal.relation.op, core))
    last = Descent(inside)
    last.weaken([h for h in inside.hypotheses if unit not in h.variables])

    def finish(steps: Sequence[Step]) -> Step:
        shown = last.around(steps[0])
        return chain.around(Step("combine", parameters, (_SEEN, shown) if factors else (shown,)))

    yield Detour((last.goal,), finish, Reason.of("homogeneous, with ", Symbol(unit), " as the unit"))


def _tidy(gap: Expr) -> Expr:
    return sympy.expand(gap) if gap.count_ops() < LONGEST else gap
