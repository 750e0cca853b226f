r"""One variable in another form, for which pieces are found: logarithms of both sides, and 1/x in the place of x.

A power whose exponent varies, as $(1+1/n)^n$, has a slope that is simple only after logarithms were taken. Far out,
where what matters are powers of $1/n$, these are powers of a variable that comes to its end at 0. What is claimed of
integers is asked for the real numbers between them. The claim in such a form is settled
:mod:`piece by piece <symdp.search.reductions.pieces>`.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import apply
>>> n = variable("n")
>>> euler = Relation((ONE + ONE / n) ** n, "<", apply("exp", ONE))
>>> next(reductions(Goal((("n", REAL),), (Relation(ONE, "<=", n),), euler))).premises
()
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Symbol

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, fresh, variable
from symdp.kernel.values.conditions import bounds_of
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.reasons import Reason
from symdp.search.reductions import pieces
from symdp.search.reductions.both_sides import FAILURES, by_logarithms, for_real_numbers
from symdp.search.reductions.detour import Descent, Detour, Idea


def reductions(goal: Goal) -> Iterator[Detour]:
    """The forms that fit, one after the other, and then piece by piece."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or len(goal.claim.variables) != 1:
        return
    changed, forms = False, Detour((goal,), lambda steps: steps[0], Reason())
    for form in (for_real_numbers, _by_logarithms, _reciprocal):
        for further in _tried(form, forms.premises[0]):
            changed, forms = True, forms.then(further)
    if changed:
        for found in pieces.reductions(forms.premises[0]):
            yield forms.then(found)


def _tried(form: Idea, goal: Goal) -> list[Detour]:
    try:
        return list(form(goal))
    except FAILURES:
        return []


def _by_logarithms(goal: Goal) -> Iterator[Detour]:
    """Where an exponent varies and both sides are seen to be positive."""
    if not any(p.exp.free_symbols for p in expr_of(goal.relation.gap).atoms(sympy.Pow)):
        return
    for found in by_logarithms(goal):
        *signs, last = found.premises
        if all(RULES["enclosure"](sign, {}) == [] for sign in signs):
            seen = [Step("enclosure")] * len(signs)
            yield Detour((last,), lambda steps: found.finish([*seen, *steps]), found.words)  # noqa: B023 - there is one


def _reciprocal(goal: Goal) -> Iterator[Detour]:
    """1/t in the place of a variable that is positive and has no upper end, where something is divided by it."""
    (name,) = goal.claim.variables
    low, high = bounds_of(goal, name)
    gap, v = expr_of(goal.relation.gap), Symbol(name)
    divided = any(p.base.has(v) and p.exp.is_negative for p in gap.atoms(sympy.Pow))
    if low is None or high is not None or not divided or not expr_of(low.right).is_positive:
        return
    t, op = fresh("t", goal.taken), "<" if low.strict else "<="
    where = [Relation(ZERO, "<", variable(t)), Relation(variable(t), op, ONE / low.right)]
    chain = Descent(goal)
    chain.change(name, t, ONE / variable(t), ONE / variable(name), where, [Step("enclosure")] * 2)
    chain.weaken(where)
    chain.rewrite(ZERO, term_of(gap.subs(v, 1 / Symbol(t))))
    yield chain.reduced(Reason.of("far out"))
