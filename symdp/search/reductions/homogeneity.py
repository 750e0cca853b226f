r"""Homogeneous claims: one of the positive variables is the unit, and then there is one variable less.

Where the gap at $(\lambda a,\lambda b)$ is $\lambda^d$ times that at (a, b), and b = at, it is $a^d$ times that at
(1, t). In the same way, where the gap at (a + c, b + c) is $e^{dc}$ times that at (a, b), one of them is the origin.

>>> from symdp.kernel.goals import REAL
>>> a, b = variable("a"), variable("b")
>>> positive = (Relation(ZERO, "<", a), Relation(ZERO, "<", b))
>>> means = Relation(number(2) * a * b, "<=", a ** number(2) + b ** number(2))
>>> print(next(reductions(Goal((("a", REAL), ("b", REAL)), positive, means))).premises[0])
0 <= t^2 - 2*t + 1 for every real t with 0 < t
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

import sympy
from sympy import Expr, Rational, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, fresh, number, variable
from symdp.kernel.values.conditions import bounds_of, tied
from symdp.numbers import floating
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour
from symdp.search.tactics.sample_points import points_of

#: Claims that are longer are left alone; of sets of variables, the largest are tried first, and at most so many.
LONGEST, MOST_SETS = 160, 12
#: How many points have to agree on the degree, and how exactly.
LOOKS, EXACTLY = 4, 1e-7
#: Gaps that floats see well enough.
SMALL, LARGE = 1e-4, 1e12
_SEEN = Step("enclosure")


def reductions(goal: Goal) -> Iterator[Detour]:
    """With one of a set of positive variables as the unit of the others, or with one of a set as their origin."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    for usable, degree_of, turned in ((_is_positive, _degree, _by_a_unit), (_is_free, _rate, _from_an_origin)):
        try:
            names = [n for n, s in goal.sorts if s == REAL and n in goal.claim.variables and usable(goal, n)]
            sets = [c for size in range(len(names), 1, -1) for c in combinations(names, size)]
            for chosen in sets[:MOST_SETS]:
                degree = degree_of(goal, chosen)
                if degree is not None:
                    yield from turned(goal, chosen, degree)
                    break
        except (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError):
            continue


def _is_positive(goal: Goal, name: str) -> bool:
    """Whether a variable may be any positive number, whatever the others are."""
    low, high = bounds_of(goal, name)
    return low is not None and low.right is ZERO and low.strict and high is None and not tied(goal, name)


def _is_free(goal: Goal, name: str) -> bool:
    """Whether a variable may be any number, whatever the others are."""
    return bounds_of(goal, name) == (None, None) and not tied(goal, name)


def _degree(goal: Goal, names: Sequence[str]) -> Rational | None:
    """The degree in those variables, if floats see one that is a simple fraction."""
    return _power(goal, names, lambda u: 2 * u, 2)


def _rate(goal: Goal, names: Sequence[str]) -> Rational | None:
    """How fast the gap grows if 1 is added to each of those variables, in powers of e."""
    return _power(goal, names, lambda u: u + 1, math.e)


def _power(goal: Goal, names: Sequence[str], moved: Callable[[float], float], base: float) -> Rational | None:
    """The power of the base by which the gap grows wherever those variables are moved, if it is a simple one."""
    relation, domain = view_of(goal)
    value = floating.function(relation.right - relation.left, domain.variables)
    moving = [v.name in names for v in domain.variables]
    powers: list[float] = []
    for point in islice(points_of(domain), 60):
        floats = [float(u) for u in point]
        at, there = value(floats), value([moved(u) if m else u for u, m in zip(floats, moving, strict=True)])
        if not (abs(at) < LARGE and abs(there) < LARGE) or abs(at) < SMALL or at * there <= 0:
            continue
        powers.append(math.log(there / at, base))
        if abs(powers[-1] - powers[0]) > EXACTLY:
            return None
        if len(powers) == LOOKS:
            found = sympy.nsimplify(powers[0], rational=True, tolerance=1e-6)
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
    power = v if degree == 1 else v ** number(int(degree.p), int(degree.q))
    yield _without(chain, unit, 1, None if degree == 0 else power, parts, "homogeneous, with ", " as the unit")


def _from_an_origin(goal: Goal, names: Sequence[str], rate: Rational) -> Iterator[Detour]:
    origin, *others = names
    v, chain = variable(origin), Descent(goal)
    for name in others:
        t = fresh("t", chain.goal.taken)
        chain.change(name, t, v + variable(t), variable(name) - v, [], [])
    factor = apply("exp", v if rate == 1 else number(int(rate.p), int(rate.q)) * v)
    yield _without(chain, origin, 0, None if rate == 0 else factor, [], "the same from any ", " on")


def _without(chain: Descent, name: str, value: int, factor: Term | None, positive: Sequence[Term],
             before: str, after: str) -> Detour:
    """The gap is a positive factor times what it is where the variable has that value."""
    goal = chain.goal
    core = term_of(_tidy(expr_of(goal.relation.gap).subs(Symbol(name), value)))
    sign = ">" if goal.relation.op == "<" else ">="
    factors: list[list[object]] = [] if factor is None else [[factor, 1, ">"]]
    parameters = {"terms": [[ONE, [*factors, [core, 1, sign]]]], **({"positive": list(positive)} if positive else {})}
    # a step that fails here would be found out only after what is left has been shown
    *_, inside = RULES["combine"](goal, parameters)
    last = Descent(inside)
    last.weaken([h for h in inside.hypotheses if name not in h.variables])

    def finish(steps: Sequence[Step]) -> Step:
        shown = last.around(steps[0])
        return chain.around(Step("combine", parameters, (_SEEN, shown) if factors else (shown,)))

    return Detour((last.goal,), finish, Reason.of(before, Symbol(name), after))


def _tidy(gap: Expr) -> Expr:
    return sympy.expand(gap, deep=False) if gap.count_ops() < LONGEST else gap
