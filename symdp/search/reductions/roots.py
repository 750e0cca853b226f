r"""Roots of variables as variables: where the square root of x occurs, x is the square of a new variable.

>>> from symdp.kernel.goals import REAL
>>> x, y = variable("x"), variable("y")
>>> positive = (Relation(ZERO, "<", x), Relation(ZERO, "<", y))
>>> means = Relation(apply("sqrt", x * y), "<=", (x + y) / number(2))
>>> print(next(reductions(Goal((("x", REAL), ("y", REAL)), positive, means))).premises[0])
t*t_1 <= (t^2 + t_1^2)/2 for every real t, t_1 with 0 < t_1, 0 < t
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy import Expr, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, apply, fresh, number, variable
from symdp.kernel.values.conditions import bounds_of
from symdp.numbers.domain import DomainError
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of, without_what_follows

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError)
#: Claims that are longer are left alone, and roots of a higher order.
LONGEST, HIGHEST = 160, 4


def reductions(goal: Goal) -> Iterator[Detour]:
    """With every variable whose roots occur as a power of a new one."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    try:
        gap = expr_of(goal.relation.gap)
        orders = {n: order for n, s in goal.sorts if s == REAL and (order := _order(gap, Symbol(n))) > 1}
        chain = Descent(goal)
        changed = [_as_a_power(chain, n, order) for n, order in orders.items()]
        if changed:
            without_what_follows(chain)
            _without_roots(chain, changed)
            yield chain.reduced(Reason.of("roots as variables"))
    except FAILURES:
        return


def _without_roots(chain: Descent, changed: Sequence[str]) -> None:
    """The roots of powers of the new variables, one after the other, as products of those."""
    dummies = {Symbol(t): sympy.Dummy(t, positive=True) for t in changed}
    back = {d: s for s, d in dummies.items()}
    for part in parts_of(chain.goal, frozenset({"sqrt", "^"})):
        root = expr_of(part)
        simple = root.subs(dummies).subs(back)
        if simple != root and not _has_roots(simple) and part.variables <= set(changed):
            positive = [variable(t) for t in changed]
            chain.put(part, term_of(simple), Step("identity", {"positive": positive}))


def _has_roots(e: Expr) -> bool:
    return any(p.exp.is_Rational and p.exp.q > 1 for p in e.atoms(sympy.Pow))


def _order(gap: Expr, v: Symbol) -> int:
    """The order of the roots of a variable, or of products with it, that occur; 1 if there are none."""
    found = 1
    for power in gap.atoms(sympy.Pow):
        base, exponent = power.args
        inside = base.as_powers_dict()
        plain = all(b.is_Symbol or b.is_Number for b in inside)
        if v in inside and plain and exponent.is_Rational and exponent.q > 1:
            found = int(sympy.ilcm(found, exponent.q))
    return found if found <= HIGHEST else 1


def _as_a_power(chain: Descent, name: str, order: int) -> str:
    """The variable as a power of a new one, whose name is given; Rejected if its interval is not simple."""
    low, high = bounds_of(chain.goal, name)
    if low is None or low.right not in (ZERO, ONE) or (low.right is ZERO and not low.strict) or (
            high is not None and high.right is not ONE):
        raise Rejected(f"{name} has no simple interval")
    t = fresh("t", chain.goal.taken)
    v, new = variable(name), variable(t)
    where = [Relation(low.right, "<" if low.strict else "<=", new)]
    if high is not None:
        where.append(Relation(new, "<" if high.strict else "<=", ONE))
    root = v ** number(1, order)
    chain.change(name, t, new ** number(order), root, where, [Step("enclosure")] * len(where), [v])
    return t


__all__ = ["apply", "reductions"]
