r"""A sum against a closed form, by the steps of that form. Nothing is trusted.

A relation $\sum_{i=a}^{n} f(i) \le G(n)$ follows from $f(i) \le G(i) - G(i-1)$ for each $i$, where the other side of
the relation itself says what $G$ is: so the sum of $1/i$ is at most $1 + \ln n$, that of $1/\sqrt i$ at most
$2\sqrt n$, and that of $1/(i(i+1))$ equals $1 - 1/(n+1)$. It is induction on the number of terms in one step, by the
kernel's law of telescoping sums. Where $G(a-1)$ has no meaning, or does not help, the first term stands by itself.
Where the other side does not help, $G$ is an antiderivative of $f$: so the sum of $1/i^2$ is at most $2$.

>>> from symdp.arguments.reading.text_file import derivation_from
>>> report = derivation_from(r'''integer: n
... assume: n \ge 1
... state: \sum_{i=1}^{n} \frac{1}{i} \le 1 + \ln n''').check(budget=5)
>>> bool(report)
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy
from sympy import Expr

from symdp.arguments.formal.plain_goals import Unproved
from symdp.arguments.formal.sum_evaluation import OpenGoal, atoms_of
from symdp.arguments.sums.laws import hinted
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Step
from symdp.kernel.terms import BINDERS, Term, close, fresh, instantiate, replace_part, variable

if TYPE_CHECKING:
    from symdp.arguments.formal.sums import Prover


#: Seconds for an antiderivative.
_HINT = 0.5


def by_telescope(prover: Prover, goal: Goal) -> Step:
    """A sum against a closed form of its upper end; Unproved if there is no such thing, or it does not help."""
    reason: Unproved | None = None
    for total, op, closed in _forms(goal):
        for split in (False, True):
            ctx = OpenGoal(prover, goal, goal.hypotheses)
            try:
                return _telescoped(prover, ctx, total, op, closed, split=split)
            except Unproved as why:
                reason = why
    raise reason or Unproved("there is no sum against a closed form")


def _telescoped(prover: Prover, ctx: OpenGoal, total: Term, op: str, closed: Term, *, split: bool) -> Step:
    low, high, body = total.args
    if split:
        after = term_of(expr_of(low) + 1)
        found = ctx.law("parted", head="sum", low=low, high=high, body=body, middle=low, after=after)
        if found is None:
            raise Unproved("the first term does not stand by itself")
        ctx.put(found.left, found.right)
        low = after
    ctx.law("telescope", patient=True, low=low, high=high, body=body, closed=closed, op=op)
    return prover.finish(ctx, facts=False)


def _forms(goal: Goal) -> Iterator[tuple[Term, str, Term]]:
    """The only sum of the claim, how it compares with the rest, and the rest as a function of the sum's upper end."""
    r = goal.relation
    binders = [a for a in atoms_of(r.left, r.right) if a.head in BINDERS]
    if len(binders) != 1 or binders[0].head != "sum" or binders[0].loose:
        return
    (total,) = binders
    low, high, body = total.args
    name = fresh("sum_1", goal.taken | total.variables)
    there = symbol(name)
    gap = expr_of(replace_part(r.right - r.left, total, variable(name)))
    factor = gap.diff(there)
    if factor == 0 or factor.has(there):
        return
    value = sympy.expand(-(gap - factor * there) / factor)
    if value.has(there):
        return
    rises = factor.subs(dict.fromkeys(factor.free_symbols, 2)).is_positive  # a guess, where it is no number
    op = {"<=": ">=", "<": ">"}.get(r.op, r.op) if rises else r.op
    end = expr_of(high)
    index = fresh("i", goal.taken | total.variables | {name})
    for n in sorted(end.free_symbols, key=str):
        shift = sympy.expand(end - n)
        if not shift.is_Integer or n.name in body.variables | low.variables:
            continue
        yield total, op, close(term_of(_at(value, n, symbol(index) - shift)), index)
    if op != "==":
        whole = _antiderivative(expr_of(instantiate(body, variable(index))), symbol(index))
        if whole is not None:
            yield total, op, close(term_of(whole), index)


def _antiderivative(f: Expr, i: sympy.Symbol) -> Expr | None:
    """What a sum of terms that fall or rise is compared with, where nobody has said it: their integral."""
    if not f.has(i) or f.has(sympy.binomial, sympy.gamma, sympy.Indexed, sympy.floor):
        return None
    plain = sympy.Dummy("i", positive=True)

    def integrated() -> Expr:
        return sympy.integrate(f.xreplace({i: plain}), plain).xreplace({plain: i})

    found = hinted(integrated, _HINT)
    known = (sympy.exp, sympy.log, sympy.Pow)
    if found is None or any(not isinstance(part, known) for part in found.atoms(sympy.Function)):
        return None
    return None if found.has(sympy.Integral, sympy.Piecewise, sympy.I, sympy.zoo) else found


def _at(value: Expr, n: sympy.Symbol, there: Expr) -> Expr:
    return value.xreplace({n: there})
