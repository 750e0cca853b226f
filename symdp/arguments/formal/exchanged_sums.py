r"""Double sums whose order is exchanged. Nothing is trusted: the kernel verifies the step that comes out.

A sum whose terms have a sum in them is first written as a double sum; that it is one is shown term by term. The
kernel's law then exchanges the two, and what is left is compared term by term with the other side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Add, Dummy, Expr, Indexed, Mul, Sum, expand

from symdp.arguments.formal.plain_goals import Unproved
from symdp.arguments.sums.laws import hinted
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import Term, fresh
from symdp.sources.derivations.expressions import insert, terms, variables_of

if TYPE_CHECKING:
    from symdp.arguments.formal.sums import Prover


def by_exchange(prover: Prover, goal: Goal) -> Step:
    """One side with its sums in the other order, compared with the other side."""
    r = goal.relation
    if r.left.head != "sum" or r.right.head != "sum":
        raise Unproved("the sides are no two sums")
    last = Unproved("there is no double sum")
    for one in (r.left, r.right):
        double = nested(one)
        if double is None:
            continue
        ctx = prover.begin(goal)
        try:
            if double is not one:
                same = Relation(one, "==", double)
                shown = prover.same_terms(goal.claiming(same))
                ctx.frames.append(("cut", {"fact": same}, (shown,)))
                ctx.goal = ctx.goal.claiming(ctx.goal.claim, same)
                ctx.put(one, double)
            turned = ctx.law("exchange", patient=True, sum=double)
            if turned is None:  # the law is known already
                raise Unproved("the sums in the other order are the same")
            ctx.put(double, turned.right)
            return ctx.closed(prover.same_terms(ctx.goal))
        except Unproved as reason:
            last = reason
    raise last


def nested(term: Term) -> Term | None:
    """A sum as a double sum, if its terms are multiples of sums over one range.

    >>> from sympy import IndexedBase, symbols
    >>> i, j, k = symbols("i j k")
    >>> a, b = IndexedBase("a"), IndexedBase("b")
    >>> print(nested(term_of(Sum(a[i] * (1 - Sum(b[j], (j, 1, k))), (i, 1, k)))))
    None
    >>> nested(term_of(Sum(a[i] * Sum(b[j], (j, 1, k)), (i, 1, k)))).args[2].head
    'sum'
    """
    if term.args[2].head == "sum":
        return term
    body, i, low, high = terms(expr_of(term))
    spread = hinted(lambda: expand(body, deep=False), 1.0)
    if spread is None:
        return None
    index, ends, parts = Dummy("j"), None, []
    for part in Add.make_args(spread):
        found = _multiple(part, index)
        if found is None or (ends is not None and found[1] != ends):
            return None
        ends = found[1]
        parts.append(found[0])
    if ends is None:
        return None
    taken = {str(v) for v in variables_of(body, low, high)} | {str(i)}
    free = symbol(fresh("j", taken | {str(f.base.label) for f in body.atoms(Indexed)}))
    inner = Sum(insert(Add(*parts), {index: free}), (free, *ends))
    return term_of(Sum(inner, (i, low, high)))


def _multiple(part: Expr, index: Dummy) -> tuple[Expr, tuple[Expr, Expr]] | None:
    """The terms of a multiple of a sum, with this index, and the ends of the range."""
    sums = [f for f in Mul.make_args(part) if isinstance(f, Sum)]
    if len(sums) != 1:
        return None
    body, j, low, high = terms(sums[0])
    rest = Mul(*(f for f in Mul.make_args(part) if f is not sums[0]))
    return rest * insert(body, {j: index}), (low, high)

