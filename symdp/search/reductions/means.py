r"""Two positive variables by their geometric mean and by how far they lie from it: x = u/r and y = ur with r >= 1.

Where a claim compares a function at $\sqrt{xy}$ with its values at x and y, it is an equality at r = 1, and calculus
along r starts there. A convex function of log x is of that kind.

>>> from symdp.kernel.goals import REAL
>>> x, y = variable("x"), variable("y")
>>> positive = (Relation(ZERO, "<", x), Relation(ZERO, "<", y))
>>> claim = Relation(apply("exp", apply("sqrt", x * y)), "<=", (apply("exp", x) + apply("exp", y)) / number(2))
>>> for premise in next(reductions(Goal((("x", REAL), ("y", REAL)), positive, claim))).premises: print(premise)
exp(u) <= exp(r*u)/2 + exp(u/r)/2 for every real u, r with 0 < u, 1 <= r
exp(u) <= exp(r*u)/2 + exp(u/r)/2 for every real r, u with 0 < u, 1 <= r
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import sympy
from sympy import Expr, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, apply, fresh, number, variable
from symdp.kernel.values.conditions import bounds_of, tied
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError)
#: Claims that are longer are left alone.
LONGEST = 120
_SEEN, _ASSUMED = Step("enclosure"), Step("assumption")


def reductions(goal: Goal) -> Iterator[Detour]:
    """Both orders of two positive variables under one root; a variable that is 0 is left to show."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    try:
        gap = expr_of(goal.relation.gap)
        names = [n for n, s in goal.sorts if s == REAL and _is_half_line(goal, n)]
        for first, second in combinations(names, 2):
            if any(_is_mean(p, Symbol(first), Symbol(second)) for p in gap.atoms(sympy.Pow)):
                yield from _by_the_mean(goal, first, second)
    except FAILURES:
        return


def _is_half_line(goal: Goal, name: str) -> bool:
    low, high = bounds_of(goal, name)
    return low is not None and low.right is ZERO and high is None and not tied(goal, name)


def _is_mean(power: Expr, x: Symbol, y: Symbol) -> bool:
    inside = power.base.as_powers_dict()
    return bool(power.exp.is_Rational and power.exp.q == 2 and inside.get(x) == 1 and inside.get(y) == 1)


def _by_the_mean(goal: Goal, first: str, second: str) -> Iterator[Detour]:
    order = Relation(variable(first), "<=", variable(second))
    premises: list[Goal] = []
    halves: list[tuple[list[Relation], Descent]] = []
    for half, lower, upper in zip(RULES["cases"](goal, {"relation": order}), (first, second), (second, first),
                                  strict=True):
        cuts = []
        if not any(h.strict for h in bounds_of(half, lower) if h is not None):
            cuts.append(Relation(ZERO, "<", variable(lower)))
            half, at_zero = RULES["cases"](half, {"relation": cuts[0]})
            premises.append(at_zero)
        chain = Descent(half)
        _measured(chain, lower, upper)
        premises.append(chain.goal)
        halves.append((cuts, chain))

    def finish(steps: Sequence[Step]) -> Step:
        left, found = list(steps), []
        for cuts, chain in halves:
            at_zero = [left.pop(0) for _ in cuts]
            step = chain.around(left.pop(0))
            found.append(Step("cases", {"relation": cuts[0]}, (step, *at_zero)) if cuts else step)
        return Step("cases", {"relation": order}, tuple(found))

    yield Detour(tuple(premises), finish, Reason.of(
        "by the geometric mean of ", Symbol(first), " and ", Symbol(second)), sure=True)


def _measured(chain: Descent, lower: str, upper: str) -> None:
    """The lower one is u/r and the upper one ur."""
    x, y = variable(lower), variable(upper)
    s, r, u = (fresh(n, chain.goal.taken) for n in ("s", "r", "u"))
    sign = next(h.normal.op for h in chain.goal.hypotheses if isinstance(h, Relation)
                and (h.normal.left, h.normal.right) == (x, y))
    above_one = Step("combine", {"terms": [[ONE, [[y - x, 1, ">" if sign == "<" else ">="], [x, -1, ">"]]]]},
                     (Step("rewrite", {"left": x, "right": y}, (_ASSUMED,)), _SEEN))
    chain.change(upper, s, x * variable(s), y / x, [Relation(ONE, "<=", variable(s))], [above_one], [x])
    chain.change(s, r, variable(r) ** number(2), variable(s) ** number(1, 2), [Relation(ONE, "<=", variable(r))],
                 [_SEEN], [variable(s)])
    chain.change(lower, u, variable(u) / variable(r), x * variable(r), [Relation(ZERO, "<", variable(u))], [_SEEN])
    kept = [Relation(ZERO, "<", variable(u)), Relation(ONE, "<=", variable(r))]
    others = [h for h in chain.goal.hypotheses if not h.variables & {u, r}]
    chain.weaken([*others, *kept])
    _without_roots(chain, (u, r))


def _without_roots(chain: Descent, names: Sequence[str]) -> None:
    """Roots and products of the new variables, as short as they are."""
    letters = {Symbol(n): sympy.Dummy(n, positive=True) for n in names}
    back = {d: s for s, d in letters.items()}
    positive = [variable(n) for n in names]
    for _ in range(12):
        for part in parts_of(chain.goal, frozenset({"sqrt", "^", "*", "/"})):
            by = term_of(expr_of(part).subs(letters).subs(back))
            if by.size >= part.size or not part.variables <= set(names):
                continue
            try:
                if RULES["identity"](chain.goal.claiming(Relation(part, "==", by)), {"positive": positive}) == []:
                    chain.put(part, by, Step("identity", {"positive": positive}))
                    break
            except FAILURES:
                continue
        else:
            return


__all__ = ["apply", "reductions"]
